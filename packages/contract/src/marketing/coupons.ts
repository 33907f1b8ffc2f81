import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
  versionSchema,
} from '#contract/answers.ts'
import { basePath, phonePattern } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { activityPreviewSchema, activityPreviewWeeks } from './activities.ts'
import { couponBatchList, couponCounts, couponIssuerSchema } from './couponBatches.ts'
import { couponBudgetStates } from './couponBudget.ts'
import { couponSkipReasons } from './couponSkips.ts'
import { couponTermsSchema } from './couponTerms.ts'

/** Coupons: kinds of them (templates), the batches in which they are issued, and each coupon. */

export const couponTemplateStates = ['on', 'off'] as const
export type CouponTemplateState = (typeof couponTemplateStates)[number]
export const couponTemplateStateLabels: Readonly<Record<CouponTemplateState, string>> = { on: '发放中', off: '已暂停' }

export const couponStates = ['open', 'used', 'expired', 'revoked'] as const
export type CouponState = (typeof couponStates)[number]
export const couponStateLabels: Readonly<Record<CouponState, string>> = {
  open: '未使用',
  used: '已使用',
  expired: '已过期',
  revoked: '已收回',
}

export const couponIssueMax = 1_000
export const couponCodesMax = 50_000
export const couponRevokeMax = 200
export const couponNoteMax = 100
export const couponReasonMax = 100
export const couponCodeLength = 12
/** Without characters that look like others. */
export const couponCodeAlphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
/** What people type between the characters of a code does not count. */
export const couponCodeSchema = searchTextSchema
  .overwrite((text) => text.replaceAll(/[\s-]/g, '').toUpperCase())
  .regex(/^[A-Z2-9]{12}$/, { error: '兑换码为 12 位字母与数字' })

export const couponTemplateSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  name: z.string(),
  state: z.enum(couponTemplateStates),
  version: z.int(),
  terms: couponTermsSchema,
  ...couponCounts,
  /** What its coupons have taken off charges; a refund that gave a coupon back took this back too. */
  usedCents: z.int(),
  budgetCents: z.int().nullable(),
  budgetUses: z.int().nullable(),
  riderMax: z.int().nullable(),
  deviceMax: z.int().nullable(),
  createdAt: instantSchema,
  changedAt: instantSchema,
  changedBy: z.string(),
})
export type CouponTemplate = z.infer<typeof couponTemplateSchema>

export const couponTemplateFilterSchema = z.strictObject({
  states: z.array(z.enum(couponTemplateStates)).min(1).max(couponTemplateStates.length).optional(),
  /** Part of the name. */
  name: searchTextSchema.min(1).max(40).optional(),
  id: idSchema.optional(),
  budget: z.enum(couponBudgetStates).optional(),
})
export type CouponTemplateFilter = z.output<typeof couponTemplateFilterSchema>

export const couponTemplateList = list({
  row: couponTemplateSchema,
  filter: couponTemplateFilterSchema,
  sorts: { created: 'desc' },
  sums: ['usedCents'],
})

export const couponTemplateFields = fields<CouponTemplate>()({
  id: '编号',
  name: '优惠券名称',
  state: { title: '状态', labels: couponTemplateStateLabels },
  issued: { title: '已发放', as: 'count' },
  open: { title: '未使用', as: 'count' },
  used: { title: '已使用', as: 'count' },
  expired: { title: '已过期', as: 'count' },
  revoked: { title: '已收回', as: 'count' },
  usedCents: { title: '已抵扣', as: 'cents' },
  budgetCents: { title: '预算金额', as: 'cents', labels: { null: '不限' } },
  budgetUses: { title: '预算次数', as: 'count', labels: { null: '不限' } },
  riderMax: { title: '每人持有上限', as: 'count', labels: { null: '不限' } },
  deviceMax: { title: '每台手机领取上限', as: 'count', labels: { null: '不限' } },
  company: '加盟商',
  createdAt: { title: '创建时间', as: 'instant' },
  changedAt: { title: '修改时间', as: 'instant' },
  changedBy: '修改人',
})

