import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { basePath, phonePattern } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { activityKinds } from './activities.ts'
import { couponStates } from './coupons.ts'
import {
  rewardCauseLabels,
  rewardCauses,
  rewardKindLabels,
  rewardKinds,
  rewardSchema,
  rewardsSchema,
  rewardStateLabels,
  rewardStates,
} from './rewards.ts'

/** What riders were given: to whom, when, why and by which activity. */

export const userRewardNoteMax = 100
export const userRewardReasonMax = 100
export const userRewardRidersMax = 200
export const userRewardRevokeMax = 200

export const userRewardSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  riderId: answeredIdSchema,
  /** Its middle is hidden. */
  phone: z.string(),
  /** Null: by hand or by a campaign. */
  activityId: answeredIdSchema.nullable(),
  activity: z.string().nullable(),
  activityKind: z.enum(activityKinds).nullable(),
  cause: z.enum(rewardCauses),
  /** The ride that it was given for; null where it was given for something else. */
  orderId: answeredIdSchema.nullable(),
  /** What people read of the ride; null where it is not theirs to see. */
  orderNumber: z.string().nullable(),
  kind: z.enum(rewardKinds),
  name: z.string(),
  /** Coupons; otherwise 1. */
  count: z.int(),
  /** What it is worth at most; 0 where that depends on the ride. */
  cents: z.int(),
  state: z.enum(rewardStates),
  grantedAt: instantSchema,
  /** Who gave it by hand; null: a rule. */
  grantedBy: z.string().nullable(),
  note: z.string(),
  dueAt: instantSchema.nullable(),
  givenAt: instantSchema.nullable(),
  endedAt: instantSchema.nullable(),
  endedBy: z.string().nullable(),
  endReason: z.string(),
  /** What the rider had used when it was taken back. */
  keptCents: z.int().nullable(),
})
export type UserReward = z.infer<typeof userRewardSchema>

export const userRewardFilterSchema = z.strictObject({
  id: idSchema.optional(),
  phone: z.string().regex(phonePattern).optional(),
  riderId: idSchema.optional(),
  activityId: idSchema.optional(),
  kinds: z.array(z.enum(rewardKinds)).min(1).max(rewardKinds.length).optional(),
  states: z.array(z.enum(rewardStates)).min(1).max(rewardStates.length).optional(),
  causes: z.array(z.enum(rewardCauses)).min(1).max(rewardCauses.length).optional(),
  /** By the time of the grant. */
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type UserRewardFilter = z.output<typeof userRewardFilterSchema>

export const userRewardList = list({
  row: userRewardSchema,
  filter: userRewardFilterSchema,
  sorts: { granted: 'desc' },
  sums: ['cents'],
  secret: ['phone'],
})

export const userRewardFields = fields<UserReward>()({
  id: '奖励编号',
  riderId: '用户编号',
  phone: '手机号',
  kind: { title: '奖励类型', labels: rewardKindLabels },
  name: '奖励',
  count: { title: '数量', as: 'count' },
  cents: { title: '价值', as: 'cents' },
  state: { title: '状态', labels: rewardStateLabels },
  cause: { title: '发放原因', labels: rewardCauseLabels },
  activity: '活动',
  activityId: '活动编号',
  orderNumber: '订单编号',
  grantedAt: { title: '获得时间', as: 'instant' },
  dueAt: { title: '计划发放', as: 'instant' },
  givenAt: { title: '到账时间', as: 'instant' },
  grantedBy: '发放人',
  note: '备注',
  endedAt: { title: '收回时间', as: 'instant' },
  endedBy: '收回人',
  endReason: '原因',
  keptCents: { title: '已使用部分', as: 'cents' },
  company: '加盟商',
})

/** What became of a reward. */
export const rewardDetailSchema = z.object({
  /** What it gives, so that the same can be given again. */
  reward: rewardSchema,
  coupons: z.array(
    z.object({
      id: answeredIdSchema,
      state: z.enum(couponStates),
      endsAt: instantSchema,
      usedAt: instantSchema.nullable(),
      orderId: answeredIdSchema.nullable(),
      orderNumber: z.string().nullable(),
      savedCents: z.int().nullable(),
    }),
  ),
  giftLotId: answeredIdSchema.nullable(),
  card: z
    .object({
      id: answeredIdSchema,
      state: z.string(),
      firstDay: z.string().nullable(),
      lastDay: z.string().nullable(),
    })
    .nullable(),
})
export type RewardDetail = z.infer<typeof rewardDetailSchema>

/** Why a rider of a list was given nothing by hand. */
export const handSkipReasons = ['unknown', 'twice'] as const
export type HandSkipReason = (typeof handSkipReasons)[number]
export const handSkipReasonLabels: Readonly<Record<HandSkipReason, string>> = {
  unknown: '没有这位用户',
  twice: '名单中重复',
}

export const rewardChoicesMax = 500
const choice = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  name: z.string(),
  /** What one is worth at most; 0 where that depends on the ride. */
  cents: z.int(),
})
export type RewardChoice = z.infer<typeof choice>

