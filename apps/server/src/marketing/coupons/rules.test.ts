import { describe, expect, it } from 'vitest'
import { couponBudgetState } from '@saddle/contract/marketing/couponBudget.ts'
import { couponCodeSchema } from '@saddle/contract/marketing/coupons.ts'
import { couponTermsSchema } from '@saddle/contract/marketing/couponTerms.ts'
import { createSeededRandom } from '#kit/random.ts'
import { chooseRiders, endOf, isSpent, newCodes, whyNotOpen } from './rules.ts'

const noon = Date.UTC(2026, 10, 21, 4)

describe('a coupon', () => {
  it('is valid to the end of its last day, by business time, or until an instant', () => {
    expect(endOf({ validDays: 1, validUntil: null }, noon)).toBe(Date.UTC(2026, 10, 22, 16))
    expect(endOf({ validDays: null, validUntil: noon + 1 }, noon)).toBe(noon + 1)
  })

  it('has one end, and a partner who bears it has a name', () => {
    const terms = { name: '券', effect: { off: 'start' }, validDays: 7, validUntil: null }
    expect(couponTermsSchema.safeParse(terms).success).toBe(true)
    expect(couponTermsSchema.safeParse({ ...terms, validUntil: noon }).success).toBe(false)
    expect(couponTermsSchema.safeParse({ ...terms, validDays: null }).success).toBe(false)
    expect(couponTermsSchema.safeParse({ ...terms, bearer: 'partner' }).success).toBe(false)
    expect(couponTermsSchema.safeParse({ ...terms, bearer: 'partner', partner: '商场' }).success).toBe(true)
  })

  it('that cannot be used says why', () => {
    expect((['used', 'expired', 'revoked'] as const).map(whyNotOpen)).toEqual(['used_up', 'lapsed', 'revoked'])
  })
})

it('a budget is spent when money or uses are', () => {
  const none = { budget_cents: null, budget_uses: null, used_cents: 900, uses: 9 }
  expect(isSpent(none)).toBe(false)
  expect(isSpent({ ...none, budget_cents: 1_000, budget_uses: 10 })).toBe(false)
  expect(isSpent({ ...none, budget_cents: 900 })).toBe(true)
  expect(isSpent({ ...none, budget_uses: 9 })).toBe(true)
  expect(isSpent({ ...none, budget_cents: 940 }), '40 left at 100 a use').toBe(true)
  const shown = { budgetCents: 940, budgetUses: null, usedCents: 900 }
  expect([9, 30, 0].map((used) => couponBudgetState({ ...shown, used }))).toEqual(['dry', 'low', 'low'])
})

it('issues to each rider of a list once, and says of every other place why not', () => {
  const known = new Map([1, 2, 3].map((id) => [id, { isClosed: id === 3 }] as const))
  const chosen = chooseRiders({ wanted: [1, undefined, 2, 1, 3, 9], known, held: new Map([[2, 2]]), riderMax: 2 })
  expect(chosen).toEqual({
    riderIds: [1],
    skipped: [
      { at: 1, why: 'unknown' },
      { at: 2, why: 'cap' },
      { at: 3, why: 'twice' },
      { at: 4, why: 'closed' },
      { at: 5, why: 'unknown' },
    ],
  })
  expect(chooseRiders({ wanted: [2], known, held: new Map([[2, 99]]), riderMax: null }).riderIds).toEqual([2])
})

it('makes different codes, each of which can be typed with gaps and small letters', () => {
  const codes = newCodes(createSeededRandom(1), 1_000)
  expect(new Set(codes).size).toBe(1_000)
  for (const code of codes) {
    const typed = `${code.slice(0, 4)} ${code.slice(4, 8)}-${code.slice(8)}`.toLowerCase()
    expect(couponCodeSchema.parse(typed)).toBe(code)
  }
  expect(() => newCodes({ bytes: (length) => new Uint8Array(length) }, 2)).toThrow('repeats itself')
})
