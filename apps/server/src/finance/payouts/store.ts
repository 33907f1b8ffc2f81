import { sql, type RawBuilder } from 'kysely'
import type { payoutLineList } from '@saddle/contract/finance/payouts.ts'
import { withdrawalStates } from '@saddle/contract/finance/withdrawals.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { CountedRows, ListQuery } from '#kit/list/serveList.ts'
import type { BookEvent, Piece } from './rules.ts'

const eventRow = rowsOf(
  rowOf('ledger_entry', 'e', ['number', 'kind', 'reference', 'occurred_at', 'memo']),
  rowOfValues({ cents: computed('bigint', sql`coalesce(e.amounts_cents[array_position(e.account_ids, m.id)], 0)`) }),
  rowOf('split_settlement', 's', ['day', 'owner_cents', 'repaid_cents', 'reserved_cents']).optional(),
)
export type EventRow = RowOf<typeof eventRow>

/** Entries that are looked at: a company has one a day, and two for each withdrawal. */
const eventsMax = 200_000

/**
 * Of a company that was looked up within the scope: what settled its days and what moved its available balance, in the order of the book. One statement, so that both
 * are of one moment. The kinds that are left out are those of the partial index `ledger_entry_company`: none of them does either.
 */
export const selectEvents = (agentId: number) =>
  eventRow.select`
    from ledger_entry e
    left join ledger_account m on m.agent_id = e.agent_id and m.kind = 'agent_available' and m.owner_id = 0
    left join split_settlement s on s.agent_id = e.agent_id and e.kind = 'split_settlement'
      and e.reference = 'split-day:' || s.day and e.key = 'settlement:' || s.number
    where e.agent_id = ${agentId}
      and e.kind not in ('ride_charge', 'ride_refund', 'recharge', 'card_sale', 'card_earning', 'gift_grant', 'gift_expiry',
        'deposit_pay', 'deposit_refund', 'balance_refund', 'refund_paid')
      and (e.kind = 'split_settlement' or m.id = any (e.account_ids))
    order by e.number limit ${eventsMax}`

export const eventOf = (row: EventRow): BookEvent => ({
  entryNumber: row.number,
  reference: row.reference,
  cents: row.cents,
  settled:
    row.day === null
      ? null
      : {
          day: row.day,
          ownerCents: row.owner_cents ?? 0,
          repaidCents: row.repaid_cents ?? 0,
          reservedCents: row.reserved_cents ?? 0,
        },
})

/**
 * The company's parts of a day as stretches `lo` to `hi` of its settled cents. Refunds and corrections of a ride of the same day
 * are taken from that ride; what is below zero after that is taken from the front of the day, and so `lo` may be below zero.
 */
