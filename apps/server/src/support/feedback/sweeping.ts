import { minuteMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { startJob } from '#kit/job.ts'
import { selectWorkerIds } from './people.ts'
import { closedBefore } from './rules.ts'
import { closeResolved, insertFeedbackEvent, lockOverdue } from './store.ts'
import { sql } from 'kysely'
import { tellOfFeedback } from './ticket.ts'

const sweepEveryMs = 5 * minuteMs
/** In one transaction. */
const batchMax = 200

/** Tells of tickets whose time is over; resolves to their number. */
async function tellOverdue({ db, clock }: Pick<Kit, 'db' | 'clock'>): Promise<number> {
  const workers = (await db.systemRead((k) => selectWorkerIds().compile(k))).map(({ id }) => id)
  let total = 0
  for (;;) {
    const now = new Date(clock.now())
    const count = await db.system(async (tx) => {
      const rows = await lockOverdue(tx, { now, limit: batchMax })
      for (const row of rows) {
        await tellOfFeedback(tx, row, {
          event: 'feedback_overdue',
          values: { company: row.company, title: row.title },
          operatorIds: row.assignee_id === null ? workers : [row.assignee_id],
          by: null,
          at: now,
        })
        await insertFeedbackEvent(tx, row, { at: now, step: 'overdue', by: null, fromPlatform: true })
      }
      const ids = rows.map(({ id }) => id)
      await sql`update feedback_ticket set overdue_told_at = ${now} where id = any (${ids}::bigint[])`.execute(tx)
      return rows.length
    })
    total += count
    if (count < batchMax) return total
  }
}

/** Closes tickets that were resolved long ago and tells their authors; resolves to their number. */
async function closeOld({ db, clock }: Pick<Kit, 'db' | 'clock'>): Promise<number> {
  let total = 0
  for (;;) {
    const at = new Date(clock.now())
    const before = new Date(closedBefore(clock.now()))
    const count = await db.system(async (tx) => {
      const rows = await closeResolved(tx, { before, at, limit: batchMax })
      for (const row of rows) {
        await tellOfFeedback(tx, row, {
          event: 'feedback_closed',
          values: { title: row.title },
          operatorIds: [row.author_id],
          by: null,
          at,
        })
        await insertFeedbackEvent(tx, row, { at, step: 'closed', by: null, fromPlatform: true })
      }
      return rows.length
    })
    total += count
    if (count < batchMax) return total
  }
}

/** Tells of tickets whose time is over and closes those that were resolved long ago; resolves to their number. */
export async function sweepFeedback(kit: Pick<Kit, 'db' | 'clock'>): Promise<number> {
  return (await tellOverdue(kit)) + (await closeOld(kit))
}

/** Runs now and every five minutes; the stop resolves when no run is active. */
export function startFeedbackSweeping(kit: Pick<Kit, 'db' | 'clock' | 'log'>): () => Promise<void> {
  return startJob({
    log: kit.log,
    everyMs: sweepEveryMs,
    run: () => sweepFeedback(kit),
    failure: 'feedback tickets could not be swept',
  }).stop
}
