import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema } from '#contract/answers.ts'
import { basePath, phonePattern } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { paymentChannelLabels, paymentChannels } from './payments.ts'
import { moneyReasonSchema } from './reason.ts'

/** Deposits of riders: held, frozen while something is looked into, kept or given back. */

export const depositStates = ['held', 'frozen', 'over'] as const
export type DepositState = (typeof depositStates)[number]
export const depositStateLabels: Readonly<Record<DepositState, string>> = {
  held: '在押',
  frozen: '冻结中',
  over: '已结清',
}

export const caseStates = ['open', 'released', 'recovered'] as const
export type CaseState = (typeof caseStates)[number]
export const caseStateLabels: Readonly<Record<CaseState, string>> = {
  open: '冻结中',
  released: '已解冻',
  recovered: '已扣款',
}

export const depositCaseSchema = z.object({
  id: answeredIdSchema,
  cents: z.int(),
  recoveredCents: z.int(),
  state: z.enum(caseStates),
  reason: z.string(),
  operatorName: z.string(),
  openedAt: instantSchema,
  decision: z.string(),
  decidedBy: z.string().nullable(),
  decidedAt: instantSchema.nullable(),
})
export type DepositCase = z.infer<typeof depositCaseSchema>

export const depositSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  riderId: answeredIdSchema,
  /** Its middle is hidden. */
  riderPhone: z.string(),
  channel: z.enum(paymentChannels),
  state: z.enum(depositStates),
  cents: z.int(),
  frozenCents: z.int(),
  recoveredCents: z.int(),
  refundedCents: z.int(),
  /** What can be frozen or given back now. */
  freeCents: z.int(),
  paidAt: instantSchema,
  cases: z.array(depositCaseSchema),
})
export type Deposit = z.infer<typeof depositSchema>

const amount = z.int().min(1).max(100_000_000)
/** Which deposits; days are those on which they were paid. */
export const depositFilterSchema = z.strictObject({
  states: z.array(z.enum(depositStates)).min(1).max(depositStates.length).optional(),
  phone: z.string().regex(phonePattern).optional(),
  riderId: idSchema.optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type DepositFilter = z.output<typeof depositFilterSchema>

export const depositFields = fields<Deposit>()({
  id: '押金编号',
  riderId: '用户编号',
  riderPhone: '手机号',
  company: '加盟商',
  state: { title: '状态', labels: depositStateLabels },
  channel: { title: '渠道', labels: paymentChannelLabels },
  cents: { title: '押金', as: 'cents' },
  freeCents: { title: '可用', as: 'cents' },
  frozenCents: { title: '冻结中', as: 'cents' },
  recoveredCents: { title: '已扣', as: 'cents' },
  refundedCents: { title: '已退', as: 'cents' },
  paidAt: { title: '交纳时间', as: 'instant' },
})

export const depositList = list({
  row: depositSchema,
  filter: depositFilterSchema,
  sorts: { paid: 'desc' },
  sums: ['cents'],
  secret: ['phone'],
})

const reads = { host: 'platform', permission: ['070101'], scope: 'agent' } as const
const act = { ...reads, method: 'POST', permission: ['07010112'], idempotency: 'key', writes: 'ledger' } as const

export const depositEndpoints = defineEndpoints({
  listDeposits: {
    ...reads,
    ...depositList.page,
    path: `${basePath}/platform/deposit`,
    summary: '押金：按骑行者、手机号、状态、交纳日期查找，新的在前，附冻结记录',
  },
  sumDeposits: {
    ...reads,
    ...depositList.sums,
    path: `${basePath}/platform/deposit/sums`,
    summary: '一组条件下的押金笔数与金额',
  },
  exportDeposits: {
    ...reads,
    ...depositList.file,
    path: `${basePath}/platform/deposit/export`,
    summary: '导出押金（CSV）：手机号只含一部分',
  },
  freezeDeposit: {
    ...act,
    path: `${basePath}/platform/deposit/freeze`,
    reverse: 'unfreezeDeposit',
    summary: '冻结押金的一部分，等待处理；冻结期间不能退还',
    input: z.object({ depositId: idSchema, cents: amount, reason: moneyReasonSchema }),
    output: answerOf(depositSchema),
  },
  unfreezeDeposit: {
    ...act,
    path: `${basePath}/platform/deposit/unfreeze`,
    summary: '解冻',
    input: z.object({ caseId: idSchema, reason: moneyReasonSchema }),
    output: answerOf(depositSchema),
  },
  recoverDeposit: {
    ...act,
    path: `${basePath}/platform/deposit/recovery`,
    summary: '从冻结的押金中扣款，余下的自动解冻',
    input: z.object({ caseId: idSchema, cents: amount, reason: moneyReasonSchema }),
    output: answerOf(depositSchema),
  },
  refundDeposit: {
    ...act,
    path: `${basePath}/platform/deposit/refund`,
    summary: '退还没有冻结的押金到原支付渠道',
    input: z.object({ depositId: idSchema, reason: moneyReasonSchema }),
    output: answerOf(depositSchema),
  },
})
