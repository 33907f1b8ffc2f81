import type { PaymentChannelName } from '@saddle/contract/finance/payments.ts'
import { AppError } from '@saddle/contract/errors.ts'
import {
  orderReference,
  rideCharge,
  rideRefund,
  type Entry,
  type Ledger,
  type Payments,
  type PostedEntry,
  type RideSource,
} from '#finance/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'

export type Charge = {
  readonly agentId: number
  readonly riderId: number
  readonly orderId: number
  readonly cents: number
  readonly at: number
}

type Source = RideSource['account']
const giftOf = (riderId: number): Source => ({ kind: 'rider_gift', ownerId: riderId })
const balanceOf = (riderId: number): Source => ({ kind: 'rider_balance', ownerId: riderId })
const clearing = (channel: PaymentChannelName): Source => ({ kind: `clearing_${channel}` })

/** What the rider has paid in before: gifts are used up first. */
type Wallet = { readonly giftCents: number; readonly balanceCents: number }

async function walletOf(ledger: Ledger, tx: Tx, { agentId, riderId }: Charge): Promise<Wallet> {
  const accounts = [giftOf(riderId), balanceOf(riderId)]
  const [giftCents = 0, balanceCents = 0] = await ledger.balancesOf({ agentId, accounts }, tx)
  return { giftCents, balanceCents }
}

/**
 * Where the money for a ride comes from when a channel brought `paid` of it: the rest from gifts, then the balance. What
 * was paid beyond the charge becomes balance. Null: all of it together is not enough.
 */
export function sourcesOf(options: {
  readonly riderId: number
  readonly cents: number
  readonly wallet: Wallet
  readonly paid: { readonly channel: PaymentChannelName; readonly cents: number } | null
}): RideSource[] | null {
  const { riderId, cents, wallet, paid } = options
  const paidCents = paid?.cents ?? 0
  const missing = Math.max(0, cents - paidCents)
  const gift = Math.min(missing, wallet.giftCents)
  const balance = missing - gift
  if (balance > wallet.balanceCents) return null
  const parts: RideSource[] = [
    ...(paid === null ? [] : [{ account: clearing(paid.channel), cents: paidCents }]),
    { account: giftOf(riderId), cents: gift },
    { account: balanceOf(riderId), cents: balance - Math.max(0, paidCents - cents) },
  ]
  return parts.filter((part) => part.cents !== 0)
}

/** What the rider must pay by a channel, gift and balance being used up; 0: nothing. */
export async function missingCents(ledger: Ledger, tx: Tx, charge: Charge): Promise<number> {
  const { giftCents, balanceCents } = await walletOf(ledger, tx, charge)
  return Math.max(0, charge.cents - giftCents - balanceCents)
}

/**
 * Charges a ride from what the rider has already paid in, all of it or nothing, within the caller's transaction of the
 * system. Resolves to whether it is paid.
 */
export async function chargeWallet(ledger: Ledger, tx: Tx, charge: Charge): Promise<boolean> {
  if (charge.cents === 0) return true
  const wallet = await walletOf(ledger, tx, charge)
  const sources = sourcesOf({ ...charge, wallet, paid: null })
  if (sources === null) return false
  await ledger.post(rideCharge({ ...charge, sources }), tx)
  return true
}

/** The entry of a ride for which a channel brought money; null when that and the wallet are not enough any more. */
export async function chargeWithPayment(
  ledger: Ledger,
  tx: Tx,
  charge: Charge,
  paid: { readonly channel: PaymentChannelName; readonly cents: number },
): Promise<Entry | null> {
  const sources = sourcesOf({ ...charge, wallet: await walletOf(ledger, tx, charge), paid })
  return sources === null ? null : rideCharge({ ...charge, sources })
}

const isChannel = ({ kind }: Source): boolean => kind.startsWith('clearing_')
/** The account for money that a channel still has to refund. */
const payableTo = (riderId: number): Source => ({ kind: 'refund_payable', ownerId: riderId })

/** What each source of an order's money still has in it, in the order in which it is given back: the channel first. */
export function leftBySource(entries: readonly PostedEntry[]): RideSource[] {
  const left = new Map<string, { account: Source; cents: number }>()
  const all = entries.flatMap(({ lines }) => lines)
  const channel = all.find(({ account }) => isChannel(account))?.account
  for (const { account: posted, amountCents } of all) {
    if (posted.kind === 'agent_revenue') continue
    // What is on its way back through the channel is not in it any more.
    const account = posted.kind === 'refund_payable' && channel !== undefined ? channel : posted
    const name = `${account.kind} ${account.ownerId ?? 0}`
    const known = left.get(name) ?? { account, cents: 0 }
    known.cents -= amountCents
    left.set(name, known)
  }
  const rank = ({ account }: RideSource): number =>
    account.kind === 'rider_gift' ? 2 : account.kind === 'rider_balance' ? 1 : 0
  return [...left.values()].filter(({ cents }) => cents > 0).toSorted((a, b) => rank(a) - rank(b))
}

/**
 * Gives money of an order back to where it came from, within the caller's transaction of the system, which holds the
 * order's lock; the channel is asked for its part after the commit. Throws order_not_charged where the ledger knows of
 * less.
 */
export async function refundRide(
  { ledger, payments }: { readonly ledger: Ledger; readonly payments: Pick<Payments, 'giveBack'> },
  tx: Tx,
  refund: Charge & { readonly refundId: number; readonly reason: string },
): Promise<void> {
  const { agentId, riderId, orderId, reason } = refund
  const scope = scopeOfAgent(agentId)
  const entries = await ledger.entriesOf({ scope, reference: orderReference(orderId) })
  let wanted = refund.cents
  const targets: RideSource[] = []
  for (const { account, cents } of leftBySource(entries)) {
    const part = Math.min(wanted, cents)
    wanted -= part
    if (part <= 0) continue
    const asked = { agentId, purpose: 'ride', subjectId: orderId, cents: part, reason } as const
    const isHere = !isChannel(account) || (await payments.giveBack(tx, asked)) !== null
    // Money whose way here is not known cannot go back the same way.
    const target = isChannel(account) ? payableTo(riderId) : account
    targets.push({ account: isHere ? target : balanceOf(riderId), cents: part })
  }
  if (wanted > 0) throw new AppError('order_not_charged')
  await ledger.post(rideRefund({ ...refund, targets }), tx)
}
