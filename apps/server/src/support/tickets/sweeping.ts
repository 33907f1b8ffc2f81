import { hourMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { startJob } from '#kit/job.ts'
import { finalBefore } from './rules.ts'
import { closeAnswered, insertEvent } from './store.ts'

const sweepEveryMs = hourMs
/** In one transaction. */
const batchMax = 200

/** Closes answered tickets that were not reopened in time; resolves to their number. */
export async function sweepTickets({ db, clock }: Pick<Kit, 'db' | 'clock'>): Promise<number> {
  const at = new Date(clock.now())
  const before = new Date(finalBefore(clock.now()))
  let total = 0
  for (;;) {
    const count = await db.system(async (tx) => {
      const rows = await closeAnswered(tx, { before, at, limit: batchMax })
      for (const { id, agent_id: agentId, area_id: areaId } of rows) {
        await insertEvent(tx, { id, agentId, areaId }, { at, step: 'closed', by: null })
      }
      return rows.length
    })
    total += count
    if (count < batchMax) return total
  }
}

/** Runs now and every hour; the stop resolves when no run is active. */
export function startSweeping(kit: Pick<Kit, 'db' | 'clock' | 'log'>): () => Promise<void> {
  const { log } = kit
  return startJob({
    log,
    everyMs: sweepEveryMs,
    run: () => sweepTickets(kit),
    failure: 'answered tickets could not be closed',
  }).stop
}
