import { z } from 'zod'
import { answeredIdSchema, instantSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import {
  accountKinds,
  chartOfAccounts,
  entryKinds,
  type AccountKind,
  type EntryKind,
} from '#contract/finance/ledger.ts'
import { fields, list } from '#contract/list.ts'
import { orderStateLabels, orderStates } from '#contract/riding/orders.ts'
import { isSpan, reportShape } from './figures.ts'
import { sourceOf, unitOfMeasure, type MeasureUnit, type MetricSource } from './measures.ts'
import { metricNames, metricOf, type MetricName } from './metrics.ts'
import { reportPermissions } from './reports.ts'

/** The rows behind one figure of a report: orders, postings of the ledger, or days of the fleet. */

/** What is added up, or for a quotient also what it is divided by. */
export const figureParts = ['top', 'bottom'] as const
export type FigurePart = (typeof figureParts)[number]

/** Where the rows of a part of a figure are from: each part has one source. */
export function sourceOfPart(name: MetricName, part: FigurePart): MetricSource | null {
  const { plus, minus = [], over = [] } = metricOf(name)
  const measures = part === 'top' ? [...plus, ...minus] : over
  const [source, ...others] = new Set(measures.map(sourceOf))
  if (others.length > 0) throw new Error(`${name} adds up different things`)
  return source ?? null
}

/** In what the rows of a part of a figure count. */
export function unitOfPart(name: MetricName, part: FigurePart): MeasureUnit {
  const { plus, over = [] } = metricOf(name)
  const [first] = part === 'top' ? plus : over
  return first === undefined ? 'count' : unitOfMeasure(first)
}

const { report, by, from, to, agentIds, areaIds, models, channels } = reportShape
const keyMax = 60
export const sourceRowFilterSchema = z
  .strictObject({
    report,
    by,
    from,
    to,
    agentIds,
    areaIds,
    models,
    channels,
    metric: z.enum(metricNames).default('rides'),
    part: z.enum(figureParts).default('top'),
    /** Of the row that the figure stands in; absent: of the total. */
    key: z.string().max(keyMax).optional(),
  })
  .refine(isSpan, { error: '时间范围最长为 366 天' })
export type SourceRowFilter = z.output<typeof sourceRowFilterSchema>

const kinds = Object.keys(entryKinds) as EntryKind[]
const accountLabels = Object.fromEntries(accountKinds.map((kind) => [kind, chartOfAccounts[kind].label])) as Readonly<
  Record<AccountKind, string>
>

export const sourceRowSchema = z.object({
  id: z.string(),
  at: instantSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  areaName: z.string().nullable(),
  orderId: answeredIdSchema.nullable(),
  orderNumber: z.string().nullable(),
  vehicleNumber: z.string().nullable(),
  model: z.string().nullable(),
  orderState: z.enum(orderStates).nullable(),
  entryNumber: z.int().nullable(),
  entryKind: z.enum(kinds).nullable(),
  account: z.enum(accountKinds).nullable(),
  channel: z.string().nullable(),
  /** What it adds to the figure, in the unit of its measure. */
  value: z.number(),
})
export type SourceRow = z.infer<typeof sourceRowSchema>

export const sourceRowList = list({
  row: sourceRowSchema,
  filter: sourceRowFilterSchema,
  sorts: { at: 'desc' },
  sums: ['value'],
})

export const sourceRowFields = fields<SourceRow>()({
  at: { title: '时间', as: 'instant' },
  company: '加盟商',
  areaName: '服务区',
  orderNumber: '订单编号',
  orderState: { title: '订单状态', labels: orderStateLabels },
  vehicleNumber: '车辆编号',
  model: '车型',
  entryNumber: '分录号',
  entryKind: { title: '分录类型', labels: entryKinds },
  account: { title: '科目', labels: accountLabels },
  channel: '支付渠道',
  value: { title: '计入数值', as: 'count', unit: '元、次、秒、米' },
})

const reads = { host: 'platform', scope: 'area', idempotency: 'none', permission: reportPermissions } as const
const path = `${basePath}/platform/report/source`

export const sourceRowEndpoints = defineEndpoints({
  listSourceRows: {
    ...reads,
    ...sourceRowList.page,
    path,
    summary: '报表中一个数字背后的订单、账本分录或车辆日，新的在前',
  },
  sumSourceRows: {
    ...reads,
    ...sourceRowList.sums,
    path: `${path}/sums`,
    summary: '一个数字背后各行的数量与合计；与该数字相等',
  },
  exportSourceRows: {
    ...reads,
    ...sourceRowList.file,
    path: `${path}/export`,
    bodyLimitBytes: bodyLimits.shape,
    summary: '导出一个数字背后的各行',
  },
})
