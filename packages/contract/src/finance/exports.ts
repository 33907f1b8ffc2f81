import { z } from 'zod'
import { answeredIdSchema, instantSchema } from '#contract/answers.ts'
import { auditActionTitles, type AuditAction } from '#contract/audit/actions.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'

/** Files that were taken out of the finance pages: who, when, what. */

export const financeExportActions = [
  'service.export',
  'service_bill.export',
  'objection.export',
  'split.export',
  'invoice.export',
] as const satisfies readonly AuditAction[]
export type FinanceExportAction = (typeof financeExportActions)[number]
export const financeExportLabels = Object.fromEntries(
  financeExportActions.map((action) => [action, auditActionTitles[action]]),
) as Readonly<Record<FinanceExportAction, string>>

export const financeExportSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  /** Of the person who took it out: a file may span several companies. */
  company: z.string(),
  /** It stands in each row of the file. */
  exportId: z.string(),
  action: z.enum(financeExportActions),
  at: instantSchema,
  operatorName: z.string().nullable(),
})
export type FinanceExport = z.infer<typeof financeExportSchema>

export const financeExportFields = fields<FinanceExport>()({
  at: { title: '导出时间', as: 'instant' },
  action: { title: '内容', labels: financeExportLabels },
  operatorName: '导出人',
  company: '加盟商',
  exportId: '导出编号',
})

export const financeExportFilterSchema = z.strictObject({
  actions: z.array(z.enum(financeExportActions)).min(1).max(financeExportActions.length).optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type FinanceExportFilter = z.output<typeof financeExportFilterSchema>
export const financeExportList = list({
  row: financeExportSchema,
  filter: financeExportFilterSchema,
  sorts: { at: 'desc' },
})

export const financeExportEndpoints = defineEndpoints({
  listFinanceExports: {
    host: 'finance',
    permission: ['financial_01', 'financial_02', 'financial_03', 'financial_04'],
    scope: 'agent',
    ...financeExportList.page,
    method: 'POST',
    path: '/Business/export/page',
    summary: '导出中心：从产品服务各页导出的文件，谁在何时导出，新的在前',
  },
})
