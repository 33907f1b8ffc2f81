import type { Audit } from '#audit/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Riders } from '#rider/public.ts'
import type { Riding } from '#riding/public.ts'

/** What the handlers of coupons work with. */
export type CouponDeps = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>
  readonly audit: Audit
  readonly riders: Pick<Riders, 'idsByPhone' | 'idsByPhones' | 'idsOf' | 'ensure' | 'maskedPhone'>
  readonly riding: Pick<Riding, 'tryBenefit'>
}
