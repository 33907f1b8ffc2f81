import type { AskedPayment, PaymentChannelName, Purpose } from '@saddle/contract/finance/payments.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { reasonOf } from '@saddle/contract/riding/reasons.ts'
import { z } from 'zod'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import type { Gifts } from '../gifts/gifts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { RechargeSource } from '../recharges/recharges.ts'
import { balanceRefund, depositRefund, recharge } from '../ledger/recipes.ts'
import type { Entry } from '../ledger/rules.ts'
import { payerHashOf } from './payer.ts'
import { CallBackError, type CallBack, type ChannelEvent, type PaymentChannel, type RefundOrder } from './channel.ts'
import {
  askForRefund,
  askSilentAgain,
  insertBookedRefund,
  returnRefund,
  takeRefundEvent,
  type Booked,
} from './refunds.ts'
import {
  channelNameOf,
  failedRefunds,
  findPaidFor,
  findWaiting,
  insertPayment,
  keepParameters,
  lockPayment,
  markPaid,
  rememberEvent,
  type FailedRefund,
  type PaymentRow,
} from './store.ts'

export type Started = AskedPayment & { readonly paymentId: number }

export type PaidPayment = {
  readonly paymentId: number
  readonly agentId: number
  readonly riderId: number
  readonly subjectId: number | null
  readonly channel: PaymentChannelName
  readonly cents: number
  readonly at: number
}

/**
 * Takes the money of a payment for what it was asked for, in the call-back's transaction, and says the entry of it,
 * which is posted last. Null: too late, that is settled already; then the money becomes balance, or goes back where it
 * would lift the balance above the limit for prepaid money.
 */
export type PaidHandler = (tx: Tx, paid: PaidPayment) => Promise<Entry | null>

/** Money that a company pays in for itself. */
export type PaidNote = {
  readonly channel: PaymentChannelName
  readonly number: string
  readonly cents: number
  readonly at: number
}
/** Takes such money in the call-back's transaction, and posts it; false where it asked for none of this number. */
export type NoteHandler = (tx: Tx, paid: PaidNote) => Promise<boolean>

export type Payments = {
  /** Says who takes payments of companies; once, when the platform is put together. */
  serveNotes(handler: NoteHandler): void
  /** The channels that give a code to scan. */
  codeChannels(): PaymentChannelName[]
  /** The code of an order that its asker has stored; its payment goes to the handler. Throws `payment_unavailable`. */
  askForCode(order: {
    channel: PaymentChannelName
    number: string
    cents: number
    description: string
  }): Promise<string>
  /** Says who takes the money of a purpose; once for each, when the platform is put together. */
  serve(purpose: Exclude<Purpose, 'recharge'>, paidHandler: PaidHandler): void
  /**
   * Asks a channel, by default the first one that the platform has, for money of a rider; nothing moves before its
   * call-back. Asked again for the same thing, the payment that waits is the answer. Throws `payment_unavailable`.
   */
  start(payment: {
    agentId: number
    riderId: number
    purpose: Purpose
    /** What it is for: an order, a card. */
    subjectId?: number
    channel?: PaymentChannelName | undefined
    cents: number
    /** Keeps what comes with the payment, in the transaction that stores it; with each request, so it may be told twice. */
    keep?: ((tx: Tx, paymentId: number) => Promise<void>) | undefined
    description: string
    payer?: string | undefined
    /** Of whoever asks: the payment of the first request answers all that bear it. Throws `idempotency_mismatch`. */
    requestId?: string | undefined
  }): Promise<Started>
  /** Takes a channel's call-back: verified, counted once, posted. The answer is what the channel wants to hear. */
  take(channel: string, callBack: CallBack): Promise<{ status: number; contentType: string; body: string }>
  /** Takes what a bill says in the caller's transaction, as the lost call-back would have been. Throws CallBackError. */
  book(tx: Tx, channel: PaymentChannelName, event: ChannelEvent): Promise<void>
  /** Asks a channel to give back money that no payment of the platform has; asked again for the same number, it does so once. */
  giveBackUnbooked(channel: PaymentChannelName, order: RefundOrder): Promise<void>
  /** Bills of the channels that the platform has. */
  readonly bills: readonly Pick<PaymentChannel, 'name' | 'bill'>[]
  /**
   * Refunds money to the rider, from balance or deposit, never more than was paid, and returns the refund's id. The
   * rider's account is charged at once; the channel is asked after that, and when it refuses the refund stays failed
   * until it is retried. Throws `refund_above_paid` and `balance_insufficient`.
   */
  refund(refund: { agentId: number; paymentId: number; cents: number; reason: string }): Promise<number>
  /** The same as part of the caller's transaction of the system; the channel is asked after its commit. */
  refundIn(tx: Tx, refund: { agentId: number; paymentId: number; cents: number; reason: string }): Promise<number>
  /** The same for several payments of one rider: their locks are taken in one order. */
  refundAllIn(
    tx: Tx,
    refunds: readonly { agentId: number; paymentId: number; cents: number; reason: string }[],
  ): Promise<number[]>
  /**
   * Writes down that a channel is to give back money that a thing was paid with, within the caller's transaction of the
   * system, and asks it after the commit; the entry is the caller's. Null when no channel was paid for it. Throws
   * `refund_above_paid`.
   */
  giveBack(
    tx: Tx,
    refund: { agentId: number; purpose: Purpose; subjectId: number; cents: number; reason: string },
  ): Promise<number | null>
  /**
   * Gives a refund that the channel could not pay out to the rider's balance, within the caller's transaction of the
   * system. Throws `refund_not_failed`.
   */
  returnRefund(tx: Tx, refund: { agentId: number; refundId: number; reason: string; by: string }): Promise<void>
  /** Asks the channel again for a refund that failed. */
  retryRefund(refund: { agentId: number; refundId: number }): Promise<void>
  /** Asks again for refunds about which a channel has been silent; for the worker. Resolves to their number. */
  askSilentAgain(): Promise<number>
  failedRefunds(scope: Scope): Promise<FailedRefund[]>
}

