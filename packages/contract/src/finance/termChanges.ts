import { z } from 'zod'
import { answeredIdSchema, idSchema, instantSchema, searchTextSchema } from '#contract/answers.ts'
import { scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { splitAgentsMax, statementPeriods } from './splitRules.ts'
import { splitTermsSchema } from './splitTerms.ts'
import { withdrawalTermsSchema } from './withdrawals.ts'

/** Every change of what a company gets, may and is bound to: its shares, its reserve, its statements and its withdrawals. */

const termChangeKinds = ['shares', 'reserve', 'statement_period', 'withdrawal'] as const
export type TermChangeKind = (typeof termChangeKinds)[number]
export const termChangeKindLabels: Readonly<Record<TermChangeKind, string>> = {
  shares: '分账规则',
  reserve: '准备金',
  statement_period: '对账单周期',
  withdrawal: '提现条件',
}

const termValueSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('shares'), firstDay: z.string(), terms: splitTermsSchema }),
  z.object({ kind: z.literal('reserve'), cents: z.int() }),
  z.object({ kind: z.literal('statement_period'), period: z.enum(statementPeriods) }),
  z.object({ kind: z.literal('withdrawal'), terms: withdrawalTermsSchema }),
])
export type TermValue = z.input<typeof termValueSchema>

const termChangeSchema = z.object({
  kind: z.enum(termChangeKinds),
  /** Counts the changes of a kind. */
  number: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  /** Null: of the whole company. */
  areaId: answeredIdSchema.nullable(),
  areaName: z.string().nullable(),
  madeAt: instantSchema,
  madeBy: z.string(),
  reason: z.string(),
  /** Null: nothing was set before. */
  before: termValueSchema.nullable(),
  after: termValueSchema,
})
export type TermChange = z.infer<typeof termChangeSchema>

const termChangeFilterSchema = z.strictObject({
  kinds: z.array(z.enum(termChangeKinds)).min(1).max(termChangeKinds.length).optional(),
  agentIds: z.array(idSchema).min(1).max(splitAgentsMax).optional(),
  areaIds: z.array(idSchema).min(1).max(scopeListMax).optional(),
  from: instantSchema.optional(),
  /** Not included. */
  to: instantSchema.optional(),
  /** Part of the name of who made it, of the company or the area, or of the reason. */
  name: searchTextSchema.min(1).max(40).optional(),
})
export type TermChangeFilter = z.output<typeof termChangeFilterSchema>

export const termChangeList = list({
  row: termChangeSchema,
  filter: termChangeFilterSchema,
  sorts: { madeAt: 'desc' },
})

interface WrittenTermChange extends Omit<TermChange, 'before' | 'after'> {
  /** In words. */
  readonly before: string
  readonly after: string
}

export const termChangeFields = fields<WrittenTermChange>()({
  madeAt: { title: '修改时间', as: 'instant' },
  madeBy: '修改人',
  kind: { title: '变更内容', labels: termChangeKindLabels },
  company: '加盟商',
  areaName: '服务区',
  before: '变更前',
  after: '变更后',
  reason: '原因',
})

const rights = {
  host: 'finance',
  permission: ['financial_05'],
  scope: 'area',
  bodyLimitBytes: bodyLimits.lists,
} as const
const path = '/Business/divideConfig/changes'

export const termChangeEndpoints = defineEndpoints({
  listTermChanges: {
    ...rights,
    ...termChangeList.page,
    method: 'POST',
    path,
    summary: '分账规则、准备金、对账单周期与提现条件的全部变更：谁在何时因何修改，前后各是什么',
  },
  exportTermChanges: {
    ...rights,
    ...termChangeList.file,
    path: `${path}/export`,
    summary: '导出变更记录（CSV）',
  },
})
