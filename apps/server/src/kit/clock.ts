/** The time, as milliseconds since 1970 UTC. Rules take it as an argument so that tests decide what time it is. */
export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }

export type ManualClock = Clock & { set(timeMs: number): void; advance(durationMs: number): void }

/** A clock for tests: it does not advance until the test moves it. */
export function createManualClock(startMs: number): ManualClock {
  let current = startMs
  return {
    now: () => current,
    set: (timeMs) => {
      current = timeMs
    },
    advance: (durationMs) => {
      current += durationMs
    },
  }
}
