import { describe, expect, it } from 'vitest'
import { compareArms, normalQuantile, studentQuantile, verdictOf } from './rules.ts'
import { armsOf, heldOutBy, meanRate, simulateRiders } from './population.fixture.ts'

const seeds = Array.from({ length: 100 }, (_, index) => index + 1)
const population = (seed: number, uplift: number, { riders = 4_000, percent = 10 } = {}) =>
  armsOf(simulateRiders({ seed, riders, uplift, isHeldOut: heldOutBy(seed, percent) }))

describe('over a hundred seeds of assignment and riders', () => {
  it.each([0.05, 0.2, 0.5])('the interval contains an uplift of %f that was put in, 95 times at least', (uplift) => {
    const contained = seeds.filter((seed) => {
      const { low, high } = compareArms(population(seed, uplift))
      return low <= meanRate * uplift && meanRate * uplift <= high
    })
    expect(contained.length).toBeGreaterThanOrEqual(95)
  })

  it.each([2, 10, 50])(
    'none is claimed where none was put in, 95 times at least, with %i percent held out',
    (percent) => {
      const unclaimed = seeds.filter((seed) => {
        const arms = population(seed, 0, { percent })
        return !['up', 'down'].includes(verdictOf(arms, compareArms(arms)))
      })
      expect(unclaimed.length).toBeGreaterThanOrEqual(95)
    },
  )

  it('an uplift of a fifth is seen in most of them', () => {
    const seen = seeds.filter((seed) => {
      const arms = population(seed, 0.2, { riders: 20_000 })
      return verdictOf(arms, compareArms(arms)) === 'up'
    })
    expect(seen.length).toBeGreaterThanOrEqual(80)
  })
})

describe('the time before', () => {
  it('makes the interval narrower and leaves the difference where it is', () => {
    const arms = population(7, 0.2, { riders: 20_000, percent: 50 })
    const blind = (arm: typeof arms.treated) => ({ ...arm, x: 0, xx: 0, xy: 0 })
    const plain = compareArms({ treated: blind(arms.treated), heldOut: blind(arms.heldOut) })
    const adjusted = compareArms(arms)
    expect(adjusted.high - adjusted.low).toBeLessThan(0.85 * (plain.high - plain.low))
    expect(Math.abs(adjusted.difference - plain.difference)).toBeLessThan((plain.high - plain.low) / 2)
  })

  it('changes nothing where nobody rode before', () => {
    const arms = { n: 200, y: 300, yy: 900, x: 0, xx: 0, xy: 0 }
    expect(compareArms({ treated: arms, heldOut: { ...arms, n: 100, y: 100, yy: 300 } }).difference).toBeCloseTo(0.5)
  })
})

describe('a verdict', () => {
  const arm = (n: number, mean: number) => ({ n, y: n * mean, yy: n * (mean * mean + mean), x: 0, xx: 0, xy: 0 })
  const told = (treated: ReturnType<typeof arm>, heldOut: ReturnType<typeof arm>) => {
    const arms = { treated, heldOut }
    return verdictOf(arms, treated.n > 1 && heldOut.n > 1 ? compareArms(arms) : null)
  }
  it('says that there are too few riders, and nothing of their difference', () => {
    expect(told(arm(1_000, 3), arm(0, 0))).toBe('no_holdout')
    expect(told(arm(1_000, 9), arm(49, 1))).toBe('few')
    expect(told(arm(200, 1.1), arm(60, 1)), 'the interval is too wide').toBe('few')
  })
  it('says more, less or no difference where there are enough', () => {
    expect(told(arm(10_000, 1.2), arm(2_000, 1))).toBe('up')
    expect(told(arm(10_000, 0.8), arm(2_000, 1))).toBe('down')
    expect(told(arm(100_000, 1.001), arm(20_000, 1))).toBe('none')
  })
})

it('quantiles are those of the tables', () => {
  expect(normalQuantile(0.5)).toBeCloseTo(0, 8)
  expect(normalQuantile(0.975)).toBeCloseTo(1.959964, 5)
  expect(normalQuantile(0.99)).toBeCloseTo(2.326348, 5)
  expect(studentQuantile(0.99, 10)).toBeCloseTo(2.764, 2)
  expect(studentQuantile(0.99, 60)).toBeCloseTo(2.39, 3)
})
