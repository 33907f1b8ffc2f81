import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { exportAnswer, exportInput } from '#contract/exported.ts'
import { entryKinds } from '#contract/finance/ledger.ts'
import type { RefundState } from '#contract/finance/refunds.ts'
import type { Field } from '#contract/list.ts'
import { orderStateLabels } from '#contract/riding/orders.ts'
import { certificateKindLabels } from './certificates.ts'
import { rebindKindLabels } from './rebinds.ts'

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

/** Labels of codes that are told apart by the kind of event before them. */
const of = (kind: string, labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(labels).map(([code, label]) => [`${kind}:${code}`, label]))

const ofEach = (kinds: readonly RiderEventKind[], labels: Readonly<Record<string, string>>) =>
  Object.assign({}, ...kinds.map((kind) => of(kind, labels))) as Readonly<Record<string, string>>

const timelineWords: Readonly<Record<string, string>> = {
  ...of('ride', orderStateLabels),
  ...of('money', { ...entryKinds, ...channelRefundCodes }),
  ...ofEach(['certificate_submitted', 'certificate_approved', 'certificate_refused'], certificateKindLabels),
  ...ofEach(['rebind_asked', 'rebind_approved', 'rebind_refused'], rebindKindLabels),
  ...of('revealed', { phone: '手机号', certificate: '证件号' }),
}

/** The columns of a rider's life. */
export const timelineFileFields: Readonly<Record<string, Field>> = {
  at: { title: '时间', as: 'instant' },
  kind: { title: '事项', labels: riderEventKinds },
  what: { title: '状态', labels: timelineWords },
  text: '说明',
  cents: { title: '金额', as: 'cents' },
  by: '人员',
}

/** An event as the columns name it: its code with its kind, where the two have a word. */
export function timelineLineOf(event: RiderEvent): RiderEvent & { readonly what: string | null } {
  const what = `${event.kind}:${event.code}`
  return { ...event, what: Object.hasOwn(timelineWords, what) ? what : null }
}

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
  exportRiderTimeline: {
    host: 'platform',
    permission: ['070101'],
    scope: 'agent',
    idempotency: 'none',
    method: 'POST',
    load: 'file',
    path: `${basePath}/platform/rider/timeline/export`,
    summary: '导出一位骑行用户的经历（CSV）',
    input: z.object({
      riderId: idSchema,
      groups: z.array(z.enum(groupNames)).min(1).max(groupNames.length).optional(),
      ...exportInput,
    }),
    output: exportAnswer,
  },
})
