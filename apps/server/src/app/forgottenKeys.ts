import { sql } from 'kysely'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { startJob } from '#kit/job.ts'

/** Answers are kept for so long: a phone may have been without a network, but nobody tries again for a month. */
export const keysKeptMs = 30 * dayMs
const forgetEveryMs = hourMs
/** In one transaction. */
const batchMax = 5_000

/** Removes answers of calls that are done once, and what they held of people; resolves to their number. */
export async function forgetKeys({ db, clock }: Pick<Kit, 'db' | 'clock'>): Promise<number> {
  const before = new Date(clock.now() - keysKeptMs)
  let total = 0
  for (;;) {
    const { rows } = await db.system((tx) =>
      sql`
        delete from idempotency where (agent_id, operator_id, endpoint, key) in (
          select agent_id, operator_id, endpoint, key from idempotency where created_at < ${before}
          order by created_at limit ${batchMax} for update skip locked)
        returning 1 as gone`.execute(tx),
    )
    total += rows.length
    if (rows.length < batchMax) return total
  }
}

/** Does that now and every hour; resolves the stop when no run is active. For the worker; safe on several at once. */
export function startForgettingKeys(kit: Pick<Kit, 'db' | 'clock' | 'log'>): () => Promise<void> {
  const failure = 'old answers could not be removed'
  return startJob({ log: kit.log, everyMs: forgetEveryMs, run: () => forgetKeys(kit), failure, isFirstLater: true })
    .stop
}
