import { dayMs, hourMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { startTurns } from '#kit/turns.ts'
import { removeLoose } from './store.ts'

/** Photos that nothing shows are kept for so long. */
export const looseForMs = dayMs
const sweepEveryMs = hourMs
/** In one transaction. */
const batchMax = 500

/** Removes what has been loose for a day; resolves to the number of photos. */
export async function sweepPhotos({ db, clock }: Pick<Kit, 'db' | 'clock'>): Promise<number> {
  const before = new Date(clock.now() - looseForMs)
  let total = 0
  for (;;) {
    const count = await db.system((tx) => removeLoose(tx, { before, limit: batchMax }))
    total += count
    if (count < batchMax) return total
  }
}

/** Sweeps now and every hour; resolves the stop when no sweep runs. */
export function startSweeping(kit: Pick<Kit, 'db' | 'clock' | 'log'>): () => Promise<void> {
  const { log } = kit
  return startTurns({
    log,
    everyMs: sweepEveryMs,
    run: () => sweepPhotos(kit),
    failure: 'loose photos could not be removed',
  }).stop
}
