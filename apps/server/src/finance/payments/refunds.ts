import { AppError } from '@saddle/contract/errors.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import { CallBackError, type ChannelEvent, type PaymentChannel } from './channel.ts'
import {
  insertRefund,
  lockPayment,
  lockRefund,
  refundedCents,
  rememberEvent,
  setRefundState,
  silentRefunds,
  type PaymentRow,
  type RefundRow,
} from './store.ts'

type Parts = Pick<Kit, 'db' | 'clock' | 'log'>

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
  { db, clock, log }: Parts,
  channelOf: (name: string) => PaymentChannel,
  { agentId, refundId }: { agentId: number; refundId: number },
): Promise<void> {
  const begun = await db.system(async (tx): Promise<{ refund: RefundRow; payment: PaymentRow } | null> => {
    const refund = await lockRefund(tx, { id: refundId })
    const payment = refund === undefined ? undefined : await lockPayment(tx, { id: refund.payment_id })
    if (refund === undefined || payment?.agent_id !== agentId) throw new AppError('not_found')
    if (refund.state === 'done') return null
    await setRefundState(tx, { id: refundId, state: 'waiting', fault: '', at: clock.now() })
    return { refund, payment }
  })
  if (begun === null) return
  const { refund, payment } = begun
  const settle = (state: 'done' | 'failed', fault: string): Promise<void> =>
    db.system((tx) => setRefundState(tx, { id: refundId, state, fault, at: clock.now() }))
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

export async function takeRefundEvent(
  tx: Tx,
  { clock }: Pick<Parts, 'clock'>,
  channel: string,
  event: ChannelEvent,
): Promise<void> {
  const refund = await lockRefund(tx, { number: event.number })
  const payment = refund === undefined ? undefined : await lockPayment(tx, { id: refund.payment_id })
  if (refund === undefined || payment?.channel !== channel) throw new CallBackError(`no refund ${event.number}`)
  if (refund.cents !== event.cents) throw new CallBackError(`${event.cents} cents for a refund of ${refund.cents}`)
  const isNew = await rememberEvent(tx, { channel, agentId: payment.agent_id, event, now: clock.now() })
  if (!isNew) return
  const isDone = event.kind === 'refunded'
  const fault = isDone ? '' : 'the channel could not pay it out'
  await setRefundState(tx, { id: refund.id, state: isDone ? 'done' : 'failed', fault, at: event.at })
}

const SILENT_FOR_MS = 10 * 60_000

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