export const couponSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  templateId: answeredIdSchema,
  version: z.int(),
  batchId: answeredIdSchema,
  name: z.string(),
  /** Null: a code that nobody has claimed. */
  riderId: answeredIdSchema.nullable(),
  /** Its middle is hidden. */
  phone: z.string().nullable(),
  code: z.string().nullable(),
  state: z.enum(couponStates),
  issuedAt: instantSchema,
  claimedAt: instantSchema.nullable(),
  endsAt: instantSchema,
  usedAt: instantSchema.nullable(),
  orderId: answeredIdSchema.nullable(),
  /** What people read of it; null where it is not theirs to see. */
  orderNumber: z.string().nullable(),
  savedCents: z.int().nullable(),
  returnedOrderId: answeredIdSchema.nullable(),
  returnedOrderNumber: z.string().nullable(),
  revokedAt: instantSchema.nullable(),
  revokedBy: z.string().nullable(),
  revokeReason: z.string(),
})
export type Coupon = z.infer<typeof couponSchema>

export const couponFilterSchema = z.strictObject({
  templateId: idSchema.optional(),
  batchId: idSchema.optional(),
  states: z.array(z.enum(couponStates)).min(1).max(couponStates.length).optional(),
  phone: z.string().regex(phonePattern).optional(),
  riderId: idSchema.optional(),
  code: couponCodeSchema.optional(),
  /** By the time of issue. */
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type CouponFilter = z.output<typeof couponFilterSchema>

export const couponList = list({
  row: couponSchema,
  filter: couponFilterSchema,
  sorts: { issued: 'desc' },
  sums: ['savedCents'],
  secret: ['phone'],
})

export const couponFields = fields<Coupon>()({
  id: '券编号',
  name: '优惠券名称',
  batchId: '批次编号',
  code: '兑换码',
  riderId: '用户编号',
  phone: '手机号',
  state: { title: '状态', labels: couponStateLabels },
  issuedAt: { title: '发放时间', as: 'instant' },
  claimedAt: { title: '领取时间', as: 'instant' },
  endsAt: { title: '有效期至', as: 'instant' },
  usedAt: { title: '使用时间', as: 'instant' },
  orderNumber: '使用订单',
  savedCents: { title: '抵扣金额', as: 'cents' },
  returnedOrderNumber: '退回自订单',
  revokedAt: { title: '收回时间', as: 'instant' },
  revokedBy: '收回人',
  revokeReason: '收回原因',
  company: '加盟商',
})

const path = `${basePath}/marketing/coupon`
const rights = { host: 'platform', permission: ['1709'], scope: 'agent' } as const
const works = { ...rights, method: 'POST', idempotency: 'key' } as const
const note = plainTextSchema.trim().max(couponNoteMax).default('')
const reason = plainTextSchema.trim().min(1).max(couponReasonMax)
const templateAnswer = answerOf(z.object({ id: answeredIdSchema, version: z.int() }))

export const couponEndpoints = defineEndpoints({
  listCouponTemplates: {
    ...rights,
    ...couponTemplateList.page,
    path,
    summary: '优惠券：发放、使用、剩余与抵扣金额，新的在前',
  },
  sumCouponTemplates: {
    ...rights,
    ...couponTemplateList.sums,
    path: `${path}/sums`,
    summary: '符合条件的优惠券的抵扣金额合计',
  },
  exportCouponTemplates: {
    ...rights,
    ...couponTemplateList.file,
    path: `${path}/export`,
    summary: '导出优惠券（CSV）',
  },
  createCouponTemplate: {
    ...works,
    path,
    bodyLimitBytes: bodyLimits.lists,
    summary: '新增一种优惠券',
    input: z.object({ agentId: idSchema, terms: couponTermsSchema }),
    output: templateAnswer,
  },
  changeCouponTemplate: {
    ...works,
    method: 'PUT',
    path,
    bodyLimitBytes: bodyLimits.lists,
    summary: '修改一种优惠券：已发放的保持发放时的规则，预算与持有上限立即生效',
    input: z.object({ id: idSchema, version: versionSchema, terms: couponTermsSchema }),
    output: templateAnswer,
  },
  switchCouponTemplate: {
    ...works,
    path: `${path}/state`,
    reverse: 'switchCouponTemplate',
    summary: '暂停或恢复发放与领取；已在用户手中的仍可使用',
    input: z.object({ id: idSchema, state: z.enum(couponTemplateStates) }),
    output: answerOf(z.object({ id: answeredIdSchema, state: z.enum(couponTemplateStates) })),
  },
  previewCoupon: {
    ...rights,
    method: 'POST',
    idempotency: 'none',
    path: `${path}/preview`,
    bodyLimitBytes: bodyLimits.lists,
    summary: '按过去几周的真实骑行试算：每位用户持有一张时会抵扣多少',
    input: z.object({
      agentId: idSchema,
      terms: couponTermsSchema,
      weeks: z.literal(activityPreviewWeeks).default(4),
    }),
    output: answerOf(activityPreviewSchema),
  },
  couponTemplateVersions: {
    ...rights,
    method: 'GET',
    idempotency: 'none',
    path: `${path}/versions`,
    summary: '一种优惠券的历次规则，新的在前，最多五十次',
    input: z.object({ id: idSchema }),
    output: answerOf(
      z.object({
        list: z.array(
          z.object({ version: z.int(), terms: couponTermsSchema, madeAt: instantSchema, madeBy: z.string() }),
        ),
      }),
    ),
  },
  couponTemplateSources: {
    ...rights,
    method: 'GET',
    idempotency: 'none',
    path: `${path}/sources`,
    summary: '一种优惠券由哪些推送、活动与人工发放，各发放与使用多少张，多的在前，最多一百个',
    input: z.object({ id: idSchema }),
    output: answerOf(z.object({ list: z.array(couponIssuerSchema) })),
  },
  issueCoupons: {
    ...works,
    path: `${path}/issue`,
    bodyLimitBytes: bodyLimits.shape,
    summary: '发给指定用户，每人一张：按用户编号或手机号，不能发的逐个说明原因',
    input: z
      .object({
        templateId: idSchema,
        riderIds: z.array(idSchema).min(1).max(couponIssueMax).optional(),
        phones: z.array(z.string().regex(phonePattern)).min(1).max(couponIssueMax).optional(),
        note,
      })
      .refine(({ riderIds, phones }) => (riderIds === undefined) !== (phones === undefined), {
        error: '请给出用户或手机号之一',
      }),
    output: answerOf(
      z.object({
        /** Null where nobody got one. */
        batchId: answeredIdSchema.nullable(),
        issued: z.int(),
        /** By their position in the list, from 0. */
        skipped: z.array(z.object({ at: z.int(), why: z.enum(couponSkipReasons) })),
      }),
    ),
  },
  makeCouponCodes: {
    ...works,
    path: `${path}/codes`,
    summary: '生成兑换码：一批最多五万个，在截止时间之前可以领取，每个码一张',
    input: z.object({
      templateId: idSchema,
      count: z.int().min(1).max(couponCodesMax),
      claimUntil: instantSchema,
      note,
    }),
    output: answerOf(z.object({ batchId: answeredIdSchema, issued: z.int() })),
  },
  listCouponBatches: {
    ...rights,
    ...couponBatchList.page,
    path: `${path}/batches`,
    summary: '优惠券的发放批次，新的在前',
  },
  exportCouponBatches: {
    ...rights,
    ...couponBatchList.file,
    path: `${path}/batches/export`,
    summary: '导出发放批次（CSV）',
  },
  listCoupons: { ...rights, ...couponList.page, path: `${path}/coupons`, summary: '每一张优惠券，新发放的在前' },
  sumCoupons: {
    ...rights,
    ...couponList.sums,
    path: `${path}/coupons/sums`,
    summary: '符合条件的优惠券的张数与抵扣金额',
  },
  exportCoupons: {
    ...rights,
    ...couponList.file,
    path: `${path}/coupons/export`,
    summary: '导出优惠券与兑换码（CSV）：手机号只含一部分',
  },
  revokeCoupons: {
    ...works,
    path: `${path}/revoke`,
    summary: '收回优惠券：未使用的立即失效，骑行者可见原因',
    input: z.object({ ids: z.array(idSchema).min(1).max(couponRevokeMax), reason }),
    output: answerOf(z.object({ revoked: z.int() })),
  },
  revokeCouponBatch: {
    ...works,
    path: `${path}/batches/revoke`,
    summary: '收回一批中未使用的优惠券与兑换码',
    input: z.object({ batchId: idSchema, reason }),
    // Of a large batch the rest follows in the background.
    output: answerOf(z.object({ revoked: z.int(), left: z.int() })),
  },
})
