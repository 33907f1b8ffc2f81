import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { benefitKinds, benefitSchema, type Benefit } from '@saddle/contract/riding/benefits.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { applyBenefits, linesOf, type RideFacts } from './benefits.ts'
import type { RidingCharge } from './trial.ts'

/** Saturday, 21 November 2026, 10:00 in Shanghai. */
const startedAt = Date.UTC(2026, 10, 21, 2)
const day = '2026-11-21'
const facts: RideFacts = {
  startedAt,
  endedAt: startedAt + 40 * minuteMs,
  distanceM: 3_000,
  returnKind: 'in_place',
  areaId: 31,
  model: 'E1',
  weather: 'rain',
}

/** A start fee of 2.00 and 1.00 for every ten minutes from the tenth on: 5.00. */
const charge: RidingCharge = {
  units: [0, 10, 20, 30].map((minute) => ({
    atMs: startedAt + minute * minuteMs,
    day,
    cents: minute === 0 ? 200 : 100,
  })),
  byDay: new Map([[day, 500]]),
  roomByDay: new Map(),
  feeCents: 300,
}

type Given = Partial<Omit<Benefit, 'conditions'>> & { conditions?: Partial<Benefit['conditions']> }
const benefit = (id: number, kind: Benefit['kind'], effect: Benefit['effect'], more: Given = {}): Benefit =>
  benefitSchema.parse({ id, kind, name: `${kind} ${id}`, effect, ...more })
const cents = (id: number, amount: number, more: Given = {}): Benefit =>
  benefit(id, 'coupon', { off: 'cents', cents: amount }, more)
const card = benefit(1, 'riding_card', { off: 'minutes', minutes: 15 })
const percent = benefit(2, 'activity', { off: 'percent', percent: 50, maxCents: null })

const takenOf = (benefits: readonly Benefit[], of: RidingCharge = charge): [number, number][] =>
  applyBenefits(of, facts, benefits).taken.map((taken) => [taken.benefit.id, taken.cents])
const skippedOf = (benefits: readonly Benefit[], of: RidingCharge = charge): [number, string][] =>
  applyBenefits(of, facts, benefits).skipped.map(({ id, why }) => [id, why])

describe('benefits of a charge', () => {
  it.each<[string, Benefit, number]>([
    ['minutes take the start fee and the units that begin within them', card, 300],
    ['the start fee alone', benefit(3, 'coupon', { off: 'start' }), 200],
    ['a percentage', percent, 250],
    ['a percentage up to an amount', benefit(4, 'coupon', { off: 'percent', percent: 50, maxCents: 120 }), 120],
    ['an amount', cents(5, 150), 150],
    ['an amount never takes more than there is', cents(6, 900), 500],
    ['the fee of the return', benefit(7, 'coupon', { off: 'fee' }), 300],
  ])('%s', (_, one, off) => {
    expect(takenOf([one])).toEqual([[one.id, off]])
  })

  it('apply in the order of their kinds, each to what is left', () => {
    expect(takenOf([cents(9, 60), percent, card])).toEqual([
      [1, 300],
      [2, 100],
      [9, 60],
    ])
  })

  it('leave the rider the least to pay, even where a card then is not used', () => {
    const from = cents(8, 400, { fromCents: 500 })
    expect(takenOf([card, from])).toEqual([[8, 400]])
    expect(skippedOf([card, from])).toEqual([[1, 'nothing_left']])
  })

  it('waste as little of a coupon as they can, and use first what lapses first', () => {
    expect(takenOf([cents(1, 900), cents(2, 600)]), 'both pay for all of it').toEqual([[2, 500]])
    expect(takenOf([cents(1, 100, { endsAt: 9 }), cents(2, 100, { endsAt: 5 })])).toEqual([[2, 100]])
    expect(takenOf([cents(1, 100), cents(2, 100, { endsAt: 5 })])).toEqual([[2, 100]])
  })

  it('that stand alone are used where they do more than all others together', () => {
    const alone = cents(7, 450, { alone: true })
    expect(takenOf([card, percent, alone])).toEqual([[7, 450]])
    expect(skippedOf([card, percent, alone])).toEqual([
      [1, 'stands_alone'],
      [2, 'stands_alone'],
    ])
    expect(takenOf([card, percent, cents(7, 399, { alone: true })])).toEqual([
      [1, 300],
      [2, 100],
    ])
  })

  it.each<[string, Given['conditions']]>([
    ['area', { areaIds: [32] }],
    ['time', { weekdays: [1, 2] }],
    ['time', { hours: { from: 22 * 60, to: 10 * 60 } }],
    ['model', { models: ['S2'] }],
    ['weather', { weathers: ['snow'] }],
    ['too_short', { minMinutes: 41 }],
    ['too_short', { minMetres: 3_001 }],
  ])('are skipped for %s where they do not hold', (why, conditions) => {
    expect(skippedOf([cents(1, 100, { conditions: conditions! })])).toEqual([[1, why]])
  })

  it('hold where every condition is met', () => {
    const conditions = {
      areaIds: [31],
      weekdays: [6],
      hours: { from: 600, to: 601 },
      models: ['E1'],
      weathers: ['rain' as const],
      parked: true,
      minMinutes: 40,
      minMetres: 3_000,
    }
    const one = cents(1, 100, { conditions })
    expect(takenOf([one])).toEqual([[1, 100]])
    const elsewhere = applyBenefits(charge, { ...facts, returnKind: 'out_of_place' }, [one])
    expect(elsewhere.skipped).toMatchObject([{ id: 1, why: 'place' }])
  })

  it('say why they were not used', () => {
    expect(skippedOf([cents(1, 100, { fromCents: 501 })])).toEqual([[1, 'below_minimum']])
    expect(skippedOf([cents(1, 400), cents(2, 300)])).toEqual([[2, 'other_is_better']])
    expect(skippedOf([card, cents(2, 100, { fromCents: 300 })])).toEqual([[2, 'below_minimum']])
    expect(skippedOf([benefit(1, 'coupon', { off: 'fee' })], { ...charge, feeCents: 0 })).toEqual([[1, 'nothing_left']])
  })

  it('do not count where the cap of the day takes it off anyway', () => {
    const capped = { ...charge, roomByDay: new Map([[day, 150]]) }
    expect(skippedOf([card], capped)).toEqual([[1, 'nothing_left']])
    const { taken, capByDay } = applyBenefits(capped, facts, [
      benefit(1, 'riding_card', { off: 'minutes', minutes: 25 }),
    ])
    expect(taken).toMatchObject([{ cents: 400 }])
    expect(capByDay).toEqual(new Map())
  })

  it('name their source and who bears them in each line', () => {
    const { taken } = applyBenefits(charge, facts, [cents(17, 100, { bearer: 'partner' })])
    expect(taken.flatMap(linesOf)).toMatchObject([
      { code: 'coupon', amountCents: -100, benefit: 'coupon:17', bearer: 'partner' },
    ])
  })
})

