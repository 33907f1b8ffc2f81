import { sql, type RawBuilder } from 'kysely'
import type { AccountKind, EntryKind } from '@saddle/contract/finance/ledger.ts'
import { orderStates, type OrderState } from '@saddle/contract/riding/orders.ts'
import {
  fleetMeasures,
  moneyMeasures,
  type FleetMeasure,
  type Measure,
  type MoneyMeasure,
  type MoneyMeasureRow,
  type RideMeasure,
} from '@saddle/contract/reports/measures.ts'
import type { sourceRowList } from '@saddle/contract/reports/sources.ts'
import { addDays } from '@saddle/contract/time.ts'
import { computed, rowOfValues, type RowOf } from '#kit/db/rows.ts'
import type { Cursor, KeyKind } from '#kit/list/cursor.ts'
import type { CountedRows, ListQuery } from '#kit/list/serveList.ts'
import { isCounted, rideParts } from '../rollups/rides.ts'
import { moneyPostings } from '../rollups/money.ts'
import type { SourceBuckets } from './rules.ts'

type Query = ListQuery<typeof sourceRowList, SourceBuckets>

/** Days around a span: wherever a company's day begins, its hours lie within them. */
const slackDays = 2

/** The row of a figure: columns of `p`, whatever it is of; with the keys that it is ordered by. */
const shown = rowOfValues({
  id: computed('text', sql`concat_ws(':', p.key0, p.key1, p.key2)`),
  at: computed('timestamptz', sql`p.at`),
  agent_id: computed('bigint', sql`p.agent_id`),
  company: computed('text', sql`(select a.company from agent a where a.id = p.agent_id)`),
  area_name: computed('text?', sql`(select a.name from service_area a where a.id = p.area_id)`),
  order_id: computed('bigint?', sql`p.order_id`),
  placed_at: computed('timestamptz?', sql`p.placed_at`),
  vehicle_number: computed('text?', sql`p.vehicle_number`),
  model: computed('text?', sql`p.model`),
  order_state: computed('text?', sql`p.order_state`),
  entry_number: computed('bigint?', sql`p.entry_number`),
  entry_kind: computed('text?', sql`p.entry_kind`),
  account: computed('text?', sql`p.account`),
  channel: computed('text?', sql`p.channel`),
  value: computed('numeric', sql`p.value`),
  key0: computed('bigint', sql`p.key0`),
  key1: computed('bigint', sql`p.key1`),
  key2: computed('bigint', sql`p.key2`),
})
export type SourceRowOf = RowOf<typeof shown>

/** Rows behind a figure: `rows` selects them as `p`, of one company or area `s` each, so that only the newest are sorted. */
interface Source {
  readonly keys: readonly KeyKind[]
  readonly each: (of: SourceBuckets) => RawBuilder<unknown>
  readonly rows: (of: SourceBuckets) => RawBuilder<unknown>
  /** The columns of the key, as they stand in `rows`. */
  readonly order: readonly [string, string, string]
}

/** The statements of the rows of one source. */
export function sourceRows(source: Source): CountedRows<typeof sourceRowList, SourceBuckets, SourceRowOf> {
  const ordered = (direction: Query['direction']): RawBuilder<unknown> =>
    sql.join(source.order.map((column) => sql`${sql.ref(`r.${column}`)} ${sql.raw(direction)}`))
  const after = (cursor: Cursor | null, direction: Query['direction']): RawBuilder<unknown> =>
    cursor === null
      ? sql``
      : sql`and (${sql.join(source.order.map((column) => sql.ref(`r.${column}`)))})
          ${sql.raw(direction === 'asc' ? '>' : '<')} (${sql.join(cursor.map((value) => sql`${value}::bigint`))})`
  const part = ({ params, direction, limit, ...query }: Query): RawBuilder<unknown> => sql`
    (${source.each(params)}) s cross join lateral (
      select r.* from (${source.rows(params)}) r where r.value is not null ${after(query.after, direction)}
      order by ${ordered(direction)} limit ${limit}
    ) r`
  return {
    keys: { at: source.keys },
    select: (query) =>
      shown.query(
        (list) => sql`
          select ${list} from (
            select r.* from ${part(query)} order by ${ordered(query.direction)} limit ${query.limit}
          ) p order by p.key0 ${sql.raw(query.direction)}, p.key1 ${sql.raw(query.direction)}, p.key2 ${sql.raw(query.direction)}`,
      ),
    count: (query) => sql`select count(*) as count from (select from ${part(query)} limit ${query.limit}) c`,
    // All of them: no order and no limit, so that the rows are added up as they are found.
    sums: ({ params }) => sql`
      select count(*) as rows, coalesce(sum(r.value), 0)::bigint as value
      from (${source.each(params)}) s cross join lateral (${source.rows(params)}) r where r.value is not null`,
    cursorOf: ({ key0, key1, key2 }) => [key0, key1, key2],
  }
}

