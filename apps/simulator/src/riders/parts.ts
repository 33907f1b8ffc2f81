import type { FleetVehicle } from '#sim/fleet/fleet.ts'
import type { Life } from '#sim/life/life.ts'
import type { Random } from '#sim/random.ts'
import type { Answer, RiderApi } from './api.ts'
import type { Patience } from './patience.ts'

export type Counts = {
  wished: number
  reserved: number
  begun: number
  paused: number
  walkedOn: number
  ended: number
  /** Rides that no call could end: the rider shut the lock and went. */
  byHand: number
  paid: number
  disputed: number
  complained: number
  /** What the platform refused, by its code; `away` where nobody answered. */
  refused: Map<string, number>
}

export type StoryParts = {
  readonly api: RiderApi
  readonly life: Life
  readonly patience: Patience
  readonly counts: Counts
  readonly vehicle: FleetVehicle
  readonly phone: string
  readonly random: Random
}

const secondMs = 1_000
const longestPauseMs = 30 * secondMs

/** Asks again and again while nobody answers; a refusal is an answer. */
export async function patiently<T>(
  { patience, counts }: { readonly patience: Patience; readonly counts: Pick<Counts, 'refused'> },
  forMs: number,
  ask: () => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const endMs = patience.nowMs + forMs
  for (let pauseMs = 2 * secondMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    const answer = await ask()
    if (answer.ok) return answer
    counts.refused.set(answer.code, (counts.refused.get(answer.code) ?? 0) + 1)
    if (answer.code !== 'away' || patience.nowMs + pauseMs > endMs) return answer
    await patience.wait({ forMs: pauseMs })
  }
}
