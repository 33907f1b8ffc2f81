import { z } from 'zod'
import { instantSchema } from '#contract/answers.ts'
import { auditActionTitles, type AuditAction } from '#contract/audit/actions.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { exportJobSchema, exportStates } from '#contract/exports/jobs.ts'
import { list } from '#contract/list.ts'

/** Files that were taken out of the finance pages: a view of the export centre. */

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

export const financeExportFilterSchema = z.strictObject({
  actions: z.array(z.enum(financeExportActions)).min(1).max(financeExportActions.length).optional(),
  states: z.array(z.enum(exportStates)).min(1).max(exportStates.length).optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type FinanceExportFilter = z.output<typeof financeExportFilterSchema>
export const financeExportList = list({
  row: exportJobSchema,
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
