/** Waiting by the simulator's own steps, so that a day is the same however fast it is lived. */
export type Patience = {
  readonly nowMs: number
  /** Resolves to true as soon as `until` holds, to false when the time is over before. */
  wait(options: { forMs: number; until?: () => boolean }): Promise<boolean>
  /** Looks at everything that is waited for, in the order in which it began. */
  tick(nowMs: number): void
}

type Waiting = { readonly endMs: number; readonly until: () => boolean; readonly resolve: (holds: boolean) => void }

export function createPatience(startMs: number): Patience {
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
