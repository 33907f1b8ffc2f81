import { financeExportList, type financeExportEndpoints } from '@saddle/contract/finance/exports.ts'
import type { Audit } from '#audit/public.ts'
import { presentExport } from '#exports/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { serveList } from '#kit/list/serveList.ts'
import { exportRows } from './store.ts'

/** Files that were taken out of the finance pages: a view of the export centre. */
export function createExportHandlers(deps: {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>
  readonly audit: Audit
}): Handlers<typeof financeExportEndpoints> {
  const exports = serveList(deps, financeExportList, {
    name: 'finance-exports',
    rows: exportRows,
    present: (row, { caller }) => presentExport(row, caller.operatorId),
  })
  return { listFinanceExports: exports.page }
}
