import type { Kit } from './kit.ts'

export type Job = {
  /** Runs the job now, unless it runs already. */
  readonly runNow: () => void
  /** Runs it no more; resolves when it is not running. */
  readonly stop: () => Promise<void>
}

/** Runs a job now and every so often, one run at a time; what a run throws is logged, and the next one comes. */
export function startJob(options: {
  readonly log: Kit['log']
  readonly everyMs: number
  /** Is given a signal that `stop` aborts, for a run that may end early. */
  readonly run: (ending: AbortSignal) => Promise<unknown>
  /** The log message for a failed run. */
  readonly failure: string
  /** The first run comes after the first pause: what is heavy leaves the start to others. */
  readonly isFirstLater?: boolean
}): Job {
  const { log, everyMs, run, failure, isFirstLater = false } = options
  const ending = new AbortController()
  let running: Promise<unknown> | null = null
  const runNow = (): void => {
    running ??= run(ending.signal)
      .catch((err: unknown) => log.error({ err }, failure))
      .finally(() => {
        running = null
      })
  }
  const timer = setInterval(runNow, everyMs)
  timer.unref()
  if (!isFirstLater) runNow()
  const stop = async (): Promise<void> => {
    clearInterval(timer)
    ending.abort()
    await running
  }
  return { runNow, stop }
}
