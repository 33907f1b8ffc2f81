import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'

/** Waits until a verification has ended. Before anything else, so that nothing is held meanwhile. */
export const awaitVerification = sql`lock table report_ride_hour in row exclusive mode`

/** Whoever changes figures holds it until the end of the transaction. */
export async function lockFigures(tx: Tx): Promise<void> {
  await awaitVerification.execute(tx)
  await sql`select pg_advisory_xact_lock(hashtextextended('report_figures', 0))`.execute(tx)
}
