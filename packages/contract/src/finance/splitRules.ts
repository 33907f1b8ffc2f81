import { z } from 'zod'
import {
  answerOf,
  answeredIdSchema,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
} from '#contract/answers.ts'
import { scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import {
  splitFeeBearerLabels,
  splitFeeBearers,
  splitPartiesMax,
  splitShareSchema,
  splitTermsSchema,
} from './splitTerms.ts'

/** Who gets which part of a company's income: versions of terms, dated, with a preview and a record of every change. */

export const splitReasonMax = 200
/** Companies that a filter may name. */
export const splitAgentsMax = 200
const splitReserveMaxCents = 100_000_000
/** The preview divides the charges of so many closed days. */
export const splitPreviewDays = 30
/** How far ahead a change may be dated. */
export const splitAheadDays = 366

export const daySchema = z.iso.date({ error: '日期格式不正确' })

/** How many days a statement covers. */
export const statementPeriods = ['day', 'half_month', 'month'] as const
export type StatementPeriod = (typeof statementPeriods)[number]
export const statementPeriodLabels: Readonly<Record<StatementPeriod, string>> = {
  day: '每日一份',
  half_month: '半月一份',
  month: '每月一份',
}
/** Of a company for which nothing was set. */
export const usualStatementPeriod: StatementPeriod = 'month'

const splitTermsStates = ['current', 'coming', 'past', 'replaced'] as const
export type SplitTermsState = (typeof splitTermsStates)[number]
export const splitTermsStateLabels: Readonly<Record<SplitTermsState, string>> = {
  current: '执行中',
  coming: '待生效',
  past: '已过期',
  replaced: '生效前已替换',
}

const splitTermsRowSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  /** Null: for every area of the company that has no terms of its own. */
  areaId: answeredIdSchema.nullable(),
  areaName: z.string().nullable(),
  version: z.int(),
  state: z.enum(splitTermsStates),
  firstDay: z.string(),
  /** Null: until it is replaced. */
  lastDay: z.string().nullable(),
  feeBearer: z.enum(splitFeeBearers),
  feeBasisPoints: z.int(),
  terms: splitTermsSchema,
  /** What percentages leave to the company. */
  ownerBasisPoints: z.int(),
  reason: z.string(),
  madeAt: instantSchema,
  madeBy: z.string(),
})
export type SplitTermsRow = z.infer<typeof splitTermsRowSchema>

const splitTermsFilterSchema = z.strictObject({
  states: z.array(z.enum(splitTermsStates)).min(1).max(splitTermsStates.length).optional(),
  agentIds: z.array(idSchema).min(1).max(splitAgentsMax).optional(),
  areaIds: z.array(idSchema).min(1).max(scopeListMax).optional(),
  /** Part of the area's or the party's name. */
  name: searchTextSchema.min(1).max(40).optional(),
})
export type SplitTermsFilter = z.output<typeof splitTermsFilterSchema>

export const splitTermsList = list({
  row: splitTermsRowSchema,
  filter: splitTermsFilterSchema,
  sorts: { firstDay: 'desc', madeAt: 'desc' },
})

interface WrittenSplitTerms extends SplitTermsRow {
  /** The parties with their shares in words. */
  readonly shares: string
}

export const splitTermsFields = fields<WrittenSplitTerms>()({
  id: '规则编号',
  company: '加盟商',
  areaName: '服务区',
  state: { title: '状态', labels: splitTermsStateLabels },
  version: { title: '版本', as: 'count' },
  firstDay: '生效日期',
  lastDay: '截止日期',
  shares: '分账方',
  feeBearer: { title: '渠道手续费', labels: splitFeeBearerLabels },
  madeBy: '修改人',
  madeAt: { title: '修改时间', as: 'instant' },
  reason: '原因',
})

/** What a person writes: the platform gives each party of a name its id. */
const splitTermsInputSchema = z
  .strictObject({
    feeBasisPoints: z.int().min(0).max(1_000),
    feeBearer: z.enum(splitFeeBearers),
    parties: z
      .array(z.strictObject({ name: plainTextSchema.trim().min(1).max(40), share: splitShareSchema }))
      .max(splitPartiesMax),
  })
  .refine(({ parties }) => new Set(parties.map(({ name }) => name)).size === parties.length, {
    error: '同一分账方只能出现一次',
    path: ['parties'],
  })
  .refine(
    ({ parties }) =>
      parties.reduce((sum, { share }) => sum + (share.of === 'rest' ? share.basisPoints : 0), 0) <= 10_000,
    { error: '各方比例之和不能超过 100%', path: ['parties'] },
  )