export type PaymentParts = Pick<Kit, 'db' | 'clock' | 'random' | 'log' | 'secrets'> & {
  readonly ledger: Ledger
  readonly gifts: Pick<Gifts, 'revoke'>
  readonly recharges: Pick<RechargeSource, 'settled' | 'refunded'>
  /** Whether money that is paid in would lift a rider's balance above the limit; the rider is locked from then on. */
  readonly isAboveCap: (tx: Tx, paid: { agentId: number; riderId: number; cents: number }) => Promise<boolean>
  readonly channels: readonly PaymentChannel[]
}

const parametersSchema = z.record(z.string(), z.string())
type Takers = Map<string, PaidHandler>

export function createPayments(parts: PaymentParts): Payments {
  const { db, clock, random, channels } = parts
  const paidHandlers: Takers = new Map()
  let takeNote: NoteHandler = async () => false
  const channelOf = (name: string): PaymentChannel => {
    const channel = channels.find((candidate) => candidate.name === name)
    if (channel === undefined) throw new AppError('payment_unavailable')
    return channel
  }
  const newNumber = (): string => Buffer.from(random.bytes(16)).toString('hex')
  const ask = (refund: { agentId: number; refundId: number }): Promise<void> => askForRefund(parts, channelOf, refund)

  const refundAllIn: Payments['refundAllIn'] = async (tx, all) => {
    const refunds: (Booked & { readonly cents: number })[] = []
    for (const wanted of all) {
      const booked = await insertBookedRefund(tx, parts, { ...wanted, number: newNumber() })
      db.afterCommit(tx, () => ask({ agentId: wanted.agentId, refundId: booked.refundId }))
      refunds.push({ ...booked, cents: wanted.cents })
    }
    await takeGiftsBack(tx, parts, refunds)
    for (const { cents, ...booked } of refunds) parts.ledger.postLast(refundEntry(booked, cents, clock.now()), tx)
    return refunds.map(({ refundId }) => refundId)
  }
  const refundIn: Payments['refundIn'] = async (tx, wanted) => {
    const [refundId] = await refundAllIn(tx, [wanted])
    if (refundId === undefined) throw new Error(`payment ${wanted.paymentId} was not refunded`)
    return refundId
  }

  return {
    serveNotes: (handler) => {
      takeNote = handler
    },
    codeChannels: () => channels.filter(({ code }) => code !== undefined).map(({ name }) => channelNameOf(name)),
    askForCode: async ({ channel: name, ...order }) => {
      const { code } = channelOf(name)
      if (code === undefined) throw new AppError('payment_unavailable')
      try {
        return await code(order)
      } catch (cause) {
        throw new AppError('payment_unavailable', { cause })
      }
    },
    serve: (purpose, paidHandler) => {
      paidHandlers.set(purpose, paidHandler)
    },
    start: (wanted) => startPayment(parts, channelOf, { ...wanted, number: newNumber() }),
    take: async (name, callBack) => {
      // An address that was given to no channel: the caller is unknown.
      if (!channels.some((channel) => channel.name === name)) throw new AppError('not_found')
      const channel = channelOf(name)
      try {
        const event = channel.read(callBack)
        const options = { parts, paidHandlers, takeNote, channel: name, newNumber, ask }
        if (event !== null) await db.system((tx) => takeEvent(tx, { ...options, event }))
        return channel.answer(true)
      } catch (err) {
        parts.log.warn({ err, channel: name }, 'a call-back of a payment channel was not taken')
        return channel.answer(false)
      }
    },
    book: (tx, channel, event) => takeEvent(tx, { parts, paidHandlers, takeNote, channel, event, newNumber, ask }),
    giveBackUnbooked: async (channel, order) => void (await channelOf(channel).refund(order)),
    bills: channels,
    refund: (wanted) => db.system((tx) => refundIn(tx, wanted)),
    refundIn,
    refundAllIn,
    giveBack: async (tx, { purpose, subjectId, ...wanted }) => {
      const { agentId } = wanted
      const payment = await findPaidFor(tx, { agentId, purpose, subjectId })
      if (payment === undefined) return null
      const number = newNumber()
      const { refundId } = await insertBookedRefund(tx, parts, { ...wanted, paymentId: payment.id, number })
      db.afterCommit(tx, () => ask({ agentId, refundId }))
      return refundId
    },
    returnRefund: (tx, refund) => returnRefund(tx, parts, refund),
    retryRefund: ask,
    askSilentAgain: () => askSilentAgain(parts, ask),
    failedRefunds: (scope) => failedRefunds(db, scope),
  }
}

