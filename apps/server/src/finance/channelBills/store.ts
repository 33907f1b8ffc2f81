import { sql } from 'kysely'
import { defaultAgentId } from '@saddle/contract/constants.ts'
import {
  billLineStates,
  channelBillSources,
  channelDayList,
  channelDayStates,
  channelDifferenceList,
  differenceKinds,
  differenceResolutions,
  differenceStates,
  ownStates,
  type ChannelBillSource,
  type ChannelDayRow,
  type ChannelDifference,
} from '@saddle/contract/finance/channelBills.ts'
import { paymentChannels, type PaymentChannelName } from '@saddle/contract/finance/payments.ts'
import type { Tx } from '#kit/db/pool.ts'
import { columnTable } from '#kit/db/columnTable.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { daysOf } from '#kit/list/businessDays.ts'
import { tableList } from '#kit/list/tableList.ts'
import type { BillLine } from './bill.ts'
import { resolutionsOf } from './rules.ts'

export type ChannelDayOf = { readonly channel: PaymentChannelName; readonly day: string }

/** Lines of a bill as they are copied; whose each one is follows from what it is matched with. */
export const lineColumns = ({ channel, day }: ChannelDayOf) =>
  columnTable<BillLine>()('channel_bill_line', {
    channel: ['text', () => channel],
    day: ['date', () => day],
    n: ['integer', ({ n }) => n],
    agent_id: ['bigint', () => defaultAgentId],
    is_refund: ['boolean', ({ isRefund }) => isRefund],
    number: ['text', ({ number }) => number],
    order_number: ['text', ({ orderNumber }) => orderNumber],
    trade_number: ['text', ({ tradeNumber }) => tradeNumber],
    at: ['timestamptz', ({ at }) => at],
    cents: ['bigint', ({ cents }) => cents],
    fee_millicents: ['bigint', ({ feeMillicents }) => feeMillicents],
    status: ['text', ({ status }) => status],
  })

const dayRow = rowsOf(
  rowOf('channel_day', 'd', [
    'id',
    'agent_id',
    'channel',
    'day',
    'source',
    'bill_payments',
    'bill_paid_cents',
    'bill_refunds',
    'bill_refunded_cents',
    'own_payments',
    'own_paid_cents',
    'own_refunds',
    'own_refunded_cents',
    'fee_cents',
    'differences',
    'open_differences',
    'held_cents',
    'compared_at',
  ]).codes({ channel: paymentChannels, source: channelBillSources }),
  rowOfValues({ state: computed('text', sql`d.state`) }).codes({ state: channelDayStates }),
  rowOf('agent', 'a', ['company']),
)
export const dayOf = (row: RowOf<typeof dayRow>): ChannelDayRow => dayRow.present(row)

/** The business days of a span. */
const spanOfDays = (alias: string, span: Parameters<typeof daysOf>[0]) => {
  const { firstDay, lastDay } = daysOf(span)
  const day = sql.ref(`${alias}.day`)
  return [firstDay !== undefined && sql`${day} >= ${firstDay}`, lastDay !== undefined && sql`${day} <= ${lastDay}`]
}

export const dayRows = tableList(channelDayList, {
  table: 'channel_day',
  alias: 'd',
  tenant: 'agent',
  columns: dayRow,
  joins: sql`join agent a on a.id = d.agent_id`,
  sorts: { day: ['day_number', 'whole'] },
  find: ({ agentId, channels, states = channelDayStates, ...span }) => ({
    runs: { column: 'state', type: 'text', values: states },
    ...(agentId !== undefined && { agentIds: [agentId] }),
    where: [channels && sql`d.channel = any (${channels}::text[])`, ...spanOfDays('d', span)],
  }),
  sums: {
    billPaidCents: sql`d.bill_paid_cents`,
    billRefundedCents: sql`d.bill_refunded_cents`,
    ownPaidCents: sql`d.own_paid_cents`,
    ownRefundedCents: sql`d.own_refunded_cents`,
    feeCents: sql`d.fee_cents`,
    heldCents: sql`d.held_cents`,
  },
})

const ofDifference = rowOf('channel_difference', 'd', [
  'id',
  'agent_id',
  'channel',
  'day',
  'kind',
  'state',
  'is_refund',
  'number',
  'order_number',
  'trade_number',
  'bill_cents',
  'bill_status',
  'bill_at',
  'own_cents',
  'own_status',
  'own_at',
  'delta_cents',
  'held_cents',
  'found_at',
  'resolution',
  'reason',
  'proposed_by',
  'proposed_at',
  'decided_by',
  'decided_at',
]).codes({
  channel: paymentChannels,
  kind: differenceKinds,
  state: differenceStates,
  bill_status: billLineStates,
  own_status: ownStates,
  resolution: differenceResolutions,
})
const differenceRow = rowsOf(
  ofDifference,
  rowOf('channel_difference', 'd', ['subject_id', 'proposed_by_id', 'suspended_by', 'refund_number']),
  rowOf('agent', 'a', ['company']),
)
export type DifferenceRow = RowOf<typeof differenceRow>

