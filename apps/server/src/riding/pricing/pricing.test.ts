import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { benefitSchema, type Benefit } from '@saddle/contract/riding/benefits.ts'
import { priceRulesSchema, type PriceRules } from '@saddle/contract/riding/price.ts'
import { readReason } from '@saddle/contract/riding/reasons.ts'
import { businessDayOf, minuteMs as minute } from '@saddle/contract/time.ts'
import { pricedRideMaxMs, priceRide, ridingByDay, type PricedRide } from './pricing.ts'

/** Saturday, 21 November 2026, 10:00 in Shanghai. */
const morning = Date.UTC(2026, 10, 21, 2)
const midnight = Date.UTC(2026, 10, 21, 16)

const rules: PriceRules = {
  freeSeconds: 60,
  startCents: 200,
  timeSteps: [
    { fromMinute: 15, everyMinutes: 10, cents: 100 },
    { fromMinute: 60, everyMinutes: 30, cents: 200 },
  ],
  distance: null,
  bands: [],
  dayCapCents: null,
  insuranceCents: 0,
  outOfPlaceCents: 500,
  outsideAreaCents: 1_500,
  noStopCents: 1_000,
  noStopReturnAllowed: false,
}
const ride = (minutes: number, changes: Partial<PricedRide> = {}): PricedRide => ({
  startedAt: morning,
  endedAt: (changes.startedAt ?? morning) + minutes * minute,
  distanceM: 0,
  returnKind: 'in_place',
  areaId: 31,
  model: 'E1',
  weather: null,
  benefits: [],
  spentByDay: {},
  ...changes,
})
const night = { name: '夜间', weekdays: [1, 2, 3, 4, 5, 6, 7], fromMinute: 1_320, toMinute: 360, surchargePercent: 20 }
const benefit = (given: Pick<Benefit, 'kind' | 'name' | 'effect'> & Partial<Benefit>): Benefit =>
  benefitSchema.parse({ id: 1, ...given })
const card = benefit({ kind: 'riding_card', name: '月卡', effect: { off: 'minutes', minutes: 30 } })
const discount = benefit({
  kind: 'discount_card',
  name: '九折卡',
  effect: { off: 'percent', percent: 10, maxCents: null },
})
const coupon = benefit({ kind: 'coupon', name: '新客券', effect: { off: 'cents', cents: 150 }, fromCents: 300 })
const noFee = benefit({ kind: 'coupon', name: '还车券', effect: { off: 'fee' } })

