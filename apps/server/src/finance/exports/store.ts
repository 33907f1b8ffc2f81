import { sql } from 'kysely'
import { financeExportActions, financeExportList } from '@saddle/contract/finance/exports.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'

const row = rowsOf(
  rowOf('audit_record', 'e', ['id', 'agent_id', 'subject_id as export_id', 'action', 'at']).codes({
    action: financeExportActions,
  }),
  rowOf('agent', 'agent', ['company']),
  rowOfValues({ operator_name: computed('text?', sql`o.name`) }),
)
export const presentExport = row.present

export const exportRows = tableList(financeExportList, {
  table: 'audit_record',
  alias: 'e',
  tenant: 'agent',
  columns: row,
  joins: sql`join agent on agent.id = e.agent_id left join operator o on o.id = e.operator_id`,
  sorts: { at: ['at', 'instant'] },
  find: ({ actions, ...span }) => ({
    where: [
      ...spanOf('e.at', span),
      sql`e.subject_kind = 'export'`,
      sql`e.action = any (${actions ?? financeExportActions}::text[])`,
    ],
  }),
})
