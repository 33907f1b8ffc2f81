import { callTokenLifetimeMs, clockSkewMs } from '@saddle/contract/constants.ts'
import type { Clock } from '#kit/clock.ts'

/** From the first moment at which a token is taken to the last: its life, and the skew at both ends. */
export const replayWindowMs = callTokenLifetimeMs + 2 * clockSkewMs + 1_000

export interface ReplayGuard {
  /** True when the call was not seen before; from then on it was. */
  isNew(sessionId: number, jti: string): boolean
}

/**
 * Remembers calls for at least `replayWindowMs` in two sets that take turns: the older one is dropped whole, so
 * nothing is ever looked for to be deleted. When `callsMax` is reached within one turn, further calls count as seen:
 * forgetting one would let it be replayed.
 */
export function createReplayGuard({ clock, callsMax }: { clock: Clock; callsMax: number }): ReplayGuard {
  let young = new Set<string>()
  let old = new Set<string>()
  let turnedAt = clock.now()
  return {
    isNew: (sessionId, jti) => {
      const age = clock.now() - turnedAt
      if (age >= replayWindowMs) {
        old = age >= 2 * replayWindowMs ? new Set() : young
        young = new Set()
        turnedAt = clock.now()
      }
      const call = `${sessionId}:${jti}`
      if (young.has(call) || old.has(call) || young.size >= callsMax) return false
      young.add(call)
      return true
    },
  }
}
