import type { Scope } from '#kit/db/scope.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import type { ChannelEvent } from './channel.ts'

export type Purpose = 'recharge' | 'deposit'
export type PaymentChannelName = 'wechat' | 'alipay' | 'sandbox'

export type PaymentRow = {
  readonly id: number
  readonly agent_id: number
  readonly rider_id: number
  readonly purpose: string
  readonly channel: string
  readonly number: string
  readonly cents: number
  readonly gift_cents: number
  readonly state: string
}

export type NewPayment = {
  readonly agentId: number
  readonly riderId: number
  readonly purpose: Purpose
  readonly channel: PaymentChannelName
  readonly number: string
  readonly cents: number
  readonly giftCents: number
  readonly at: number
}

export async function insertPayment(tx: Tx, payment: NewPayment): Promise<number> {
  const { id } = await tx
    .insertInto('payment')
    .values({
      agent_id: payment.agentId,
      rider_id: payment.riderId,
      purpose: payment.purpose,
      channel: payment.channel,
      number: payment.number,
      cents: payment.cents,
      gift_cents: payment.giftCents,
      created_at: new Date(payment.at),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Locked until the transaction ends, so that call-backs and refunds of one payment come one after the other. */
export function lockPayment(tx: Tx, by: { number: string } | { id: number }): Promise<PaymentRow | undefined> {
  const query = tx.selectFrom('payment').selectAll().forUpdate()
  return ('id' in by ? query.where('id', '=', by.id) : query.where('number', '=', by.number)).executeTakeFirst()
}

export async function markPaid(tx: Tx, payment: { id: number; tradeNumber: string; at: number }): Promise<void> {
  await tx
    .updateTable('payment')
    .set({ state: 'paid', trade_number: payment.tradeNumber, paid_at: new Date(payment.at) })
    .where('id', '=', payment.id)
    .execute()
}

/** False when this very call-back was taken before. */
export async function rememberEvent(
  tx: Tx,
  options: { channel: string; agentId: number; event: ChannelEvent; now: number },
): Promise<boolean> {
  const { channel, agentId, event, now } = options
  const inserted = await tx
    .insertInto('payment_event')
    .values({
      channel,
      event_id: event.eventId,
      agent_id: agentId,
      number: event.number,
      kind: event.kind,
      received_at: new Date(now),
    })
    .onConflict((conflict) => conflict.columns(['channel', 'event_id']).doNothing())
    .returning('event_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** What was given back or is on its way; only a failed refund that nobody repeats is not among them. */
export async function refundedCents(tx: Tx, paymentId: number): Promise<number> {
  const { total } = await tx
    .selectFrom('payment_refund')
    .select((k) => k.fn.coalesce(k.fn.sum<string>('cents'), k.val('0')).as('total'))
    .where('payment_id', '=', paymentId)
    .executeTakeFirstOrThrow()
  return Number(total)
}

export async function insertRefund(
  tx: Tx,
  refund: { agentId: number; paymentId: number; number: string; cents: number; reason: string; at: number },
): Promise<number> {
  const { id } = await tx
    .insertInto('payment_refund')
    .values({
      agent_id: refund.agentId,
      payment_id: refund.paymentId,
      number: refund.number,
      cents: refund.cents,
      reason: refund.reason,
      created_at: new Date(refund.at),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type RefundRow = {
  readonly id: number
  readonly number: string
  readonly cents: number
  readonly reason: string
  readonly state: string
  readonly payment_id: number
}

export function lockRefund(tx: Tx, by: { number: string } | { id: number }): Promise<RefundRow | undefined> {
  const query = tx.selectFrom('payment_refund').selectAll().forUpdate()
  return ('id' in by ? query.where('id', '=', by.id) : query.where('number', '=', by.number)).executeTakeFirst()
}

const MAX_FAULT_LENGTH = 300

export async function setRefundState(
  tx: Tx,
  refund: { id: number; state: 'waiting' | 'done' | 'failed'; fault: string; at: number },
): Promise<void> {
  const { id, state, fault, at } = refund
  await tx
    .updateTable('payment_refund')
    .set((k) => ({
      state,
      fault: fault.slice(0, MAX_FAULT_LENGTH),
      attempts: state === 'waiting' ? k('attempts', '+', 1) : k.ref('attempts'),
      done_at: state === 'done' ? new Date(at) : null,
    }))
    .where('id', '=', id)
    // Done is done: a late refusal of an earlier attempt says nothing any more.
    .where('state', '!=', 'done')
    .execute()
}

export type FailedRefund = {
  readonly id: number
  readonly paymentId: number
  readonly cents: number
  readonly reason: string
  readonly fault: string
  readonly attempts: number
}

const MAX_FAILED_LISTED = 200

export async function failedRefunds(db: Database, scope: Scope): Promise<FailedRefund[]> {
  const rows = await db.read(scope, (k) =>
    k
      .selectFrom('payment_refund')
      .select(['id', 'payment_id', 'cents', 'reason', 'fault', 'attempts'])
      .where('state', '=', 'failed')
      .where('agent_id', 'in', scope.agentIds.length === 0 ? [-1] : scope.agentIds)
      .orderBy('id')
      .limit(MAX_FAILED_LISTED)
      .compile(),
  )
  return rows.map(({ id, payment_id: paymentId, cents, reason, fault, attempts }) => {
    return { id, paymentId, cents, reason, fault, attempts }
  })
}
