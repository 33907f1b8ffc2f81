import { sql } from 'kysely'
import { financeExportActions, financeExportList } from '@saddle/contract/finance/exports.ts'
import { shownExports } from '#exports/public.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'

export const exportRows = tableList(financeExportList, {
  ...shownExports,
  find: ({ actions, states, ...span }) => ({
    where: [
      ...spanOf('e.created_at', span),
      sql`e.action = any (${actions ?? financeExportActions}::text[])`,
      states && sql`e.state = any (${states}::text[])`,
    ],
  }),
})
