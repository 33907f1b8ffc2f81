import { sql } from 'kysely'
import {
  billLineStates,
  ownStates,
  type BillLineState,
  type DifferenceKind,
  type OwnState,
} from '@saddle/contract/finance/channelBills.ts'
import type { PaymentChannelName } from '@saddle/contract/finance/payments.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import { codeOf } from '#kit/codes.ts'
import type { Tx } from '#kit/db/pool.ts'
import { columnTable } from '#kit/db/columnTable.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { OfBill } from './rules.ts'
import type { ChannelDayOf } from './store.ts'

type Named = { readonly is_refund: boolean; readonly number: string; readonly order_number: string }

/** Payments and refunds have numbers of their own, which may be the same where a refund was asked for without one. */
export const keyOf = ({ is_refund, number }: Pick<Named, 'is_refund' | 'number'>): string =>
  `${is_refund ? 'back' : 'pay'} ${number}`

/** A payment or refund of the platform, of whichever day and state. */
export type Own = {
  readonly agentId: number
  readonly subjectId: number
  readonly cents: number
  readonly status: OwnState
  readonly at: Date | null
  /** On which it was paid or done. */
  readonly day: string | null
}

const ownRow = rowOfValues({
  is_refund: computed('boolean', sql`o.is_refund`),
  number: computed('text', sql`o.number`),
  agent_id: computed('bigint', sql`o.agent_id`),
  id: computed('bigint', sql`o.id`),
  cents: computed('bigint', sql`o.cents`),
  state: computed('text', sql`o.state`),
  at: computed('timestamptz?', sql`o.at`),
})

/** What the platform has under numbers of a bill, and the payments that its refunds belong to. */
export async function findOwn(tx: Tx, channel: PaymentChannelName, named: readonly Named[]): Promise<Map<string, Own>> {
  const payments = named.map(({ is_refund, number, order_number }) => (is_refund ? order_number : number))
  const refunds = named.filter(({ is_refund }) => is_refund).map(({ number }) => number)
  const { rows } = await ownRow.select`
    from (
      select false as is_refund, p.number, p.agent_id, p.id, p.cents, p.state, p.paid_at as at
      from payment p where p.number = any (${payments}::text[]) and p.channel = ${channel}
      union all
      select true, r.number, r.agent_id, r.id, r.cents, r.state, r.done_at
      from payment_refund r join payment p on p.id = r.payment_id and p.agent_id = r.agent_id
      where r.number = any (${refunds}::text[]) and p.channel = ${channel}
      union all
      select false, n.number, n.agent_id, -n.id, n.cents, case n.state when 'paid' then 'paid' else 'waiting' end, n.paid_at
      from charge_note n where n.number = any (${payments}::text[]) and n.way = ${channel}
    ) o`.execute(tx)
  return new Map(
    rows.map((row) => {
      const { agent_id: agentId, id: subjectId, cents, state, at } = row
      const status = codeOf(ownStates, state)
      const day = at === null ? null : businessDayOf(at.getTime())
      return [keyOf(row), { agentId, subjectId, cents, status, at, day }]
    }),
  )
}

/** A difference of another bill about the same payment or refund. */
export type Known = {
  readonly day: string
  /** Its line there; null where it was missing. */
  readonly bill: OfBill | null
  readonly billAt: number | null
  /** Of the money that the channel was asked to give back for it. */
  readonly refundNumber: string | null
}

const knownRow = rowsOf(
  rowOf('channel_difference', 'd', [
    'day',
    'is_refund',
    'number',
    'bill_cents',
    'bill_status',
    'bill_at',
    'refund_number',
  ]).codes({ bill_status: billLineStates }),
)

export async function findKnown(
  tx: Tx,
  channel: PaymentChannelName,
  named: readonly Named[],
): Promise<Map<string, Known>> {
  const numbers = named.map(({ number }) => number)
  const { rows } = await knownRow.select`
    from channel_difference d
    where d.channel = ${channel} and ((d.number = any (${numbers}::text[]) and d.copy = 1) or d.refund_number = any (${numbers}::text[]))`.execute(
    tx,
  )
  const wanted = new Set(numbers)
  const known = new Map<string, Known>()
  for (const row of rows) {
    const { day, bill_cents: cents, bill_status: status, refund_number: refundNumber } = row
    const bill = cents === null || status === null ? null : { cents, status }
    const of = { day, bill, billAt: row.bill_at?.getTime() ?? null, refundNumber }
    if (wanted.has(row.number)) known.set(keyOf(row), { ...of, refundNumber: null })
    if (refundNumber !== null && wanted.has(refundNumber)) {
      known.set(keyOf({ is_refund: true, number: refundNumber }), of)
    }
  }
  return known
}

export type NewDifference = ChannelDayOf & {
  readonly agentId: number
  readonly kind: DifferenceKind
  readonly state: string
  readonly isRefund: boolean
  readonly number: string
  readonly copy: number
  readonly orderNumber: string
  readonly tradeNumber: string
  readonly subjectId: number | null
  readonly billCents: number | null
  readonly billStatus: BillLineState | null
  readonly billAt: number | null
  readonly ownCents: number | null
  readonly ownStatus: OwnState | null
  readonly ownAt: number | null
  readonly deltaCents: number
  readonly heldCents: number
  readonly foundAt: number
}

const differenceColumns = columnTable<NewDifference>()('channel_difference', {
  agent_id: ['bigint', ({ agentId }) => agentId],
  channel: ['text', ({ channel }) => channel],
  day: ['date', ({ day }) => day],
  kind: ['text', ({ kind }) => kind],
  state: ['text', ({ state }) => state],
  is_refund: ['boolean', ({ isRefund }) => isRefund],
  number: ['text', ({ number }) => number],
  copy: ['integer', ({ copy }) => copy],
  order_number: ['text', ({ orderNumber }) => orderNumber],
  trade_number: ['text', ({ tradeNumber }) => tradeNumber],
  subject_id: ['bigint', ({ subjectId }) => subjectId],
  bill_cents: ['bigint', ({ billCents }) => billCents],
  bill_status: ['text', ({ billStatus }) => billStatus],
  bill_at: ['timestamptz', ({ billAt }) => billAt],
  own_cents: ['bigint', ({ ownCents }) => ownCents],
  own_status: ['text', ({ ownStatus }) => ownStatus],
  own_at: ['timestamptz', ({ ownAt }) => ownAt],
  delta_cents: ['bigint', ({ deltaCents }) => deltaCents],
  held_cents: ['bigint', ({ heldCents }) => heldCents],
  found_at: ['timestamptz', ({ foundAt }) => foundAt],
})

/**
 * New differences. One that another bill had about the same payment or refund becomes what both bills together say; what two
 * people have decided about it stays.
 */
export async function writeDifferences(tx: Tx, differences: readonly NewDifference[]): Promise<void> {
  if (differences.length === 0) return
  await sql`${differenceColumns.insert(differences)}
    on conflict (channel, is_refund, number, copy) do update
    set kind = excluded.kind, state = excluded.state, trade_number = excluded.trade_number, subject_id = excluded.subject_id,
      bill_cents = excluded.bill_cents, bill_status = excluded.bill_status, bill_at = excluded.bill_at,
      own_cents = excluded.own_cents, own_status = excluded.own_status, own_at = excluded.own_at,
      delta_cents = excluded.delta_cents, held_cents = excluded.held_cents
    where channel_difference.state in ('parked', 'open')`.execute(tx)
}
