import type { ApplicationState } from '@saddle/contract/organisation/agents.ts'
import { sql } from 'kysely'
import type { Database, Tx } from '#kit/db/pool.ts'

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

/** One page of applications, the newest first, how many there are, and how many of all wait for a decision. */
export async function findApplications(options: {
  db: Database
  state: ApplicationState | undefined
  page: number
  pageSize: number
}) {
  const { db, state, page, pageSize } = options
  const [rows, counts] = await Promise.all([
    db.systemRead((k) =>
      k
        .selectFrom('franchise_application')
        .selectAll()
        .$if(state !== undefined, (query) => query.where('state', '=', state ?? ''))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .compile(),
    ),
    db.systemRead((k) =>
      k
        .selectFrom('franchise_application')
        .select((eb) => [
          eb.fn
            .countAll<number>()
            .filterWhere('state', state === undefined ? '<>' : '=', state ?? '')
            .as('count'),
          eb.fn.countAll<number>().filterWhere('state', '=', 'submitted').as('waiting'),
        ])
        .compile(),
    ),
  ])
  return { rows, count: counts[0]?.count ?? 0, waiting: counts[0]?.waiting ?? 0 }
}

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