async function startPayment(
  { db, clock, channels, secrets }: PaymentParts,
  channelOf: (name: string) => PaymentChannel,
  wanted: Parameters<Payments['start']>[0] & { readonly number: string },
): Promise<Started> {
  const { description, payer = null, subjectId = null, agentId, riderId, purpose, cents } = wanted
  const chosen = channelOf(wanted.channel ?? channels[0]?.name ?? '')
  const channel = channelNameOf(chosen.name)
  const payment = { agentId, riderId, purpose, subjectId, channel, cents, at: clock.now() }
  const waiting = await findWaiting(db, payment)
  if (waiting !== undefined) {
    const { id: paymentId, number } = waiting
    return { paymentId, number, channel, cents, parameters: parametersSchema.parse(waiting.parameters) }
  }
  const requestId = wanted.requestId ?? null
  // Stored first: the call-back may arrive before the answer.
  const stored = await db.system(async (tx) => {
    const payerHash = await payerHashOf(tx, secrets, { agentId, channel, name: wanted.payer })
    const made = await insertPayment(tx, { ...payment, number: wanted.number, requestId, payerHash })
    if (made.cents === cents && made.purpose === purpose) await wanted.keep?.(tx, made.id)
    return made
  })
  if (stored.cents !== cents || stored.channel !== channel || stored.purpose !== purpose) {
    throw new AppError('idempotency_mismatch')
  }
  const { id: paymentId, number } = stored
  if (stored.parameters !== null) {
    return { paymentId, number, channel, cents, parameters: parametersSchema.parse(stored.parameters) }
  }
  try {
    const { parameters } = await chosen.prepay({ number, cents, description, payer })
    if (subjectId !== null || requestId !== null) await db.system((tx) => keepParameters(tx, paymentId, parameters))
    return { paymentId, number, channel, cents, parameters: { ...parameters } }
  } catch (cause) {
    throw new AppError('payment_unavailable', { cause })
  }
}

type GivesBack = {
  readonly newNumber: () => string
  readonly ask: (refund: { agentId: number; refundId: number }) => Promise<void>
}

