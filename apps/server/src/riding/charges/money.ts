import type { EntryKind } from '@saddle/contract/finance/ledger.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Entry, Ledger, Line, PostedEntry } from '#finance/public.ts'
import type { Tx } from '#kit/db/pool.ts'

/** What the ledger calls an order. */
export const orderReference = (orderId: number): string => `order:${orderId}`

export type Charge = {
  readonly agentId: number
  readonly riderId: number
  readonly orderId: number
  readonly cents: number
  readonly at: number
}

type Source = Line['account']
const giftOf = (riderId: number): Source => ({ kind: 'rider_gift', ownerId: riderId })
const balanceOf = (riderId: number): Source => ({ kind: 'rider_balance', ownerId: riderId })
const channel: Source = { kind: 'clearing_sandbox' }
const revenue: Source = { kind: 'agent_revenue' }

/** Where the money for a ride comes from: gifts first, then the balance, what is left by the payment channel. */
export function sourcesOf(options: {
  riderId: number
  cents: number
  giftCents: number
  balanceCents: number
}): { readonly account: Source; readonly cents: number }[] {
  const { riderId, cents } = options
  const gift = Math.min(cents, options.giftCents)
  const balance = Math.min(cents - gift, options.balanceCents)
  const parts = [
    { account: giftOf(riderId), cents: gift },
    { account: balanceOf(riderId), cents: balance },
    { account: channel, cents: cents - gift - balance },
  ]
  return parts.filter((part) => part.cents > 0)
}

function entryOf(
  kind: EntryKind,
  key: string,
  { agentId, orderId, cents, at }: Charge,
  sources: ReturnType<typeof sourcesOf>,
): Entry {
  const taken = sources.map((source): Line => ({ account: source.account, amountCents: -source.cents }))
  return {
    agentId,
    kind,
    key,
    reference: orderReference(orderId),
    occurredAt: at,
    lines: [...taken, { account: revenue, amountCents: cents }],
  }
}

/** The entry of a ride that was paid by the channel alone. */
export const channelCharge = (charge: Charge): Entry =>
  entryOf('ride_charge', 'ride_charge', charge, [{ account: channel, cents: charge.cents }])

/**
 * Charges a ride within the caller's transaction of the system. `wallet`: only what the rider has already paid in, and
 * all of it or nothing; `any`: the rest by the payment channel. Resolves to whether it is paid.
 */
export async function chargeRide(ledger: Ledger, tx: Tx, charge: Charge, by: 'wallet' | 'any'): Promise<boolean> {
  const { agentId, riderId, cents } = charge
  if (cents === 0) return true
  const accounts = [giftOf(riderId), balanceOf(riderId)]
  const [giftCents = 0, balanceCents = 0] = await ledger.balancesOf({ agentId, accounts }, tx)
  if (by === 'wallet' && giftCents + balanceCents < cents) return false
  const sources = sourcesOf({ riderId, cents, giftCents, balanceCents })
  await ledger.post(entryOf('ride_charge', 'ride_charge', charge, sources), tx)
  return true
}

/** What each source of an order's money still has in it, in the order in which it is given back: the channel first. */
export function leftBySource(entries: readonly PostedEntry[]): { readonly account: Source; readonly cents: number }[] {
  const left = new Map<string, { account: Source; cents: number }>()
  for (const { account, amountCents } of entries.flatMap(({ lines }) => lines)) {
    if (account.kind === revenue.kind) continue
    const name = `${account.kind} ${account.ownerId ?? 0}`
    const known = left.get(name) ?? { account, cents: 0 }
    known.cents -= amountCents
    left.set(name, known)
  }
  const rank = ({ account }: { account: Source }): number =>
    account.kind === 'rider_gift' ? 2 : account.kind === 'rider_balance' ? 1 : 0
  return [...left.values()].filter(({ cents }) => cents > 0).toSorted((a, b) => rank(a) - rank(b))
}

/**
 * Gives money of an order back to where it came from, within the caller's transaction of the system, which holds the
 * order's lock. Throws order_not_charged where the ledger knows of less.
 */
export async function refundRide(
  ledger: Ledger,
  tx: Tx,
  refund: Charge & { readonly refundId: number },
): Promise<void> {
  const { agentId, orderId, refundId } = refund
  const scope = { agentIds: [agentId], areaIds: [], operatorId: null }
  const entries = await ledger.entriesOf({ scope, reference: orderReference(orderId) })
  let wanted = refund.cents
  const parts = leftBySource(entries).flatMap(({ account, cents }) => {
    const part = Math.min(wanted, cents)
    wanted -= part
    return part > 0 ? [{ account, cents: -part }] : []
  })
  if (wanted > 0) throw new AppError('order_not_charged')
  const back = { ...refund, cents: -refund.cents }
  await ledger.post(entryOf('ride_refund', `ride_refund:${refundId}`, back, parts), tx)
}
