import { selectPanel } from '@saddle/server/fleet/vehicles/store.ts'
import { compilingKysely } from '@saddle/server/kit/db/transaction.ts'
import type { DB } from '@saddle/server/kit/db/types.ts'

const agentIds = [2, 3, 4, 5]
const areaIds = [1, 2, 3, 4, 5, 6]

/** The very SQL that the platform runs for one vehicle's panel, with the scope of the platform's administrator. */
export function panelStatement(): { sql: string; valuesFor: (number: string) => readonly unknown[] } {
  const marker = 'THE-NUMBER'
  const scope = { agentIds, areaIds, operatorId: null }
  const query = selectPanel(compilingKysely<DB>(), { by: { number: marker }, scope }).compile()
  return {
    sql: query.sql,
    valuesFor: (number) => query.parameters.map((value) => (value === marker ? number : value)),
  }
}