async function takeEvent(
  tx: Tx,
  options: GivesBack & {
    parts: PaymentParts
    paidHandlers: Takers
    takeNote: NoteHandler
    channel: string
    event: ChannelEvent
  },
): Promise<void> {
  const { parts, paidHandlers, takeNote, channel, event } = options
  if (event.kind !== 'paid') {
    await takeRefundEvent(tx, parts, channel, event)
    return
  }
  const payment = await lockPayment(tx, { number: event.number })
  if (payment === undefined) {
    const { number, cents, at } = event
    if (await takeNote(tx, { channel: channelNameOf(channel), number, cents, at })) return
  }
  if (payment === undefined || payment.channel !== channel) throw new CallBackError(`no payment ${event.number}`)
  if (payment.cents !== event.cents) throw new CallBackError(`${event.cents} cents for a payment of ${payment.cents}`)
  const now = parts.clock.now()
  const isNew = await rememberEvent(tx, { channel, agentId: payment.agent_id, event, now })
  // Another message about a payment that is already paid is true and changes nothing.
  if (!isNew || payment.state === 'paid') return
  const paid = paidOf(payment, event.at)
  const purpose = purposeOf(payment)
  const entry = await entryFor({ tx, paidHandlers, purpose, paid })
  const became = entry === null ? 'recharge' : purpose
  const payer = { agentId: payment.agent_id, channel, name: event.payer }
  const payerHash = await payerHashOf(tx, parts.secrets, payer)
  const { agentId, riderId, paymentId, cents } = paid
  const own = { agentId, riderId, paymentId, cents, at: now }
  const isAboveCap = became === 'recharge' && (await parts.isAboveCap(tx, own))
  // Before the entry of the payment, as rides do: others of the company wait for it.
  const giftCents = became === 'recharge' ? await parts.recharges.settled(tx, { ...own, isAboveCap }) : 0
  await markPaid(tx, { id: payment.id, tradeNumber: event.tradeNumber, at: event.at, became, payerHash, giftCents })
  const back = isAboveCap ? await bookAboveCap(tx, options, own) : null
  await parts.ledger.post(entry ?? recharge(paid), tx)
  if (back !== null) await parts.ledger.post(refundEntry(back, cents, now), tx)
}

/** What was paid above the limit for prepaid money goes back whole, the way it came. It was given nothing to take back. */
async function bookAboveCap(
  tx: Tx,
  { parts, newNumber, ask }: GivesBack & { readonly parts: PaymentParts },
  { agentId, paymentId, cents }: { readonly agentId: number; readonly paymentId: number; readonly cents: number },
): Promise<Booked> {
  const wanted = { agentId, paymentId, cents, reason: reasonOf('abovePrepaidCap'), number: newNumber() }
  const booked = await insertBookedRefund(tx, parts, wanted)
  parts.db.afterCommit(tx, () => ask({ agentId, refundId: booked.refundId }))
  return booked
}

/** Recharges of a rider that are given back, also in part, take what is open of their gifts with them. */
async function takeGiftsBack(
  tx: Tx,
  { gifts, recharges, clock }: PaymentParts,
  refunds: readonly Booked[],
): Promise<void> {
  const ofRecharges = refunds.filter(({ payment }) => payment.became === 'recharge')
  const [first] = ofRecharges
  if (first === undefined) return
  const { agent_id: agentId, rider_id: riderId } = first.payment
  const paymentIds = ofRecharges.map(({ payment }) => payment.id)
  await recharges.refunded(tx, { agentId, riderId, paymentIds, at: clock.now() })
  for (const { payment, refundId } of ofRecharges) {
    await gifts.revoke(tx, {
      agentId,
      source: { kind: 'payment', ids: [payment.id] },
      reference: `payment:${payment.id}`,
      key: `gift_revoke:${refundId}`,
      reason: reasonOf('giftOfRefund'),
      at: clock.now(),
    })
  }
}

async function entryFor(options: {
  tx: Tx
  paidHandlers: Takers
  purpose: Purpose
  paid: PaidPayment
}): Promise<Entry | null> {
  const { tx, paidHandlers, purpose, paid } = options
  if (purpose === 'recharge') return null
  const paidHandler = paidHandlers.get(purpose)
  if (paidHandler === undefined) throw new Error(`nobody takes payments for a ${purpose}`)
  return paidHandler(tx, paid)
}

function paidOf(payment: PaymentRow, at: number): PaidPayment {
  return {
    paymentId: payment.id,
    agentId: payment.agent_id,
    riderId: payment.rider_id,
    subjectId: payment.subject_id,
    channel: channelNameOf(payment.channel),
    cents: payment.cents,
    at,
  }
}

function purposeOf({ purpose, id }: PaymentRow): Purpose {
  if (purpose === 'recharge' || purpose === 'deposit' || purpose === 'ride' || purpose === 'card') return purpose
  throw new Error(`payment ${id} is for ${purpose}`)
}

/** Of balance and deposits the rider's own account pays; what rides and cards were paid with is not theirs to draw. */
function refundEntry({ payment, refundId }: Booked, cents: number, at: number): Entry {
  const { agent_id: agentId, rider_id: riderId, id: paymentId } = payment
  const common = { agentId, riderId, cents, at }
  if (payment.became === 'deposit') {
    return { ...depositRefund({ ...common, depositId: paymentId }), key: `refund:${refundId}` }
  }
  if (payment.became === 'recharge') return balanceRefund({ ...common, paymentId, refundId })
  throw new AppError('refund_above_paid')
}
