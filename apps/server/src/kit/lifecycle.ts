import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from './log.ts'

/**
 * Order of a stop: `refuse` (take nothing new), `drain` (finish what runs), `close` (let go of connections and files,
 * last opened first).
 */
export type StopPhase = 'refuse' | 'drain' | 'close'

export type Lifecycle = {
  /** True from the first moment of a stop: /readyz answers 503 then. */
  isStopping(): boolean
  onStop(hook: { phase: StopPhase; name: string; run: () => void | Promise<void> }): void
  /** Runs the stop once, however often it is asked for. Never rejects; true when every hook ended well and in time. */
  stop(reason: string): Promise<boolean>
  /** Stops in order on SIGTERM, SIGINT and, for a child process, when the parent is gone; then calls `exit`. */
  listen(exit: (code: number) => void): void
}

type Hook = Parameters<Lifecycle['onStop']>[0]

const DEFAULT_PHASE_MS = { refuse: 2_000, drain: 10_000, close: 20_000 } as const
// Ctrl-C reaches every process of the group, and the parent passes it on once more.
const SAME_SIGNAL_MS = 1_500

/** `announceMs`: how long a stop in order goes on serving while /readyz answers 503, so that balancers send nothing new. */
export function createLifecycle(options: {
  log: Log
  phaseMs?: Record<StopPhase, number>
  announceMs?: number
}): Lifecycle {
  const { log, phaseMs = DEFAULT_PHASE_MS, announceMs = 0 } = options
  let isAnnounced = false
  const hooks: Hook[] = []
  let stopping: Promise<boolean> | null = null

  const runHook = async ({ name, run }: Hook): Promise<boolean> => {
    try {
      await run()
      return true
    } catch (err) {
      log.error({ err, name }, 'a part did not stop cleanly')
      return false
    }
  }
  const runPhase = async (phase: StopPhase): Promise<boolean> => {
    const ofPhase = hooks.filter((hook) => hook.phase === phase).toReversed()
    if (phase !== 'close') return (await Promise.all(ofPhase.map(runHook))).every(Boolean)
    let isGood = true
    for (const hook of ofPhase) isGood = (await runHook(hook)) && isGood
    return isGood
  }
  const stopAll = async (reason: string): Promise<boolean> => {
    log.info({ reason }, 'stopping')
    let isGood = true
    for (const phase of ['refuse', 'drain', 'close'] as const) {
      const abort = new AbortController()
      const late = sleep(phaseMs[phase], 'late' as const, { signal: abort.signal }).catch(() => 'late' as const)
      const outcome = await Promise.race([runPhase(phase), late])
      abort.abort()
      if (outcome === 'late') log.error({ phase, ms: phaseMs[phase] }, 'stopping took too long, going on')
      isGood = isGood && outcome === true
    }
    log.info('stopped')
    return isGood
  }
  const stop = (reason: string): Promise<boolean> => (stopping ??= stopAll(reason))

  return {
    isStopping: () => isAnnounced || stopping !== null,
    onStop: (hook) => {
      hooks.push(hook)
    },
    stop,
    listen: (exit) =>
      listen({
        exit,
        stop: async (reason) => {
          isAnnounced = true
          if (announceMs > 0) {
            log.info({ reason, announceMs }, 'ready for nothing new')
            await sleep(announceMs)
          }
          return stop(reason)
        },
      }),
  }
}

function listen(options: { stop: Lifecycle['stop']; exit: (code: number) => void }): void {
  const { stop, exit } = options
  let firstAt: number | null = null
  const end = (reason: string): void => {
    const now = performance.now()
    // Asked again by an impatient person: go at once, the database replays its log.
    if (firstAt !== null && now - firstAt > SAME_SIGNAL_MS) exit(130)
    if (firstAt !== null) return
    firstAt = now
    void stop(reason).then((isGood) => exit(isGood ? 0 : 1))
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end(signal))
  if (process.connected) process.once('disconnect', () => end('the parent process is gone'))
}
