import type { CommandState } from '@saddle/contract/fleet/commands.ts'
import type { OrderState } from '@saddle/contract/riding/orders.ts'

/** What a rider may ask of a ride. */
export type RideStep = 'unlock' | 'cancel' | 'pause' | 'resume' | 'end' | 'pay'

const stepsFrom: Readonly<Record<RideStep, readonly OrderState[]>> = {
  unlock: ['reserved'],
  cancel: ['reserved'],
  pause: ['riding'],
  resume: ['paused'],
  end: ['riding', 'paused'],
  pay: ['due'],
}

const ended = ['returning', 'due', 'paid', 'part_refunded', 'refunded'] as const satisfies OrderState[]
/** States in which the step has been taken already: asking again changes nothing and is no fault. */
const stepsTaken: Readonly<Record<RideStep, readonly OrderState[]>> = {
  unlock: ['unlocking', 'riding'],
  cancel: ['cancelled'],
  pause: ['paused'],
  resume: ['riding'],
  end: ended,
  pay: ['paid', 'part_refunded', 'refunded'],
}

/** Whether a step is to be taken, was taken already, or cannot be. */
export function outlookOfStep(state: OrderState, step: RideStep): 'take' | 'taken' | 'refuse' {
  if (stepsFrom[step].includes(state)) return 'take'
  return stepsTaken[step].includes(state) ? 'taken' : 'refuse'
}

/** So long after a vehicle was locked by hand its ride is over, unless the rider paused it. */
export const lockedByHandMs = 30_000

/** What is known of a ride that goes on. Commands are the last of their kind. */
export type RideFacts = {
  readonly state: OrderState
  readonly reservedUntil: number | null
  readonly unlock: { readonly state: CommandState; readonly finishedAt: number | null } | null
  readonly lock: { readonly state: CommandState; readonly finishedAt: number | null } | null
  /** When the rider last asked for something. */
  readonly changedAt: number
  /** When the vehicle's last ride ended; null while it is unlocked. */
  readonly lockedSince: number | null
  /** Whether the vehicle counts as free for anybody. */
  readonly isVehicleFree: boolean
}

/** What becomes of a ride by itself: its commands came to an end, its time is over, its vehicle was locked. */
export type RideTurn =
  /** `kept`: locked for a while only, so that nobody else is to find it free. */
  | { readonly to: 'cancelled' | 'failed' | 'paused' | 'kept' }
  | { readonly to: 'riding'; readonly startedAt: number | null }
  | { readonly to: 'ended'; readonly endedAt: number }

const isLost = (state: CommandState): boolean => state === 'failed' || state === 'expired'

/**
 * The next turn of a ride, or null while there is nothing to do. Any server may take it at any time, also one that
 * knows nothing of what happened before.
 */
export function nextTurn(facts: RideFacts, nowMs: number): RideTurn | null {
  const { state, unlock, lock } = facts
  switch (state) {
    case 'reserved':
      return facts.reservedUntil !== null && facts.reservedUntil <= nowMs ? { to: 'cancelled' } : null
    case 'unlocking':
      if (unlock === null || isLost(unlock.state)) return { to: 'failed' }
      return unlock.state === 'confirmed' ? { to: 'riding', startedAt: unlock.finishedAt } : null
    case 'riding':
      // Only a resumed ride can have lost its unlocking.
      if (unlock !== null && isLost(unlock.state)) return { to: 'paused' }
      return lockedByHand(facts, nowMs)
    case 'paused':
      if (lock !== null && isLost(lock.state)) return { to: 'riding', startedAt: null }
      return lock?.state === 'confirmed' && facts.isVehicleFree ? { to: 'kept' } : null
    case 'returning':
      if (lock === null || lock.state === 'confirmed') {
        return { to: 'ended', endedAt: Math.max(facts.changedAt, lock?.finishedAt ?? 0) }
      }
      if (facts.lockedSince !== null && facts.lockedSince >= facts.changedAt) {
        return { to: 'ended', endedAt: facts.lockedSince }
      }
      return isLost(lock.state) ? { to: 'riding', startedAt: null } : null
    case 'cancelled':
    case 'failed':
    case 'due':
    case 'paid':
    case 'part_refunded':
    case 'refunded':
      return null
  }
}

function lockedByHand({ unlock, lockedSince }: RideFacts, nowMs: number): RideTurn | null {
  if (lockedSince === null || unlock?.finishedAt === null || unlock === null) return null
  const isOfThisRide = lockedSince > unlock.finishedAt
  return isOfThisRide && lockedSince <= nowMs - lockedByHandMs ? { to: 'ended', endedAt: lockedSince } : null
}
