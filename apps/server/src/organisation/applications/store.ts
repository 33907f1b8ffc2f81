import { applicationList, applicationStates } from '@saddle/contract/organisation/applications.ts'
import { sql } from 'kysely'
import type { Database, Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { tableList } from '#kit/list/tableList.ts'

export interface NewApplication {
  readonly number: string
  readonly company: string
  readonly contact_sealed: string
  readonly phone_sealed: string
  readonly phone_hash: string
  readonly city: string
  readonly planned_vehicles: number
  readonly remark: string
  readonly created_at: Date
}

/** False when the phone already has an application that waits for its decision. */
export async function insertApplication(options: { db: Database; row: NewApplication }): Promise<boolean> {
  const inserted = await options.db.systemRead((k) =>
    k
      .insertInto('franchise_application')
      .values(options.row)
      // A literal: with a parameter, a prepared statement in time no longer finds the partial index.
      .onConflict((conflict) => conflict.column('phone_hash').where('state', '=', sql.lit('submitted')).doNothing())
      .returning('id')
      .compile(),
  )
  return inserted.length === 1
}

export const application = rowOf('franchise_application', 'f', [
  'number as application_number',
  'company',
  'contact_sealed',
  'phone_sealed',
  'city',
  'planned_vehicles',
  'remark',
  'state',
  'created_at',
  'decided_by',
  'decided_at',
  'refusal',
  'opened_agent_id as agent_id',
]).codes({ state: applicationStates })

export const applicationRows = tableList(applicationList, {
  table: 'franchise_application',
  alias: 'f',
  tenant: () => sql`true`,
  columns: application,
  sorts: { created: ['created_at', 'instant'] },
  find: ({ states }) => ({ where: [states && sql`f.state = any (${states}::text[])`] }),
})

/** The state of an application, held until the commit; null when there is none. */
export async function lockApplication(tx: Tx, number: string): Promise<string | null> {
  const row = await tx
    .selectFrom('franchise_application')
    .select('state')
    .where('number', '=', number)
    .forUpdate()
    .executeTakeFirst()
  return row?.state ?? null
}

type Decision = { readonly decidedBy: string; readonly at: Date } & (
  | { readonly state: 'accepted'; readonly agentId: number }
  | { readonly state: 'refused'; readonly refusal: string }
)

export async function decideApplication(options: { tx: Tx; number: string; decision: Decision }): Promise<void> {
  const { tx, number, decision } = options
  await tx
    .updateTable('franchise_application')
    .set({
      state: decision.state,
      decided_at: decision.at,
      decided_by: decision.decidedBy,
      opened_agent_id: decision.state === 'accepted' ? decision.agentId : null,
      refusal: decision.state === 'refused' ? decision.refusal : null,
    })
    .where('number', '=', number)
    .execute()
}
