import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { entryKinds } from './ledger.ts'
import { paymentChannels } from './payments.ts'
import { splitAgentsMax, splitReasonMax } from './splitRules.ts'

/** Income of closed days and who gets which part of it: bills by day and area, their lines, and sealed statements. */

export const splitBillStates = ['in_transit', 'held', 'settled'] as const
type SplitBillState = (typeof splitBillStates)[number]
export const splitBillStateLabels: Readonly<Record<SplitBillState, string>> = {
  in_transit: '在途',
  held: '部分挂账',
  settled: '已结算',
}

/** Why income of a closed day stays in transit after its channel bills were compared. */
export const heldReasonSchema = z.discriminatedUnion('code', [
  z.object({
    code: z.literal('channel_difference'),
    channel: z.enum(paymentChannels),
    count: z.int().positive(),
    cents: z.int(),
  }),
  z.object({ code: z.literal('objection'), ids: z.array(answeredIdSchema), cents: z.int() }),
])
export type HeldReason = z.infer<typeof heldReasonSchema>

const partySchema = z.object({ partyId: answeredIdSchema, name: z.string(), cents: z.int() })
const parts = {
  paidCents: z.int(),
  feeCents: z.int(),
  platformBorneCents: z.int(),
  partnerBorneCents: z.int(),
  partiesCents: z.int(),
  ownerCents: z.int(),
}

const splitBillSchema = z.object({
  id: answeredIdSchema,
  day: z.string(),
  agentId: answeredIdSchema,
  company: z.string(),
  /** Null: income of the company that belongs to no area, such as cards. */
  areaId: answeredIdSchema.nullable(),
  areaName: z.string().nullable(),
  /** Of the company's day: it settles as a whole. */
  state: z.enum(splitBillStates),
  lines: z.int(),
  ...parts,
  parties: z.array(partySchema),
  closedAt: instantSchema,
  settledAt: instantSchema.nullable(),
  /** What of the company's day stays in transit, and why. */
  heldCents: z.int(),
  heldFor: z.array(heldReasonSchema),
  /** Over all lines of the bill, in hexadecimal. */
  hash: z.string(),
})
export type SplitBill = z.infer<typeof splitBillSchema>

