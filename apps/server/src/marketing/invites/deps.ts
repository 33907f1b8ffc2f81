import type { Audit } from '#audit/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Riders } from '#rider/public.ts'
import type { Rewards } from '../rewards/rewards.ts'

/** What invites work with. */
export type InviteDeps = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random' | 'log'>
  readonly audit: Audit
  readonly riders: Pick<Riders, 'idsByPhone' | 'idsOf' | 'ensure' | 'maskedPhone' | 'noteDevice' | 'isBarred'>
  readonly rewards: Pick<Rewards, 'grant' | 'revoke'>
}
