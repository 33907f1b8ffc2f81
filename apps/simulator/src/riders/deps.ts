import type { FleetVehicle } from '#sim/fleet/fleet.ts'
import type { Life } from '#sim/life/life.ts'
import type { Random } from '#sim/random.ts'
import type { Answer, RiderApi } from './api.ts'
import type { StepTimer } from './stepTimer.ts'

export type Counts = {
  requested: number
  reserved: number
  started: number
  paused: number
  continued: number
  ended: number
  /** Rides that no call could end: the rider closed the lock by hand. */
  lockedManually: number
  paid: number
  disputed: number
  complained: number
  /** Refusals of the platform by code; `away` when it did not answer. */
  refused: Map<string, number>
}

export type RideDeps = {
  readonly api: RiderApi
  readonly life: Life
  readonly timer: StepTimer
  readonly counts: Counts
  readonly vehicle: FleetVehicle
  readonly phone: string
  /** The payment account; absent where a ride of an earlier run goes on. */
  readonly payer?: string | undefined
  readonly random: Random
}

const secondMs = 1_000
const longestPauseMs = 30 * secondMs

/** Repeats a call while the platform does not answer; a refusal is an answer. */
export async function withRetry<T>(
  { timer, counts }: { readonly timer: StepTimer; readonly counts: Pick<Counts, 'refused'> },
  forMs: number,
  ask: () => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const endMs = timer.nowMs + forMs
  for (let pauseMs = 2 * secondMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    const answer = await ask()
    if (answer.ok) return answer
    counts.refused.set(answer.code, (counts.refused.get(answer.code) ?? 0) + 1)
    if (answer.code !== 'away' || timer.nowMs + pauseMs > endMs) return answer
    await timer.wait({ forMs: pauseMs })
  }
}
