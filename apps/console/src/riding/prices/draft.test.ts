import { describe, expect, it } from 'vitest'
import { priceRulesSchema, type PriceRules } from '@saddle/contract/riding/price.ts'
import { instantOf } from '#kit/form/otherFields.tsx'
import { draftOf, rulesOf, withBand, withStep } from './draft.ts'

const rules: PriceRules = {
  freeSeconds: 60,
  startCents: 250,
  timeSteps: [
    { fromMinute: 15, everyMinutes: 10, cents: 100 },
    { fromMinute: 60, everyMinutes: 30, cents: 200 },
  ],
  distance: { fromM: 8_000, everyM: 1_000, cents: 50 },
  bands: [
    { name: '早高峰', weekdays: [1, 2, 3, 4, 5], fromMinute: 420, toMinute: 540, surchargePercent: 20 },
    { name: '夜间', weekdays: [1, 2, 3, 4, 5, 6, 7], fromMinute: 1_380, toMinute: 1_440, surchargePercent: 30 },
  ],
  dayCapCents: 3_000,
  insuranceCents: 0,
  outOfPlaceCents: 500,
  outsideAreaCents: 1_500,
  noStopCents: 1_000,
  noStopReturnAllowed: false,
}

describe('the form of a price version', () => {
  it('says what the rules say, and back', () => {
    expect(rulesOf(draftOf(rules), rules)).toEqual(rules)
    const open = { ...rules, noStopReturnAllowed: true, dayCapCents: null, distance: null, bands: [] }
    expect(rulesOf(draftOf(open), open)).toEqual(open)
  })

  it('changes what was typed and nothing else', () => {
    const { amounts, steps, ...rest } = draftOf(rules)
    const [first, ...others] = steps
    const changed = rulesOf(
      { ...rest, amounts: { ...amounts, start: '3', noStop: '20' }, steps: [{ ...first!, yuan: '1.5' }, ...others] },
      rules,
    )
    expect(changed).toEqual({
      ...rules,
      startCents: 300,
      timeSteps: [{ fromMinute: 15, everyMinutes: 10, cents: 150 }, rules.timeSteps[1]],
      noStopCents: 2_000,
      noStopReturnAllowed: true,
    })
    expect(priceRulesSchema.safeParse(changed).success).toBe(true)
  })

  it('adds steps and bands up to as many as there may be, and takes them away', () => {
    const draft = draftOf(rules)
    const more = { ...draft, steps: withStep(draft.steps), bands: withBand(draft.bands, '晚高峰') }
    const longer = rulesOf(more, rules)
    expect(longer?.timeSteps.at(-1)).toEqual({ fromMinute: 90, everyMinutes: 30, cents: 200 })
    expect(longer?.bands.at(-1)).toMatchObject({ name: '晚高峰', fromMinute: 1_380, toMinute: 300 })
    expect(priceRulesSchema.safeParse(longer).success).toBe(true)
    expect(new Set(more.steps.map(({ id }) => id)).size).toBe(3)
    let { steps } = draft
    for (let n = 0; n < 10; n += 1) steps = withStep(steps)
    expect(steps).toHaveLength(6)
    expect(rulesOf({ ...draft, bands: [] }, rules)?.bands).toEqual([])
  })

  it('leaves it to the schema to refuse steps that go back, bands without a name or a day', () => {
    const draft = draftOf(rules)
    const isSound = (part: Partial<typeof draft>) =>
      priceRulesSchema.safeParse(rulesOf({ ...draft, ...part }, rules)).success
    const [band, ...bands] = draft.bands
    expect(isSound({ steps: draft.steps.toReversed() })).toBe(false)
    expect(isSound({ bands: [{ ...band!, name: ' ' }, ...bands] })).toBe(false)
    expect(isSound({ bands: [{ ...band!, weekdays: [] }, ...bands] })).toBe(false)
    expect(isSound({ bands: [{ ...band!, weekdays: [7, 1] }, ...bands] })).toBe(true)
  })

  it('takes numbers only', () => {
    const draft = draftOf(rules)
    const withAmount = (part: Partial<(typeof draft)['amounts']>) =>
      rulesOf({ ...draft, amounts: { ...draft.amounts, ...part } }, rules)
    for (const start of ['', 'x', '-1', '1.234', '1,5']) expect(withAmount({ start })).toBeNull()
    expect(withAmount({ cap: 'x' })).toBeNull()
    expect(rulesOf({ ...draft, steps: [{ ...draft.steps[0]!, every: '' }] }, rules)).toBeNull()
    expect(rulesOf({ ...draft, bands: [{ ...draft.bands[0]!, from: '' }] }, rules)).toBeNull()
    expect(rulesOf({ ...draft, distance: { from: '', every: '1', yuan: '1' } }, rules)).toBeNull()
  })

  it('begins by the clock of Shanghai', () => {
    expect(instantOf('2026-12-01 00:00')).toBe(Date.UTC(2026, 10, 30, 16))
    expect(instantOf('')).toBeUndefined()
  })
})
