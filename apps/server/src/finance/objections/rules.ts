import { objectionDays, type ObjectionAct, type ObjectionState } from '@saddle/contract/finance/objections.ts'
import { dayMs } from '@saddle/contract/time.ts'

/** What is held: of what is not paid as much as there is, the rest of what was paid. */
export function holdOf({ disputedCents, openCents }: { readonly disputedCents: number; readonly openCents: number }): {
  readonly unpaidCents: number
  readonly paidCents: number
} {
  const unpaidCents = Math.min(disputedCents, openCents)
  return { unpaidCents, paidCents: disputedCents - unpaidCents }
}

/** What is held of disputed income: of what is in transit as much as there is, the rest of what is available. */
export function holdOfIncome(of: {
  readonly disputedCents: number
  readonly inTransitCents: number
  readonly availableCents: number
}): { readonly transitCents: number; readonly heldCents: number } {
  const transitCents = Math.min(of.disputedCents, Math.max(0, of.inTransitCents))
  return { transitCents, heldCents: Math.min(of.disputedCents - transitCents, Math.max(0, of.availableCents)) }
}

/** What of the paid part goes back when so much is accepted: what was not paid is taken off first. */
export const backOf = (held: {
  readonly disputedCents: number
  readonly paidCents: number
  readonly acceptedCents: number
}): number => Math.max(0, held.acceptedCents - (held.disputedCents - held.paidCents))

/** Spreads what is accepted over the lines in their order. */
export function spread(
  acceptedCents: number,
  lines: readonly { readonly lineId: number; readonly cents: number }[],
): { readonly lineId: number; readonly cents: number; readonly acceptedCents: number }[] {
  let left = acceptedCents
  return lines.map(({ lineId, cents }) => {
    const accepted = Math.min(left, cents)
    left -= accepted
    return { lineId, cents, acceptedCents: accepted }
  })
}

export const isObjectionLate = ({ issuedAt, nowMs }: { readonly issuedAt: number; readonly nowMs: number }): boolean =>
  nowMs > issuedAt + objectionDays * dayMs

interface Who {
  readonly state: ObjectionState
  readonly isPlatform: boolean
  readonly isOwn: boolean
  /** The person took it up, and it was escalated past them. */
  readonly isReviewer: boolean
}

/** What a person may do about an objection now. */
export function actsOf({ state, isPlatform, isOwn, isReviewer }: Who): ObjectionAct[] {
  if (state === 'submitted')
    return [...(isPlatform ? (['take'] as const) : []), ...(isOwn ? (['withdraw'] as const) : [])]
  if (state === 'under_review') {
    return [
      ...(isPlatform ? (['accept', 'refuse', 'escalate'] as const) : []),
      ...(isOwn ? (['escalate', 'withdraw'] as const) : []),
    ].filter((act, index, all) => all.indexOf(act) === index)
  }
  // After escalation somebody else decides.
  if (state === 'escalated' && isPlatform && !isReviewer) return ['accept', 'refuse']
  return []
}

/** The state after an act. */
export const stateAfter: Readonly<Record<ObjectionAct, ObjectionState>> = {
  take: 'under_review',
  accept: 'accepted',
  refuse: 'refused',
  escalate: 'escalated',
  withdraw: 'withdrawn',
}
