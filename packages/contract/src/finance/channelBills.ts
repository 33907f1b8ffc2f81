import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
} from '#contract/answers.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { paymentChannelLabels, paymentChannels } from './payments.ts'

/** The daily bills of payment channels, compared line by line with payments and refunds, and what differs. */

export const channelDayStates = ['matched', 'parked'] as const
export type ChannelDayState = (typeof channelDayStates)[number]
export const channelDayStateLabels: Readonly<Record<ChannelDayState, string>> = {
  matched: '已对平',
  parked: '有差异',
}

export const channelBillSources = ['fetched', 'uploaded'] as const
export type ChannelBillSource = (typeof channelBillSources)[number]
export const channelBillSourceLabels: Readonly<Record<ChannelBillSource, string>> = {
  fetched: '自动下载',
  uploaded: '人工上传',
}

/** `long`: the channel has it and the platform does not; `short`: the reverse. */
export const differenceKinds = ['long', 'short', 'amount', 'status', 'cross_day'] as const
export type DifferenceKind = (typeof differenceKinds)[number]
export const differenceKindLabels: Readonly<Record<DifferenceKind, string>> = {
  long: '长款',
  short: '短款',
  amount: '金额不符',
  status: '状态不符',
  cross_day: '跨日',
}

/** `parked` waits a day for the next bill; `suspended` stands on the suspense account and is decided later. */
export const differenceStates = ['parked', 'open', 'proposed', 'suspended', 'resolved', 'cleared'] as const
export type DifferenceState = (typeof differenceStates)[number]
export const differenceStateLabels: Readonly<Record<DifferenceState, string>> = {
  parked: '存疑',
  open: '待处理',
  proposed: '待复核',
  suspended: '挂账中',
  resolved: '已处理',
  cleared: '自动平账',
}

export const differenceResolutions = ['book', 'refund', 'adjust', 'suspend', 'write_off'] as const
export type DifferenceResolution = (typeof differenceResolutions)[number]
export const differenceResolutionLabels: Readonly<Record<DifferenceResolution, string>> = {
  book: '补单',
  refund: '退款',
  adjust: '调账',
  suspend: '挂账',
  write_off: '核销',
}

/** What the channel says of a line. */
export const billLineStates = ['success', 'processing', 'failed', 'revoked'] as const
export type BillLineState = (typeof billLineStates)[number]
export const billLineStateLabels: Readonly<Record<BillLineState, string>> = {
  success: '成功',
  processing: '处理中',
  failed: '失败',
  revoked: '已撤销',
}
/** What the platform says of a payment or refund. */
export const ownStates = ['waiting', 'paid', 'done', 'failed', 'returned'] as const
export type OwnState = (typeof ownStates)[number]
export const ownStateLabels: Readonly<Record<OwnState, string>> = {
  waiting: '待支付渠道结果',
  paid: '已支付',
  done: '已退款',
  failed: '退款失败',
  returned: '已转为余额',
}

export const differenceReasonMax = 120
/** Characters of an uploaded file in base64, packed. */
export const channelBillFileMax = 3_000_000
/** Differences of one bill at most: beyond it, it is not the bill of this merchant and day. */
export const differencesMax = 10_000

const daySchema = z.iso.date()

export const channelDaySchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  channel: z.enum(paymentChannels),
  day: z.string(),
  state: z.enum(channelDayStates),
  source: z.enum(channelBillSources),
  billPayments: z.int(),
  billPaidCents: z.int(),
  billRefunds: z.int(),
  billRefundedCents: z.int(),
  ownPayments: z.int(),
  ownPaidCents: z.int(),
  ownRefunds: z.int(),
  ownRefundedCents: z.int(),
  feeCents: z.int(),
  differences: z.int(),
  openDifferences: z.int(),
  /** What stays in transit until the differences are resolved. */
  heldCents: z.int(),
  comparedAt: instantSchema,
})
export type ChannelDayRow = z.infer<typeof channelDaySchema>

export const channelDayFilterSchema = z.strictObject({
  agentId: idSchema.optional(),
  channels: z.array(z.enum(paymentChannels)).min(1).max(paymentChannels.length).optional(),
  states: z.array(z.enum(channelDayStates)).min(1).max(channelDayStates.length).optional(),
  /** By the day of the bill. */
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})

