import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, none, plainTextSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { exportFormatLabels, exportFormats } from '#contract/exported.ts'
import { paymentChannels } from '#contract/finance/payments.ts'
import { fields, list } from '#contract/list.ts'
import type { Permission } from '#contract/permissions.ts'
import { dimensionLabels, dimensions, type Dimension } from './metrics.ts'
import { reconciliationGroups } from './reconciliation.ts'
import { dimensionsOfReport, reportNames, reportPermissions, reports } from './reports.ts'

/** Reports that are made regularly and delivered to chosen people. */

/** The financial reconciliation is made of no figures of the registry, and scheduled like the reports that are. */
export const scheduledReports = [...reportNames, 'reconciliation'] as const
export type ScheduledReport = (typeof scheduledReports)[number]

interface ScheduledReportRow {
  readonly title: string
  readonly permission: Permission
  readonly groups: readonly Dimension[]
  /** Whether it can be of some areas only. */
  readonly hasAreas: boolean
}

export function scheduledReport(name: ScheduledReport): ScheduledReportRow {
  if (name !== 'reconciliation') {
    const { title, permission } = reports[name]
    return { title, permission, groups: dimensionsOfReport(name), hasAreas: true }
  }
  return { title: '财务对账', permission: 'FinancialReconciliation', groups: reconciliationGroups, hasAreas: false }
}

export const scheduleFrequencies = ['daily', 'weekly', 'monthly'] as const
export type ScheduleFrequency = (typeof scheduleFrequencies)[number]
export const scheduleFrequencyLabels: Readonly<Record<ScheduleFrequency, string>> = {
  daily: '每天',
  weekly: '每周',
  monthly: '每月',
}
export const scheduleSpans = ['yesterday', 'last_7_days', 'last_week', 'last_30_days', 'last_month'] as const
export type ScheduleSpan = (typeof scheduleSpans)[number]
export const scheduleSpanLabels: Readonly<Record<ScheduleSpan, string>> = {
  yesterday: '昨天',
  last_7_days: '前 7 天',
  last_week: '上周',
  last_30_days: '前 30 天',
  last_month: '上月',
}
export const scheduleStates = ['active', 'paused'] as const
export type ScheduleState = (typeof scheduleStates)[number]
export const scheduleStateLabels: Readonly<Record<ScheduleState, string>> = { active: '已启用', paused: '已暂停' }
export const weekdayLabels = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'] as const
export const scheduleReceiversMax = 50
/** Schedules of one company. */
export const schedulesMax = 50
const scheduleAreasMax = 200

export const deliveryStates = ['making', 'ready', 'forbidden', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]
export const deliveryStateLabels: Readonly<Record<DeliveryState, string>> = {
  making: '生成中',
  ready: '已送达',
  forbidden: '无权查看',
  failed: '未生成',
}

const scheduleShape = {
  name: plainTextSchema.trim().min(1).max(40),
  report: z.enum(scheduledReports),
  by: z.enum(dimensions),
  span: z.enum(scheduleSpans),
  frequency: z.enum(scheduleFrequencies),
  /** Of a weekly one; 1 is Monday. */
  weekday: z.int().min(1).max(7).nullable(),
  /** Of a monthly one. */
  monthDay: z.int().min(1).max(28).nullable(),
  /** By the company's calendar. */
  hour: z.int().min(0).max(23),
  format: z.enum(exportFormats),
  /** Absent: whatever the receiver may see. */
  areaIds: z.array(idSchema).min(1).max(scheduleAreasMax).optional(),
  channels: z.array(z.enum(paymentChannels)).min(1).max(paymentChannels.length).optional(),
  receiverIds: z.array(idSchema).min(1).max(scheduleReceiversMax),
}
export const scheduleInputSchema = z.object(scheduleShape)
export type ScheduleInput = z.output<typeof scheduleInputSchema>

export const scheduleSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  ...scheduleShape,
  receiverIds: z.array(answeredIdSchema),
  areaIds: z.array(answeredIdSchema).nullable(),
  channels: z.array(z.enum(paymentChannels)).nullable(),
  receivers: z.array(z.string()),
  state: z.enum(scheduleStates),
  nextAt: instantSchema,
  lastAt: instantSchema.nullable(),
  createdAt: instantSchema,
  createdBy: z.string(),
})
export type Schedule = z.infer<typeof scheduleSchema>

