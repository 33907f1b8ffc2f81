import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, searchTextSchema } from '#contract/answers.ts'
import { basePath, phonePattern } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { askedPaymentSchema, payBySchema } from '#contract/finance/payments.ts'
import { rechargeMaxCents, rechargeMinCents } from '#contract/finance/riderMoney.ts'
import { fields, list } from '#contract/list.ts'
import { activityCalls } from './activities.ts'
import { rewardGiftDaysMax, rewardGiftMaxCents, rewardSchema, rewardsMax, type Reward } from './rewards.ts'

/** Recharge activities: a rider who pays in so much is given gift balance, coupons or cards. */

export const rechargeTiersMax = 8

/** What a tier gives beside gift balance. */
const tierRewardsSchema = z
  .array(rewardSchema)
  .max(rewardsMax - 1)
  .refine((rewards) => rewards.every(({ kind }) => kind !== 'gift'), { error: '赠送余额请填写在档位中' })
  .default([])

export const rechargeTierSchema = z
  .strictObject({
    payCents: z.int().min(rechargeMinCents).max(rechargeMaxCents),
    giftCents: z.int().min(0).max(rewardGiftMaxCents).default(0),
    /** Days in which the gift can be used, the day of the recharge among them. */
    giftDays: z.int().min(1).max(rewardGiftDaysMax).default(90),
    rewards: tierRewardsSchema,
  })
  .refine(({ giftCents, rewards }) => giftCents > 0 || rewards.length > 0, {
    error: '请填写赠送金额或其他奖励',
    path: ['giftCents'],
  })
export type RechargeTier = z.output<typeof rechargeTierSchema>

export const rechargeTermsSchema = z.strictObject({
  tiers: z
    .array(rechargeTierSchema)
    .min(1)
    .max(rechargeTiersMax)
    .refine((tiers) => new Set(tiers.map(({ payCents }) => payCents)).size === tiers.length, {
      error: '每个充值金额只能有一个档位',
    }),
  /** Only for a rider who has recharged with this company never before. */
  firstOnly: z.boolean().default(false),
})
export type RechargeTerms = z.output<typeof rechargeTermsSchema>

/** What a tier gives, gift balance last: it is the only one that the ledger books. */
export function rewardsOfTier({ giftCents, giftDays, rewards }: RechargeTier): Reward[] {
  return giftCents === 0 ? [...rewards] : [...rewards, { kind: 'gift', cents: giftCents, validDays: giftDays }]
}

/** What became of a recharge with an offer. */
export const rechargeUseStates = ['asked', 'given', 'refused', 'revoked'] as const
export type RechargeUseState = (typeof rechargeUseStates)[number]
export const rechargeUseStateLabels: Readonly<Record<RechargeUseState, string>> = {
  asked: '待支付',
  given: '已赠送',
  refused: '未赠送',
  revoked: '已收回',
}

/** Why a paid recharge was given nothing. */
export const rechargeRefusals = [
  'not_on',
  'budget_spent',
  'rider_cap',
  'rider_day_cap',
  'device_cap',
  'not_first',
  'held_out',
  'reward',
  'prepaid_cap',
] as const
export type RechargeRefusal = (typeof rechargeRefusals)[number]
export const rechargeRefusalLabels: Readonly<Record<RechargeRefusal, string>> = {
  not_on: '支付完成时活动已停止',
  budget_spent: '支付完成时活动预算已用完',
  rider_cap: '已达每人可参加的次数',
  rider_day_cap: '已达每人每天可参加的次数',
  device_cap: '已达每台手机可参加的次数',
  not_first: '仅限首次充值',
  held_out: '活动未对您开放',
  reward: '奖励已停止发放',
  prepaid_cap: '余额超过预付上限，充值款已原路退回',
}

const { path, permission } = { path: `${basePath}/marketing/rechargeActivity`, permission: ['1701'] } as const
const calls = activityCalls({
  path,
  permission,
  terms: rechargeTermsSchema,
  title: '充值活动',
  bodyLimitBytes: bodyLimits.lists,
})

export const rechargeUseSchema = z.object({
  /** Of the payment. */
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  activityId: answeredIdSchema,
  name: z.string(),
  version: z.int(),
  riderId: answeredIdSchema,
  /** Its middle is hidden. */
  phone: z.string(),
  state: z.enum(rechargeUseStates),
  why: z.enum(rechargeRefusals).nullable(),
  cents: z.int(),
  giftCents: z.int(),
  askedAt: instantSchema,
  settledAt: instantSchema.nullable(),
})
export type RechargeUse = z.infer<typeof rechargeUseSchema>