describe('the price of a ride', () => {
  it.each<[string, Partial<PriceRules>, PricedRide, number]>([
    ['free within the first minute', {}, ride(0.9), 0],
    ['the start fee from then on', {}, ride(1), 200],
    ['nothing more up to the covered minutes', {}, ride(15), 200],
    ['a begun unit counts whole', {}, ride(15.01), 300],
    ['three units', {}, ride(45), 500],
    ['a step that the next one cuts short', {}, ride(60), 700],
    ['the next step', {}, ride(60.5), 900],
    ['metres beyond', { distance: { fromM: 3_000, everyM: 1_000, cents: 50 } }, ride(10, { distanceM: 4_001 }), 300],
    ['a fee outside of a place', {}, ride(10, { returnKind: 'out_of_place' }), 700],
    ['a fee outside of the area', {}, ride(10, { returnKind: 'outside_area' }), 1_700],
    ['a fee in a no-stop zone', {}, ride(10, { returnKind: 'no_stop' }), 1_200],
    ['a free ride still pays for its return', {}, ride(0.5, { returnKind: 'out_of_place' }), 500],
    ['insurance on top', { insuranceCents: 30 }, ride(10), 230],
    ['the cap of a day', { dayCapCents: 600 }, ride(60.5), 600],
    ['what came before counts', { dayCapCents: 600 }, ride(60.5, { spentByDay: { '2026-11-21': 450 } }), 150],
    ['nothing where the day is used up', { dayCapCents: 600 }, ride(60, { spentByDay: { '2026-11-21': 900 } }), 0],
    ['a card takes the first minutes', {}, ride(45, { benefits: [card] }), 100],
    ['a percentage of what is left', {}, ride(15.5, { benefits: [discount] }), 270],
    ['a coupon from its minimum on', {}, ride(15.5, { benefits: [coupon] }), 150],
    ['no coupon below its minimum', {}, ride(15, { benefits: [coupon] }), 200],
    ['benefits leave fees alone', {}, ride(10, { benefits: [card], returnKind: 'out_of_place' }), 500],
    ['cards before coupons', {}, ride(65, { benefits: [coupon, card] }), 350],
    ['a free ride has nothing for a card', {}, ride(0.5, { benefits: [card], returnKind: 'out_of_place' }), 500],
    ['a benefit for the fee', {}, ride(10, { benefits: [noFee], returnKind: 'out_of_place' }), 200],
    ['by day no surcharge', { bands: [night] }, ride(45), 500],
    ['by night a fifth more', { bands: [night] }, ride(45, { startedAt: midnight }), 600],
    [
      'a band that ends within the ride',
      { bands: [night] },
      ride(35, { startedAt: Date.UTC(2026, 10, 20, 21, 50) }),
      440,
    ],
    ['another weekday has no band', { bands: [{ ...night, weekdays: [1] }] }, ride(45, { startedAt: midnight }), 500],
  ])('%s', (_, changes, one, cents) => {
    expect(priceRide({ ...rules, ...changes }, one).totalCents).toBe(cents)
  })

  it('caps each calendar day for itself where a ride goes over midnight', () => {
    const { lines, totalCents } = priceRide(
      { ...rules, dayCapCents: 300 },
      ride(120, { startedAt: midnight - 30 * minute }),
    )
    expect(ridingByDay(lines)).toEqual({ '2026-11-21': 300, '2026-11-22': 300 })
    expect(totalCents).toBe(600)
    expect(lines.filter(({ code }) => code === 'day_cap').map(({ day }) => day)).toEqual(['2026-11-21', '2026-11-22'])
  })

  it('gives every line its reason', () => {
    const { lines } = priceRide(rules, ride(16, { returnKind: 'out_of_place', benefits: [discount] }))
    expect(lines.map(({ code, reason, quantity, amountCents }) => [code, reason, quantity, amountCents])).toEqual([
      ['start', '起步价，含前 15 分钟', 1, 200],
      ['time', '第 15 分钟起，每 10 分钟 1.00 元', 1, 100],
      ['discount_card', '九折卡，优惠 10%', 1, -30],
      ['out_of_place', '未停入停车点，收取调度费', 1, 500],
    ])
    expect(readReason(lines[2]?.reason ?? '')?.values).toEqual({ name: '九折卡', percent: '10' })
    expect(readReason('停车点在施工'), 'what a person wrote').toBeNull()
  })

  it('refuses steps that do not rise', () => {
    const [first] = rules.timeSteps
    expect(priceRulesSchema.safeParse({ ...rules, timeSteps: [first, first] }).success).toBe(false)
    expect(priceRulesSchema.safeParse(rules).success).toBe(true)
  })
})

const cents = fc.integer({ min: 0, max: 5_000 })
const anyBand = fc.record({
  name: fc.constant('时段'),
  weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 }),
  fromMinute: fc.integer({ min: 0, max: 1_440 }),
  toMinute: fc.integer({ min: 0, max: 1_440 }),
  surchargePercent: fc.integer({ min: 1, max: 300 }),
})
const anyRules: fc.Arbitrary<PriceRules> = fc.record({
  freeSeconds: fc.integer({ min: 0, max: 600 }),
  startCents: cents,
  timeSteps: fc
    .uniqueArray(
      fc.record({
        fromMinute: fc.integer({ min: 0, max: 300 }),
        everyMinutes: fc.integer({ min: 1, max: 120 }),
        cents,
      }),
      { minLength: 1, maxLength: 4, selector: ({ fromMinute }) => fromMinute },
    )
    .map((steps) => steps.toSorted((a, b) => a.fromMinute - b.fromMinute)),
  distance: fc.option(
    fc.record({ fromM: fc.integer({ min: 0, max: 9_000 }), everyM: fc.integer({ min: 100, max: 3_000 }), cents }),
  ),
  bands: fc.array(anyBand, { maxLength: 3 }),
  dayCapCents: fc.option(fc.integer({ min: 0, max: 8_000 })),
  insuranceCents: fc.integer({ min: 0, max: 100 }),
  outOfPlaceCents: cents,
  outsideAreaCents: cents,
  noStopCents: cents,
  noStopReturnAllowed: fc.boolean(),
})
const named = { name: fc.constant('优惠'), id: fc.integer({ min: 1, max: 999 }) }
const anyBenefit: fc.Arbitrary<Benefit> = fc
  .record({
    ...named,
    kind: fc.constantFrom('riding_card' as const, 'discount_card' as const, 'activity' as const, 'coupon' as const),
    effect: fc.oneof(
      fc.record({ off: fc.constant('minutes' as const), minutes: fc.integer({ min: 1, max: 600 }) }),
      fc.constant({ off: 'start' as const }),
      fc.constant({ off: 'fee' as const }),
      fc.record({ off: fc.constant('cents' as const), cents: fc.integer({ min: 1, max: 5_000 }) }),
      fc.record({
        off: fc.constant('percent' as const),
        percent: fc.integer({ min: 1, max: 100 }),
        maxCents: fc.option(fc.integer({ min: 1, max: 2_000 })),
      }),
    ),
    fromCents: fc.oneof(fc.constant(0), cents),
    alone: fc.boolean(),
    endsAt: fc.option(fc.integer({ min: 0, max: 5 })),
  })
  .map((given) => benefitSchema.parse(given))
