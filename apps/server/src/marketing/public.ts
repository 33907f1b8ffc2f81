import type { couponEndpoints } from '@saddle/contract/marketing/coupons.ts'
import type { riderCouponEndpoints } from '@saddle/contract/marketing/riderCoupons.ts'
import type { ridingActivityEndpoints } from '@saddle/contract/marketing/ridingActivities.ts'
import type { Audit } from '#audit/public.ts'
import type { Finance } from '#finance/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { startJob } from '#kit/job.ts'
import type { Riders } from '#rider/public.ts'
import type { Riding } from '#riding/public.ts'
import { couponBenefits } from './coupons/benefits.ts'
import { expireCoupons } from './coupons/expire.ts'
import { createCouponHandlers } from './coupons/handlers.ts'
import { createRiderCouponHandlers } from './riderCoupons/handlers.ts'
import { couponsThatDisagree } from './coupons/verify.ts'
import { ridingBenefits } from './ridingActivities/benefits.ts'
import { createRidingActivityHandlers } from './ridingActivities/handlers.ts'

export { createContent, type Content } from './content/content.ts'

export type Marketing = {
  readonly handlers: Handlers<typeof couponEndpoints & typeof riderCouponEndpoints & typeof ridingActivityEndpoints>
  /** Ends coupons whose time is over. Resolves to their number. For the worker; safe on several at once. */
  expire(): Promise<number>
  /** Does that now and again and again; returns what ends it. */
  startBackground(): () => Promise<void>
}

const sweepEveryMs = 30_000

/** What lowers the charge of rides and is given to riders: coupons and activities. */
export function createMarketing(
  kit: Kit,
  others: {
    readonly audit: Audit
    readonly finance: Pick<Finance, 'benefits' | 'books'>
    readonly riders: Riders
    readonly riding: Pick<Riding, 'tryBenefit'>
  },
): Marketing {
  const { audit, finance, riders, riding } = others
  const deps = { kit, audit, riders, riding }
  finance.benefits.register(couponBenefits)
  finance.benefits.register(ridingBenefits)
  finance.books.hold('coupons', () => couponsThatDisagree(kit.db))
  const expire = (): Promise<number> => expireCoupons(kit)
  return {
    handlers: {
      ...createCouponHandlers(deps),
      ...createRiderCouponHandlers(deps),
      ...createRidingActivityHandlers(deps),
    },
    expire,
    startBackground: () =>
      startJob({ log: kit.log, everyMs: sweepEveryMs, run: expire, failure: 'coupons could not be ended' }).stop,
  }
}
