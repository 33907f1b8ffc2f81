import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { dayMs, minuteMs } from '#contract/time.ts'
import { entryKinds, type EntryKind } from './ledger.ts'

/** Money that a company draws from its available balance to its bank card. */

export const withdrawalStates = [
  'authorising',
  'waiting',
  'queued',
  'sent',
  'unknown',
  'paid',
  'returned',
  'reversed',
  'conflict',
  'cancelled',
  'expired',
] as const
export type WithdrawalState = (typeof withdrawalStates)[number]
export const withdrawalStateLabels: Readonly<Record<WithdrawalState, string>> = {
  authorising: '待输入支付密码',
  waiting: '待复核',
  queued: '待发送',
  sent: '银行处理中',
  unknown: '结果查询中',
  paid: '已到账',
  returned: '已退回',
  reversed: '到账后退汇',
  conflict: '银行结果矛盾',
  cancelled: '已取消',
  expired: '已过期',
}
/** Money of these is in withdrawal. */
export const withdrawalOpenStates = ['waiting', 'queued', 'sent', 'unknown'] as const satisfies WithdrawalState[]

/** From filing until the password was entered at the bank. */
export const withdrawalPasswordMs = 10 * minuteMs
/** Until the second person has confirmed. */
export const withdrawalSecondMs = dayMs
/** Before money goes to a card that was bound. */
export const cardRestMs = dayMs
export const withdrawalMaxCents = 1_000_000_000
export const withdrawalReasonMax = 200

export const withdrawalTermsSchema = z
  .strictObject({
    isAllowed: z.boolean(),
    minCents: z.int().min(1).max(withdrawalMaxCents),
    dailyCents: z.int().min(1).max(withdrawalMaxCents),
    feeCents: z.int().min(0).max(100_000),
    /** What one person may draw on a day without a second one. */
    secondCents: z.int().min(0).max(withdrawalMaxCents),
  })
  .refine(({ feeCents, minCents }) => feeCents < minCents, { error: '手续费应低于最低提现金额', path: ['feeCents'] })
  .refine(({ minCents, dailyCents }) => minCents <= dailyCents, {
    error: '单日限额不能低于最低提现金额',
    path: ['dailyCents'],
  })
export type WithdrawalTerms = z.output<typeof withdrawalTermsSchema>

/** Of a company for which nothing was set. */
export const usualWithdrawalTerms: WithdrawalTerms = {
  isAllowed: true,
  minCents: 10_000,
  dailyCents: 50_000_000,
  feeCents: 200,
  secondCents: 5_000_000,
}

export const withdrawalSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  /** At the bank. */
  number: z.string(),
  state: z.enum(withdrawalStates),
  cents: z.int(),
  feeCents: z.int(),
  bankName: z.string(),
  lastDigits: z.string(),
  askedAt: instantSchema,
  askedBy: z.string(),
  /** Filed by the caller, who is never the second person. */
  isOwn: z.boolean(),
  needsSecond: z.boolean(),
  secondBy: z.string().nullable(),
  expiresAt: instantSchema,
  paidAt: instantSchema.nullable(),
  endedAt: instantSchema.nullable(),
  bankNumber: z.string().nullable(),
  reason: z.string(),
})
export type Withdrawal = z.infer<typeof withdrawalSchema>