const amount = fc.integer({ min: 0, max: 3_000 })
const anyEffect: fc.Arbitrary<Benefit['effect']> = fc.oneof(
  fc.record({ off: fc.constant('minutes' as const), minutes: fc.integer({ min: 1, max: 60 }) }),
  fc.constant({ off: 'start' as const }),
  fc.constant({ off: 'fee' as const }),
  fc.record({ off: fc.constant('cents' as const), cents: fc.integer({ min: 1, max: 3_000 }) }),
  fc.record({
    off: fc.constant('percent' as const),
    percent: fc.integer({ min: 1, max: 100 }),
    maxCents: fc.option(fc.integer({ min: 1, max: 900 })),
  }),
)
const anyBenefits = fc
  .uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 50 }),
      kind: fc.constantFrom(...benefitKinds),
      effect: anyEffect,
      fromCents: fc.oneof(fc.constant(0), amount),
      alone: fc.boolean(),
      endsAt: fc.option(fc.integer({ min: 0, max: 3 })),
    }),
    { maxLength: 7, selector: ({ id }) => id },
  )
  .map((given) => given.map(({ id, kind, effect, ...more }) => benefit(id, kind, effect, more)))
const anyCharge: fc.Arbitrary<RidingCharge> = fc
  .record({
    units: fc.array(amount, { minLength: 1, maxLength: 6 }),
    more: amount,
    room: fc.option(amount),
    feeCents: amount,
  })
  .map(({ units, more, room, feeCents }) => ({
    units: units.map((unit, at) => ({ atMs: startedAt + at * 10 * minuteMs, day, cents: unit })),
    byDay: new Map([[day, units.reduce((sum, unit) => sum + unit, more)]]),
    roomByDay: new Map(room === null ? [] : [[day, room]]),
    feeCents,
  }))

const dueOf = (of: RidingCharge, benefits: readonly Benefit[]): number => {
  const { taken, capByDay } = applyBenefits(of, facts, benefits)
  const sum = (values: Iterable<number>): number => [...values].reduce((all, value) => all + value, 0)
  return sum(of.byDay.values()) - sum(capByDay.values()) + of.feeCents - sum(taken.map((one) => one.cents))
}