const micros = (at: string): RawBuilder<unknown> => sql`(extract(epoch from ${sql.raw(at)}) * 1000000)::bigint`
const nothing = sql`null::text as vehicle_number, null::text as model, null::text as order_state`
const noEntry = sql`null::bigint as entry_number, null::text as entry_kind, null::text as account, null::text as channel`

/** The hours of a span by the calendar `c` of a company, as the figures have them. */
const inSpan = (at: string, { from, to, hour }: SourceBuckets): RawBuilder<unknown> => sql`
  ${sql.raw(at)} >= ${addDays(from, -slackDays)}::date and ${sql.raw(at)} < ${addDays(to, slackDays)}::date
  and report_day(date_trunc('hour', ${sql.raw(at)}, 'UTC'), c.zone, c.day_starts_at) between ${from}::date and ${to}::date
  ${
    hour === null
      ? sql``
      : sql`and to_char(date_trunc('hour', ${sql.raw(at)}, 'UTC') at time zone coalesce(c.zone, 'Asia/Shanghai'), 'HH24') = ${hour}`
  }`

const signed = (of: SourceBuckets, value: (name: Measure) => RawBuilder<unknown>): RawBuilder<unknown> =>
  sql.join(
    of.measures.map(({ name, sign }) => sql`${sql.raw(sign < 0 ? '-' : '+')} ${value(name)}`),
    sql` `,
  )

const ridePart = (name: Measure) => rideParts[name as RideMeasure]

export const rideSource = sourceRows({
  keys: ['whole', 'id', 'whole'],
  order: ['key0', 'key1', 'key2'],
  each: ({ areaIds }) => sql`select unnest(${areaIds}::bigint[]) as id`,
  rows: (of) => sql`
    select ${micros('o.placed_at')} as key0, o.id as key1, 0::bigint as key2, o.placed_at as at, o.agent_id, o.area_id,
      o.id as order_id, o.placed_at, o.vehicle_number, v.model, o.state as order_state, ${noEntry},
      (${signed(of, (name) => sql`case when ${ridePart(name).counts} then ${ridePart(name).adds} else 0 end`)}) as value
    from ride_order o join vehicle v on v.id = o.vehicle_id left join report_calendar c on c.agent_id = o.agent_id
    where o.area_id = s.id and o.agent_id = any (${of.agentIds}::bigint[]) and o.area_id = any (${of.areaIds}::bigint[])
      and ${isCounted} and ${inSpan('o.placed_at', of)}
      and (${sql.join(
        of.measures.map(({ name }) => ridePart(name).counts),
        sql` or `,
      )})
      ${of.models === undefined ? sql`` : sql`and v.model = any (${of.models}::text[])`}`,
})

const ruleOf = (name: Measure): MoneyMeasureRow => moneyMeasures[name as MoneyMeasure]

/** Whether a posting `m` is one that a measure counts. */
function isPostingOf(name: Measure): RawBuilder<unknown> {
  const { accounts, side, kinds, except } = ruleOf(name)
  const sides: Readonly<Record<MoneyMeasureRow['side'], RawBuilder<unknown>>> = {
    credit: sql`and m.cents > 0`,
    credits: sql`and m.cents > 0`,
    debit: sql`and m.cents < 0`,
    debits: sql`and m.cents < 0`,
    credit_net: sql``,
    debit_net: sql``,
  }
  return sql`(m.account = any (${accounts}::text[]) ${sides[side]}
    ${kinds === undefined ? sql`` : sql`and m.kind = any (${kinds}::text[])`}
    ${except === undefined ? sql`` : sql`and m.kind <> all (${except}::text[])`})`
}

