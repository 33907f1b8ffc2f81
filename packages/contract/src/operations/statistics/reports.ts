import { z } from 'zod'
import { answeredIdSchema, answerOf, instantSchema } from '#contract/answers.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { statisticsMetrics as figures } from '#contract/reports/statisticsMetrics.ts'
import {
  areaIdsSchema,
  isSpanUpTo,
  spanShape,
  statisticsPath,
  statisticsReads,
  workDaysMax,
  workSpanError,
} from './span.ts'
import { personsSchema } from './work.ts'

const reportSumSchema = z.object({
  reports: z.int(),
  vehicles: z.int(),
  /** Settled by a repair since. */
  confirmed: z.int(),
  /** From the report to the end of that repair, of all confirmed. */
  repairSeconds: z.int(),
})
export type ReportSum = z.infer<typeof reportSumSchema>
const namedReportsSchema = reportSumSchema.extend({ name: z.string(), areaId: answeredIdSchema.nullable() })
export type NamedReports = z.infer<typeof namedReportsSchema>

/** Reports of one person or area; null: none of them is repaired. */
export interface ReportGroup extends NamedReports {
  readonly confirmedPercent: number | null
  readonly repairHours: number | null
}
export const reportGroupFields = fields<ReportGroup>()({
  name: '名称',
  reports: { title: figures.faults.title, as: 'count' },
  vehicles: { title: figures.faultVehicles.title, as: 'count' },
  confirmedPercent: { title: figures.faultConfirmedPercent.title, as: 'count', unit: '%' },
  repairHours: { title: figures.faultRepairHours.title, as: 'count', unit: '小时' },
})

const inspectionReportSchema = z.object({
  id: answeredIdSchema,
  vehicleId: answeredIdSchema,
  number: z.string(),
  areaName: z.string(),
  reason: z.string(),
  note: z.string(),
  personName: z.string().nullable(),
  reportedAt: instantSchema,
  settledAt: instantSchema.nullable(),
  repairId: answeredIdSchema.nullable(),
  inspectionId: answeredIdSchema.nullable(),
})
export type InspectionReport = z.infer<typeof inspectionReportSchema>

/** What narrows reports beside the days on which they were made. */
export const reportNarrowSchema = z.strictObject({ areaIds: areaIdsSchema, persons: personsSchema })
const reportFilterSchema = reportNarrowSchema.extend(spanShape).refine(isSpanUpTo(workDaysMax), workSpanError)

export const reportList = list({
  row: inspectionReportSchema,
  filter: reportFilterSchema,
  sorts: { reported: 'desc' },
})

export const reportFields = fields<InspectionReport & { readonly repairHours: number | null }>()({
  reportedAt: { title: '上报时间', as: 'instant' },
  number: '车辆编号',
  areaName: '服务区',
  reason: '故障原因',
  note: '备注',
  personName: '人员',
  settledAt: { title: '修复时间', as: 'instant' },
  repairHours: { title: '修复用时', as: 'count', unit: '小时' },
  inspectionId: '巡检任务',
  repairId: '维修任务',
})

const reads = { ...statisticsReads, permission: ['0905'] } as const
const path = `${statisticsPath}/reports`

export const reportStatisticsEndpoints = defineEndpoints({
  reportFigures: {
    ...reads,
    path,
    summary: '巡检上报的故障：合计与上一时段、按天、按原因、按人、按服务区，维修确认与修复用时',
    input: z.object({ filter: reportFilterSchema }),
    output: answerOf(
      z.object({
        total: reportSumSchema,
        /** The span of the same length just before, its last day as long as this one's so far. */
        before: reportSumSchema,
        inspections: z.int(),
        inspectionsBefore: z.int(),
        days: z.array(namedReportsSchema),
        daysBefore: z.array(namedReportsSchema),
        reasons: z.array(namedReportsSchema),
        persons: z.array(namedReportsSchema),
        areas: z.array(namedReportsSchema),
      }),
    ),
  },
  listReports: {
    ...reads,
    ...reportList.page,
    path: `${path}/list`,
    summary: '巡检上报的故障，最近的在前',
  },
  exportReports: {
    ...reads,
    ...reportList.file,
    path: `${path}/export`,
    bodyLimitBytes: bodyLimits.lists,
    summary: '导出巡检上报的故障（CSV）',
  },
})
