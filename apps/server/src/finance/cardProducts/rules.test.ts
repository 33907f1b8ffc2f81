import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cardTermsSchema } from '@saddle/contract/finance/cardTerms.ts'
import { earnedOnDay, earnedUntil } from '../cards/rules.ts'
import { newOrder, shelfStateOf, whyNotSold } from './rules.ts'

const sale = { state: 'on', on_from: null, on_to: null, stock: null, sold: 0 } as const
const at = (ms: number) => new Date(ms)

it('says what a card is on the shelf, and why it is not sold', () => {
  expect(shelfStateOf(sale, 10)).toBe('on')
  expect(shelfStateOf({ ...sale, on_from: at(11) }, 10)).toBe('scheduled')
  expect(shelfStateOf({ ...sale, on_from: at(10) }, 10)).toBe('on')
  expect(shelfStateOf({ ...sale, on_to: at(10) }, 10)).toBe('over')
  expect(shelfStateOf({ ...sale, stock: 5, sold: 5 }, 10)).toBe('sold_out')
  expect(shelfStateOf({ ...sale, stock: 5, sold: 4 }, 10)).toBe('on')
  expect(shelfStateOf({ ...sale, stock: 5, sold: 5, on_to: at(10) }, 10), 'its days count first').toBe('over')
  for (const state of ['draft', 'paused', 'ended'] as const) expect(shelfStateOf({ ...sale, state }, 10)).toBe(state)
  expect(whyNotSold({ ...sale, state: 'paused' }, 10)).toBe('card_off_sale')
  expect(whyNotSold({ ...sale, state: 'draft' }, 10)).toBe('not_found')
  expect(whyNotSold(sale, 10), 'the last one went to somebody else').toBe('card_sold_out')
})

it('puts the given cards first and keeps the others as they were', () => {
  expect(newOrder([1, 2, 3, 4], [3, 1, 3]).map(({ id }) => id)).toEqual([3, 1, 2, 4])
  expect(newOrder([1, 2], []).map(({ place }) => place)).toEqual([0, 1])
})

it('earns every cent of a price once, in parts that differ by no more than one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 1, max: 366 }), (priceCents, days) => {
      const parts = Array.from({ length: days }, (_, index) => earnedOnDay({ priceCents, days, index }))
      expect(parts.reduce((sum, cents) => sum + cents, 0)).toBe(priceCents)
      expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1)
      expect(earnedUntil({ cents: priceCents, parts: days, count: days + 1 })).toBe(priceCents)
    }),
  )
})

it('takes terms that say the same thing once', () => {
  const riding = { kind: 'riding', name: '卡', priceCents: 100, days: 7, freeMinutes: 30 } as const
  const faultOf = (terms: object) => cardTermsSchema.safeParse({ ...riding, ...terms }).error?.issues[0]?.path.join('.')
  expect(faultOf({})).toBeUndefined()
  expect(faultOf({ freeMinutes: null })).toBe('freeMinutes')
  expect(faultOf({ wasPriceCents: 100 })).toBe('wasPriceCents')
  expect(faultOf({ maxOffCents: 100 })).toBe('maxOffCents')
  expect(faultOf({ onFrom: 10, onTo: 10 })).toBe('onTo')
  expect(faultOf({ kind: 'discount', freeMinutes: null, percentOff: 10, ridesPerDay: 2 })).toBe('ridesPerDay')
  expect(faultOf({ kind: 'discount', freeMinutes: null })).toBe('percentOff')
})
