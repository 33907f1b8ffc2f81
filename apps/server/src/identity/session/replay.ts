import { callTokenLifetimeMs, clockSkewMs } from '@saddle/contract/constants.ts'
import type { Clock } from '#kit/clock.ts'

/** How long a token is accepted: its lifetime and the clock skew at both ends. */
export const replayWindowMs = callTokenLifetimeMs + 2 * clockSkewMs + 1_000

export interface ReplayGuard {
  /** True when the call is new; records it. */
  isNew(sessionId: number, jti: string): boolean
}

/**
 * Remembers calls for at least `replayWindowMs` in two alternating sets: the older one is dropped as a whole, so
 * single entries need no deletion. When `callsMax` is reached within one period, further calls count as repeated:
 * dropping one would allow its replay.
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