export const channelDayList = list({
  row: channelDaySchema,
  filter: channelDayFilterSchema,
  sorts: { day: 'desc' },
  sums: ['billPaidCents', 'billRefundedCents', 'ownPaidCents', 'ownRefundedCents', 'feeCents', 'heldCents'],
})

export const channelDayFields = fields<ChannelDayRow>()({
  day: { title: '账单日期', as: 'date' },
  channel: { title: '渠道', labels: paymentChannelLabels },
  company: '加盟商',
  state: { title: '状态', labels: channelDayStateLabels },
  billPayments: { title: '账单支付笔数', as: 'count' },
  billPaidCents: { title: '账单支付金额', as: 'cents' },
  billRefunds: { title: '账单退款笔数', as: 'count' },
  billRefundedCents: { title: '账单退款金额', as: 'cents' },
  ownPayments: { title: '平台支付笔数', as: 'count' },
  ownPaidCents: { title: '平台支付金额', as: 'cents' },
  ownRefunds: { title: '平台退款笔数', as: 'count' },
  ownRefundedCents: { title: '平台退款金额', as: 'cents' },
  feeCents: { title: '渠道手续费', as: 'cents' },
  differences: { title: '差异笔数', as: 'count' },
  openDifferences: { title: '未处理差异', as: 'count' },
  heldCents: { title: '暂缓结算', as: 'cents' },
  source: { title: '账单来源', labels: channelBillSourceLabels },
  comparedAt: { title: '对账时间', as: 'instant' },
})

export const channelDifferenceSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  channel: z.enum(paymentChannels),
  day: z.string(),
  kind: z.enum(differenceKinds),
  state: z.enum(differenceStates),
  isRefund: z.boolean(),
  /** Of the payment or refund, as the platform gave it to the channel. */
  number: z.string(),
  /** Of the payment that a refund belongs to. */
  orderNumber: z.string(),
  /** The channel's own number; empty where the bill does not have it. */
  tradeNumber: z.string(),
  /** What the bill says, and what the platform has; null where one has nothing. */
  billCents: z.int().nullable(),
  billStatus: z.enum(billLineStates).nullable(),
  billAt: instantSchema.nullable(),
  ownCents: z.int().nullable(),
  ownStatus: z.enum(ownStates).nullable(),
  ownAt: instantSchema.nullable(),
  /** By how much the channel holds more than the books. */
  deltaCents: z.int(),
  heldCents: z.int(),
  foundAt: instantSchema,
  resolution: z.enum(differenceResolutions).nullable(),
  reason: z.string(),
  proposedBy: z.string().nullable(),
  proposedAt: instantSchema.nullable(),
  decidedBy: z.string().nullable(),
  decidedAt: instantSchema.nullable(),
  /** Ways of resolving it that the caller may propose now; none where it does not wait for that. */
  resolutions: z.array(z.enum(differenceResolutions)),
  /** Proposed by somebody else, so that the caller may confirm it. */
  canConfirm: z.boolean(),
  /** Proposed by the caller, who may take it back. */
  isOwn: z.boolean(),
})
export type ChannelDifference = z.infer<typeof channelDifferenceSchema>

export const channelDifferenceFilterSchema = z.strictObject({
  id: idSchema.optional(),
  /** Of the payment or refund. */
  number: searchTextSchema.min(1).max(64).optional(),
  agentId: idSchema.optional(),
  channels: z.array(z.enum(paymentChannels)).min(1).max(paymentChannels.length).optional(),
  states: z.array(z.enum(differenceStates)).min(1).max(differenceStates.length).optional(),
  kinds: z.array(z.enum(differenceKinds)).min(1).max(differenceKinds.length).optional(),
  /** By the day of the bill. */
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})

export const channelDifferenceList = list({
  row: channelDifferenceSchema,
  filter: channelDifferenceFilterSchema,
  sorts: { day: 'desc' },
  sums: ['deltaCents', 'heldCents'],
})