function amountOf(name: Measure): RawBuilder<unknown> {
  const { side } = ruleOf(name)
  if (side === 'credits' || side === 'debits') return sql`1`
  return side === 'debit' || side === 'debit_net' ? sql`-m.cents` : sql`m.cents`
}

/** Kinds of entries that the measures name; undefined where one counts entries of every kind. */
function kindsOf(measures: SourceBuckets['measures']): EntryKind[] | undefined {
  const kinds = measures.map(({ name }) => ruleOf(name).kinds)
  return kinds.every((one) => one !== undefined) ? [...new Set(kinds.flat())] : undefined
}

export const moneySource = sourceRows({
  keys: ['id', 'id', 'whole'],
  order: ['key0', 'key1', 'key2'],
  each: ({ agentIds }) => sql`select unnest(${agentIds}::bigint[]) as id`,
  rows: (of) => {
    const kinds = kindsOf(of.measures)
    const accounts: AccountKind[] = [...new Set(of.measures.flatMap(({ name }) => ruleOf(name).accounts))]
    const entries = sql`e.agent_id = s.id and e.agent_id = any (${of.agentIds}::bigint[])
      and e.occurred_at >= ${addDays(of.from, -slackDays)}::date and e.occurred_at < ${addDays(of.to, slackDays)}::date
      ${kinds === undefined ? sql`` : sql`and e.kind = any (${kinds}::text[])`}`
    return sql`
      select m.agent_id as key0, m.number as key1, m.n::bigint as key2, m.occurred_at as at, m.agent_id, m.area_id,
        m.order_id, m.placed_at, ${nothing}, m.number as entry_number, m.kind as entry_kind, m.account, m.channel,
        (${signed(of, (name) => sql`case when ${isPostingOf(name)} then ${amountOf(name)} else 0 end`)}) as value
      from (${moneyPostings(entries)}) m left join report_calendar c on c.agent_id = m.agent_id
      where m.account = any (${accounts}::text[]) and ${inSpan('m.occurred_at', of)}
        and (${of.hasOfCompany ? sql`m.area_id is null or` : sql``} m.area_id = any (${of.areaIds}::bigint[]))
        and (${sql.join(
          of.measures.map(({ name }) => isPostingOf(name)),
          sql` or `,
        )})
        ${of.channels === undefined ? sql`` : sql`and m.channel = any (${of.channels}::text[])`}
        ${of.cardKind === undefined ? sql`` : sql`and m.card_kind = ${of.cardKind}`}`
  },
})

export const fleetSource = sourceRows({
  keys: ['whole', 'id', 'whole'],
  order: ['key0', 'key1', 'key2'],
  each: ({ areaIds }) => sql`select unnest(${areaIds}::bigint[]) as id`,
  rows: (of) => sql`
    select (f.day - date '1970-01-01')::bigint as key0, f.area_id as key1, 0::bigint as key2,
      f.day::timestamp at time zone 'Asia/Shanghai' as at, f.agent_id, f.area_id, null::bigint as order_id,
      null::timestamptz as placed_at, ${nothing}, ${noEntry},
      (${signed(of, (name) => sql`f.${sql.ref(fleetMeasures[name as FleetMeasure])}`)}) as value
    from fleet_day f
    where f.area_id = s.id and f.area_id = any (${of.areaIds}::bigint[]) and f.agent_id = any (${of.agentIds}::bigint[])
      and f.day between ${of.from}::date and ${of.to}::date`,
})

/** As the contract names its values; an order's number follows from when it was placed. */
export const presentSource = (row: SourceRowOf) => ({
  id: row.id,
  at: row.at.getTime(),
  agentId: row.agent_id,
  company: row.company,
  areaName: row.area_name,
  orderId: row.order_id,
  placedAt: row.placed_at?.getTime() ?? null,
  vehicleNumber: row.vehicle_number,
  model: row.model,
  orderState: orderStates.find((state): state is OrderState => state === row.order_state) ?? null,
  entryNumber: row.entry_number,
  entryKind: row.entry_kind as EntryKind | null,
  account: row.account as AccountKind | null,
  channel: row.channel,
  value: Number(row.value),
})
