import type {
  BillLineState,
  DifferenceKind,
  DifferenceResolution,
  DifferenceState,
  OwnState,
} from '@saddle/contract/finance/channelBills.ts'

/** What a bill says of a payment or refund. */
export type OfBill = { readonly cents: number; readonly status: BillLineState }
/** What the platform has of it; `day` is the one on which it was paid or done, null while it is not. */
export type OfPlatform = { readonly cents: number; readonly status: OwnState; readonly day: string | null }

export type Judged = {
  readonly kind: DifferenceKind
  readonly state: Extract<DifferenceState, 'parked' | 'cleared'>
  readonly deltaCents: number
  readonly heldCents: number
}

const isSettled = ({ status }: OfPlatform): boolean => status === 'paid' || status === 'done'

/** By how much money at the channel grows, as each side has it. */
const effect = (isRefund: boolean, counts: boolean, cents: number): number => (counts ? (isRefund ? -cents : cents) : 0)

/**
 * What differs between a bill's line and a payment or refund of the platform; null where nothing does. `otherDayCompared`: the
 * bill of the day on which the other side has it was compared already, so that both sides of a cross-day are known.
 */
export function judge({
  isRefund,
  day,
  bill,
  own,
  otherDayCompared,
}: {
  readonly isRefund: boolean
  readonly day: string
  readonly bill: OfBill | null
  readonly own: OfPlatform | null
  readonly otherDayCompared: boolean
}): Judged | null {
  const billEffect = effect(isRefund, bill?.status === 'success', bill?.cents ?? 0)
  const ownEffect = effect(isRefund, own !== null && isSettled(own), own?.cents ?? 0)
  const deltaCents = billEffect - ownEffect
  // What the channel holds less than the books say does not become available.
  const heldCents = Math.max(0, -deltaCents)
  const parked = (kind: DifferenceKind): Judged => ({ kind, state: 'parked', deltaCents, heldCents })
  if (bill === null) return own === null ? null : parked('short')
  if (own === null) return parked('long')
  if (bill.cents !== own.cents && bill.status === 'success') return parked('amount')
  if (deltaCents !== 0) return parked('status')
  if (own.day === null || own.day === day) return null
  return { kind: 'cross_day', state: otherDayCompared ? 'cleared' : 'parked', deltaCents: 0, heldCents: 0 }
}

/** Ways of resolving a difference. */
export function resolutionsOf(difference: {
  readonly kind: DifferenceKind
  readonly state: DifferenceState
  readonly isRefund: boolean
  readonly deltaCents: number
  readonly ownStatus: OwnState | null
  readonly billStatus: BillLineState | null
}): DifferenceResolution[] {
  const { kind, state, isRefund, deltaCents, ownStatus, billStatus } = difference
  if (state !== 'open' && state !== 'suspended') return []
  if (kind === 'cross_day') return ['write_off']
  const isBookable =
    kind === 'status' && billStatus === 'success' && ownStatus !== null && ownStatus !== 'paid' && ownStatus !== 'done'
  const all: readonly (DifferenceResolution | false)[] = [
    isBookable && state === 'open' && 'book',
    // What the channel holds too much of a payment goes back to whoever paid.
    !isBookable && !isRefund && deltaCents > 0 && state === 'open' && 'refund',
    'adjust',
    state === 'open' && deltaCents !== 0 && 'suspend',
    'write_off',
  ]
  return all.filter((resolution) => resolution !== false)
}

/**
 * Fees of companies in whole cents, whose sum is the rounded sum of all: what is left over goes to the largest remainders.
 */
export function feesInCents(fees: ReadonlyMap<number, number>): Map<number, number> {
  const parts = [...fees].map(([agentId, millicents]) => {
    const cents = Math.floor(millicents / 1_000)
    return { agentId, cents, rest: millicents - cents * 1_000 }
  })
  const total = Math.round(parts.reduce((sum, { cents, rest }) => sum + cents * 1_000 + rest, 0) / 1_000)
  let left = total - parts.reduce((sum, { cents }) => sum + cents, 0)
  const ordered = parts.toSorted((a, b) => b.rest - a.rest || a.agentId - b.agentId)
  const rounded = new Map<number, number>()
  for (const { agentId, cents, rest } of ordered) {
    const isUp = left > 0 && rest > 0
    if (isUp) left -= 1
    rounded.set(agentId, isUp ? cents + 1 : cents)
  }
  return rounded
}
