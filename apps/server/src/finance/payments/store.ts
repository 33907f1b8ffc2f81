import { sql, type RawBuilder } from 'kysely'
import type { PaymentChannelName, Purpose } from '@saddle/contract/finance/payments.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import type { ChannelEvent } from './channel.ts'

export type { PaymentChannelName, Purpose }

const paymentRow = rowOf('payment', [
  'id',
  'agent_id',
  'rider_id',
  'purpose',
  'subject_id',
  'channel',
  'number',
  'cents',
  'state',
  'became',
])
export type PaymentRow = RowOf<typeof paymentRow>

export type NewPayment = {
  readonly agentId: number
  readonly riderId: number
  readonly purpose: Purpose
  readonly subjectId: number | null
  readonly channel: PaymentChannelName
  readonly number: string
  readonly cents: number
  readonly at: number
}

export type StoredPayment = Pick<PaymentRow, 'id' | 'number' | 'cents' | 'channel' | 'purpose'> & {
  readonly parameters: unknown
}

/** The payment, or the one that was stored under the same request before. */
export async function insertPayment(
  tx: Tx,
  payment: NewPayment & { readonly requestId: string | null; readonly payerHash: string | null },
): Promise<StoredPayment> {
  const { riderId, requestId } = payment
  const columns = ['id', 'number', 'cents', 'channel', 'purpose', 'parameters'] as const
  const made = await tx
    .insertInto('payment')
    .values({
      agent_id: payment.agentId,
      rider_id: payment.riderId,
      purpose: payment.purpose,
      subject_id: payment.subjectId,
      channel: payment.channel,
      number: payment.number,
      cents: payment.cents,
      request_id: requestId,
      payer_hash: payment.payerHash,
      created_at: new Date(payment.at),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['rider_id', 'request_id'])
        .where(sql<boolean>`request_id is not null`)
        .doNothing(),
    )
    .returning(columns)
    .executeTakeFirst()
  if (made !== undefined) return made
  return tx
    .selectFrom('payment')
    .select(columns)
    .where('rider_id', '=', riderId)
    .where('request_id', '=', requestId)
    .where('agent_id', '=', payment.agentId)
    .executeTakeFirstOrThrow()
}

const centsRow = rowOfValues({ cents: computed('bigint', sql`a.cents`) })

/** What a channel was asked for under a number; null when it was not. */
export async function askedCents(db: Database, asked: { channel: string; number: string }): Promise<number | null> {
  const [row] = await db.systemRead((k) =>
    centsRow.select`
      from (
        select cents from payment where number = ${asked.number} and channel = ${asked.channel}
        union all select cents from charge_note where number = ${asked.number} and way = ${asked.channel}
      ) a limit 1`.compile(k),
  )
  return row?.cents ?? null
}

export function channelNameOf(channel: string): PaymentChannelName {
  if (channel === 'wechat' || channel === 'alipay' || channel === 'sandbox') return channel
  throw new Error(`money came by ${channel}`)
}

/** What the ledger calls the thing that a payment's money was taken for. */
export function referenceOf({ id, became, subject_id }: PaymentRow): string {
  if (became === 'recharge') return `payment:${id}`
  if (became === 'deposit') return `deposit:${id}`
  if (became === 'ride') return `order:${subject_id}`
  if (became === 'card') return `card:${subject_id}`
  throw new Error(`payment ${id} became ${became}`)
}

const REUSED_FOR_MS = 30 * minuteMs

const waitingRow = rowOf('payment', ['id', 'number', 'parameters'])

/** A payment for the same thing and amount that waits for the rider: whoever asks twice is not asked for money twice. */
export async function findWaiting(
  db: Database,
  wanted: Pick<NewPayment, 'agentId' | 'riderId' | 'purpose' | 'subjectId' | 'channel' | 'cents' | 'at'>,
): Promise<{ id: number; number: string; parameters: unknown } | undefined> {
  if (wanted.subjectId === null) return undefined
  const since = new Date(wanted.at - REUSED_FOR_MS)
  const query = waitingRow.select`
    from payment
    where subject_id = ${wanted.subjectId} and purpose = ${wanted.purpose} and state = 'waiting'
      and agent_id = ${wanted.agentId} and rider_id = ${wanted.riderId} and channel = ${wanted.channel}
      and cents = ${wanted.cents} and created_at > ${since} and parameters is not null
    order by id desc limit 1`
  const [row] = await db.systemRead((k) => query.compile(k))
  return row
}

export async function keepParameters(tx: Tx, id: number, parameters: Readonly<Record<string, string>>): Promise<void> {
  await tx
    .updateTable('payment')
    .set({ parameters: JSON.stringify(parameters) })
    .where('id', '=', id)
    .execute()
}

