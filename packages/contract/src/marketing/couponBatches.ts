import { z } from 'zod'
import { answeredIdSchema, idSchema, instantSchema } from '#contract/answers.ts'
import { fields, list } from '#contract/list.ts'
import { activityKinds } from './activities.ts'

/** How coupons are issued: in batches of people, codes and rewards. */

export const couponSources = ['riders', 'codes', 'rewards'] as const
export type CouponSource = (typeof couponSources)[number]
export const couponSourceLabels: Readonly<Record<CouponSource, string>> = {
  riders: '发给用户',
  codes: '兑换码',
  rewards: '活动奖励',
}

/** What became of coupons. */
export const couponCounts = {
  issued: z.int(),
  open: z.int(),
  used: z.int(),
  expired: z.int(),
  revoked: z.int(),
}

export const couponBatchSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  templateId: answeredIdSchema,
  version: z.int(),
  name: z.string(),
  source: z.enum(couponSources),
  note: z.string(),
  claimUntil: instantSchema.nullable(),
  wanted: z.int(),
  claimed: z.int(),
  /** Its open coupons are being taken back. */
  isRevoking: z.boolean(),
  ...couponCounts,
  madeAt: instantSchema,
  madeBy: z.string(),
})
export type CouponBatch = z.infer<typeof couponBatchSchema>

export const couponBatchFilterSchema = z.strictObject({
  templateId: idSchema.optional(),
  id: idSchema.optional(),
  sources: z.array(z.enum(couponSources)).min(1).max(couponSources.length).optional(),
  /** Of this activity's rewards. */
  activityId: idSchema.optional(),
  /** Sent by this campaign. */
  campaignId: idSchema.optional(),
})
export type CouponBatchFilter = z.output<typeof couponBatchFilterSchema>

export const couponBatchList = list({
  row: couponBatchSchema,
  filter: couponBatchFilterSchema,
  sorts: { made: 'desc' },
})

export const couponBatchFields = fields<CouponBatch>()({
  id: '批次编号',
  name: '优惠券名称',
  source: { title: '发放方式', labels: couponSourceLabels },
  note: '备注',
  wanted: { title: '计划张数', as: 'count' },
  issued: { title: '已发放', as: 'count' },
  claimed: { title: '已领取', as: 'count' },
  open: { title: '未使用', as: 'count' },
  used: { title: '已使用', as: 'count' },
  expired: { title: '已过期', as: 'count' },
  revoked: { title: '已收回', as: 'count' },
  claimUntil: { title: '兑换截止', as: 'instant' },
  madeAt: { title: '发放时间', as: 'instant' },
  madeBy: '发放人',
})

/** What issued coupons of a kind, and what became of them. */
export const couponIssuerSchema = z.object({
  source: z.enum(couponSources),
  /** The campaign that sent them, or the activity whose rewards they are; neither: people issued them. */
  campaign: z.object({ id: answeredIdSchema, name: z.string() }).nullable(),
  activity: z.object({ id: answeredIdSchema, name: z.string(), kind: z.enum(activityKinds) }).nullable(),
  batches: z.int(),
  issued: z.int(),
  used: z.int(),
})
export type CouponIssuer = z.infer<typeof couponIssuerSchema>
/** Issuers that are named; those that issued most. */
export const couponIssuersMax = 100
