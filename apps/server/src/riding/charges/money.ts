import { sql } from 'kysely'
import type { PaymentChannelName } from '@saddle/contract/finance/payments.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { SkippedBenefit } from '@saddle/contract/riding/benefits.ts'
import {
  orderReference,
  rideCharge,
  rideRefund,
  type Entry,
  type Gifts,
  type Ledger,
  type Payments,
  type PostedEntry,
  type RideSource,
} from '#finance/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { payByGifts } from '../pricing/gifts.ts'

export type Charge = {
  readonly agentId: number
  readonly areaId: number
  readonly riderId: number
  readonly orderId: number
  readonly cents: number
  readonly at: number
}

/** What pays for rides. */
export type Purse = { readonly ledger: Ledger; readonly gifts: Pick<Gifts, 'held' | 'use'> }

type Source = RideSource['account']
const giftOf = (riderId: number): Source => ({ kind: 'rider_gift', ownerId: riderId })
const balanceOf = (riderId: number): Source => ({ kind: 'rider_balance', ownerId: riderId })
const clearing = (channel: PaymentChannelName): Source => ({ kind: `clearing_${channel}` })

type Paid = { readonly channel: PaymentChannelName; readonly cents: number }

/**
 * Where the money for a ride comes from when a channel brought `paid` of it: the rest from gifts, then the balance. What
 * was paid beyond the charge becomes balance. Null: all of it together is not enough.
 */
function sourcesOf(options: {
  readonly charge: Charge
  readonly giftCents: number
  readonly balanceCents: number
  readonly paid: Paid | null
}): RideSource[] | null {
  const { charge, giftCents, balanceCents, paid } = options
  const { riderId, cents } = charge
  const paidCents = paid?.cents ?? 0
  const balance = Math.max(0, cents - paidCents) - giftCents
  if (balance > balanceCents) return null
  const parts: RideSource[] = [
    ...(paid === null ? [] : [{ account: clearing(paid.channel), cents: paidCents }]),
    { account: giftOf(riderId), cents: giftCents },
    { account: balanceOf(riderId), cents: balance - Math.max(0, paidCents - cents) },
  ]
  return parts.filter((part) => part.cents !== 0)
}

/** The lots that pay for what a channel has not brought, which stay locked, and the balance beside them. */
async function meansOf({ ledger, gifts }: Purse, tx: Tx, charge: Charge, paidCents: number) {
  const { agentId, riderId, areaId, at } = charge
  const lots = await gifts.held(tx, { agentId, riderId })
  const byGifts = payByGifts({ leftCents: Math.max(0, charge.cents - paidCents), areaId, at }, lots)
  const balanceCents = await ledger.balanceOf({ agentId, account: balanceOf(riderId) }, tx)
  return { byGifts, balanceCents }
}

/** What the rider must pay by a channel, gift and balance being used up; 0: nothing. */
export async function missingCents(purse: Purse, tx: Tx, charge: Charge): Promise<number> {
  const { byGifts, balanceCents } = await meansOf(purse, tx, charge, 0)
  return Math.max(0, charge.cents - byGifts.cents - balanceCents)
}

/** How a ride is paid: its entry, which the caller posts last (none for a ride that costs nothing), and the lots that were skipped. */
type Payment = { readonly entry: Entry | null; readonly skipped: readonly SkippedBenefit[] }

/**
 * Takes the lots that pay for a ride, all of the charge or nothing, within the caller's transaction of the system. The
 * caller marks the order as paid. Null: nothing is taken, because all of it together is not enough.
 */
export async function takeMeans(purse: Purse, tx: Tx, charge: Charge, paid: Paid | null): Promise<Payment | null> {
  if (charge.cents === 0 && paid === null) return { entry: null, skipped: [] }
  const { byGifts, balanceCents } = await meansOf(purse, tx, charge, paid?.cents ?? 0)
  const sources = sourcesOf({ charge, giftCents: byGifts.cents, balanceCents, paid })
  if (sources === null) return null
  if (byGifts.parts.length > 0) await purse.gifts.use(tx, { ...charge, parts: byGifts.parts })
  return { entry: rideCharge({ ...charge, sources }), skipped: byGifts.skipped }
}

/** Pays an order that is due: takes what pays for it and marks it as paid. Null: it is not enough. */
export async function payDue(purse: Purse, tx: Tx, charge: Charge, paid: Paid | null): Promise<Payment | null> {
  const payment = await takeMeans(purse, tx, charge, paid)
  if (payment === null) return null
  const skipped = JSON.stringify(payment.skipped)
  await sql`
    update ride_order set state = 'paid', skipped_benefits = skipped_benefits || ${skipped}::jsonb
    where id = ${charge.orderId}`.execute(tx)
  return payment
}

const isChannel = ({ kind }: Source): boolean => kind.startsWith('clearing_')
/** The account for money that a channel still has to refund. */
const payableTo = (riderId: number): Source => ({ kind: 'refund_payable', ownerId: riderId })

/** Gifts of a ride that is refunded lapse: no bill divides what is not owed any more. */
const lapsed: Source = { kind: 'gift_breakage' }

/** What each source of an order's money still has in it, in the order in which it is given back: the channel first. */
export function leftBySource(entries: readonly PostedEntry[]): RideSource[] {
  const left = new Map<string, { account: Source; cents: number }>()
  const all = entries.flatMap(({ lines }) => lines)
  const channel = all.find(({ account }) => isChannel(account))?.account
  const gift = all.find(({ account }) => account.kind === 'rider_gift')?.account
  for (const { account: posted, amountCents } of all) {
    if (posted.kind === 'agent_revenue') continue
    // What is on its way back through the channel, and what has lapsed, is not in it any more.
    const account =
      posted.kind === 'refund_payable' && channel !== undefined
        ? channel
        : posted.kind === 'gift_breakage' && gift !== undefined
          ? gift
          : posted
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
 * order's lock; the channel is asked for its part after the commit. Paid money goes back first; the part of gifts lapses.
 * Throws order_not_charged where the ledger knows of less.
 */
export async function refundRide(
  {
    ledger,
    gifts,
    payments,
  }: {
    readonly ledger: Ledger
    readonly gifts: Pick<Gifts, 'lapse'>
    readonly payments: Pick<Payments, 'giveBack'>
  },
  tx: Tx,
  refund: Omit<Charge, 'areaId'> & { readonly refundId: number; readonly reason: string },
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
    if (account.kind === 'rider_gift') {
      await gifts.lapse(tx, { agentId, orderId, cents: part })
      targets.push({ account: lapsed, cents: part })
      continue
    }
    const asked = { agentId, purpose: 'ride', subjectId: orderId, cents: part, reason } as const
    const isHere = !isChannel(account) || (await payments.giveBack(tx, asked)) !== null
    // Money whose way here is not known cannot go back the same way.
    const target = isChannel(account) ? payableTo(riderId) : account
    targets.push({ account: isHere ? target : balanceOf(riderId), cents: part })
  }
  if (wanted > 0) throw new AppError('order_not_charged')
  await ledger.post(rideRefund({ ...refund, targets }), tx)
}
