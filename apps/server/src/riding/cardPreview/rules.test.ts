import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { outcomeOf, summaryOf, type PastRide } from './rules.ts'

const terms = { priceCents: 1_000, days: 7, rides: null, ridesPerDay: null }
const start = Date.parse('2026-11-01T00:00:00+08:00')
const rideAt = (day: number, savedCents = 200): PastRide => ({
  startedAt: start + day * dayMs + hourMs,
  paidCents: 300,
  savedCents,
})
const far = start + 100 * dayMs

it('buys a card with the first ride that would use it, and the next one when it is over', () => {
  expect(outcomeOf([rideAt(0), rideAt(6)], terms, far)).toMatchObject({ savedCents: 400, cardsCents: 1_000 })
  expect(outcomeOf([rideAt(0), rideAt(7)], terms, far)).toMatchObject({ savedCents: 400, cardsCents: 2_000 })
  expect(outcomeOf([rideAt(0, 0)], terms, far)).toMatchObject({ rides: 1, savedCents: 0, cardsCents: 0 })
})

it('counts the rides of the day and of the card', () => {
  const three = [rideAt(0), rideAt(0), rideAt(0)]
  expect(outcomeOf(three, { ...terms, ridesPerDay: 2 }, far)).toMatchObject({ savedCents: 400, cardsCents: 1_000 })
  expect(outcomeOf(three, { ...terms, rides: 2 }, far)).toMatchObject({ savedCents: 600, cardsCents: 2_000 })
})

it('counts of the last card what was used of it', () => {
  const now = start + 3.5 * dayMs
  expect(outcomeOf([rideAt(0)], terms, now).cardsCents).toBe(500)
  expect(outcomeOf([rideAt(0)], { ...terms, rides: 4, days: 70 }, now).cardsCents).toBe(250)
})

it('says who would have gained, by how often they rode', () => {
  const often = outcomeOf(
    Array.from({ length: 7 }, (_, day) => rideAt(day)),
    terms,
    far,
  )
  const seldom = outcomeOf([rideAt(0)], terms, far)
  const summary = summaryOf([often, seldom])
  expect(summary).toMatchObject({
    riders: 2,
    rides: 8,
    gainers: 1,
    savedCents: 1_400,
    cardsCents: 1_000,
    ridesToGain: 7,
  })
  expect(summary.groups[0]).toEqual({ from: 1, to: 2, riders: 1, gainers: 0, savedCents: 200, cardsCents: 1_000 })
  expect(summary.groups[2]).toMatchObject({ from: 6, to: 10, riders: 1, gainers: 1 })
})

it('never costs more than whole cards, and never saves more than what the rides would have saved', () => {
  const rides = fc.array(fc.record({ day: fc.nat(60), saved: fc.integer({ min: -10, max: 500 }) }), { maxLength: 40 })
  fc.assert(
    fc.property(rides, fc.nat(60), (found, now) => {
      const past = found.toSorted((a, b) => a.day - b.day).map(({ day, saved }) => rideAt(day, saved))
      const { savedCents, cardsCents } = outcomeOf(past, { ...terms, rides: 5 }, start + now * dayMs)
      expect(cardsCents).toBeGreaterThanOrEqual(0)
      expect(cardsCents).toBeLessThanOrEqual(past.length * terms.priceCents)
      expect(savedCents).toBeLessThanOrEqual(past.reduce((sum, ride) => sum + Math.max(0, ride.savedCents), 0))
    }),
  )
})
