import type { Kit } from '#kit/kit.ts'

type Job = { readonly name: string; readonly run: () => Promise<unknown> }

const EVERY_MS = 5 * 60_000

/** Runs the jobs one after the other, now and again and again; resolves the stop when none runs. */
export function startJobs({ log }: Pick<Kit, 'log'>, jobs: readonly Job[]): () => Promise<void> {
  let running: Promise<void> | null = null
  let isOver = false
  const turn = async (): Promise<void> => {
    for (const { name, run } of jobs) {
      if (isOver) return
      try {
        await run()
      } catch (err) {
        log.error({ err, job: name }, 'a job of the finances failed')
      }
    }
  }
  const begin = (): void => {
    running ??= turn().finally(() => {
      running = null
    })
  }
  const timer = setInterval(begin, EVERY_MS)
  timer.unref()
  return async () => {
    isOver = true
    clearInterval(timer)
    await running
  }
}