export const channelDifferenceFields = fields<ChannelDifference>()({
  id: '编号',
  day: { title: '账单日期', as: 'date' },
  channel: { title: '渠道', labels: paymentChannelLabels },
  company: '加盟商',
  kind: { title: '差异类型', labels: differenceKindLabels },
  state: { title: '状态', labels: differenceStateLabels },
  isRefund: { title: '退款', as: 'flag' },
  number: '商户单号',
  orderNumber: '原支付单号',
  tradeNumber: '渠道单号',
  billCents: { title: '账单金额', as: 'cents' },
  billStatus: { title: '账单状态', labels: billLineStateLabels },
  ownCents: { title: '平台金额', as: 'cents' },
  ownStatus: { title: '平台状态', labels: ownStateLabels },
  deltaCents: { title: '差额', as: 'cents' },
  heldCents: { title: '暂缓结算', as: 'cents' },
  resolution: { title: '处理方式', labels: differenceResolutionLabels },
  reason: '说明',
  proposedBy: '提出人',
  proposedAt: { title: '提出时间', as: 'instant' },
  decidedBy: '复核人',
  decidedAt: { title: '复核时间', as: 'instant' },
  foundAt: { title: '发现时间', as: 'instant' },
})

const path = '/Business/channel-bill'
const rights = { host: 'finance', permission: ['FinancialReconciliation'], scope: 'agent' } as const
const acts = { ...rights, method: 'POST', idempotency: 'key' } as const

export const channelBillEndpoints = defineEndpoints({
  listChannelDays: {
    ...rights,
    ...channelDayList.page,
    method: 'POST',
    path: `${path}/days`,
    summary: '支付渠道每日账单与平台支付、退款的核对结果，按加盟商与渠道，新的在前',
  },
  sumChannelDays: {
    ...rights,
    ...channelDayList.sums,
    method: 'POST',
    path: `${path}/days/sums`,
    summary: '一组条件下账单与平台的金额合计',
  },
  exportChannelDays: {
    ...rights,
    ...channelDayList.file,
    path: `${path}/days/export`,
    summary: '导出每日核对结果（CSV）',
  },
  listChannelDifferences: {
    ...rights,
    ...channelDifferenceList.page,
    method: 'POST',
    path: `${path}/differences`,
    summary: '账单与平台不一致的支付与退款：长款、短款、金额、状态、跨日，新的在前',
  },
  sumChannelDifferences: {
    ...rights,
    ...channelDifferenceList.sums,
    method: 'POST',
    path: `${path}/differences/sums`,
    summary: '一组条件下的差异笔数与差额',
  },
  exportChannelDifferences: {
    ...rights,
    ...channelDifferenceList.file,
    path: `${path}/differences/export`,
    summary: '导出差异（CSV）',
  },
  proposeResolution: {
    ...acts,
    path: `${path}/differences/propose`,
    reverse: 'rejectResolution',
    summary: '平台人员提出一笔差异的处理方式：补单、退款、调账、挂账或核销；由另一人复核后执行',
    input: z.object({
      id: idSchema,
      resolution: z.enum(differenceResolutions),
      reason: plainTextSchema.trim().min(1).max(differenceReasonMax),
    }),
    output: answerOf(channelDifferenceSchema),
  },
  confirmResolution: {
    ...acts,
    writes: 'ledger',
    path: `${path}/differences/confirm`,
    summary: '复核他人提出的处理方式并执行，随即记账；不能复核自己提出的',
    input: z.object({ id: idSchema }),
    output: answerOf(channelDifferenceSchema),
  },
  rejectResolution: {
    ...acts,
    path: `${path}/differences/reject`,
    summary: '退回他人提出的处理方式，或撤回自己提出的',
    input: z.object({ id: idSchema, note: plainTextSchema.trim().max(differenceReasonMax).default('') }),
    output: answerOf(channelDifferenceSchema),
  },
  uploadChannelBill: {
    ...acts,
    writes: 'ledger',
    path: `${path}/upload`,
    bodyLimitBytes: bodyLimits.fences,
    summary: '平台人员上传一天的渠道账单（CSV，或其 gzip、zip 压缩文件）并核对；文件有误则全部不入账',
    input: z.object({
      channel: z.enum(paymentChannels),
      day: daySchema,
      /** The file in base64. */
      file: z
        .string()
        .min(4)
        .max(channelBillFileMax)
        .regex(/^[A-Za-z0-9+/]+={0,2}$/),
      /** The hash that the channel gives beside the file, where it gives one. */
      sha1: z
        .string()
        .trim()
        .toLowerCase()
        .regex(/^[0-9a-f]{40}$/, { error: 'SHA-1 为 40 位十六进制字符' })
        .optional(),
    }),
    output: answerOf(
      z.object({
        lines: z.int(),
        differences: z.int(),
        companies: z.int(),
        /** The same file was compared before: nothing has changed. */
        isKnown: z.boolean(),
      }),
    ),
  },
})
