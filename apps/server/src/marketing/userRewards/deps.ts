import type { Audit } from '#audit/public.ts'
import type { Finance } from '#finance/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Riders } from '#rider/public.ts'
import type { Rewards } from '../rewards/rewards.ts'

/** What the handlers of riders' rewards work with. */
export type UserRewardDeps = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>
  readonly audit: Audit
  readonly riders: Pick<Riders, 'idsByPhones' | 'idsOf' | 'maskedPhone'>
  readonly rewards: Rewards
  readonly finance: Pick<Finance, 'secondPerson'>
}
