import { startJob } from '#kit/job.ts'
import type { LifeParts } from './parts.ts'
import { sweepRides, watchCommands } from './turns.ts'

const sweepEveryMs = 2_000

/** Advances rides periodically, and at once when a command ends; resolves the stop when no run is active. */
export function startSweeping(parts: LifeParts): () => Promise<void> {
  const turns = startJob({
    log: parts.kit.log,
    everyMs: sweepEveryMs,
    run: () => sweepRides(parts),
    failure: 'rides could not be taken on',
  })
  const stopWatching = watchCommands(parts)
  return async () => {
    stopWatching()
    await turns.stop()
  }
}
