import type { Kit } from '#kit/kit.ts'
import { removeLoose } from './store.ts'

/** Photos that nothing shows are kept for so long. */
export const looseForMs = 24 * 3_600_000
const sweepEveryMs = 3_600_000
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
  let running: Promise<unknown> | null = null
  const turn = (): void => {
    running ??= sweepPhotos(kit)
      .catch((err: unknown) => kit.log.error({ err }, 'loose photos could not be removed'))
      .finally(() => {
        running = null
      })
  }
  const timer = setInterval(turn, sweepEveryMs)
  timer.unref()
  turn()
  return async () => {
    clearInterval(timer)
    await running
  }
}
