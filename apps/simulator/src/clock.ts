/** Injected clock, so that a test can run a whole day. */
export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }
