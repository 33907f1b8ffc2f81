/** Time from outside, so that a test can drive a whole day. */
export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }
