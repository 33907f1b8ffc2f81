import { z } from 'zod'
import { answerOf, idSchema, instantSchema, none, plainTextSchema } from '#contract/answers.ts'
import { basePath, scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { paymentChannels } from '#contract/finance/payments.ts'
import { daySchema } from '#contract/fleet/analysis.ts'
import { list, type FieldKind, type Field } from '#contract/list.ts'
import { dayMs } from '#contract/time.ts'
import { dimensions, metricNames, metricOf, type MetricName, type MetricUnit } from './metrics.ts'
import { reportNames, reportPermissions, reports, type ReportName } from './reports.ts'

/** Days that a report may span: a leap year. */
export const reportDaysMax = 366
/** Models that one filter names, and that are offered. */
export const reportModelsMax = 100
/** Rows of one report: days of a year, or the areas of the largest company. */
export const reportRowsMax = 2_000

const spanOf = ({ from, to }: { readonly from: string; readonly to: string }): number =>
  (Date.parse(to) - Date.parse(from)) / dayMs + 1

export const isSpan = (span: { readonly from: string; readonly to: string }): boolean =>
  span.from <= span.to && spanOf(span) <= reportDaysMax

/** What every question about a report has. */
export const reportShape = {
  report: z.enum(reportNames).default('daily'),
  by: z.enum(dimensions).default('day'),
  /** Business days of the company's calendar, both of them included. */
  from: daySchema,
  to: daySchema,
  agentIds: z.array(idSchema).max(scopeListMax).optional(),
  areaIds: z.array(idSchema).max(scopeListMax).optional(),
  models: z.array(plainTextSchema.min(1).max(40)).min(1).max(reportModelsMax).optional(),
  channels: z.array(z.enum(paymentChannels)).min(1).max(paymentChannels.length).optional(),
}
export const reportFilterSchema = z.strictObject(reportShape).refine(isSpan, { error: '时间范围最长为 366 天' })
/** Conditions that a person sets beside the span and by what rows are told apart. */
export const reportNarrowSchema = z.strictObject({
  areaIds: reportShape.areaIds,
  models: reportShape.models,
  channels: reportShape.channels,
})
export type ReportNarrow = z.output<typeof reportNarrowSchema>
export type ReportFilter = z.output<typeof reportFilterSchema>

/** Figures by their names; one that the question cannot tell, or whose denominator is nothing, is null. */
const valuesSchema = z.partialRecord(z.enum(metricNames), z.number().nullable())
export type ReportValues = Partial<Record<MetricName, number | null>>

const reportRowSchema = z.object({
  /** The day, month, hour, id, model or channel that the row is of; empty: what belongs to no area or channel. */
  key: z.string(),
  /** Its name, where it has one of its own. */
  name: z.string(),
  /** When the bucket of a day or month begins and ends; of anything else the whole span. */
  fromAt: instantSchema,
  toAt: instantSchema,
  values: valuesSchema,
})
export type ReportRow = z.infer<typeof reportRowSchema>

type FigureShape = Record<MetricName, z.ZodOptional<z.ZodNullable<z.ZodNumber>>>
const figureShape = Object.fromEntries(
  metricNames.map((name) => [name, z.number().nullable().optional()]),
) as FigureShape

/** A row of the list: its figures stand beside its name. */
const reportListRowSchema = reportRowSchema.omit({ values: true }).extend(figureShape)
export type ReportListRow = z.infer<typeof reportListRowSchema>

export const reportRowList = list({
  row: reportListRowSchema,
  filter: reportFilterSchema,
  sorts: {
    key: 'asc',
    ...(Object.fromEntries(metricNames.map((name) => [name, 'desc'])) as Record<MetricName, 'desc'>),
  },
  countMax: reportRowsMax,
})

const kindOf: Readonly<Record<MetricUnit, FieldKind>> = {
  count: 'count',
  cents: 'cents',
  percent: 'percent',
  minutes: 'count',
  metres: 'metres',
  ratio: 'count',
}

/** The columns of a report's file. */
export function reportFieldsOf(name: ReportName): Readonly<Record<string, Field>> {
  const columns = reports[name].metrics.map((metric) => {
    const { title, unit } = metricOf(metric)
    const field: Field = { title, as: kindOf[unit], ...(unit === 'minutes' && { unit: '分钟' }) }
    return [metric, field] as const
  })
  return { name: '名称', ...Object.fromEntries(columns) }
}

const comparedSchema = z.object({ from: daySchema, to: daySchema, total: valuesSchema, rows: z.array(reportRowSchema) })

const reads = { host: 'platform', scope: 'area', idempotency: 'none', permission: reportPermissions } as const
const path = `${basePath}/platform/report`

export const reportFigureEndpoints = defineEndpoints({
  readReport: {
    ...reads,
    method: 'GET',
    path,
    summary: '一张报表的合计、分组与同比环比；口径见指标登记',
    input: z.object({ filter: reportFilterSchema }),
    output: answerOf(
      z.object({
        total: valuesSchema,
        rows: z.array(reportRowSchema),
        /** More rows than `reportRowsMax`: the rest is left out, and in the totals. */
        isCut: z.boolean(),
        /** Until when the span is compared: a span that is not over is compared up to the last full hour. */
        comparedUntil: instantSchema.nullable(),
        /** What the span itself has until then. */
        compared: valuesSchema,
        /** Rows of companies, areas, models and channels are those until the same moment; those of times are whole. */
        before: comparedSchema,
        /** Without rows where they are of times: these are asked for as the report of that span. */
        yearBefore: comparedSchema,
        /** Every change before this moment is in the figures; null until they were made for the first time. */
        freshAt: instantSchema.nullable(),
      }),
    ),
  },
  listReportModels: {
    ...reads,
    method: 'GET',
    path: `${path}/models`,
    summary: '报表可按其筛选的车型：有订单的车型',
    input: none,
    output: answerOf(z.object({ list: z.array(z.string()).max(reportModelsMax) })),
  },
  listReportRows: {
    ...reads,
    ...reportRowList.page,
    path: `${path}/list`,
    summary: '一张报表的各行，按任一指标排序',
  },
  exportReportRows: {
    ...reads,
    ...reportRowList.file,
    path: `${path}/export`,
    bodyLimitBytes: bodyLimits.shape,
    summary: '导出一张报表的各行（CSV）',
  },
})
