import type { LifeParts } from './parts.ts'
import { sweepRides, watchCommands } from './turns.ts'

const sweepEveryMs = 2_000

/** Takes rides on now and again and again, and at once when a command is over; resolves the stop when no turn runs. */
export function startSweeping(parts: LifeParts): () => Promise<void> {
  const { log } = parts.kit
  let running: Promise<unknown> | null = null
  const turn = (): void => {
    // A turn that takes longer than the pause is not run twice at once.
    running ??= sweepRides(parts)
      .catch((err: unknown) => log.error({ err }, 'rides could not be taken on'))
      .finally(() => {
        running = null
      })
  }
  const timer = setInterval(turn, sweepEveryMs)
  timer.unref()
  const stopWatching = watchCommands(parts)
  turn()
  return async () => {
    clearInterval(timer)
    stopWatching()
    await running
  }
}
