import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'

/** How much riders ask beside their rides, and how long they stop after a refusal. */

/** Of the whole city in a minute; a busy hour of 2,000 vehicles needs a third of it. */
const callsPerMinute = 240
const restAfterAwayMs = 30_000
const restMaxMs = 15 * minuteMs

export type Budget = {
  /** Whether another call may be made now; it counts then. */
  take(nowMs: number): boolean
  /** The platform did not answer, or it did. */
  note(isAway: boolean, nowMs: number): void
}

/** Of all riders together: so many calls in a minute, and none for a while when the platform does not answer. */
export function createBudget(): Budget {
  let minute = 0
  let used = 0
  let restUntilMs = 0
  let restMs = restAfterAwayMs
  return {
    take(nowMs) {
      if (nowMs < restUntilMs) return false
      const at = Math.floor(nowMs / minuteMs)
      if (at !== minute) [minute, used] = [at, 0]
      if (used >= callsPerMinute) return false
      used++
      return true
    },
    note(isAway, nowMs) {
      if (!isAway) {
        restMs = restAfterAwayMs
        return
      }
      if (nowMs < restUntilMs) return
      restUntilMs = nowMs + restMs
      restMs = Math.min(restMaxMs, restMs * 2)
    },
  }
}

const firstPauseMs = hourMs
const pauseMaxMs = 7 * dayMs

/** What one rider does not try again for a while, because it was refused. */
export type Pauses = Map<string, { untilMs: number; pauseMs: number }>

export const isPaused = (pauses: Pauses, what: string, nowMs: number): boolean =>
  (pauses.get(what)?.untilMs ?? 0) > nowMs

export function pauseAfterRefusal(pauses: Pauses, what: string, nowMs: number): void {
  const pauseMs = Math.min(pauseMaxMs, (pauses.get(what)?.pauseMs ?? firstPauseMs / 2) * 2)
  pauses.set(what, { untilMs: nowMs + pauseMs, pauseMs })
}
