import type { Log } from '#kit/log.ts'

/** Limit of concurrent jobs; beyond it a job is not accepted. */
const jobsMax = 500

export interface Background {
  /** Starts the job and returns at once; false when too many are running. Its error is logged. */
  run(what: string, job: () => Promise<void>): boolean
  /** Resolves when no job is running: for a graceful stop and for tests. */
  idle(): Promise<void>
}

/**
 * Jobs that no request waits for. Login uses it for work that only happens for registered numbers, so that response
 * times do not reveal them.
 */
export function createBackground({ log }: { log: Log }): Background {
  const running = new Set<Promise<void>>()
  return {
    run: (what, job) => {
      if (running.size >= jobsMax) {
        log.warn({ what }, 'the limit of background jobs is reached; the job is dropped')
        return false
      }
      const done: Promise<void> = job()
        .catch((err: unknown) => log.error({ err, what }, 'a background job failed'))
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
