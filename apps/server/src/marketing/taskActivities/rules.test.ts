import fc from 'fast-check'
import { addDays, businessDayOf, businessDayStart, dayMs, hourMs } from '@saddle/contract/time.ts'
import { taskTermsSchema } from '@saddle/contract/marketing/taskActivities.ts'
import { expect, it } from 'vitest'
import { amountOf, causeOfLevel, counts, levelAt, roundAt, valueOf } from './rules.ts'

const startsAt = businessDayStart('2026-11-01') + 9 * hourMs
const terms = taskTermsSchema.parse({
  measure: 'rides',
  days: 7,
  levels: [3, 6, 10].map((target) => ({ target, rewards: [{ kind: 'gift', cents: 100, validDays: 7 }] })),
  rides: { minMinutes: 5, minCents: 100, hours: { from: 420, to: 600 } },
})
const at = businessDayStart('2026-11-03') + 8 * hourMs
const ride = { areaId: 31, startedAt: at, endedAt: at + 600_000, metres: 1_500, cents: 200 }
const common = { areaIds: [31], startsAt, endsAt: null }

it('puts each moment into one round, and rounds join without gap', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 92 }), fc.integer({ min: 0, max: 400 }), (days, passed) => {
      const moment = startsAt + passed * dayMs
      const round = roundAt({ startsAt, days }, moment)
      const day = businessDayOf(moment)
      expect(round.beginsOn <= day && day < round.endsOn).toBe(true)
      expect(addDays(round.beginsOn, days)).toBe(round.endsOn)
      expect(roundAt({ startsAt, days }, businessDayStart(round.endsOn)).beginsOn).toBe(round.endsOn)
    }),
  )
})

it('counts only rides that meet the conditions', () => {
  expect(counts({ common, terms }, ride)).toBe(true)
  const others = [
    { areaId: 41 },
    { cents: 99 },
    { endedAt: at + 299_000 },
    { startedAt: at + 3 * hourMs, endedAt: at + 4 * hourMs },
    { startedAt: startsAt - dayMs, endedAt: startsAt - dayMs + 600_000 },
  ]
  for (const other of others)
    expect(counts({ common, terms }, { ...ride, ...other }), JSON.stringify(other)).toBe(false)
  expect(counts({ common: { ...common, endsAt: ride.endedAt }, terms }, ride), 'it ended with the activity').toBe(false)
})

it('adds up the same in every order, and a ride more never loses a level', () => {
  const day = fc.integer({ min: 1, max: 9 }).map((n) => `2026-11-0${n}`)
  const counted = fc.record({ day, amount: fc.integer({ min: 1, max: 5_000 }) })
  fc.assert(
    fc.property(
      fc.constantFrom('rides', 'minutes', 'metres', 'days'),
      fc.array(counted, { maxLength: 20 }),
      counted,
      (measure, rides, one) => {
        const value = valueOf(measure, rides)
        expect(valueOf(measure, rides.toReversed())).toBe(value)
        const more = valueOf(measure, [...rides, one])
        expect(more).toBeGreaterThanOrEqual(value)
        expect(levelAt(terms.levels, more)).toBeGreaterThanOrEqual(levelAt(terms.levels, value))
      },
    ),
  )
})

it('measures a ride, and names a level of a round by one number', () => {
  expect(amountOf('minutes', ride)).toBe(10)
  expect(amountOf('metres', { ...ride, metres: 1_500.9 })).toBe(1_500)
  expect(amountOf('rides', ride)).toBe(1)
  expect(levelAt(terms.levels, 6)).toBe(2)
  const causes = [1, 2, 3].flatMap((id) => [1, 2, 3, 4, 5].map((level) => causeOfLevel(id, level)))
  expect(new Set(causes).size).toBe(causes.length)
})