const path = `${basePath}/marketing/userReward`
const rights = { host: 'platform', permission: ['170801'], scope: 'agent' } as const
const works = { ...rights, method: 'POST', idempotency: 'key' } as const
const ids = z.array(idSchema).min(1).max(userRewardRevokeMax)

export const userRewardEndpoints = defineEndpoints({
  listUserRewards: { ...rights, ...userRewardList.page, path, summary: '用户奖励：给了谁、因何、由哪个活动，新的在前' },
  sumUserRewards: { ...rights, ...userRewardList.sums, path: `${path}/sums`, summary: '符合条件的奖励的价值合计' },
  exportUserRewards: {
    ...rights,
    ...userRewardList.file,
    path: `${path}/export`,
    summary: '导出用户奖励（CSV）：手机号只含一部分',
  },
  userRewardDetail: {
    ...rights,
    method: 'GET',
    idempotency: 'none',
    path: `${path}/detail`,
    summary: '一项奖励的去向：优惠券、赠送余额或骑行卡现在的状态',
    input: z.object({ id: idSchema }),
    output: answerOf(rewardDetailSchema),
  },
  rewardChoices: {
    ...rights,
    permission: ['1701', '1707', '1710', 'yqyl', '170801'],
    method: 'GET',
    idempotency: 'none',
    path: `${path}/choices`,
    summary: '可作为奖励的优惠券与骑行卡，以及发放奖励的活动，各最多五百种',
    input: z.object({}),
    output: answerOf(
      z.object({
        coupons: z.array(choice),
        cards: z.array(choice),
        /** The newest activities that give rewards. */
        activities: z.array(choice.omit({ cents: true })),
      }),
    ),
  },
  giveUserRewards: {
    ...works,
    writes: 'ledger',
    path: `${path}/give`,
    bodyLimitBytes: bodyLimits.lists,
    summary: '人工发放奖励：每位用户一份，计入本人当日资金操作额度，超过的待第二人确认',
    input: z
      .object({
        agentId: idSchema,
        riderIds: z.array(idSchema).min(1).max(userRewardRidersMax).optional(),
        phones: z.array(z.string().regex(phonePattern)).min(1).max(userRewardRidersMax).optional(),
        rewards: rewardsSchema,
        note: plainTextSchema.trim().min(1).max(userRewardNoteMax),
      })
      .refine(({ riderIds, phones }) => (riderIds === undefined) !== (phones === undefined), {
        error: '请给出用户或手机号之一',
      }),
    output: answerOf(
      z.object({
        given: z.int(),
        /** Riders who could not get it; their rewards say why. */
        refused: z.int(),
        /** By their position in the list, from 0. */
        skipped: z.array(z.object({ at: z.int(), why: z.enum(handSkipReasons) })),
        /** The rewards, for a reversal. */
        ids: z.array(answeredIdSchema),
      }),
    ),
  },
  revokeUserRewards: {
    ...works,
    writes: 'ledger',
    reverse: 'restoreUserRewards',
    path: `${path}/revoke`,
    summary: '收回奖励：待发放的不再发放，未使用的部分立即失效，已使用的部分保留',
    input: z.object({ ids, reason: plainTextSchema.trim().min(1).max(userRewardReasonMax) }),
    output: answerOf(
      z.object({
        revoked: z.array(answeredIdSchema),
        /** Of those, the ones of which a part was used. */
        partly: z.array(answeredIdSchema),
        /** Used up, or ended before. */
        kept: z.array(answeredIdSchema),
      }),
    ),
  },
  restoreUserRewards: {
    ...works,
    writes: 'ledger',
    path: `${path}/restore`,
    summary: '撤销收回，或重新发放未能发放的奖励：待发放的恢复待发放，其余立即重新发放；部分使用过的不能恢复',
    input: z.object({ ids }),
    output: answerOf(z.object({ restored: z.array(answeredIdSchema), kept: z.array(answeredIdSchema) })),
  },
})
