import type { CouponTerms } from '@saddle/contract/marketing/couponTerms.ts'
import type { PriceRules } from '@saddle/contract/riding/price.ts'

/** What coupons take off at most, for the budget of whatever gives them. Decision 0045. */

export type CouponKind = Pick<CouponTerms, 'effect' | 'conditions'>
/** Prices of an area in force. */
export type AreaPrice = { readonly areaId: number; readonly rules: PriceRules }

/** The longest ride that counts: a day, at the speed that e-bikes may have. It touches two days, so two caps. */
const rideMinutes = 1_440
const rideMetres = 24 * 25_000
const daysTouched = 2

/** Whether what a coupon takes off depends on prices and not on the coupon alone. */
export const isPriceNeeded = ({ effect }: CouponKind): boolean =>
  effect.off !== 'cents' && !(effect.off === 'percent' && effect.maxCents !== null)

/** What coupons take off at most: of the dearest ride of a day where the coupon holds, by the prices given. */
export function couponWorthCents(coupon: CouponKind, count: number, prices: readonly AreaPrice[]): number {
  const { effect, conditions } = coupon
  if (effect.off === 'cents') return effect.cents * count
  if (effect.off === 'percent' && effect.maxCents !== null) return effect.maxCents * count
  const { areaIds } = conditions
  const holding = prices.filter(({ areaId }) => areaIds.length === 0 || areaIds.includes(areaId))
  return count * Math.max(0, ...holding.map(({ rules }) => mostOff(effect, rules)))
}

function mostOff(effect: CouponTerms['effect'], rules: PriceRules): number {
  switch (effect.off) {
    case 'start':
      return withBand(rules, rules.startCents)
    case 'minutes':
      return ridingCents(rules, { minutes: effect.minutes, metres: 0 })
    case 'fee':
      return Math.max(rules.outOfPlaceCents, rules.outsideAreaCents, rules.noStopCents)
    case 'percent':
      return Math.ceil((ridingCents(rules, { minutes: rideMinutes, metres: rideMetres }) * effect.percent) / 100)
    case 'cents':
      return effect.cents
  }
}

/** What riding so long and so far costs at most, whenever it begins. */
function ridingCents(rules: PriceRules, { minutes, metres }: { minutes: number; metres: number }): number {
  const { startCents, timeSteps, distance, dayCapCents } = rules
  const units = timeSteps.map(({ fromMinute, everyMinutes, cents }, step) => {
    const until = Math.min(timeSteps[step + 1]?.fromMinute ?? minutes, minutes)
    return Math.ceil(Math.max(0, until - fromMinute) / everyMinutes) * cents
  })
  const time = units.reduce((sum, cents) => sum + cents, startCents)
  const far = distance === null ? 0 : Math.ceil(Math.max(0, metres - distance.fromM) / distance.everyM) * distance.cents
  const all = withBand(rules, time) + far
  return dayCapCents === null ? all : Math.min(all, dayCapCents * daysTouched)
}

function withBand({ bands }: PriceRules, cents: number): number {
  const percent = Math.max(0, ...bands.map(({ surchargePercent }) => surchargePercent))
  return Math.ceil((cents * (100 + percent)) / 100)
}