const withoutMinimum = anyBenefit.map((given): Benefit => Object.assign({}, given, { fromCents: 0 }))
const startedAt = fc.integer({ min: morning - 20 * 24 * 60 * minute, max: morning + 20 * 24 * 60 * minute })
const anyRide = (benefit: fc.Arbitrary<Benefit>): fc.Arbitrary<PricedRide> =>
  fc
    .record({
      startedAt,
      lastsMs: fc.integer({ min: 0, max: 4 * 24 * 60 * minute }),
      distanceM: fc.integer({ min: 0, max: 40_000 }),
      returnKind: fc.constantFrom(
        'in_place' as const,
        'out_of_place' as const,
        'outside_area' as const,
        'no_stop' as const,
      ),
      areaId: fc.constant(31),
      model: fc.constant(null),
      weather: fc.constant(null),
      benefits: fc.array(benefit, { maxLength: 6 }),
      spent: cents,
    })
    .map(({ lastsMs, spent, ...one }) =>
      Object.assign(one, {
        endedAt: one.startedAt + lastsMs,
        spentByDay: { [businessDayOf(one.startedAt)]: spent },
      }),
    )

describe('whatever the rules', () => {
  it('lines sum to the charge, and nobody is paid for riding', () => {
    fc.assert(
      fc.property(anyRules, anyRide(anyBenefit), (given, one) => {
        const { lines, totalCents } = priceRide(given, one)
        expect(totalCents).toBe(lines.reduce((sum, line) => sum + line.amountCents, 0))
        expect(totalCents).toBeGreaterThanOrEqual(0)
        expect(
          lines.every(
            (line) => Number.isInteger(line.amountCents) && line.amountCents === line.quantity * line.unitCents,
          ),
        ).toBe(true)
        expect(
          lines.map(({ reason }) => readReason(reason)),
          'another language can say it',
        ).not.toContain(null)
      }),
    )
  })

  it('no calendar day costs more than its cap', () => {
    fc.assert(
      fc.property(anyRules, anyRide(anyBenefit), (given, one) => {
        const cap = given.dayCapCents
        if (cap === null) return
        for (const [day, charged] of Object.entries(ridingByDay(priceRide(given, one).lines))) {
          expect(charged).toBeLessThanOrEqual(Math.max(0, cap - (one.spentByDay[day] ?? 0)))
          expect(charged).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })

  it('a longer ride never costs less (a coupon with a minimum aside)', () => {
    fc.assert(
      fc.property(anyRules, anyRide(withoutMinimum), fc.integer({ min: 0, max: 600 }), (given, one, more) => {
        const longer = { ...one, endedAt: one.endedAt + more * minute }
        expect(priceRide(given, longer).totalCents).toBeGreaterThanOrEqual(priceRide(given, one).totalCents)
      }),
    )
  })

  it('midnight moves cents between days and makes none', () => {
    fc.assert(
      fc.property(anyRules, anyRide(anyBenefit), (given, one) => {
        const { lines } = priceRide({ ...given, dayCapCents: null, freeSeconds: 0 }, { ...one, benefits: [] })
        const days = Object.values(ridingByDay(lines)).reduce((sum, part) => sum + part, 0)
        const fees = lines.filter(({ day }) => day === null).reduce((sum, line) => sum + line.amountCents, 0)
        expect(days + fees).toBe(lines.reduce((sum, line) => sum + line.amountCents, 0))
        const begun = lines.flatMap(({ day }) => day ?? [])
        expect(begun.every((day) => day >= businessDayOf(one.startedAt) && day <= businessDayOf(one.endedAt))).toBe(
          true,
        )
      }),
    )
  })

  it('a lost vehicle is not charged for ever', () => {
    fc.assert(
      fc.property(anyRules, startedAt, (given, from) => {
        const week = ride(0, { startedAt: from, endedAt: from + pricedRideMaxMs })
        expect(priceRide(given, { ...week, endedAt: from + 60 * pricedRideMaxMs })).toEqual(priceRide(given, week))
      }),
      { numRuns: 20 },
    )
  })
})