const partsOf = (agentId: number, day: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select t.number, t.order_id, t.cents, (t.until - t.cents - t.cut)::bigint as lo, (t.until - t.cut)::bigint as hi
  from (
    select n.*, sum(greatest(n.cents, 0)) over (order by n.number) as until, sum(greatest(-n.cents, 0)) over () as cut
    from (
      select coalesce(min(l.entry_number) filter (where l.owner_cents > 0), min(l.entry_number)) as number, l.order_id,
        sum(l.owner_cents)::bigint as cents
      from split_line l where l.agent_id = ${agentId} and l.day = ${day}
      group by l.order_id, case when l.order_id is null then l.entry_number end
    ) n
  ) t where t.cents > 0`

const lineRow = rowsOf(
  rowOf('split_line', 'l', ['agent_id', 'entry_number', 'day', 'at', 'kind', 'order_id', 'paid_cents']),
  rowOf('service_area', 'r', ['name as area_name']).optional(),
  rowOf('split_terms', 'v', ['version as terms_version']).optional(),
  rowOfValues({
    source: computed('integer', sql`p.source`),
    is_of_reserve: computed('boolean', sql`p.is_of_reserve`),
    owner_cents: computed('bigint', sql`p.owner_cents`),
    cents: computed('bigint', sql`p.cents`),
  }),
)
export type LineRow = RowOf<typeof lineRow>
export const presentLine = (row: LineRow) => lineRow.present(row)

/** Stretches of a company that was looked up within the scope. */
export type PayoutParams = {
  readonly agentId: number
  readonly pieces: readonly (Pick<Piece, 'day' | 'from' | 'cents' | 'isOfReserve'> & { readonly source: number })[]
}
type L = typeof payoutLineList
type Query = ListQuery<L, PayoutParams>

/** What of each ride lies within the stretches. */
function found({ params: { agentId, pieces }, after, direction }: Query): RawBuilder<unknown> {
  const [source, number] = after ?? []
  const isBehind = sql.raw(direction === 'asc' ? '>' : '<')
  return sql`
    select i.source, i.is_of_reserve, t.number, t.cents as owner_cents,
      least(t.hi, i.start + i.size) - greatest(t.lo, i.start) as cents
    from unnest(${pieces.map((one) => one.source)}::integer[], ${pieces.map(({ day }) => day)}::date[],
      ${pieces.map(({ from }) => from)}::bigint[], ${pieces.map(({ cents }) => cents)}::bigint[],
      ${pieces.map(({ isOfReserve }) => isOfReserve)}::boolean[]) i (source, day, start, size, is_of_reserve)
    cross join lateral (${partsOf(agentId, sql`i.day`)}) t
    where t.lo < i.start + i.size and t.hi > i.start
      ${after === null ? sql`` : sql`and (i.source, t.number) ${isBehind} (${source}::integer, ${number}::bigint)`}`
}

export const payoutRows: CountedRows<L, PayoutParams, LineRow> = {
  keys: { source: ['whole', 'id'] },
  select: (query) => {
    const order = sql.raw(`p.source ${query.direction}, p.number ${query.direction}`)
    return lineRow.select`
      from (select p.* from (${found(query)}) p order by ${order} limit ${query.limit}) p
      join split_line l on l.agent_id = ${query.params.agentId} and l.entry_number = p.number
      left join service_area r on r.id = l.area_id
      left join split_terms v on v.id = l.terms_id
      order by ${order}`
  },
  count: (query) => sql`select count(*) as count from (select from (${found(query)}) p limit ${query.limit}) c`,
  sums: (query) => sql`
    select count(*) as rows, coalesce(sum(p.cents), 0)::bigint as cents
    from (select p.* from (${found(query)}) p limit ${query.limit}) p`,
  cursorOf: ({ source, entry_number: number }) => [source, number],
}

const partRow = rowOfValues({
  day: computed('date', sql`d.day`),
  is_closed: computed('boolean', sql`d.day < c.open_day`),
  owner_cents: computed('bigint', sql`d.cents`),
  /** Null where the company owes it. */
  lo: computed('bigint?', sql`t.lo`),
  hi: computed('bigint?', sql`t.hi`),
  settled_cents: computed(
    'bigint',
    sql`(select coalesce(sum(greatest(s.owner_cents, 0)), 0)::bigint from split_settlement s
      where s.agent_id = c.agent_id and s.day = d.day)`,
  ),
})
export type PartRow = RowOf<typeof partRow>

/** What a company has of an order on each day, as a stretch of the day. */
export const selectParts = ({ agentId, orderId }: { agentId: number; orderId: number }) =>
  partRow.select`
    from (
      select l.day, sum(l.owner_cents)::bigint as cents from split_line l
      where l.agent_id = ${agentId} and l.order_id = ${orderId} group by l.day
    ) d
    join split_cursor c on c.agent_id = ${agentId}
    left join lateral (
      select t.* from (${partsOf(agentId, sql`d.day`)}) t where t.order_id = ${orderId}
    ) t on true
    order by d.day`

const stateRow = rowOf('withdrawal', 'w', ['id', 'state']).codes({ state: withdrawalStates })

export const selectStates = ({ agentId, ids }: { agentId: number; ids: readonly number[] }) =>
  stateRow.select`from withdrawal w where w.agent_id = ${agentId} and w.id = any (${ids}::bigint[])`