export const withdrawalFilterSchema = z.strictObject({
  id: idSchema.optional(),
  agentId: idSchema.optional(),
  states: z.array(z.enum(withdrawalStates)).min(1).max(withdrawalStates.length).optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type WithdrawalFilter = z.output<typeof withdrawalFilterSchema>

export const withdrawalList = list({
  row: withdrawalSchema,
  filter: withdrawalFilterSchema,
  sorts: { asked: 'desc' },
  sums: ['cents', 'feeCents'],
})

export const withdrawalFields = fields<Withdrawal>()({
  id: '编号',
  state: { title: '状态', labels: withdrawalStateLabels },
  cents: { title: '提现金额', as: 'cents' },
  feeCents: { title: '手续费', as: 'cents' },
  bankName: '收款银行',
  lastDigits: '卡号后四位',
  askedBy: '申请人',
  askedAt: { title: '申请时间', as: 'instant' },
  secondBy: '复核人',
  paidAt: { title: '到账时间', as: 'instant' },
  bankNumber: '银行流水号',
  number: '提现单号',
  reason: '原因',
  company: '加盟商',
})

export const withdrawalStepSchema = z.object({
  state: z.enum(withdrawalStates),
  at: instantSchema,
  by: z.string().nullable(),
  note: z.string(),
})
export type WithdrawalStep = z.infer<typeof withdrawalStepSchema>

/** One source of a withdrawal's money: an entry that made money available, and what of it was withdrawn. */
export const withdrawalSourceSchema = z.object({
  entryNumber: z.int(),
  kind: z.enum(Object.keys(entryKinds) as [EntryKind, ...EntryKind[]]),
  reference: z.string(),
  at: instantSchema,
  /** What the entry made available, and what of it is in this withdrawal. */
  entryCents: z.int(),
  cents: z.int(),
  memo: z.string(),
  /** The settled day whose income it is; null: of no day. */
  day: z.string().nullable(),
  /** It was kept back as reserve first. */
  isOfReserve: z.boolean(),
})
export type WithdrawalSource = z.infer<typeof withdrawalSourceSchema>
export const withdrawalSourcesMax = 500

export const withdrawalTermsVersionSchema = z.object({
  version: z.int(),
  terms: withdrawalTermsSchema,
  reason: z.string(),
  madeAt: instantSchema,
  madeBy: z.string(),
})
export type WithdrawalTermsVersion = z.infer<typeof withdrawalTermsVersionSchema>

const own = { host: 'finance', permission: ['financial_01'], scope: 'self', method: 'POST' } as const
const rights = {
  host: 'finance',
  permission: ['financial_01', 'financial_06'],
  scope: 'agent',
  method: 'POST',
} as const
const path = '/Business/withdrawal'
const noteSchema = plainTextSchema.trim().max(withdrawalReasonMax)
const stateAnswer = answerOf(z.object({ id: answeredIdSchema, state: z.enum(withdrawalStates) }))

export const withdrawalEndpoints = defineEndpoints({
  fileWithdrawal: {
    ...own,
    idempotency: 'key',
    path: '/Business/spend-note/withdraw',
    summary: '登记一笔提现：核对状态、最低金额、单日限额与银行卡，尚不动用资金；十分钟内须到银行页面输入支付密码',
    input: z.object({ cardId: idSchema, cents: z.int().min(1).max(withdrawalMaxCents) }),
    output: answerOf(
      z.object({ id: answeredIdSchema, feeCents: z.int(), needsSecond: z.boolean(), expiresAt: instantSchema }),
    ),
  },
  authoriseWithdrawal: {
    ...own,
    idempotency: 'none',
    path: '/Pay/bf/transferAuth',
    summary: '银行授权页面的地址：由申请人本人在银行页面输入支付密码，本平台不经手',
    input: z.object({ id: idSchema }),
    output: answerOf(z.object({ redirectUrl: z.url() })),
  },
  sendWithdrawal: {
    ...own,
    writes: 'ledger',
    idempotency: 'key',
    path: '/Pay/bf/withDraw',
    summary: '银行已授权后提交提现：资金转入提现中，超过个人限额的等待另一人复核，其余随即发往银行',
    input: z.object({ id: idSchema }),
    output: stateAnswer,
  },
  confirmWithdrawal: {
    ...rights,
    idempotency: 'key',
    path: `${path}/confirm`,
    summary: '复核他人提交的提现，随即发往银行；不能复核自己提交的',
    input: z.object({ id: idSchema }),
    output: stateAnswer,
  },
  cancelWithdrawal: {
    ...rights,
    writes: 'ledger',
    idempotency: 'key',
    path: `${path}/cancel`,
    summary: '撤回自己尚未发往银行的提现，或拒绝他人待复核的提现；资金退回可提现余额',
    input: z.object({ id: idSchema, note: noteSchema.default('') }),
    output: stateAnswer,
  },
  askWithdrawal: {
    ...rights,
    idempotency: 'none',
    path: `${path}/ask`,
    summary: '立即向银行查询一笔提现的结果',
    input: z.object({ id: idSchema }),
    output: stateAnswer,
  },
  listWithdrawals: {
    ...rights,
    ...withdrawalList.page,
    method: 'POST',
    path: `${path}/page`,
    summary: '提现记录，新的在前',
  },
  sumWithdrawals: {
    ...rights,
    ...withdrawalList.sums,
    method: 'POST',
    path: `${path}/sums`,
    summary: '一组条件下提现的笔数与金额',
  },
  exportWithdrawals: { ...rights, ...withdrawalList.file, path: `${path}/export`, summary: '导出提现记录（CSV）' },
  withdrawalDetail: {
    ...rights,
    idempotency: 'none',
    path: `${path}/detail`,
    summary: '一笔提现的经过，与每一分钱的来源：由先到先出依次对应到入账凭证',
    input: z.object({ id: idSchema }),
    output: answerOf(
      z.object({
        withdrawal: withdrawalSchema,
        steps: z.array(withdrawalStepSchema),
        sources: z.array(withdrawalSourceSchema),
        /** More sources than are told. */
        isCut: z.boolean(),
      }),
    ),
  },
  withdrawalTerms: {
    ...rights,
    permission: ['financial_01', 'financial_02', 'financial_06'],
    idempotency: 'none',
    path: `${path}/terms`,
    summary: '一家公司的提现条件与历次变更：谁在何时因何变更，公司本身看得到每一次',
    input: z.object({ agentId: idSchema.optional() }),
    output: answerOf(
      z.object({
        terms: withdrawalTermsSchema,
        canChange: z.boolean(),
        versions: z.array(withdrawalTermsVersionSchema),
      }),
    ),
  },
  setWithdrawalTerms: {
    ...rights,
    permission: ['financial_06'],
    idempotency: 'key',
    path: `${path}/setTerms`,
    summary: '变更一家公司的提现条件，注明原因；公司不能变更自己的',
    input: z.object({
      agentId: idSchema,
      version: z.int().min(0),
      terms: withdrawalTermsSchema,
      reason: plainTextSchema.trim().min(2).max(withdrawalReasonMax),
    }),
    output: answerOf(z.object({ version: z.int() })),
  },
})
