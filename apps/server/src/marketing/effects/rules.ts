import {
  effectConfidence,
  effectRidersMin,
  type EffectDifference,
  type EffectVerdict,
} from '@saddle/contract/marketing/effects.ts'

/** Sums over the riders of a group: of a figure after the start (y) and of the same before it (x). */
export type ArmSums = {
  readonly n: number
  readonly y: number
  readonly yy: number
  readonly x: number
  readonly xx: number
  readonly xy: number
}
export type Arms = { readonly treated: ArmSums; readonly heldOut: ArmSums }

/** An interval that is narrower than this share of the mean says that there is no difference worth the name. */
const narrowShare = 0.2

/** Spread of y, of x and of both together around the means of the group. */
function spread({ n, y, yy, x, xx, xy }: ArmSums) {
  return { yy: yy - (y * y) / n, xx: xx - (x * x) / n, xy: xy - (x * y) / n }
}

/**
 * How much more a rider of the treated group does than one of the other: Welch's interval, which takes the groups to differ
 * in size and spread. What riders did before explains part of what they do afterwards; that part is taken off first (CUPED),
 * by the slope of both groups together, so that the interval is narrower. The slope of the pooled groups does not widen it.
 */
export function compareArms({ treated, heldOut }: Arms, confidence = effectConfidence): EffectDifference {
  const [t, h] = [spread(treated), spread(heldOut)]
  const slope = t.xx + h.xx > 0 ? (t.xy + h.xy) / (t.xx + h.xx) : 0
  const left = ({ yy, xy, xx }: ReturnType<typeof spread>) => Math.max(0, yy - 2 * slope * xy + slope * slope * xx)
  const parts = [
    { variance: left(t) / (treated.n - 1) / treated.n, freedom: treated.n - 1 },
    { variance: left(h) / (heldOut.n - 1) / heldOut.n, freedom: heldOut.n - 1 },
  ]
  const variance = parts.reduce((sum, part) => sum + part.variance, 0)
  const spreadOfVariance = parts.reduce((sum, part) => sum + part.variance ** 2 / part.freedom, 0)
  const freedom = spreadOfVariance > 0 ? variance ** 2 / spreadOfVariance : treated.n + heldOut.n - 2
  const before = treated.x / treated.n - heldOut.x / heldOut.n
  const difference = treated.y / treated.n - heldOut.y / heldOut.n - slope * before
  const half = studentQuantile(1 - (100 - confidence) / 200, freedom) * Math.sqrt(variance)
  const base = heldOut.y / heldOut.n
  return {
    treated: base + difference,
    heldOut: base,
    difference,
    low: difference - half,
    high: difference + half,
  }
}

export function verdictOf({ treated, heldOut }: Arms, rides: EffectDifference | null): EffectVerdict {
  if (heldOut.n === 0) return 'no_holdout'
  if (rides === null || Math.min(treated.n, heldOut.n) < effectRidersMin) return 'few'
  if (rides.low > 0) return 'up'
  if (rides.high < 0) return 'down'
  return rides.high - rides.low <= 2 * narrowShare * rides.heldOut ? 'none' : 'few'
}

/** Upper quantile of the normal distribution: Acklam's rational approximation, good to nine digits between 0.02425 and 0.5. */
export function normalQuantile(share: number): number {
  const tail = 0.02425
  if (share > 1 - tail) {
    const q = Math.sqrt(-2 * Math.log(1 - share))
    return -ratio(q, tailUpper) / (ratio(q, tailLower) * q + 1)
  }
  const q = share - 0.5
  const r = q * q
  return (ratio(r, middleUpper) * q) / (ratio(r, middleLower) * r + 1)
}

const ratio = (at: number, factors: readonly number[]): number =>
  factors.reduce((value, factor) => value * at + factor, 0)
const middleUpper = [
  -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239,
]
const middleLower = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572]
const tailUpper = [
  -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
]
const tailLower = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416]

/** Quantile of Student's distribution by its expansion around the normal one; exact to four digits from ten degrees on. */
export function studentQuantile(share: number, freedom: number): number {
  const z = normalQuantile(share)
  const z3 = z ** 3
  const z5 = z ** 5
  const z7 = z ** 7
  return (
    z +
    (z3 + z) / (4 * freedom) +
    (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * freedom ** 3)
  )
}