describe('whatever the benefits', () => {
  it('nobody is paid for riding, each takes off something, and each kind and benefit comes once', () => {
    fc.assert(
      fc.property(anyCharge, anyBenefits, (of, benefits) => {
        const { taken, skipped } = applyBenefits(of, facts, benefits)
        expect(dueOf(of, benefits)).toBeGreaterThanOrEqual(0)
        for (const {
          benefit: { kind, effect },
          cents: off,
        } of taken) {
          expect(off).toBeGreaterThan(0)
          if (effect.off === 'fee') expect(off).toBeLessThanOrEqual(of.feeCents)
          if (effect.off === 'cents') expect(off).toBeLessThanOrEqual(effect.cents)
          expect(taken.filter((other) => other.benefit.kind === kind)).toHaveLength(1)
        }
        expect([...taken.map((one) => one.benefit.id), ...skipped.map(({ id }) => id)].toSorted()).toEqual(
          benefits.map(({ id }) => id).toSorted(),
        )
        if (taken.length > 1) expect(taken.some((one) => one.benefit.alone)).toBe(false)
      }),
    )
  })

  it('the order in which they are held plays no part', () => {
    fc.assert(
      fc.property(anyCharge, anyBenefits, fc.func(fc.integer()), (of, benefits, rank) => {
        const mixed = benefits.toSorted((a, b) => rank(a.id) - rank(b.id))
        expect(applyBenefits(of, facts, mixed).taken).toEqual(applyBenefits(of, facts, benefits).taken)
      }),
    )
  })

  it('one more benefit never makes a ride dearer, and no other choice makes it cheaper', () => {
    fc.assert(
      fc.property(anyCharge, anyBenefits, (of, benefits) => {
        const due = dueOf(of, benefits)
        for (const left of benefits) {
          expect(due).toBeLessThanOrEqual(
            dueOf(
              of,
              benefits.filter((one) => one !== left),
            ),
          )
        }
      }),
    )
  })

  it('none takes more than there is of what it lowers, and none takes what another took', () => {
    fc.assert(
      fc.property(anyCharge, anyBenefits, (of, benefits) => {
        const { taken, capByDay } = applyBenefits(of, facts, benefits)
        const sum = (values: Iterable<number>): number => [...values].reduce((all, value) => all + value, 0)
        const riding = taken.filter(({ benefit: { effect } }) => effect.off !== 'fee')
        const fees = taken.filter(({ benefit: { effect } }) => effect.off === 'fee')
        expect(sum(riding.map((one) => one.cents)) + sum(capByDay.values())).toBeLessThanOrEqual(sum(of.byDay.values()))
        expect(sum(fees.map((one) => one.cents))).toBeLessThanOrEqual(of.feeCents)
        for (const [given, gross] of of.byDay) {
          const off = riding.map((one) => one.byDay?.get(given) ?? 0)
          expect(sum(off) + (capByDay.get(given) ?? 0)).toBeLessThanOrEqual(gross)
        }
        for (const one of riding) if (one.byDay !== null) expect(sum(one.byDay.values())).toBe(one.cents)
        expect(sum(taken.flatMap(linesOf).map(({ amountCents }) => -amountCents))).toBe(
          sum(taken.map((one) => one.cents)),
        )
      }),
    )
  })

  it('one whose conditions do not hold plays no part', () => {
    const failing = fc.constantFrom<NonNullable<Given['conditions']>>(
      { areaIds: [32] },
      { weekdays: [1] },
      { models: ['S2'] },
      { weathers: ['snow'] },
      { minMinutes: 41 },
      { minMetres: 3_001 },
    )
    fc.assert(
      fc.property(anyCharge, anyBenefits, failing, fc.nat(6), (of, benefits, conditions, at) => {
        const barred = benefits[at % Math.max(1, benefits.length)]
        const mixed = benefits.map((one) =>
          one === barred ? { ...one, conditions: { ...one.conditions, ...conditions } } : one,
        )
        const without = benefits.filter((one) => one !== barred)
        expect(applyBenefits(of, facts, mixed).taken).toEqual(applyBenefits(of, facts, without).taken)
      }),
    )
  })

  it('the order plays no part either where many are worth the same', () => {
    const alike = fc
      .uniqueArray(
        fc.record({
          id: fc.integer({ min: 1, max: 5 }),
          kind: fc.constantFrom(...benefitKinds),
          effect: fc.constantFrom<Benefit['effect']>(
            { off: 'cents', cents: 100 },
            { off: 'percent', percent: 20, maxCents: 100 },
            { off: 'percent', percent: 20, maxCents: 101 },
            { off: 'start' },
          ),
          alone: fc.boolean(),
          endsAt: fc.constantFrom(null, 1, 2),
        }),
        // A number tells benefits of one kind apart.
        { maxLength: 8, selector: ({ id, kind }) => `${kind} ${id}` },
      )
      .map((given) => given.map(({ id, kind, effect, ...more }) => benefit(id, kind, effect, more)))
    fc.assert(
      fc.property(alike, fc.func(fc.integer()), (benefits, rank) => {
        const order = new Map(benefits.map((one, at) => [one, rank(at)]))
        const mixed = benefits.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
        expect(applyBenefits(charge, facts, mixed).taken).toEqual(applyBenefits(charge, facts, benefits).taken)
      }),
      { numRuns: 2_000 },
    )
  })
})
