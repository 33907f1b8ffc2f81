import { sql } from 'kysely'
import { smsFailureMemoryMs } from '@saddle/contract/identity/limits.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { Clock } from '#kit/clock.ts'
import type { Database } from '#kit/db/pool.ts'
import { countRow } from '#kit/db/rows.ts'

export const sweepEveryMs = 10 * minuteMs
/** Rows deleted by one statement, so that none holds locks for long. */
const batchRows = 5_000
const batchesMax = 200

/** Retention per table; longer than any rule looks back. Sessions stay longer as login history. */
const retention = [
  { table: 'sms_code', column: 'expires_at', keptMs: dayMs },
  { table: 'sms_send', column: 'sent_at', keptMs: dayMs + hourMs },
  { table: 'sms_guess', column: 'last_failed_at', keptMs: smsFailureMemoryMs },
  { table: 'sms_failure', column: 'failed_at', keptMs: 2 * hourMs },
  { table: 'screen_pairing', column: 'expires_at', keptMs: dayMs },
  { table: 'login_ticket', column: 'expires_at', keptMs: dayMs },
  { table: 'quick_login_used', column: 'used_at', keptMs: hourMs },
  { table: 'call_nonce', column: 'seen_at', keptMs: 5 * minuteMs },
  { table: 'access_change', column: 'at', keptMs: 10 * minuteMs },
  { table: 'session', column: 'expires_at', keptMs: 90 * dayMs },
] as const

/** Deletes expired login data and returns the number of rows. */
export async function sweep({ db, clock }: { db: Database; clock: Clock }): Promise<number> {
  let total = 0
  for (const { table, column, keptMs } of retention) {
    const before = new Date(clock.now() - keptMs)
    for (let batch = 0; batch < batchesMax; batch += 1) {
      const rows = await db.systemRead((kysely) =>
        countRow
          .query(
            (columns) => sql`
          with gone as (
            delete from ${sql.table(table)} where ctid = any (array(
              select ctid from ${sql.table(table)} where ${sql.ref(column)} < ${before} limit ${batchRows}
            )) returning 1
          )
          select ${columns} from gone`,
          )
          .compile(kysely),
      )
      const count = rows[0]?.count ?? 0
      total += count
      if (count < batchRows) break
    }
  }
  return total
}
