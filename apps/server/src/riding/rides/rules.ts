import type { CommandState } from '@saddle/contract/fleet/commands.ts'
import type { OrderState } from '@saddle/contract/riding/orders.ts'
import type { RideState } from '@saddle/contract/riding/rides.ts'

/** What a rider may ask of a ride. */
export type RideStep = 'unlock' | 'cancel' | 'pause' | 'resume' | 'end' | 'pay'

const stepsFrom: Readonly<Record<RideStep, readonly RideState[]>> = {
  unlock: ['reserved'],
  cancel: ['reserved'],
  pause: ['riding'],
  resume: ['paused'],
  end: ['riding', 'pausing', 'paused', 'resuming'],
  pay: ['due'],
}

const ended = ['returning', 'due', 'paid', 'part_refunded', 'refunded'] as const satisfies OrderState[]
/** States in which the step is already done: asking again changes nothing and is not an error. */
const stepsTaken: Readonly<Record<RideStep, readonly RideState[]>> = {
  unlock: ['unlocking', 'riding'],
  cancel: ['cancelled'],
  pause: ['pausing', 'paused'],
  resume: ['resuming', 'riding'],
  end: ended,
  pay: ['paid', 'part_refunded', 'refunded'],
}

/** Whether a step must be taken, is already done, or is impossible. */
export function outlookOfStep(state: RideState, step: RideStep): 'take' | 'taken' | 'refuse' {
  if (stepsFrom[step].includes(state)) return 'take'
  return stepsTaken[step].includes(state) ? 'taken' : 'refuse'
}

/**
 * The ride's state as its rider sees it. The order itself changes only when the lock has answered: until then its
 * latest command shows what is in progress.
 */
export function rideStateOf(ride: {
  readonly state: OrderState
  readonly unlockCommandId: number | null
  readonly lockCommandId: number | null
}): RideState {
  const [unlock, lock] = [ride.unlockCommandId ?? 0, ride.lockCommandId ?? 0]
  if (ride.state === 'riding' && lock > unlock) return 'pausing'
  if (ride.state === 'paused' && unlock > lock) return 'resuming'
  return ride.state
}

/** A ride ends this long after its vehicle was locked by hand, unless the rider paused it. */
export const lockedByHandMs = 30_000

/** What is known about a running ride. Commands are the last of their kind. */
export type RideFacts = {
  readonly state: RideState
  readonly reservedUntil: number | null
  readonly unlock: { readonly state: CommandState; readonly finishedAt: number | null } | null
  readonly lock: { readonly state: CommandState; readonly finishedAt: number | null } | null
  /** When the rider last asked for something. */
  readonly changedAt: number
  /** When the vehicle's last ride ended; null while it is unlocked. */
  readonly lockedSince: number | null
  /** Whether the vehicle counts as available to all riders. */
  readonly isVehicleFree: boolean
}

/** What happens to a ride without a call: its commands ended, its time is over, or its vehicle was locked. */
export type RideTurn =
  /**
   * `kept`: locked temporarily, so that other riders do not find it available. `not_locked` and `not_unlocked`: the
   * step failed and the ride is unchanged.
   */
  | { readonly to: 'cancelled' | 'failed' | 'paused' | 'kept' | 'not_locked' | 'not_unlocked' }
  | { readonly to: 'riding'; readonly startedAt: number | null }
  | { readonly to: 'ended'; readonly endedAt: number }

const isLost = (state: CommandState): boolean => state === 'failed' || state === 'expired'

/**
 * The next step of a ride, or null while there is nothing to do. Any server may take it at any time, even one without
 * knowledge of earlier steps.
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
      return lockedByHand(facts, nowMs)
    case 'pausing':
      if (lock?.state === 'confirmed') return { to: 'paused' }
      // The vehicle reports that it is locked, though its answer to the command was lost.
      if (facts.lockedSince !== null && facts.lockedSince >= facts.changedAt) return { to: 'paused' }
      return lock === null || isLost(lock.state) ? { to: 'not_locked' } : null
    case 'paused':
      return facts.isVehicleFree ? { to: 'kept' } : null
    case 'resuming':
      if (unlock === null || isLost(unlock.state)) return { to: 'not_unlocked' }
      return unlock.state === 'confirmed' ? { to: 'riding', startedAt: unlock.finishedAt } : null
    case 'returning':
      if (lock === null || lock.state === 'confirmed') {
        return { to: 'ended', endedAt: Math.max(facts.changedAt, lock?.finishedAt ?? 0) }
      }
      if (facts.lockedSince !== null && facts.lockedSince >= facts.changedAt) {
        return { to: 'ended', endedAt: facts.lockedSince }
      }
      return isLost(lock.state) ? { to: 'not_locked' } : null
    case 'cancelled':
    case 'failed':
    case 'due':
    case 'paid':
    case 'part_refunded':
    case 'refunded':
      return null
  }
}

function lockedByHand({ unlock, lockedSince, changedAt }: RideFacts, nowMs: number): RideTurn | null {
  const openSince = unlock === null ? changedAt : unlock.finishedAt
  if (lockedSince === null || openSince === null) return null
  const isOfThisRide = lockedSince > openSince
  return isOfThisRide && lockedSince <= nowMs - lockedByHandMs ? { to: 'ended', endedAt: lockedSince } : null
}