/** The payment whose money a subject was paid with; undefined when no channel was asked, or its money came too late. */
export async function findPaidFor(
  tx: Tx,
  subject: { agentId: number; purpose: Purpose; subjectId: number },
): Promise<{ id: number } | undefined> {
  return tx
    .selectFrom('payment')
    .select('id')
    .where('subject_id', '=', subject.subjectId)
    .where('agent_id', '=', subject.agentId)
    .where('purpose', '=', subject.purpose)
    .where('became', '=', subject.purpose)
    .executeTakeFirst()
}

const refundableRow = rowsOf(
  rowOf('payment', 'p', ['id']),
  rowOfValues({ left: computed('bigint', sql`p.left_cents`) }),
)

/** Payments that became balance and of which something is left, the latest first: what can go back the way it came. */
export async function refundableRecharges(
  tx: Tx,
  asked: { agentId: number; riderId: number; limit: number },
): Promise<{ id: number; left: number }[]> {
  const { rows } = await refundableRow.select`
    from (
      select p.id, (p.cents - coalesce((
        select sum(r.cents) from payment_refund r where r.payment_id = p.id and r.state <> 'returned'), 0)) as left_cents
      from payment p
      where p.agent_id = ${asked.agentId} and p.rider_id = ${asked.riderId} and p.became = 'recharge'
    ) p where p.left_cents > 0 order by p.id desc limit ${asked.limit}`.execute(tx)
  return rows
}

/** Locked until the transaction ends, so that call-backs and refunds of one payment come one after the other. */
export async function lockPayment(tx: Tx, by: { number: string } | { id: number }): Promise<PaymentRow | undefined> {
  const { rows } = await paymentRow.select`from payment where ${isNamed(by)} for update`.execute(tx)
  return rows[0]
}

const isNamed = (by: { number: string } | { id: number }): RawBuilder<unknown> =>
  'id' in by ? sql`id = ${by.id}` : sql`number = ${by.number}`

export async function markPaid(
  tx: Tx,
  payment: {
    id: number
    tradeNumber: string
    at: number
    became: Purpose
    payerHash: string | null
    giftCents: number
  },
): Promise<void> {
  const { tradeNumber, at, became, payerHash, giftCents } = payment
  const state = { state: 'paid', trade_number: tradeNumber, paid_at: new Date(at), became, gift_cents: giftCents }
  await tx
    .updateTable('payment')
    // What the channel says of the payer counts more than what an application said.
    .set(payerHash === null ? state : { ...state, payer_hash: payerHash })
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

/** What was given back or is on its way; what became balance again is not among it. */
export async function refundedCents(tx: Tx, paymentId: number): Promise<number> {
  const { total } = await tx
    .selectFrom('payment_refund')
    .select((k) => k.fn.coalesce(k.fn.sum<string>('cents'), k.val('0')).as('total'))
    .where('payment_id', '=', paymentId)
    .where('state', '!=', 'returned')
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

const refundRow = rowOf('payment_refund', ['id', 'number', 'cents', 'reason', 'state', 'payment_id', 'returned_at'])
export type RefundRow = RowOf<typeof refundRow>

export async function lockRefund(tx: Tx, by: { number: string } | { id: number }): Promise<RefundRow | undefined> {
  const { rows } = await refundRow.select`from payment_refund where ${isNamed(by)} for update`.execute(tx)
  return rows[0]
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
    // A refund that succeeded stays so: a late refusal of an earlier attempt is ignored.
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

const MAX_ASKED_AGAIN = 100

export async function markReturned(tx: Tx, refund: { id: number; at: number; by: string }): Promise<void> {
  await tx
    .updateTable('payment_refund')
    .set({ state: 'returned', returned_at: new Date(refund.at), returned_by: refund.by })
    .where('id', '=', refund.id)
    .execute()
}

/** Refunds without a result from the channel since then; the least often queried first. */
export async function silentRefunds(db: Database, before: number): Promise<{ id: number; agent_id: number }[]> {
  return db.systemRead((k) =>
    k
      .selectFrom('payment_refund')
      .select(['id', 'agent_id'])
      .where('state', '=', 'waiting')
      .where('created_at', '<', new Date(before))
      .orderBy('attempts')
      .orderBy('created_at')
      .limit(MAX_ASKED_AGAIN)
      .compile(),
  )
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

/** A refund that two people decided about for a difference to a bill: no payment of the platform has it. */
export async function isRefundOfDifference(tx: Tx, refund: { channel: string; number: string }): Promise<boolean> {
  const found = await tx
    .selectFrom('channel_difference')
    .select('id')
    .where('refund_number', '=', refund.number)
    .where('channel', '=', refund.channel)
    .executeTakeFirst()
  return found !== undefined
}