export const scheduleList = list({
  row: scheduleSchema,
  filter: z.strictObject({
    reports: z.array(z.enum(scheduledReports)).min(1).max(scheduledReports.length).optional(),
    states: z.array(z.enum(scheduleStates)).min(1).max(scheduleStates.length).optional(),
  }),
  sorts: { created: 'desc' },
})
const reportLabels = Object.fromEntries(scheduledReports.map((name) => [name, scheduledReport(name).title]))
export const scheduleFields = fields<Schedule>()({
  name: '名称',
  report: { title: '报表', labels: reportLabels },
  by: { title: '分组', labels: dimensionLabels },
  span: { title: '时间范围', labels: scheduleSpanLabels },
  frequency: { title: '频率', labels: scheduleFrequencyLabels },
  format: { title: '格式', labels: exportFormatLabels },
  receivers: '接收人',
  state: { title: '状态', labels: scheduleStateLabels },
  nextAt: { title: '下次发送', as: 'instant' },
  lastAt: { title: '上次发送', as: 'instant' },
  createdBy: '创建人',
  createdAt: { title: '创建时间', as: 'instant' },
})

export const deliverySchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  scheduleId: answeredIdSchema,
  name: z.string(),
  operatorName: z.string(),
  dueAt: instantSchema,
  firstDay: z.string(),
  lastDay: z.string(),
  state: z.enum(deliveryStates),
  endedAt: instantSchema.nullable(),
})
export type Delivery = z.infer<typeof deliverySchema>
export const deliveryList = list({
  row: deliverySchema,
  filter: z.strictObject({
    scheduleId: idSchema.optional(),
    states: z.array(z.enum(deliveryStates)).min(1).max(deliveryStates.length).optional(),
  }),
  sorts: { due: 'desc' },
})
export const deliveryFields = fields<Delivery>()({
  dueAt: { title: '发送时间', as: 'instant' },
  name: '名称',
  operatorName: '接收人',
  firstDay: { title: '首日', as: 'date' },
  lastDay: { title: '末日', as: 'date' },
  state: { title: '状态', labels: deliveryStateLabels },
  endedAt: { title: '完成时间', as: 'instant' },
})

const path = `${basePath}/platform/report/schedule`
const reads = {
  host: 'platform',
  scope: 'agent',
  permission: [...reportPermissions, 'FinancialReconciliation'],
} as const
const acts = { ...reads, method: 'POST', idempotency: 'key' } as const

export const reportScheduleEndpoints = defineEndpoints({
  listReportSchedules: { ...reads, ...scheduleList.page, path, summary: '定时发送的报表，新的在前' },
  exportReportSchedules: {
    ...reads,
    ...scheduleList.file,
    path: `${path}/export`,
    summary: '导出定时发送的报表',
  },
  listReportReceivers: {
    ...reads,
    scope: 'self',
    method: 'GET',
    path: `${path}/receivers`,
    idempotency: 'none',
    summary: '可以选为接收人的本公司人员；能否查看在发送时核对',
    input: none,
    output: answerOf(z.object({ list: z.array(z.object({ id: answeredIdSchema, name: z.string() })) })),
  },
  createReportSchedule: {
    ...acts,
    scope: 'self',
    path: `${path}/create`,
    summary: '新建定时发送：按接收人各自的权限与范围生成文件，存入其导出中心并通知',
    input: scheduleInputSchema,
    output: answerOf(scheduleSchema),
  },
  changeReportSchedule: {
    ...acts,
    path: `${path}/change`,
    summary: '修改定时发送',
    input: scheduleInputSchema.extend({ id: idSchema }),
    output: answerOf(scheduleSchema),
  },
  switchReportSchedule: {
    ...acts,
    path: `${path}/switch`,
    reverse: 'switchReportSchedule',
    summary: '启用或暂停定时发送',
    input: z.object({ id: idSchema, state: z.enum(scheduleStates) }),
    output: answerOf(scheduleSchema),
  },
  removeReportSchedule: {
    ...acts,
    path: `${path}/remove`,
    summary: '删除定时发送及其发送记录；已生成的文件保留在导出中心',
    input: z.object({ id: idSchema }),
    output: answerOf(none),
  },
  listReportDeliveries: {
    ...reads,
    ...deliveryList.page,
    path: `${path}/deliveries`,
    summary: '定时发送的记录，新的在前',
  },
  exportReportDeliveries: {
    ...reads,
    ...deliveryList.file,
    path: `${path}/deliveries/export`,
    summary: '导出定时发送的记录',
  },
})
