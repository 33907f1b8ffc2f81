import type { Log } from '#kit/log.ts'

/** Jobs that may wait at the same time; beyond it a job is not taken. */
const jobsMax = 500

export interface Background {
  /** Starts the job and returns at once; false when too many are running. Its error is logged. */
  run(what: string, job: () => Promise<void>): boolean
  /** Resolves when nothing runs any more: for a graceful stop and for tests. */
  idle(): Promise<void>
}

/**
 * Work that nobody waits for. Login uses it for what only happens for a number that exists: the time of an answer
 * must not tell.
 */
export function createBackground({ log }: { log: Log }): Background {
  const running = new Set<Promise<void>>()
  return {
    run: (what, job) => {
      if (running.size >= jobsMax) {
        log.warn({ what }, 'too much runs in the background already')
        return false
      }
      const done: Promise<void> = job()
        .catch((err: unknown) => log.error({ err, what }, 'a job in the background failed'))
        .finally(() => running.delete(done))
      running.add(done)
      return true
    },
    idle: async () => {
      // A job may start another one.
      while (running.size > 0) await Promise.all(running)
    },
  }
}
