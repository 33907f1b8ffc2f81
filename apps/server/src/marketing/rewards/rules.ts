import type { CouponTerms } from '@saddle/contract/marketing/couponTerms.ts'
import type { RewardRefusal } from '@saddle/contract/marketing/rewards.ts'
import { isSpent, endOf } from '../coupons/rules.ts'

/** Why coupons of a kind cannot be given to a rider now; null where they can. */
export function whyNoCoupon(options: {
  readonly template: {
    readonly state: 'on' | 'off'
    readonly rider_max: number | null
    readonly device_max: number | null
    readonly budget_cents: number | null
    readonly budget_uses: number | null
    readonly used_cents: number
    readonly uses: number
  }
  readonly terms: Pick<CouponTerms, 'validDays' | 'validUntil'>
  /** Open coupons of the kind that the rider holds. */
  readonly held: number
  /** Coupons of the kind that went to riders on one of the rider's telephones. */
  readonly ofDevice: number
  readonly count: number
  readonly atMs: number
}): RewardRefusal | null {
  const { template, terms, held, ofDevice, count, atMs } = options
  if (template.state === 'off') return 'coupon_off'
  if (isSpent(template)) return 'coupon_spent'
  if (endOf(terms, atMs) <= atMs) return 'coupon_over'
  if (template.rider_max !== null && held + count > template.rider_max) return 'coupon_cap'
  return template.device_max !== null && ofDevice + count > template.device_max ? 'coupon_device' : null
}

/** What is left of a reward's worth after so many of its equal parts were used, rounded in favour of what was kept. */
export function keptCents(cents: number, { used, parts }: { readonly used: number; readonly parts: number }): number {
  if (parts <= 0) return 0
  return Number((BigInt(cents) * BigInt(Math.min(used, parts)) + BigInt(parts - 1)) / BigInt(parts))
}
