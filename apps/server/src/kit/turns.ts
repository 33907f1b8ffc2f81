import type { Kit } from './kit.ts'

export type Turns = {
  /** Takes a turn now; one that runs already is not joined by a second. */
  readonly turn: () => void
  /** Ends the turns; resolves when none runs. */
  readonly stop: () => Promise<void>
}

/** Does the same thing now and every so often, one turn at a time; what a turn throws is logged and the next one comes. */
export function startTurns(options: {
  readonly log: Kit['log']
  readonly everyMs: number
  readonly run: () => Promise<unknown>
  /** What the log says of a turn that failed. */
  readonly failure: string
  /** The first turn comes after the first pause: what is heavy leaves the start to others. */
  readonly isFirstLater?: boolean
}): Turns {
  const { log, everyMs, run, failure, isFirstLater = false } = options
  let running: Promise<unknown> | null = null
  const turn = (): void => {
    running ??= run()
      .catch((err: unknown) => log.error({ err }, failure))
      .finally(() => {
        running = null
      })
  }
  const timer = setInterval(turn, everyMs)
  timer.unref()
  if (!isFirstLater) turn()
  const stop = async (): Promise<void> => {
    clearInterval(timer)
    await running
  }
  return { turn, stop }
}
