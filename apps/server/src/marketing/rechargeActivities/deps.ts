import type { Finance } from '#finance/public.ts'
import type { Riders } from '#rider/public.ts'
import type { ActivityDeps } from '../activities/deps.ts'
import type { Rewards } from '../rewards/rewards.ts'

export type RechargeDeps = ActivityDeps & {
  readonly riders: Pick<Riders, 'idsOf' | 'idsByPhone' | 'idsByPhones' | 'ensure' | 'maskedPhone'>
  readonly finance: Pick<Finance, 'room' | 'startRecharge'>
  readonly rewards: Pick<Rewards, 'grant' | 'revoke' | 'price'>
}
