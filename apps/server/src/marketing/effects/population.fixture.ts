import { holdoutBuckets, holdoutBucket, holdoutKey } from '@saddle/contract/marketing/holdout.ts'
import { createSeededRandom } from '#kit/random.ts'
import type { ArmSums, Arms } from './rules.ts'

/**
 * Riders whose rides are spread as those of a city are: most ride seldom or never, few ride daily (a rate of its own for each
 * rider, from a distribution with a long tail, and Poisson numbers around it), and who rode before rides afterwards.
 */
export function simulateRiders(options: {
  readonly seed: number
  readonly riders: number
  /** Rides that the treatment adds to those of a rider, as a share of the rider's rate. */
  readonly uplift: number
  readonly isHeldOut: (riderId: number) => boolean
}) {
  const { seed, riders, uplift, isHeldOut } = options
  const { fraction } = createSeededRandom(seed)
  return Array.from({ length: riders }, (_, index) => {
    const riderId = 1_001 + index
    // Gamma with shape 0.8 by the sum of a normal's square and an exponential part: skewed, mean `meanRate`.
    const rate = meanRate * gamma(fraction)
    const held = isHeldOut(riderId)
    // Nobody's rate stays quite as it was.
    const drift = 0.6 + 0.8 * fraction()
    const before = poisson(rate, fraction)
    const after = poisson(rate * drift * (held ? 1 : 1 + uplift), fraction)
    return { riderId, isHeldOut: held, before, after }
  })
}

export const meanRate = 3

/** Exponential times a heavy factor, so that the variance is some four times that of Poisson numbers of the same mean. */
function gamma(fraction: () => number): number {
  const exponential = -Math.log(1 - fraction())
  return exponential * (0.5 + fraction())
}

function poisson(rate: number, fraction: () => number): number {
  const limit = Math.exp(-Math.min(rate, 500))
  let product = fraction()
  let count = 0
  while (product > limit && count < 2_000) {
    product *= fraction()
    count += 1
  }
  return count
}

/** Assignment by the product's own hash, for a campaign whose id is the seed. */
export function heldOutBy(seed: number, percent: number): (riderId: number) => boolean {
  const key = holdoutKey({ agentId: 3, id: seed, of: 'campaign' })
  return (riderId) => holdoutBucket(key, riderId) < percent * (holdoutBuckets / 100)
}

export function armsOf(riders: readonly { isHeldOut: boolean; before: number; after: number }[]): Arms {
  const sums = (isHeldOut: boolean): ArmSums => {
    const total = { n: 0, y: 0, yy: 0, x: 0, xx: 0, xy: 0 }
    for (const rider of riders) {
      if (rider.isHeldOut !== isHeldOut) continue
      total.n += 1
      total.y += rider.after
      total.yy += rider.after ** 2
      total.x += rider.before
      total.xx += rider.before ** 2
      total.xy += rider.before * rider.after
    }
    return total
  }
  return { treated: sums(false), heldOut: sums(true) }
}
