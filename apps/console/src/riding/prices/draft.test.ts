import { describe, expect, it } from 'vitest'
import { priceRulesSchema, type PriceRules } from '@saddle/contract/riding/price.ts'
import { centsOf, draftOf, rulesOf, startOf } from './draft.ts'

const rules: PriceRules = {
  freeSeconds: 60,
  startCents: 250,
  timeSteps: [
    { fromMinute: 15, everyMinutes: 10, cents: 100 },
    { fromMinute: 60, everyMinutes: 30, cents: 200 },
  ],
  distance: null,
  bands: [],
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
    const open = { ...rules, noStopReturnAllowed: true, dayCapCents: null }
    expect(rulesOf(draftOf(open), open)).toEqual(open)
  })

  it('changes what was typed and nothing else', () => {
    const changed = rulesOf({ ...draftOf(rules), start: '3', step: '1.5', noStop: '20' }, rules)
    expect(changed).toEqual({
      ...rules,
      startCents: 300,
      timeSteps: [{ fromMinute: 15, everyMinutes: 10, cents: 150 }, rules.timeSteps[1]],
      noStopCents: 2_000,
      noStopReturnAllowed: true,
    })
    expect(priceRulesSchema.safeParse(changed).success).toBe(true)
  })

  it('takes numbers only', () => {
    for (const start of ['', 'x', '-1', '1.234', '1,5']) expect(rulesOf({ ...draftOf(rules), start }, rules)).toBeNull()
    expect(rulesOf({ ...draftOf(rules), cap: 'x' }, rules)).toBeNull()
    expect(centsOf('0.5')).toBe(50)
  })

  it('begins by the clock of Shanghai', () => {
    expect(startOf('2026-12-01T00:00')).toBe(Date.UTC(2026, 10, 30, 16))
    expect(startOf('')).toBeUndefined()
  })
})
