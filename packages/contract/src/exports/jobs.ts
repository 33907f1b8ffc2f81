import { z } from 'zod'
import { answeredIdSchema, answerOf, instantSchema, none } from '#contract/answers.ts'
import { auditActionTitles } from '#contract/audit/actions.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { exportFormatLabels, exportFormats } from '#contract/exported.ts'
import { fields, list } from '#contract/list.ts'
import { dayMs, hourMs, minuteMs } from '#contract/time.ts'

/** The export centre: files of lists that people asked for, while they are made and until they expire. */

export const exportStates = ['queued', 'running', 'done', 'failed', 'cancelled', 'expired'] as const
export type ExportState = (typeof exportStates)[number]
export const exportStateLabels: Readonly<Record<ExportState, string>> = {
  queued: '排队中',
  running: '生成中',
  done: '可下载',
  failed: '失败',
  cancelled: '已取消',
  expired: '已过期',
}

export const exportLimits = {
  /** Files of one person that wait or are being made. */
  openPerPerson: 5,
  /** Of one company. */
  openPerCompany: 20,
  /** Bytes of all files of a company that have not expired. */
  bytesPerCompany: 2_147_483_648,
  /** How long a file can be fetched. */
  keptMs: 3 * dayMs,
  /** Parts that are fetched within this time belong to one download. */
  downloadMs: hourMs,
  /** How long the export centre tells of a file. */
  toldMs: 90 * dayMs,
  /** The longest time that making a file may take. */
  makingMs: 30 * minuteMs,
  /** How often making a file is begun again after the server ended. */
  attempts: 3,
  partBytes: 1_048_576,
} as const

export const exportJobSchema = z.object({
  id: answeredIdSchema,
  /** It stands in each row of the file. */
  exportId: z.uuid(),
  agentId: answeredIdSchema,
  /** Of the person who asked for it: a file may span several. */
  company: z.string(),
  operatorName: z.string(),
  /** Of the caller: only they fetch, cancel and remove it. */
  isOwn: z.boolean(),
  /** What it is of, as in the audit log. */
  action: z.string(),
  fileName: z.string(),
  format: z.enum(exportFormats),
  state: z.enum(exportStates),
  rows: z.int(),
  /** Rows that it will have; null where the list is not counted. */
  total: z.int().nullable(),
  parts: z.int(),
  bytes: z.int(),
  /** Code of the error that ended it. */
  failure: z.string().nullable(),
  at: instantSchema,
  finishedAt: instantSchema.nullable(),
  expiresAt: instantSchema.nullable(),
})
export type ExportJob = z.infer<typeof exportJobSchema>

export const exportFields = fields<ExportJob>()({
  at: { title: '导出时间', as: 'instant' },
  action: { title: '内容', labels: auditActionTitles },
  fileName: '文件名',
  format: { title: '格式', labels: exportFormatLabels },
  state: { title: '状态', labels: exportStateLabels },
  rows: { title: '行数', as: 'count' },
  bytes: { title: '大小', as: 'count' },
  finishedAt: { title: '完成时间', as: 'instant' },
  expiresAt: { title: '过期时间', as: 'instant' },
  operatorName: '导出人',
  company: '加盟商',
  exportId: '导出编号',
})

const exportIdsMax = 20
export const exportFilterSchema = z.strictObject({
  exportIds: z.array(z.uuid()).min(1).max(exportIdsMax).optional(),
  states: z.array(z.enum(exportStates)).min(1).max(exportStates.length).optional(),
  formats: z.array(z.enum(exportFormats)).min(1).max(exportFormats.length).optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type ExportFilter = z.output<typeof exportFilterSchema>
export const exportList = list({ row: exportJobSchema, filter: exportFilterSchema, sorts: { at: 'desc' } })

const path = `${basePath}/export`
const own = { host: 'platform', permission: 'session', scope: 'self' } as const

export const exportEndpoints = defineEndpoints({
  listOwnExports: {
    ...own,
    ...exportList.page,
    path: `${path}/own`,
    summary: '导出中心：本人的导出，新的在前',
  },
  listCompanyExports: {
    host: 'platform',
    permission: ['1404'],
    scope: 'agent',
    ...exportList.page,
    path: `${path}/company`,
    summary: '导出中心：公司全部人员的导出，新的在前；只能查看',
  },
  readExportPart: {
    ...own,
    method: 'GET',
    path: `${path}/part`,
    idempotency: 'none',
    summary: '取回导出文件的一段：每一段都重新核对列表的权限与范围',
    input: z.object({ exportId: z.uuid(), part: z.coerce.number().int().min(0).max(100_000) }),
    output: answerOf(z.object({ fileName: z.string(), parts: z.int(), base64: z.base64() })),
  },
  cancelExport: {
    ...own,
    method: 'POST',
    path: `${path}/cancel`,
    idempotency: 'none',
    summary: '取消排队中或生成中的导出',
    input: z.object({ exportId: z.uuid() }),
    output: answerOf(none),
  },
  removeExport: {
    ...own,
    method: 'POST',
    path: `${path}/remove`,
    idempotency: 'none',
    summary: '删除导出文件：删除后不能再下载',
    input: z.object({ exportId: z.uuid() }),
    output: answerOf(none),
  },
})
