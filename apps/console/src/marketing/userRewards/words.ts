import {
  rewardKindLabels,
  rewardRefusalLabels,
  rewardRefusals,
  type RewardKind,
  type RewardState,
} from '@saddle/contract/marketing/rewards.ts'
import { userRewardEndpoints } from '@saddle/contract/marketing/userRewards.ts'
import { t } from '#kit/i18n/index.ts'
import type { Tone } from '#kit/ui/Mark.tsx'

/** Readings that an act on rewards makes stale. */
export const staleRewards = [
  userRewardEndpoints.listUserRewards,
  userRewardEndpoints.sumUserRewards,
  userRewardEndpoints.userRewardDetail,
]

export const toneOf: Readonly<Record<RewardState, Tone>> = {
  pending: 'info',
  given: 'good',
  revoked: 'off',
  refused: 'bad',
}

/** Why a reward ended: what a person wrote, or the reason of the platform. */
export function reasonText(reason: string): string {
  const code = rewardRefusals.find((one) => one === reason)
  return code === undefined ? reason : t(rewardRefusalLabels[code])
}

/** Coupons and cards by their names, gift balance by what it is in the reader's language. */
export function rewardName({ kind, name, count }: { kind: RewardKind; name: string; count: number }): string {
  const shown = kind === 'gift' ? t(rewardKindLabels.gift) : name
  return count > 1 ? t('{{name}} × {{count}}', { name: shown, count }) : shown
}
