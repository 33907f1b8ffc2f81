import { minuteMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { startJob } from '#kit/job.ts'

type Job = { readonly name: string; readonly run: () => Promise<unknown> }

const EVERY_MS = 5 * minuteMs

/** Runs the jobs in sequence, repeatedly; resolves the stop when none is running. */
export function startJobs({ log }: Pick<Kit, 'log'>, jobs: readonly Job[]): () => Promise<void> {
  const run = async (ending: AbortSignal): Promise<void> => {
    for (const job of jobs) {
      if (ending.aborted) return
      try {
        await job.run()
      } catch (err) {
        // A failing job does not prevent the others from running.
        log.error({ err, job: job.name }, 'a job of the finances failed')
      }
    }
  }
  return startJob({ log, everyMs: EVERY_MS, run, failure: 'the finances failed', isFirstLater: true }).stop
}
