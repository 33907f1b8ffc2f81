import type { InviteTerms } from '@saddle/contract/marketing/inviteActivities.ts'
import type { InviteReason, InviteState } from '@saddle/contract/marketing/invites.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'

/** What of an invite its rules change. */
export type InviteCore = {
  readonly state: InviteState
  readonly reason: InviteReason | null
  readonly isCleared: boolean
  readonly boundAt: number
  readonly rideBy: number
  readonly countedAt: number | null
  readonly orderId: number | null
  readonly dueAt: number | null
  readonly endedAt: number | null
}

/** What tells that two accounts belong to one person, or that the invited one is not new. */
export type Likeness = {
  readonly sameDevice: boolean
  readonly samePayer: boolean
  readonly samePerson: boolean
  /** An older account with the same telephone or document. */
  readonly olderAccount: boolean
}

export type InviteRide = {
  readonly orderId: number
  readonly endedAt: number
  readonly minutes: number
  readonly metres: number
  readonly paidCents: number
  readonly areaId: number
  readonly isRefunded: boolean
}

type Checks = { readonly likeness: Likeness; readonly isClosed: boolean }

export type InviteEvent =
  /** A ride of the invited rider was paid. `refusal`: why the activity can reward nobody now. */
  | {
      readonly kind: 'ride'
      readonly ride: InviteRide
      readonly checks: Checks
      readonly refusal: InviteReason | null
    }
  | { readonly kind: 'refund'; readonly orderId: number; readonly at: number }
  /** Time passed. `checks` are needed where rewards are due. */
  | { readonly kind: 'time'; readonly at: number; readonly checks: Checks; readonly isRefunded: boolean }
  | { readonly kind: 'given'; readonly at: number; readonly isGiven: boolean }
  | { readonly kind: 'refuse'; readonly at: number }
  | { readonly kind: 'clear'; readonly at: number; readonly isRefunded: boolean }

type FraudTerms = Pick<InviteTerms, 'refuseSameDevice' | 'refuseSamePayer' | 'refuseSamePerson'>
export type StepTerms = FraudTerms &
  Pick<InviteTerms, 'minMinutes' | 'minMetres' | 'waitHours' | 'rideDays'> & { readonly areaIds: readonly number[] }

/** Why two accounts must not reward each other; null where nothing speaks against it. */
export function likenessReason(likeness: Likeness, terms: FraudTerms): InviteReason | null {
  if (terms.refuseSamePerson && likeness.samePerson) return 'person'
  if (terms.refuseSamePayer && likeness.samePayer) return 'payer'
  if (terms.refuseSameDevice && likeness.sameDevice) return 'device'
  return (terms.refuseSameDevice || terms.refuseSamePerson) && likeness.olderAccount ? 'rode' : null
}

/** Whether the invited rider may not be brought by this one, by where both stand in the tree. */
export function treeReason(options: {
  readonly invitedId: number
  readonly inviterId: number
  /** The inviter's inviter and so on, the nearest first. */
  readonly ancestors: readonly number[]
  readonly depthMax: number
}): 'cycle' | 'depth' | null {
  const { invitedId, inviterId, ancestors, depthMax } = options
  if (inviterId === invitedId || ancestors.includes(invitedId)) return 'cycle'
  return ancestors.length + 1 > depthMax ? 'depth' : null
}

/** Whether a ride is one that an invite waits for. */
export function rideCounts(
  ride: InviteRide,
  invite: Pick<InviteCore, 'boundAt' | 'rideBy'>,
  terms: StepTerms,
): boolean {
  if (ride.paidCents <= 0 || ride.isRefunded) return false
  if (ride.endedAt < invite.boundAt || ride.endedAt > invite.rideBy) return false
  if (terms.areaIds.length > 0 && !terms.areaIds.includes(ride.areaId)) return false
  return ride.minutes >= terms.minMinutes && ride.metres >= terms.minMetres
}

const refused = <I extends InviteCore>(invite: I, reason: InviteReason, at: number): I => ({
  ...invite,
  state: 'refused',
  reason,
  endedAt: at,
})

/** The invite after an event; the same one where the event changes nothing. */
export function step<I extends InviteCore>(invite: I, event: InviteEvent, terms: StepTerms): I {
  switch (event.kind) {
    case 'ride':
      return afterRide(invite, event, terms)
    case 'refund':
      if (invite.orderId !== event.orderId) return invite
      if (invite.state !== 'pending' && invite.state !== 'rewarded') return invite
      return { ...invite, state: 'reversed', reason: 'refund', endedAt: event.at }
    case 'time':
      return afterTime(invite, event, terms)
    case 'given':
      if (invite.state !== 'pending') return invite
      if (!event.isGiven) return refused(invite, 'undelivered', event.at)
      return { ...invite, state: 'rewarded', reason: null, endedAt: event.at }
    case 'refuse':
      return isOpen(invite) ? refused(invite, 'staff', event.at) : invite
    case 'clear':
      return afterClear(invite, event, terms)
  }
}

/** Nothing was given for it yet, and something may be. */
export const isOpen = ({ state }: Pick<InviteCore, 'state'>): boolean => state === 'registered' || state === 'pending'

const reasonOf = (invite: InviteCore, checks: Checks, terms: StepTerms): InviteReason | null => {
  if (checks.isClosed) return 'closed'
  return invite.isCleared ? null : likenessReason(checks.likeness, terms)
}

function afterRide<I extends InviteCore>(
  invite: I,
  { ride, checks, refusal }: Extract<InviteEvent, { kind: 'ride' }>,
  terms: StepTerms,
): I {
  if (invite.state !== 'registered' || !rideCounts(ride, invite, terms)) return invite
  const counted = { ...invite, countedAt: ride.endedAt, orderId: ride.orderId }
  const reason = reasonOf(invite, checks, terms) ?? refusal
  if (reason !== null) return refused(counted, reason, ride.endedAt)
  return { ...counted, state: 'pending', dueAt: ride.endedAt + terms.waitHours * hourMs }
}

/** A ride that ended in time may be paid a while later. */
export const lateGraceMs = dayMs
/** How long before the rewards are due the accounts are compared again. */
export const checkBeforeMs = 10 * minuteMs

function afterTime<I extends InviteCore>(
  invite: I,
  { at, checks, isRefunded }: Extract<InviteEvent, { kind: 'time' }>,
  terms: StepTerms,
): I {
  if (invite.state === 'registered') return at > invite.rideBy + lateGraceMs ? refused(invite, 'late', at) : invite
  if (invite.state !== 'pending' || invite.dueAt === null || at < invite.dueAt - checkBeforeMs) return invite
  if (isRefunded) return { ...invite, state: 'reversed', reason: 'refund', endedAt: at }
  const reason = reasonOf(invite, checks, terms)
  return reason === null ? invite : refused(invite, reason, at)
}

/** Whoever lets one through decides about fraud; a refunded ride stays refunded, and no rider stands above themselves. */
function afterClear<I extends InviteCore>(
  invite: I,
  { at, isRefunded }: Extract<InviteEvent, { kind: 'clear' }>,
  terms: StepTerms,
): I {
  if (invite.state !== 'refused' || invite.reason === 'cycle' || isRefunded) return invite
  const open = { ...invite, reason: null, endedAt: null, isCleared: true }
  if (invite.countedAt === null) {
    return { ...open, state: 'registered', rideBy: Math.max(invite.rideBy, at + terms.rideDays * dayMs) }
  }
  return { ...open, state: 'pending', dueAt: Math.max(at + minuteMs, invite.countedAt + terms.waitHours * hourMs) }
}
