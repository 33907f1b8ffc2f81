import { z } from 'zod'
import { idSchema } from '#contract/answers.ts'

/** What activities give to riders: coupons, gift balance, cards. */

export const rewardKinds = ['coupon', 'gift', 'card'] as const
export type RewardKind = (typeof rewardKinds)[number]
export const rewardKindLabels: Readonly<Record<RewardKind, string>> = {
  coupon: '优惠券',
  gift: '赠送余额',
  card: '骑行卡',
}

export const rewardsMax = 5
export const rewardCouponsMax = 10
export const rewardGiftMaxCents = 100_000
export const rewardGiftDaysMax = 366

export const rewardSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('coupon'),
    templateId: idSchema,
    count: z.int().min(1).max(rewardCouponsMax).default(1),
  }),
  z.strictObject({
    kind: z.literal('gift'),
    cents: z.int().min(1).max(rewardGiftMaxCents),
    validDays: z.int().min(1).max(rewardGiftDaysMax),
  }),
  z.strictObject({ kind: z.literal('card'), productId: idSchema }),
])
export type Reward = z.output<typeof rewardSchema>

/** What one occasion gives, all of it or nothing. */
export const rewardsSchema = z.array(rewardSchema).min(1).max(rewardsMax)

/** `refused`: it was earned, and could not be given; the reason stands with it. */
export const rewardStates = ['pending', 'given', 'revoked', 'refused'] as const
export type RewardState = (typeof rewardStates)[number]
export const rewardStateLabels: Readonly<Record<RewardState, string>> = {
  pending: '待发放',
  given: '已发放',
  revoked: '已收回',
  refused: '未能发放',
}

/** What a reward was given for. With the activity and the rider its number makes that it is given once. */
export const rewardCauses = [
  'rider',
  'identity',
  'certificate',
  'ride',
  'wake',
  'recharge',
  'invite',
  'level',
  'campaign',
  'hand',
] as const
export type RewardCause = (typeof rewardCauses)[number]
export const rewardCauseLabels: Readonly<Record<RewardCause, string>> = {
  rider: '新用户注册',
  identity: '实名认证',
  certificate: '专业认证',
  ride: '骑行',
  wake: '沉默唤醒',
  recharge: '充值',
  invite: '邀请',
  level: '达成等级',
  campaign: '营销推送',
  hand: '人工发放',
}

/** Why a reward that was earned could not be given. */
export const rewardRefusals = [
  'closed',
  'coupon_off',
  'coupon_spent',
  'coupon_over',
  'coupon_cap',
  'coupon_device',
  'card_off',
] as const
export type RewardRefusal = (typeof rewardRefusals)[number]
export const rewardRefusalLabels: Readonly<Record<RewardRefusal, string>> = {
  closed: '用户已注销',
  coupon_off: '优惠券已暂停发放',
  coupon_spent: '优惠券预算已用完',
  coupon_over: '优惠券已过截止时间',
  coupon_cap: '已达每人持有上限',
  coupon_device: '已达每台手机领取上限',
  card_off: '骑行卡已下架',
}
