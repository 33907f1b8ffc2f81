import { couponTermsSchema, type CouponTerms } from '@saddle/contract/marketing/couponTerms.ts'
import { priceRulesSchema } from '@saddle/contract/riding/price.ts'
import { expect, it } from 'vitest'
import { couponWorthCents, isPriceNeeded } from './worth.ts'

const rules = priceRulesSchema.parse({
  freeSeconds: 0,
  startCents: 200,
  timeSteps: [
    { fromMinute: 10, everyMinutes: 5, cents: 50 },
    { fromMinute: 60, everyMinutes: 30, cents: 400 },
  ],
  distance: { fromM: 0, everyM: 1_000, cents: 10 },
  bands: [{ name: '晚高峰', weekdays: [1], fromMinute: 1_020, toMinute: 1_140, surchargePercent: 50 }],
  dayCapCents: null,
  insuranceCents: 0,
  outOfPlaceCents: 500,
  outsideAreaCents: 2_000,
  noStopCents: 1_000,
  noStopReturnAllowed: true,
})
const capped = { ...rules, dayCapCents: 2_500 }
const termsOf = (effect: CouponTerms['effect'], areaIds: number[] = []) =>
  couponTermsSchema.parse({ name: '券', effect, conditions: { areaIds }, validDays: 7, validUntil: null })
const worth = (effect: CouponTerms['effect'], areaIds: number[] = [], count = 1) =>
  couponWorthCents(termsOf(effect, areaIds), count, [
    { areaId: 31, rules },
    { areaId: 32, rules: capped },
  ])

it('says what a coupon takes off at most, by the dearest price where it holds', () => {
  expect(worth({ off: 'cents', cents: 300 }, [], 2)).toBe(600)
  expect(worth({ off: 'percent', percent: 50, maxCents: 700 })).toBe(700)
  expect(worth({ off: 'start' })).toBe(300)
  // 2.00 + 4 units of 0.50, and half as much again in the evening.
  expect(worth({ off: 'minutes', minutes: 30 }, [], 3)).toBe(3 * 600)
  expect(worth({ off: 'fee' })).toBe(2_000)
  // A day: 2.00 + 10 × 0.50 + 46 × 4.00 in the dearest hours, and 600 km.
  expect(worth({ off: 'percent', percent: 20, maxCents: null })).toBe(((200 + 500 + 18_400) * 1.5 + 6_000) / 5)
  expect(worth({ off: 'percent', percent: 20, maxCents: null }, [32])).toBe(1_000)
  expect(worth({ off: 'minutes', minutes: 1_440 }, [32])).toBe(5_000)
  expect(worth({ off: 'start' }, [99]), 'where there is no price nobody rides').toBe(0)
})

it('needs prices only where the coupon itself says no amount', () => {
  expect(isPriceNeeded(termsOf({ off: 'percent', percent: 20, maxCents: 5 }))).toBe(false)
  expect(isPriceNeeded(termsOf({ off: 'cents', cents: 5 }))).toBe(false)
  expect(isPriceNeeded(termsOf({ off: 'fee' }))).toBe(true)
})