export const rechargeUseFilterSchema = z.strictObject({
  states: z.array(z.enum(rechargeUseStates)).min(1).max(rechargeUseStates.length).optional(),
  activityId: idSchema.optional(),
  riderId: idSchema.optional(),
  phone: searchTextSchema.regex(phonePattern).optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type RechargeUseFilter = z.output<typeof rechargeUseFilterSchema>

export const rechargeUseList = list({
  row: rechargeUseSchema,
  filter: rechargeUseFilterSchema,
  sorts: { asked: 'desc' },
  sums: ['cents', 'giftCents'],
  secret: ['phone'],
})

export const rechargeUseFields = fields<RechargeUse>()({
  id: '支付编号',
  name: '活动',
  phone: '手机号',
  state: { title: '状态', labels: rechargeUseStateLabels },
  cents: { title: '充值金额', as: 'cents' },
  giftCents: { title: '赠送金额', as: 'cents' },
  why: { title: '未赠送原因', labels: rechargeRefusalLabels },
  askedAt: { title: '下单时间', as: 'instant' },
  settledAt: { title: '到账时间', as: 'instant' },
  company: '加盟商',
})

const uses = { host: 'platform', permission, scope: 'agent' } as const

export const rechargeActivityEndpoints = defineEndpoints({
  listRechargeActivities: calls.list,
  sumRechargeActivities: calls.sums,
  exportRechargeActivities: calls.file,
  createRechargeActivity: calls.create,
  changeRechargeActivity: calls.change,
  switchRechargeActivity: { ...calls.switchState, reverse: 'switchRechargeActivity' },
  rechargeActivityVersions: calls.versions,
  previewRechargeActivity: calls.preview,
  listRechargeUses: { ...uses, ...rechargeUseList.page, path: `${path}/uses`, summary: '参加充值活动的充值，新的在前' },
  sumRechargeUses: { ...uses, ...rechargeUseList.sums, path: `${path}/uses/sums`, summary: '符合条件的充值与赠送合计' },
  exportRechargeUses: {
    ...uses,
    ...rechargeUseList.file,
    path: `${path}/uses/export`,
    summary: '导出参加充值活动的充值（CSV）',
  },
})

const app = { host: 'platform', permission: 'app', scope: 'none', idempotency: 'none' } as const
const riderPath = '/rider/v1/recharge'
const rider = { phone: z.string().regex(phonePattern), agentId: idSchema.optional() }

/** An amount that a rider may tap, and what it gives. */
export const rechargeOfferSchema = z.object({
  activityId: answeredIdSchema,
  activity: z.string(),
  payCents: z.int(),
  giftCents: z.int(),
  /** Until when the gift of a recharge of now could be used; null: there is no gift balance in it. */
  giftEndsAt: instantSchema.nullable(),
  /** What it gives beside gift balance, by name. */
  rewards: z.array(z.object({ kind: z.enum(['coupon', 'card']), name: z.string(), count: z.int() })),
  endsAt: instantSchema.nullable(),
  firstOnly: z.boolean(),
})
export type RechargeOffer = z.infer<typeof rechargeOfferSchema>

export const riderRechargeEndpoints = defineEndpoints({
  riderRechargeOffers: {
    ...app,
    method: 'GET',
    path: `${riderPath}/offers`,
    summary: '骑行者此刻可参加的充值活动档位、还可充值的金额，以及最近几笔充值的赠送结果',
    input: z.object({ ...rider, areaId: idSchema.optional() }),
    output: answerOf(
      z.object({
        offers: z.array(rechargeOfferSchema),
        /** What the rider may still pay in; null: no limit. */
        roomCents: z.int().nullable(),
        /** The latest first. Null: nothing went wrong. */
        mine: z.array(
          rechargeUseSchema
            .pick({
              id: true,
              activityId: true,
              name: true,
              state: true,
              cents: true,
              giftCents: true,
              settledAt: true,
            })
            .extend({ why: z.string().nullable() }),
        ),
      }),
    ),
  },
  riderRechargeWithOffer: {
    ...app,
    method: 'POST',
    path: `${riderPath}/offer`,
    summary: '按充值活动的档位充值：支付完成时赠送；活动届时已停止或预算用完的，充值照常到账而没有赠送，可以退余额',
    input: z.object({
      ...rider,
      activityId: idSchema,
      cents: z.int().min(rechargeMinCents).max(rechargeMaxCents),
      areaId: idSchema.optional(),
      requestId: z
        .string()
        .regex(/^[A-Za-z0-9-]{8,64}$/)
        .optional(),
      ...payBySchema,
    }),
    output: answerOf(askedPaymentSchema),
  },
})
