import { AppError } from '@saddle/contract/errors.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { refundPaid, refundPaidTwice, refundReturned } from '../ledger/recipes.ts'
import { CallBackError, type ChannelEvent, type PaymentChannel } from './channel.ts'
import {
  channelNameOf,
  insertRefund,
  isRefundOfDifference,
  lockPayment,
  lockRefund,
  markReturned,
  referenceOf,
  refundedCents,
  rememberEvent,
  setRefundState,
  silentRefunds,
  type PaymentRow,
  type RefundRow,
} from './store.ts'

type Parts = Pick<Kit, 'db' | 'clock' | 'log'> & { readonly ledger: Ledger }

export type Booked = { readonly refundId: number; readonly payment: PaymentRow }

const MAX_REASON_LENGTH = 80

/** Writes a refund down, never above what is left of its payment, which is locked until the transaction ends. */
export async function insertBookedRefund(
  tx: Tx,
  { clock }: Pick<Parts, 'clock'>,
  wanted: { agentId: number; paymentId: number; cents: number; reason: string; number: string },
): Promise<Booked> {
  const { agentId, paymentId, cents, number } = wanted
  const payment = await lockPayment(tx, { id: paymentId })
  if (payment === undefined || payment.agent_id !== agentId) throw new AppError('not_found')
  const left = payment.state === 'paid' ? payment.cents - (await refundedCents(tx, paymentId)) : 0
  if (cents > left) throw new AppError('refund_above_paid')
  const reason = wanted.reason.slice(0, MAX_REASON_LENGTH)
  const refundId = await insertRefund(tx, { agentId, paymentId, number, cents, reason, at: clock.now() })
  return { refundId, payment }
}

/** Outside of any transaction: a channel may take seconds. Its number makes asking twice harmless. */
export async function askForRefund(
  { db, clock, log, ledger }: Parts,
  channelOf: (name: string) => PaymentChannel,
  { agentId, refundId }: { agentId: number; refundId: number },
): Promise<void> {
  const begun = await db.system(async (tx): Promise<{ refund: RefundRow; payment: PaymentRow } | null> => {
    const refund = await lockRefund(tx, { id: refundId })
    const payment = refund === undefined ? undefined : await lockPayment(tx, { id: refund.payment_id })
    if (refund === undefined || payment?.agent_id !== agentId) throw new AppError('not_found')
    if (refund.state === 'done' || refund.state === 'returned') return null
    await setRefundState(tx, { id: refundId, state: 'waiting', fault: '', at: clock.now() })
    return { refund, payment }
  })
  if (begun === null) return
  const { refund, payment } = begun
  const settle = (state: 'done' | 'failed', fault: string): Promise<void> =>
    db.system((tx) => endRefund(tx, ledger, { refundId, payment, state, fault, at: clock.now() }))
  try {
    const { number } = payment
    const order = { number, refundNumber: refund.number, cents: refund.cents, reason: refund.reason }
    const result = await channelOf(payment.channel).refund({ ...order, totalCents: payment.cents })
    if (result === 'done') await settle('done', '')
  } catch (err) {
    log.warn({ err, refundId }, 'a payment channel refused a refund')
    await settle('failed', err instanceof Error ? err.message : String(err))
  }
}

/**
 * Writes down how a refund ended; what was paid out leaves the books, once. A refund that was done stays done, and a late
 * refusal of one that has become balance says nothing any more.
 */
async function endRefund(
  tx: Tx,
  ledger: Ledger,
  end: { refundId: number; payment: PaymentRow; state: 'done' | 'failed'; fault: string; at: number },
): Promise<void> {
  const { refundId, payment, state, fault, at } = end
  const refund = await lockRefund(tx, { id: refundId })
  if (refund === undefined || refund.state === 'done') return
  const wasReturned = refund.returned_at !== null
  if (wasReturned && state === 'failed') return
  await setRefundState(tx, { id: refundId, state, fault, at })
  if (state === 'failed') return
  const { agent_id: agentId, rider_id: riderId } = payment
  const channel = channelNameOf(payment.channel)
  const paid = { agentId, riderId, refundId, reference: referenceOf(payment), cents: refund.cents, channel, at }
  await ledger.post(wasReturned ? refundPaidTwice(paid) : refundPaid(paid), tx)
}

/** Gives what the channel could not pay out to the rider's balance. Throws not_found and refund_not_failed. */
export async function returnRefund(
  tx: Tx,
  { clock, ledger }: Pick<Parts, 'clock' | 'ledger'>,
  { agentId, refundId, reason, by }: { agentId: number; refundId: number; reason: string; by: string },
): Promise<void> {
  const refund = await lockRefund(tx, { id: refundId })
  const payment = refund === undefined ? undefined : await lockPayment(tx, { id: refund.payment_id })
  if (refund === undefined || payment?.agent_id !== agentId) throw new AppError('not_found')
  if (refund.state !== 'failed') throw new AppError('refund_not_failed')
  const at = clock.now()
  await markReturned(tx, { id: refundId, at, by })
  const own = { agentId, riderId: payment.rider_id, refundId, reference: referenceOf(payment) }
  await ledger.post(refundReturned({ ...own, cents: refund.cents, reason, at }), tx)
}

export async function takeRefundEvent(
  tx: Tx,
  { clock, ledger, log }: Pick<Parts, 'clock' | 'ledger' | 'log'>,
  channel: string,
  event: ChannelEvent,
): Promise<void> {
  const refund = await lockRefund(tx, { number: event.number })
  // The books follow the bill that has it.
  if (refund === undefined && (await isRefundOfDifference(tx, { channel, number: event.number }))) return
  const payment = refund === undefined ? undefined : await lockPayment(tx, { id: refund.payment_id })
  if (refund === undefined || payment?.channel !== channel) throw new CallBackError(`no refund ${event.number}`)
  if (refund.cents !== event.cents) throw new CallBackError(`${event.cents} cents for a refund of ${refund.cents}`)
  const isNew = await rememberEvent(tx, { channel, agentId: payment.agent_id, event, now: clock.now() })
  if (!isNew) return
  const isDone = event.kind === 'refunded'
  const fault = isDone ? '' : 'the channel could not pay it out'
  if (isDone && refund.state === 'returned') {
    log.error({ refundId: refund.id }, 'a channel paid a refund out that had become balance')
  }
  await endRefund(tx, ledger, { refundId: refund.id, payment, state: isDone ? 'done' : 'failed', fault, at: event.at })
}

const SILENT_FOR_MS = 10 * minuteMs

/** A server may die between its commit and the channel, and a call-back may be lost on the way: asking again heals both. */
export async function askSilentAgain(
  { db, clock, log }: Parts,
  ask: (refund: { agentId: number; refundId: number }) => Promise<void>,
): Promise<number> {
  const silent = await silentRefunds(db, clock.now() - SILENT_FOR_MS)
  for (const { id: refundId, agent_id: agentId } of silent) {
    try {
      await ask({ agentId, refundId })
    } catch (err) {
      log.error({ err, refundId }, 'a refund could not be asked for again')
    }
  }
  return silent.length
}
