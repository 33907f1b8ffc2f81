import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema } from '#contract/answers.ts'
import { basePath, scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { billLineStateLabels, billLineStates, ownStateLabels } from '#contract/finance/channelBills.ts'
import { entryKinds } from '#contract/finance/ledger.ts'
import { paymentChannelLabels, paymentChannels, purposeLabels, purposes } from '#contract/finance/payments.ts'
import { daySchema } from '#contract/fleet/analysis.ts'
import { fields, list } from '#contract/list.ts'
import { dayMs } from '#contract/time.ts'

/**
 * What bills of payment channels, payments and refunds, and the ledger say beside each other. Days are those of the bills
 * (Asia/Shanghai), whatever a company's calendar is.
 */

export const reconciliationDaysMax = 92
export const reconciliationRowsMax = 2_000
export const reconciliationGroups = ['day', 'month', 'company', 'channel'] as const
export type ReconciliationGroup = (typeof reconciliationGroups)[number]
export const reconciliationGroupLabels: Readonly<Record<ReconciliationGroup, string>> = {
  day: '日期',
  month: '月份',
  company: '加盟商',
  channel: '支付渠道',
}

/** `none`: no money moved; `waiting`: money moved and the bill has not come. */
export const reconciliationStates = ['none', 'waiting', 'matched', 'parked'] as const
export type ReconciliationState = (typeof reconciliationStates)[number]
export const reconciliationStateLabels: Readonly<Record<ReconciliationState, string>> = {
  none: '无交易',
  waiting: '账单未到',
  matched: '已对平',
  parked: '有差异',
}

const isSpan = ({ from, to }: { readonly from: string; readonly to: string }): boolean =>
  from <= to && (Date.parse(to) - Date.parse(from)) / dayMs < reconciliationDaysMax
const spanFault = { error: '时间范围最长为 92 天' }
const shape = {
  from: daySchema,
  to: daySchema,
  agentIds: z.array(idSchema).max(scopeListMax).optional(),
  channels: z.array(z.enum(paymentChannels)).min(1).max(paymentChannels.length).optional(),
}
const by = z.enum(reconciliationGroups).default('day')
const states = z.array(z.enum(reconciliationStates)).min(1).max(reconciliationStates.length).optional()
export const reconciliationFilterSchema = z.strictObject({ ...shape, by, states }).refine(isSpan, spanFault)
export type ReconciliationFilter = z.output<typeof reconciliationFilterSchema>
/** What a person sets beside the span and the group. */
export const reconciliationNarrowSchema = z.strictObject({ channels: shape.channels, states })

/** Sums of each side, in cents. */
export const reconciliationSums = [
  'billPaidCents',
  'billRefundedCents',
  'ownPaidCents',
  'ownRefundedCents',
  'ledgerPaidCents',
  'ledgerRefundedCents',
  /** What the bill has more than the platform's payments less refunds. */
  'billDifferenceCents',
  /** What payments less refunds are more than the ledger's clearing accounts. */
  'ledgerDifferenceCents',
  'feeCents',
  'heldCents',
  'rideCents',
  'rechargeCents',
  'depositCents',
  'cardCents',
  'serviceCents',
] as const
export type ReconciliationSum = (typeof reconciliationSums)[number]
const sumShape = Object.fromEntries(reconciliationSums.map((name) => [name, z.int()])) as Record<
  ReconciliationSum,
  z.ZodInt
>

export const reconciliationRowSchema = z.object({
  id: z.string(),
  /** The day, month, company or channel that the row is of. */
  key: z.string(),
  name: z.string(),
  channel: z.enum(paymentChannels),
  /** Its days. */
  from: z.string(),
  to: z.string(),
  state: z.enum(reconciliationStates),
  /** Days on which money moved and whose bill has not come. */
  missingBills: z.int(),
  openDifferences: z.int(),
  ...sumShape,
})
export type ReconciliationRow = z.infer<typeof reconciliationRowSchema>

export const reconciliationList = list({
  row: reconciliationRowSchema,
  filter: reconciliationFilterSchema,
  sorts: { key: 'desc', billPaid: 'desc', billDifference: 'desc', ledgerDifference: 'desc' },
  countMax: reconciliationRowsMax,
})

export const reconciliationFields = fields<ReconciliationRow>()({
  name: '名称',
  channel: { title: '渠道', labels: paymentChannelLabels },
  state: { title: '账单', labels: reconciliationStateLabels },
  billPaidCents: { title: '账单支付', as: 'cents' },
  ownPaidCents: { title: '平台支付', as: 'cents' },
  ledgerPaidCents: { title: '账本收款', as: 'cents' },
  billRefundedCents: { title: '账单退款', as: 'cents' },
  ownRefundedCents: { title: '平台退款', as: 'cents' },
  ledgerRefundedCents: { title: '账本退款', as: 'cents' },
  billDifferenceCents: { title: '账单 − 平台', as: 'cents' },
  ledgerDifferenceCents: { title: '平台 − 账本', as: 'cents' },
  openDifferences: { title: '未处理差异', as: 'count' },
  heldCents: { title: '暂缓结算', as: 'cents' },
  feeCents: { title: '渠道手续费', as: 'cents' },
  rideCents: { title: '骑行支付', as: 'cents' },
  rechargeCents: { title: '充值支付', as: 'cents' },
  depositCents: { title: '押金支付', as: 'cents' },
  cardCents: { title: '购卡支付', as: 'cents' },
  serviceCents: { title: '服务费支付', as: 'cents' },
  missingBills: { title: '未到账单天数', as: 'count' },
})

export const reconciliationSides = ['bill', 'own', 'ledger'] as const
export type ReconciliationSide = (typeof reconciliationSides)[number]
export const reconciliationSideLabels: Readonly<Record<ReconciliationSide, string>> = {
  bill: '渠道账单',
  own: '平台支付与退款',
  ledger: '账本',
}
/** Whose rows stand behind a sum: those of a side, or those that platform and ledger do not have in common. */
export const reconciliationRowSides = [...reconciliationSides, 'unmatched'] as const
export type ReconciliationRowSide = (typeof reconciliationRowSides)[number]
export const reconciliationRowSideLabels: Readonly<Record<ReconciliationRowSide, string>> = {
  ...reconciliationSideLabels,
  unmatched: '平台与账本不一致的记录',
}
export const reconciliationPurposes = [...purposes, 'service'] as const
const ofPurposes = { ...purposeLabels, service: '服务费' } as const

export const reconciliationRowFilterSchema = z
  .strictObject({
    ...shape,
    side: z.enum(reconciliationRowSides).default('bill'),
    /** Absent: payments less refunds. */
    isRefund: z.boolean().optional(),
    /** Of payments and refunds of the platform. */
    purpose: z.enum(reconciliationPurposes).optional(),
  })
  .refine(isSpan, spanFault)
export type ReconciliationRowFilter = z.output<typeof reconciliationRowFilterSchema>

const kinds = [...reconciliationPurposes, ...Object.keys(entryKinds), ...billLineStates]
const kindLabels: Readonly<Record<string, string>> = {
  ...entryKinds,
  ...ofPurposes,
  ...billLineStateLabels,
  ...ownStateLabels,
}

export const reconciliationSourceSchema = z.object({
  id: z.string(),
  at: instantSchema,
  /** Which side has it. */
  side: z.enum(reconciliationSides),
  agentId: answeredIdSchema,
  company: z.string(),
  channel: z.enum(paymentChannels),
  /** Of the payment, refund or entry. */
  number: z.string(),
  /** The state of a line, what a payment was for, or the kind of an entry. */
  kind: z.enum(kinds as [string, ...string[]]),
  isRefund: z.boolean(),
  /** What it adds: below zero what was given back, and what the ledger has and the platform has not. */
  cents: z.int(),
})
export type ReconciliationSource = z.infer<typeof reconciliationSourceSchema>

export const reconciliationSourceList = list({
  row: reconciliationSourceSchema,
  filter: reconciliationRowFilterSchema,
  sorts: { at: 'desc' },
  sums: ['cents'],
})
export const reconciliationSourceFields = fields<ReconciliationSource>()({
  at: { title: '时间', as: 'instant' },
  cents: { title: '金额', as: 'cents' },
  isRefund: { title: '退款', as: 'flag' },
  channel: { title: '渠道', labels: paymentChannelLabels },
  side: { title: '记录方', labels: reconciliationSideLabels },
  kind: { title: '类型', labels: kindLabels },
  number: '单号',
  company: '加盟商',
})

const comparedSchema = z.object({ from: daySchema, to: daySchema, ...sumShape })

/** Payments less refunds of each side, all channels of a day, month, company or channel together. */
const reconciliationGroupSchema = z.object({
  key: z.string(),
  name: z.string(),
  billCents: z.int(),
  ownCents: z.int(),
  ledgerCents: z.int(),
})
export type ReconciliationGroupNet = z.infer<typeof reconciliationGroupSchema>

const reads = {
  host: 'platform',
  scope: 'agent',
  idempotency: 'none',
  permission: ['FinancialReconciliation'],
} as const
const path = `${basePath}/platform/reconciliation`

export const reconciliationEndpoints = defineEndpoints({
  readReconciliation: {
    ...reads,
    method: 'GET',
    path,
    summary: '财务对账：一段时间内渠道账单、平台支付与账本的合计，与前一时段、去年同期比较',
    input: z.object({
      filter: reconciliationFilterSchema,
      /** False: the span alone, which is there sooner; nothing is compared. */
      compare: z.boolean().optional(),
    }),
    output: answerOf(
      z.object({
        ...sumShape,
        missingBills: z.int(),
        openDifferences: z.int(),
        /** What a chart draws, by key: the rows of the list, however many pages it has. */
        groups: z.array(reconciliationGroupSchema).max(reconciliationRowsMax),
        /** Days that are over are compared: the last one of them, or null where the span has none or nothing is compared. */
        comparedTo: daySchema.nullable(),
        /** What the span has until then. */
        compared: z.object(sumShape),
        before: comparedSchema,
        yearBefore: comparedSchema,
        /** Entries before this moment are in the ledger's sums; null until they were made for the first time. */
        freshAt: instantSchema.nullable(),
      }),
    ),
  },
  listReconciliation: {
    ...reads,
    ...reconciliationList.page,
    path: `${path}/list`,
    summary: '财务对账：按日、月、加盟商或渠道并列三方金额与差额',
  },
  exportReconciliation: {
    ...reads,
    ...reconciliationList.file,
    path: `${path}/export`,
    bodyLimitBytes: bodyLimits.lists,
    summary: '导出财务对账',
  },
  listReconciliationRows: {
    ...reads,
    ...reconciliationSourceList.page,
    path: `${path}/rows`,
    summary: '一个对账金额背后的账单行、支付与退款或账本分录，或平台与账本不一致的记录，新的在前',
  },
  sumReconciliationRows: {
    ...reads,
    ...reconciliationSourceList.sums,
    path: `${path}/rows/sums`,
    summary: '一个对账金额背后各行的合计',
  },
  exportReconciliationRows: {
    ...reads,
    ...reconciliationSourceList.file,
    path: `${path}/rows/export`,
    bodyLimitBytes: bodyLimits.lists,
    summary: '导出一个对账金额背后的各行',
  },
})