const splitBillFilterSchema = z.strictObject({
  id: idSchema.optional(),
  agentIds: z.array(idSchema).min(1).max(splitAgentsMax).optional(),
  areaIds: z.array(idSchema).min(1).max(scopeListMax).optional(),
  partyId: idSchema.optional(),
  states: z.array(z.enum(splitBillStates)).min(1).max(splitBillStates.length).optional(),
  /** By the business day, as its instants; `to` is the first instant that is not asked for. */
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type SplitBillFilter = z.output<typeof splitBillFilterSchema>

export const splitBillList = list({
  row: splitBillSchema,
  filter: splitBillFilterSchema,
  sorts: { day: 'desc' },
  sums: ['paidCents', 'feeCents', 'partiesCents', 'ownerCents'],
})

export const splitBillFields = fields<SplitBill>()({
  id: '账单编号',
  day: '日期',
  company: '加盟商',
  areaName: '服务区',
  state: { title: '状态', labels: splitBillStateLabels },
  lines: { title: '笔数', as: 'count' },
  paidCents: { title: '收入', as: 'cents' },
  feeCents: { title: '渠道手续费', as: 'cents' },
  platformBorneCents: { title: '平台承担优惠', as: 'cents' },
  partnerBorneCents: { title: '合作方承担优惠', as: 'cents' },
  partiesCents: { title: '分账方所得', as: 'cents' },
  ownerCents: { title: '加盟商所得', as: 'cents' },
  closedAt: { title: '日结时间', as: 'instant' },
  settledAt: { title: '结算时间', as: 'instant' },
  hash: '校验值',
})

/** What a line may be about. */
export const splitLineKinds = [
  'ride_charge',
  'ride_refund',
  'card_earning',
  'platform_charge',
  'adjustment',
  'reversal',
] as const
type SplitLineKind = (typeof splitLineKinds)[number]
export const splitLineKindLabels = Object.fromEntries(
  splitLineKinds.map((kind) => [kind, entryKinds[kind]]),
) as Readonly<Record<SplitLineKind, string>>

export const splitLineSchema = z.object({
  agentId: answeredIdSchema,
  /** Of the entry in the company's book; with the company it tells lines apart. */
  entryNumber: z.int(),
  company: z.string(),
  areaId: answeredIdSchema.nullable(),
  areaName: z.string().nullable(),
  day: z.string(),
  at: instantSchema,
  kind: z.string(),
  orderId: answeredIdSchema.nullable(),
  /** The version by which it was divided; null: none held. */
  termsId: answeredIdSchema.nullable(),
  termsVersion: z.int().nullable(),
  /** What of it a payment channel brought. */
  channelCents: z.int(),
  ...parts,
  parties: z.array(partySchema),
})
export type SplitLine = z.infer<typeof splitLineSchema>

const splitLineFilterSchema = z.strictObject({
  agentIds: z.array(idSchema).min(1).max(splitAgentsMax).optional(),
  areaIds: z.array(idSchema).min(1).max(scopeListMax).optional(),
  /** Income that belongs to no area. */
  isOfCompany: z.boolean().optional(),
  kinds: z.array(z.enum(splitLineKinds)).min(1).max(splitLineKinds.length).optional(),
  orderId: idSchema.optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type SplitLineFilter = z.output<typeof splitLineFilterSchema>

export const splitLineList = list({
  row: splitLineSchema,
  filter: splitLineFilterSchema,
  sorts: { day: 'desc' },
})

export const splitLineFields = fields<SplitLine & { readonly shares: string }>()({
  entryNumber: '记账编号',
  day: '日期',
  at: { title: '发生时间', as: 'instant' },
  company: '加盟商',
  areaName: '服务区',
  kind: { title: '类型', labels: entryKinds },
  orderId: '订单编号',
  paidCents: { title: '收入', as: 'cents' },
  channelCents: { title: '渠道收款', as: 'cents' },
  feeCents: { title: '渠道手续费', as: 'cents' },
  platformBorneCents: { title: '平台承担优惠', as: 'cents' },
  partnerBorneCents: { title: '合作方承担优惠', as: 'cents' },
  partiesCents: { title: '分账方所得', as: 'cents' },
  shares: '分账方',
  ownerCents: { title: '加盟商所得', as: 'cents' },
  termsId: '规则编号',
  termsVersion: { title: '规则版本', as: 'count' },
})

export const splitGroupings = ['company', 'area', 'day', 'party'] as const
export type SplitGrouping = (typeof splitGroupings)[number]
export const splitGroupingLabels: Readonly<Record<SplitGrouping, string>> = {
  company: '按加盟商',
  area: '按服务区',
  day: '按日',
  party: '按分账方',
}
export const splitGroupsMax = 1_000

const splitGroupSchema = z.object({
  agentId: answeredIdSchema.nullable(),
  areaId: answeredIdSchema.nullable(),
  day: z.string().nullable(),
  partyId: answeredIdSchema.nullable(),
  /** The company's, area's or party's name, or the day. */
  name: z.string(),
  bills: z.int(),
  lines: z.int(),
  ...parts,
  /** What of the owner's part has been settled, by days of the company. */
  settledCents: z.int(),
})
export type SplitGroup = z.infer<typeof splitGroupSchema>

const splitStatementSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  firstDay: z.string(),
  lastDay: z.string(),
  bills: z.int(),
  lines: z.int(),
  paidCents: z.int(),
  feeCents: z.int(),
  borneCents: z.int(),
  partiesCents: z.int(),
  ownerCents: z.int(),
  /** Corrections of earlier bills that are in it. */
  correctionsCents: z.int(),
  sealedAt: instantSchema,
  hash: z.string(),
})
export type SplitStatement = z.infer<typeof splitStatementSchema>

export const splitStatementList = list({
  row: splitStatementSchema,
  filter: z.strictObject({ agentIds: z.array(idSchema).min(1).max(splitAgentsMax).optional() }),
  sorts: { lastDay: 'desc' },
})

export const splitStatementFields = fields<SplitStatement>()({
  id: '对账单编号',
  company: '加盟商',
  firstDay: '起始日期',
  lastDay: '截止日期',
  bills: { title: '账单数', as: 'count' },
  lines: { title: '笔数', as: 'count' },
  paidCents: { title: '收入', as: 'cents' },
  feeCents: { title: '渠道手续费', as: 'cents' },
  borneCents: { title: '他方承担优惠', as: 'cents' },
  partiesCents: { title: '分账方所得', as: 'cents' },
  ownerCents: { title: '加盟商所得', as: 'cents' },
  correctionsCents: { title: '其中更正', as: 'cents' },
  sealedAt: { title: '封存时间', as: 'instant' },
  hash: '校验值',
})

/** As lines that a program reads, and as pages for people with those lines attached. */
export const statementForms = ['csv', 'pdf'] as const
export type StatementForm = (typeof statementForms)[number]

export const splitCorrectionMaxCents = 10_000_000

const path = '/Business/divide-bill'
const rights = { host: 'finance', permission: ['financial_02'], scope: 'area' } as const
const reads = { ...rights, method: 'POST', idempotency: 'none' } as const

export const splitBillEndpoints = defineEndpoints({
  listSplitBills: {
    ...rights,
    ...splitBillList.page,
    method: 'POST',
    bodyLimitBytes: bodyLimits.lists,
    path: `${path}/listByPage`,
    summary: '已日结的分账账单：每个加盟商、服务区、每天一张',
  },
  sumSplitBills: {
    ...rights,
    ...splitBillList.sums,
    method: 'POST',
    bodyLimitBytes: bodyLimits.lists,
    path: `${path}/sums`,
    summary: '符合条件的分账账单的数量与金额',
  },
  exportSplitBills: {
    ...rights,
    ...splitBillList.file,
    bodyLimitBytes: bodyLimits.lists,
    path: `${path}/export`,
    summary: '导出分账账单（CSV）',
  },
  correctSplitBill: {
    ...rights,
    method: 'POST',
    idempotency: 'key',
    path: `${path}/put`,
    summary: '更正一张已日结账单的收入：由上级公司提交、另一人复核后记入尚未日结的日子并注明原账单',
    input: z.object({
      id: idSchema,
      /** Above zero: the company had more income. */
      cents: z
        .int()
        .min(-splitCorrectionMaxCents)
        .max(splitCorrectionMaxCents)
        .refine((cents) => cents !== 0, { error: '更正金额不能为零' }),
      reason: plainTextSchema.trim().min(1).max(splitReasonMax),
    }),
    output: answerOf(z.object({ actId: answeredIdSchema })),
  },
  splitTotals: {
    ...reads,
    bodyLimitBytes: bodyLimits.lists,
    path: `${path}/tenantTotal`,
    summary: '账单合计，以及加盟商在途、可提现、准备金与待扣回的金额',
    input: z.object({ filter: splitBillFilterSchema.prefault({}) }),
    output: answerOf(
      z.object({
        bills: z.int(),
        lines: z.int(),
        ...parts,
        companies: z.int(),
        /** Of the ledger, now; null where the caller does not have all areas of the companies. */
        now: z
          .object({
            inTransitCents: z.int(),
            availableCents: z.int(),
            withdrawingCents: z.int(),
            reserveCents: z.int(),
            receivableCents: z.int(),
          })
          .nullable(),
        /** The first day that is not closed of the companies that are furthest behind. */
        openDay: z.string().nullable(),
      }),
    ),
  },
  listSplitGroups: {
    ...reads,
    bodyLimitBytes: bodyLimits.lists,
    path: `${path}/tenantList`,
    summary: '账单按加盟商、服务区、日或分账方合计，最多一千行',
    input: z.object({ by: z.enum(splitGroupings), filter: splitBillFilterSchema.prefault({}) }),
    output: answerOf(z.object({ list: z.array(splitGroupSchema), isCut: z.boolean() })),
  },
  listSplitLines: {
    ...rights,
    ...splitLineList.page,
    method: 'POST',
    bodyLimitBytes: bodyLimits.lists,
    path: `${path}/lines`,
    summary: '分账明细：每笔收入一行，写明所依据的规则版本与各方所得',
  },
  exportSplitLines: {
    ...rights,
    ...splitLineList.file,
    bodyLimitBytes: bodyLimits.lists,
    path: `${path}/lines/export`,
    summary: '导出分账明细（CSV）',
  },
  listSplitStatements: {
    ...rights,
    ...splitStatementList.page,
    method: 'POST',
    scope: 'agent',
    path: `${path}/statements`,
    summary: '已封存的对账单：每日、半月或每月一份，带校验值',
  },
  exportSplitStatements: {
    ...rights,
    ...splitStatementList.file,
    scope: 'agent',
    path: `${path}/statements/export`,
    summary: '导出对账单清单（CSV）',
  },
  splitStatementFile: {
    ...reads,
    scope: 'agent',
    path: `${path}/statements/file`,
    summary: '一份对账单的文件：可离线核验，内容与封存时一字不差；PDF 内附同一文件',
    input: z.object({ id: idSchema, form: z.enum(statementForms).default('csv') }),
    output: answerOf(
      z.object({
        fileName: z.string(),
        /** The lines, for the form `csv`; the other form is in `pdf` as base64. */
        text: z.string(),
        pdf: z.string().nullable(),
        hash: z.string(),
      }),
    ),
  },
})
