import { hourMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { startJob } from '#kit/job.ts'
import { readSettingEverywhere } from '#settings/public.ts'
import { finalBefore } from './rules.ts'
import { answeredCompanies, closeAnswered, insertEvent } from './store.ts'

const sweepEveryMs = hourMs
/** In one transaction. */
const batchMax = 200

/** Closes answered tickets that were not reopened in time; resolves to their number. */
export async function sweepTickets({ db, clock }: Pick<Kit, 'db' | 'clock'>): Promise<number> {
  const companies = await db.system(async (tx) => {
    const daysIn = await readSettingEverywhere(tx, 'ticket_reopen_days')
    return (await answeredCompanies(tx)).map((agentId) => ({ agentId, reopenDays: daysIn.of({ agentId }) }))
  })
  let total = 0
  for (const company of companies) total += await closeOf({ db, clock }, company)
  return total
}

async function closeOf(
  { db, clock }: Pick<Kit, 'db' | 'clock'>,
  { agentId, reopenDays }: { readonly agentId: number; readonly reopenDays: number },
): Promise<number> {
  const at = new Date(clock.now())
  const before = new Date(finalBefore(clock.now(), reopenDays))
  let total = 0
  for (;;) {
    const count = await db.system(async (tx) => {
      const rows = await closeAnswered(tx, { agentId, before, at, limit: batchMax })
      for (const { id, area_id: areaId } of rows) {
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
