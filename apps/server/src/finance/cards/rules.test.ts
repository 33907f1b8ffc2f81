import fc from 'fast-check'
import { expect, it } from 'vitest'
import { benefitsOfCards, refundOf, type ValidCard } from './rules.ts'

const anyCard: fc.Arbitrary<Omit<ValidCard, 'id'>> = fc
  .record({
    isRiding: fc.boolean(),
    rides: fc.option(fc.integer({ min: 1, max: 6 })),
    ridesPerDay: fc.option(fc.integer({ min: 1, max: 3 })),
  })
  .map(({ isRiding, rides, ridesPerDay }) => ({
    kind: isRiding ? ('riding' as const) : ('discount' as const),
    name: 'card',
    free_minutes: isRiding ? 30 : null,
    rides_per_day: isRiding ? ridesPerDay : null,
    rides,
    ridden: 0,
    percent_off: isRiding ? null : 20,
    max_off_cents: null,
    area_ids: [],
    ends_on: '2026-12-01',
    uses: 0,
  }))
const anyCards = fc
  .array(anyCard, { maxLength: 5 })
  .map((cards) => cards.map((card, index): ValidCard => ({ ...card, id: index + 1 })))

it('a card lowers no more rides than it has, in all and on a day, however they come', () => {
  fc.assert(
    fc.property(anyCards, fc.array(fc.array(fc.nat(4), { maxLength: 8 }), { maxLength: 5 }), (cards, days) => {
      let held = cards
      for (const rides of days) {
        held = held.map((card) => ({ ...card, uses: 0 }))
        for (const pick of rides) {
          const { benefits, skipped } = benefitsOfCards(held)
          expect([...benefits, ...skipped].map(({ id }) => id).toSorted()).toEqual(cards.map(({ id }) => id))
          expect(skipped.every(({ why }) => why === 'used_up')).toBe(true)
          const used = benefits[pick % Math.max(1, benefits.length)]
          held = held.map((card) =>
            card.id === used?.id ? { ...card, uses: card.uses + 1, ridden: card.ridden + 1 } : card,
          )
        }
        for (const { rides: most, ridden, rides_per_day: perDay, uses } of held) {
          expect(ridden).toBeLessThanOrEqual(most ?? Infinity)
          expect(uses).toBeLessThanOrEqual(perDay ?? Infinity)
        }
      }
    }),
  )
})

it('what is paid back for a card of rides and what its rides earned are its price', () => {
  const parts = { rides: fc.integer({ min: 1, max: 100 }), price: fc.integer({ min: 1, max: 1_000_000 }) }
  fc.assert(
    fc.property(parts.rides, parts.price, fc.nat(100), (rides, price, ridden) => {
      const card = { begins_on: '2026-11-01', days: 30, price_cents: price, rides, usedToday: false }
      const paidBack = (count: number): number => refundOf({ ...card, ridden: count }, '2026-11-09').refundCents
      const count = Math.min(ridden, rides)
      expect(paidBack(count)).toBeGreaterThanOrEqual(0)
      expect(paidBack(count)).toBeLessThanOrEqual(price)
      expect(paidBack(0)).toBe(price)
      expect(paidBack(rides)).toBe(0)
      if (count > 0) expect(paidBack(count)).toBeLessThanOrEqual(paidBack(count - 1))
    }),
  )
})
