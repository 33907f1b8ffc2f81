import { dayMs, hourMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { startJob } from '#kit/job.ts'
import { removeUnattached } from './store.ts'

/** How long a photo is kept that no row refers to. */
export const unattachedForMs = dayMs
const sweepEveryMs = hourMs
/** In one transaction. */
const batchMax = 500

/** Removes photos unattached for a day; resolves to their number. */
export async function sweepPhotos({ db, clock }: Pick<Kit, 'db' | 'clock'>): Promise<number> {
  const before = new Date(clock.now() - unattachedForMs)
  let total = 0
  for (;;) {
    const count = await db.system((tx) => removeUnattached(tx, { before, limit: batchMax }))
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
    run: () => sweepPhotos(kit),
    failure: 'unattached photos could not be removed',
  }).stop
}
