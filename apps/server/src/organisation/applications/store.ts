import { sql } from 'kysely'
import type { Database } from '#kit/db/pool.ts'

export interface ApplicationRow {
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
export async function insertApplication(options: { db: Database; row: ApplicationRow }): Promise<boolean> {
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

/** One page of all applications, the newest first, and how many there are. */
export async function findApplications(options: { db: Database; page: number; pageSize: number }) {
  const { db, page, pageSize } = options
  const [rows, counts] = await Promise.all([
    db.systemRead((k) =>
      k
        .selectFrom('franchise_application')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .compile(),
    ),
    db.systemRead((k) =>
      k
        .selectFrom('franchise_application')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .compile(),
    ),
  ])
  return { rows, count: counts[0]?.count ?? 0 }
}
