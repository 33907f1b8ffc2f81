import { AppError } from '@saddle/contract/errors.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { balanceRefund, depositPay, depositRefund, recharge } from '../ledger/recipes.ts'
import type { Entry } from '../ledger/rules.ts'
import { CallBackError, type CallBack, type ChannelEvent, type PaymentChannel, type Prepaid } from './channel.ts'
import {
  failedRefunds,
  insertPayment,
  insertRefund,
  lockPayment,
  lockRefund,
  markPaid,
  refundedCents,
  rememberEvent,
  setRefundState,
  type FailedRefund,
  type PaymentChannelName,
  type PaymentRow,
  type Purpose,
  type RefundRow,
} from './store.ts'

export type Started = Prepaid & { readonly paymentId: number; readonly number: string }

export type Payments = {
  /** Asks a channel for money of a rider; nothing moves before its call-back. Throws `payment_unavailable`. */
  start(payment: {
    agentId: number
    riderId: number
    purpose: Purpose
    channel: PaymentChannelName
    cents: number
    giftCents?: number
    description: string
    payer?: string
  }): Promise<Started>
  /** Takes a channel's call-back: verified, counted once, posted. The answer is what the channel wants to hear. */
  take(channel: string, callBack: CallBack): Promise<{ status: number; contentType: string; body: string }>
  /**
   * Gives paid money back, never more than was paid, and says the refund's id. The rider's account is charged at once;
   * the channel follows, and when it refuses the refund stands as failed until it is retried. Throws `refund_above_paid`
   * and `balance_insufficient`.
   */
  refund(refund: { agentId: number; paymentId: number; cents: number; reason: string }): Promise<number>
  /** Asks the channel again for a refund that failed. */
  retryRefund(refund: { agentId: number; refundId: number }): Promise<void>
  failedRefunds(scope: Scope): Promise<FailedRefund[]>
}

type Parts = Pick<Kit, 'db' | 'clock' | 'random' | 'log'> & {
  readonly ledger: Ledger
  readonly channels: readonly PaymentChannel[]
}

export function createPayments(parts: Parts): Payments {
  const { db, clock, random, channels } = parts
  const channelOf = (name: string): PaymentChannel => {
    const channel = channels.find((candidate) => candidate.name === name)
    if (channel === undefined) throw new AppError('payment_unavailable')
    return channel
  }
  const newNumber = (): string => Buffer.from(random.bytes(16)).toString('hex')

  return {
    start: async ({ description, payer = null, giftCents = 0, ...wanted }) => {
      const channel = channelOf(wanted.channel)
      const payment = { ...wanted, giftCents, number: newNumber(), at: clock.now() }
      // Stored first: a call-back may be faster than the answer.
      const paymentId = await db.system((tx) => insertPayment(tx, payment))
      const { number, cents } = payment
      try {
        const { parameters } = await channel.prepay({ number, cents, description, payer })
        return { paymentId, number, parameters }
      } catch (cause) {
        throw new AppError('payment_unavailable', { cause })
      }
    },
    take: async (name, callBack) => {
      const channel = channelOf(name)
      try {
        const event = channel.read(callBack)
        if (event !== null) await db.system((tx) => takeEvent(tx, parts, name, event))
        return channel.answer(true)
      } catch (err) {
        parts.log.warn({ err, channel: name }, 'a call-back of a payment channel was not taken')
        return channel.answer(false)
      }
    },
    refund: async ({ agentId, paymentId, cents, reason }) => {
      const number = newNumber()
      const refundId = await db.system((tx) => bookRefund(tx, parts, { agentId, paymentId, cents, reason, number }))
      await askForRefund(parts, channelOf, { agentId, refundId })
      return refundId
    },
    retryRefund: (refund) => askForRefund(parts, channelOf, refund),
    failedRefunds: (scope) => failedRefunds(db, scope),
  }
}

async function takeEvent(tx: Tx, parts: Parts, channel: string, event: ChannelEvent): Promise<void> {
  if (event.kind !== 'paid') {
    await takeRefundEvent(tx, parts, channel, event)
    return
  }
  const payment = await lockPayment(tx, { number: event.number })
  if (payment === undefined || payment.channel !== channel) throw new CallBackError(`no payment ${event.number}`)
  if (payment.cents !== event.cents) throw new CallBackError(`${event.cents} cents for a payment of ${payment.cents}`)
  const now = parts.clock.now()
  const isNew = await rememberEvent(tx, { channel, agentId: payment.agent_id, event, now })
  // Another message about a payment that is already paid is true and changes nothing.
  if (!isNew || payment.state === 'paid') return
  await markPaid(tx, { id: payment.id, tradeNumber: event.tradeNumber, at: event.at })
  await parts.ledger.post(paidEntry(payment, event.at), tx)
}

async function takeRefundEvent(tx: Tx, parts: Parts, channel: string, event: ChannelEvent): Promise<void> {
  const refund = await lockRefund(tx, { number: event.number })
  const payment = refund === undefined ? undefined : await lockPayment(tx, { id: refund.payment_id })
  if (refund === undefined || payment?.channel !== channel) throw new CallBackError(`no refund ${event.number}`)
  if (refund.cents !== event.cents) throw new CallBackError(`${event.cents} cents for a refund of ${refund.cents}`)
  const isNew = await rememberEvent(tx, { channel, agentId: payment.agent_id, event, now: parts.clock.now() })
  if (!isNew) return
  const isDone = event.kind === 'refunded'
  const fault = isDone ? '' : 'the channel could not pay it out'
  await setRefundState(tx, { id: refund.id, state: isDone ? 'done' : 'failed', fault, at: event.at })
}

function paidEntry(payment: PaymentRow, at: number): Entry {
  const { agent_id: agentId, rider_id: riderId, cents } = payment
  const channel = channelNameOf(payment)
  if (payment.purpose === 'deposit') return depositPay({ agentId, riderId, cents, at, channel, depositId: payment.id })
  return recharge({ agentId, riderId, cents, at, channel, paymentId: payment.id, giftCents: payment.gift_cents })
}

function channelNameOf({ channel, id }: PaymentRow): PaymentChannelName {
  if (channel === 'wechat' || channel === 'alipay' || channel === 'sandbox') return channel
  throw new Error(`payment ${id} came by ${channel}`)
}

async function bookRefund(
  tx: Tx,
  { ledger, clock }: Parts,
  wanted: { agentId: number; paymentId: number; cents: number; reason: string; number: string },
): Promise<number> {
  const { agentId, paymentId, cents, reason, number } = wanted
  const payment = await lockPayment(tx, { id: paymentId })
  if (payment === undefined || payment.agent_id !== agentId) throw new AppError('not_found')
  const left = payment.state === 'paid' ? payment.cents - (await refundedCents(tx, paymentId)) : 0
  if (cents > left) throw new AppError('refund_above_paid')
  const at = clock.now()
  const refundId = await insertRefund(tx, { agentId, paymentId, number, cents, reason, at })
  const channel = channelNameOf(payment)
  const common = { agentId, riderId: payment.rider_id, cents, at, channel }
  const entry =
    payment.purpose === 'deposit'
      ? { ...depositRefund({ ...common, depositId: payment.id }), key: `refund:${refundId}` }
      : balanceRefund({ ...common, paymentId, refundId })
  await ledger.post(entry, tx)
  return refundId
}

/** Outside of any transaction: a channel may take seconds. Its number makes asking twice harmless. */
async function askForRefund(
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
