import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import type { RefundState } from '#contract/finance/refunds.ts'

/** What a rider's life is made of. */
export const riderEventKinds = {
  registered: '注册',
  certified: '实名认证',
  closed: '注销',
  certificate_submitted: '提交专业认证',
  certificate_approved: '专业认证通过',
  certificate_refused: '专业认证被拒绝',
  rebind_asked: '申请换绑',
  rebind_approved: '换绑完成',
  rebind_refused: '换绑被拒绝',
  banned: '加入黑名单',
  ban_lifted: '移出黑名单',
  revealed: '号码被查看',
  device: '使用新设备',
  ride: '骑行',
  money: '资金',
  ticket: '工单',
} as const
export type RiderEventKind = keyof typeof riderEventKinds
export const riderEventGroups = {
  ride: '骑行',
  money: '资金',
  ticket: '工单',
  account: '账号与认证',
  safety: '黑名单与查看',
} as const
export type RiderEventGroup = keyof typeof riderEventGroups
const groupNames = Object.keys(riderEventGroups) as RiderEventGroup[]

/** Codes of money that goes back through a payment channel; other codes of `money` are kinds of ledger entries. */
export const channelRefundCodes = {
  channel_waiting: '退回支付渠道，等待到账',
  channel_done: '已退回支付渠道',
  channel_failed: '退回支付渠道未成功',
  channel_returned: '退回支付渠道未成功，已转为余额',
} as const satisfies Readonly<Record<`channel_${RefundState}`, string>>

export const riderEventSchema = z.object({
  at: instantSchema,
  kind: z.enum(Object.keys(riderEventKinds) as RiderEventKind[]),
  /**
   * A word of the thing's own list: an order's state, a ledger entry's kind or `channelRefundCodes`, a certificate's kind; ''
   * where there is none.
   */
  code: z.string(),
  /** What people wrote: a reason, a vehicle's number, a telephone's model. */
  text: z.string(),
  cents: z.int().nullable(),
  by: z.string().nullable(),
  /** The order or ticket that it is about; null where none is. */
  aboutId: answeredIdSchema.nullable(),
})
export type RiderEvent = z.infer<typeof riderEventSchema>

export const timelinePageMax = 100

export const timelineEndpoints = defineEndpoints({
  riderTimeline: {
    host: 'platform',
    permission: ['070101'],
    // Rides and tickets are told of the areas of the scope, what concerns the person of its companies.
    scope: 'agent',
    idempotency: 'none',
    method: 'GET',
    path: `${basePath}/platform/rider/timeline`,
    summary: '一位骑行用户的经历：骑行、资金、工单、认证、黑名单，新的在前',
    input: z.object({
      riderId: idSchema,
      groups: z.array(z.enum(groupNames)).min(1).max(groupNames.length).optional(),
      /** Earlier than this. */
      before: instantSchema.optional(),
      pageSize: z.coerce.number().int().min(1).max(timelinePageMax).default(50),
    }),
    output: answerOf(
      z.object({
        list: z.array(riderEventSchema),
        /** Goes on before this time; null: this was all. */
        nextBefore: instantSchema.nullable(),
      }),
    ),
  },
})
