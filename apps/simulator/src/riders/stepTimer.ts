/** Waits by simulation steps, so that a day is the same at every speed. */
export type StepTimer = {
  readonly nowMs: number
  /** Resolves to true as soon as `until` holds, to false when the time is over before. */
  wait(options: { forMs: number; until?: () => boolean }): Promise<boolean>
  /** Checks all waits, in the order in which they were started. */
  tick(nowMs: number): void
}

type Waiting = { readonly endMs: number; readonly until: () => boolean; readonly resolve: (holds: boolean) => void }

export function createStepTimer(startMs: number): StepTimer {
  let waiting: Waiting[] = []
  let nowMs = startMs
  return {
    get nowMs() {
      return nowMs
    },
    wait: ({ forMs, until = () => false }) =>
      new Promise((resolve) => {
        if (until()) resolve(true)
        else waiting.push({ endMs: nowMs + forMs, until, resolve })
      }),
    tick(now) {
      nowMs = now
      const before = waiting
      waiting = []
      for (const one of before) {
        if (one.until()) one.resolve(true)
        else if (one.endMs <= now) one.resolve(false)
        else waiting.push(one)
      }
    },
  }
}