/** Whoever decides: people of the platform, because a bill is one of all companies. */
export type Viewer = { readonly operatorId: number; readonly isPlatform: boolean }

export function differenceOf(row: DifferenceRow, { operatorId, isPlatform }: Viewer): ChannelDifference {
  const { subjectId: _, proposedById, suspendedBy: __, refundNumber: ___, ...shown } = differenceRow.present(row)
  const isOwn = shown.state === 'proposed' && proposedById === operatorId
  return {
    ...shown,
    resolutions: isPlatform ? resolutionsOf(shown) : [],
    canConfirm: isPlatform && shown.state === 'proposed' && !isOwn,
    isOwn: isPlatform && isOwn,
  }
}

export const differenceRows = tableList(channelDifferenceList, {
  table: 'channel_difference',
  alias: 'd',
  tenant: 'agent',
  columns: differenceRow,
  joins: sql`join agent a on a.id = d.agent_id`,
  sorts: { day: ['day_number', 'whole'] },
  find: ({ id, number, agentId, channels, kinds, states = differenceStates, ...span }) => ({
    runs: { column: 'state', type: 'text', values: states },
    ...(agentId !== undefined && { agentIds: [agentId] }),
    narrowed: [id !== undefined && sql`d.id = ${id}`, number !== undefined && sql`d.number = ${number}`],
    where: [
      channels && sql`d.channel = any (${channels}::text[])`,
      kinds && sql`d.kind = any (${kinds}::text[])`,
      ...spanOfDays('d', span),
    ],
  }),
  sums: { deltaCents: sql`d.delta_cents`, heldCents: sql`d.held_cents` },
})

/** A difference of the scope, locked until the end of the transaction. */
export async function lockDifference(
  tx: Tx,
  { id, scope }: { readonly id: number; readonly scope: Pick<Scope, 'agentIds'> },
): Promise<DifferenceRow | undefined> {
  const { rows } = await differenceRow.select`
    from channel_difference d join agent a on a.id = d.agent_id
    where d.id = ${id} and d.agent_id = any (${scope.agentIds}::bigint[]) for update of d`.execute(tx)
  return rows[0]
}

/** Open differences and what is held, counted anew for a day that a change has touched. */
export async function countDays(tx: Tx, { channel, day }: ChannelDayOf): Promise<void> {
  await sql`
    update channel_day t set differences = c.all_of, open_differences = c.open_of, held_cents = c.held
    from (
      select d.agent_id, count(*) as all_of, count(*) filter (where d.state = any (${openStates}::text[])) as open_of,
        coalesce(sum(d.held_cents) filter (where d.state = any (${openStates}::text[])), 0) as held
      from channel_difference d where d.channel = ${channel} and d.day = ${day} group by d.agent_id
    ) c
    where t.agent_id = c.agent_id and t.channel = ${channel} and t.day = ${day}`.execute(tx)
}

/** Of differences that nobody has resolved. */
export const openStates = ['parked', 'open', 'proposed', 'suspended'] as const

const billRow = rowOf('channel_bill', 'b', ['hash', 'lines'])

/** The bill of a day that was compared already. Others of the same day wait until the transaction ends. */
export async function lockBill(tx: Tx, { channel, day }: ChannelDayOf): Promise<RowOf<typeof billRow> | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`channel_bill ${channel} ${day}`}, 0))`.execute(tx)
  const { rows } = await billRow.select`from channel_bill b where b.channel = ${channel} and b.day = ${day}`.execute(tx)
  return rows[0]
}

const oneRow = rowOfValues({ one: computed('integer', sql`1`) })

export async function isCompared(tx: Tx, { channel, day }: ChannelDayOf): Promise<boolean> {
  const { rows } = await oneRow.select`from channel_bill b where b.channel = ${channel} and b.day = ${day}`.execute(tx)
  return rows.length > 0
}

export async function insertBill(
  tx: Tx,
  bill: ChannelDayOf & {
    readonly hash: Buffer
    readonly source: ChannelBillSource
    readonly by: string
    readonly at: number
  },
): Promise<void> {
  const { channel, day, hash, source, by, at } = bill
  await sql`
    insert into channel_bill (channel, day, hash, source, lines, paid_cents, refunded_cents, fee_millicents, brought_by, compared_at)
    select ${channel}, ${day}::date, ${hash}, ${source}, count(*),
      coalesce(sum(cents) filter (where not is_refund and status = 'success'), 0),
      coalesce(sum(cents) filter (where is_refund and status = 'success'), 0),
      coalesce(sum(fee_millicents), 0), ${by}, ${new Date(at)}
    from bill_in`.execute(tx)
}