export type SplitTermsInput = z.output<typeof splitTermsInputSchema>

/** A place that terms hold for: a company, or one of its areas. */
const splitPlaceSchema = z.object({
  agentId: answeredIdSchema,
  company: z.string(),
  areaId: answeredIdSchema.nullable(),
  areaName: z.string().nullable(),
  /** The version that holds today; null: the company keeps everything but the fee. */
  termsId: answeredIdSchema.nullable(),
  /** An area without terms of its own. */
  inherits: z.boolean(),
  terms: splitTermsSchema.nullable(),
  firstDay: z.string().nullable(),
  /** The day from which a coming version holds. */
  comingDay: z.string().nullable(),
  /** Of the company. */
  reserveCents: z.int(),
  statementPeriod: z.enum(statementPeriods),
  /** Whether the caller may change it: terms are set by the company above. */
  canChange: z.boolean(),
})
export type SplitPlace = z.infer<typeof splitPlaceSchema>

const totalsSchema = z.object({
  feeCents: z.int(),
  /** What the platform and partners pay for benefits that they bear; at most zero. */
  borneCents: z.int(),
  parties: z.array(z.object({ name: z.string(), cents: z.int() })),
  ownerCents: z.int(),
})
export type SplitTotals = z.infer<typeof totalsSchema>

const path = '/Business/divideConfig'
const rights = { host: 'finance', permission: ['financial_05'], scope: 'area' } as const
const place = { agentId: idSchema, areaId: idSchema.optional() }
const reason = plainTextSchema.trim().min(1).max(splitReasonMax)

export const splitRuleEndpoints = defineEndpoints({
  listSplitTerms: {
    ...rights,
    ...splitTermsList.page,
    method: 'POST',
    bodyLimitBytes: bodyLimits.lists,
    path: `${path}/listDividePage`,
    summary: '分账规则的全部版本：谁在何时因何修改，自哪天起执行',
  },
  exportSplitTerms: {
    ...rights,
    ...splitTermsList.file,
    bodyLimitBytes: bodyLimits.lists,
    path: `${path}/export`,
    summary: '导出分账规则（CSV）',
  },
  listSplitPlaces: {
    ...rights,
    method: 'POST',
    idempotency: 'none',
    path: '/Business/server-area/list',
    summary: '加盟商与服务区现行的分账规则，以及能否修改',
    input: z.object({ name: searchTextSchema.min(1).max(40).optional() }),
    output: answerOf(z.object({ list: z.array(splitPlaceSchema), firstDay: z.string() })),
  },
  previewSplitTerms: {
    ...rights,
    method: 'POST',
    idempotency: 'none',
    path: `${path}/preview`,
    summary: '按新规则重算最近三十个已日结的日子，与实际分账并列，各方差多少',
    input: z.object({ ...place, terms: splitTermsInputSchema }),
    output: answerOf(
      z.object({
        firstDay: z.string().nullable(),
        lastDay: z.string().nullable(),
        charges: z.int(),
        paidCents: z.int(),
        /** Goes back by the ratio of each ride, and is in neither side. */
        refundedCents: z.int(),
        now: totalsSchema,
        after: totalsSchema,
      }),
    ),
  },
  saveSplitTerms: {
    ...rights,
    method: 'POST',
    idempotency: 'key',
    path: `${path}/save`,
    summary: '新建一版分账规则，最早自明天起执行；只有上级公司可以修改，已日结的日子不受影响',
    input: z.object({ ...place, firstDay: daySchema, terms: splitTermsInputSchema, reason }),
    output: answerOf(z.object({ id: answeredIdSchema, version: z.int() })),
  },
  saveSplitReserve: {
    ...rights,
    method: 'POST',
    idempotency: 'key',
    path: `${path}/reserve`,
    summary: '设置加盟商的分账准备金：结算时先补足准备金，其余才可提现；只有上级公司可以修改',
    input: z.object({ agentId: idSchema, cents: z.int().min(0).max(splitReserveMaxCents), reason }),
    output: answerOf(z.object({ cents: z.int() })),
  },
  saveStatementPeriod: {
    ...rights,
    method: 'POST',
    idempotency: 'key',
    path: `${path}/statementPeriod`,
    summary: '设置加盟商多久一份对账单：自下一份起，已封存的不受影响；只有上级公司可以修改',
    input: z.object({ agentId: idSchema, period: z.enum(statementPeriods), reason }),
    output: answerOf(z.object({ period: z.enum(statementPeriods) })),
  },
})
