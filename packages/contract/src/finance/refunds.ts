import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema } from '#contract/answers.ts'
import { basePath, phonePattern } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { paymentChannelLabels, paymentChannels, purposeLabels, purposes } from './payments.ts'
import { moneyReasonSchema } from './reason.ts'

/** Money that goes back to riders through the channels it came by. */

/** `returned`: the channel could not pay it out, and the rider has it as balance. */
export const refundStates = ['waiting', 'done', 'failed', 'returned'] as const
export type RefundState = (typeof refundStates)[number]
export const refundStateLabels: Readonly<Record<RefundState, string>> = {
  waiting: '退款中',
  done: '已退款',
  failed: '退款失败',
  returned: '已转为余额',
}

export const channelRefundSchema = z.object({
  id: answeredIdSchema,
  cents: z.int(),
  reason: z.string(),
  state: z.enum(refundStates),
  /** What the channel said. */
  fault: z.string(),
  attempts: z.int(),
  createdAt: instantSchema,
  doneAt: instantSchema.nullable(),
  /** When it became balance, and who decided that. */
  returnedAt: instantSchema.nullable(),
  returnedBy: z.string().nullable(),
})
export type ChannelRefund = z.infer<typeof channelRefundSchema>

export const listedRefundSchema = channelRefundSchema.extend({
  agentId: answeredIdSchema,
  company: z.string(),
  riderId: answeredIdSchema,
  riderPhone: z.string().nullable(),
  paymentId: answeredIdSchema,
  purpose: z.enum(purposes),
  subjectId: answeredIdSchema.nullable(),
  channel: z.enum(paymentChannels),
})
export type ListedRefund = z.infer<typeof listedRefundSchema>

/** Which refunds; days are those on which they were asked for. */
export const refundFilterSchema = z.strictObject({
  states: z.array(z.enum(refundStates)).min(1).max(refundStates.length).optional(),
  purposes: z.array(z.enum(purposes)).min(1).max(purposes.length).optional(),
  phone: z.string().regex(phonePattern).optional(),
  riderId: idSchema.optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
  /** Took, or takes, longer than the working days that the law allows for deposits. */
  isLate: z.boolean().optional(),
})
export type RefundFilter = z.output<typeof refundFilterSchema>

export const refundFields = fields<ListedRefund>()({
  id: '退款编号',
  riderId: '用户编号',
  riderPhone: '手机号',
  company: '加盟商',
  purpose: { title: '用途', labels: purposeLabels },
  channel: { title: '渠道', labels: paymentChannelLabels },
  cents: { title: '金额', as: 'cents' },
  state: { title: '状态', labels: refundStateLabels },
  reason: '原因',
  fault: '渠道答复',
  attempts: { title: '尝试次数', as: 'count' },
  createdAt: { title: '申请时间', as: 'instant' },
  doneAt: { title: '完成时间', as: 'instant' },
  returnedAt: { title: '转为余额时间', as: 'instant' },
  returnedBy: '转为余额操作人',
})

export const refundList = list({
  row: listedRefundSchema,
  filter: refundFilterSchema,
  sorts: { created: 'desc' },
  sums: ['cents'],
  secret: ['phone'],
})

export const retryBatchMax = 50

const path = `${basePath}/user/usrInfo/refund`
const reads = { host: 'platform', permission: ['070101'], scope: 'agent' } as const
const acts = {
  ...reads,
  method: 'POST',
  permission: ['07010113'],
  idempotency: 'key',
  writes: 'ledger',
} as const

export const channelRefundEndpoints = defineEndpoints({
  listRefunds: {
    ...reads,
    ...refundList.page,
    path: `${path}/failed`,
    summary: '退款：按状态（如未退成的）、用途、骑行者、申请日期查找，新的在前',
  },
  sumRefunds: { ...reads, ...refundList.sums, path: `${path}/failed/sums`, summary: '一组条件下的退款笔数与金额' },
  exportRefunds: { ...reads, ...refundList.file, path: `${path}/export`, summary: '导出退款（CSV）：手机号只含一部分' },
  retryRefunds: {
    ...acts,
    path: `${path}/retry`,
    summary: '请支付渠道重新退款；已完成的不会再退一次',
    input: z.object({ refundIds: z.array(idSchema).min(1).max(retryBatchMax) }),
    output: answerOf(z.object({ refunds: z.array(z.object({ id: answeredIdSchema, state: z.enum(refundStates) })) })),
  },
  returnRefund: {
    ...acts,
    path: `${path}/return`,
    summary: '把支付渠道退不成的退款转为骑行者的余额；只对退款失败的，且只能一次',
    input: z.object({ refundId: idSchema, reason: moneyReasonSchema }),
    output: answerOf(channelRefundSchema),
  },
})
