import { sql, type RawBuilder } from 'kysely'
import {
  reconciliationSides,
  type ReconciliationFilter,
  type ReconciliationRowFilter,
  type ReconciliationRowSide,
  type reconciliationSourceList,
} from '@saddle/contract/reports/reconciliation.ts'
import { paymentChannels, type PaymentChannelName } from '@saddle/contract/finance/payments.ts'
import { addDays, businessDayEnd, businessDayStart } from '@saddle/contract/time.ts'
import { selectChannelMovements } from '#finance/public.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { CountedRows, ListQuery } from '#kit/list/serveList.ts'
import type { CompanyDay } from './rules.ts'

/** An entry has fewer lines. */
const linesMax = 1_000

export interface Reconciled {
  readonly from: string
  readonly to: string
  readonly agentIds: readonly number[]
  readonly channels: readonly PaymentChannelName[]
}

/** The companies of the scope, the channels and days that are asked for. */
export const reconciledOf = (
  { from, to, agentIds, channels }: Pick<ReconciliationFilter, 'from' | 'to' | 'agentIds' | 'channels'>,
  scope: Pick<Scope, 'agentIds'>,
): Reconciled => ({
  from,
  to,
  agentIds: scope.agentIds.filter((id) => agentIds === undefined || agentIds.includes(id)),
  channels: channels ?? paymentChannels,
})

const within = (at: RawBuilder<unknown>, { from, to }: Reconciled): RawBuilder<unknown> =>
  sql`${at} >= ${new Date(businessDayStart(from))} and ${at} < ${new Date(businessDayEnd(to))}`
/** The beginning of a moment's day, Asia/Shanghai: much cheaper than its name, so that many rows are grouped by it. */
const dayStartOf = (at: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`date_bin('1 day', ${at}, '2000-01-01 00:00:00+08'::timestamptz)`
const dayOf = (at: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`to_char((${at} at time zone 'Asia/Shanghai')::date, 'YYYY-MM-DD')`

const billRow = rowsOf(
  rowOf('channel_day', 'd', [
    'agent_id',
    'channel',
    'bill_paid_cents',
    'bill_refunded_cents',
    'fee_cents',
    'open_differences',
    'held_cents',
  ]).codes({ channel: paymentChannels }),
  rowOfValues({ day: computed('text', sql`to_char(d.day, 'YYYY-MM-DD')`), state: computed('text', sql`d.state`) }),
)

/** What the compared bills have of each company's day. */
export const selectBills = (of: Reconciled) => billRow.select`
  from channel_day d where d.agent_id = any (${of.agentIds}::bigint[]) and d.channel = any (${of.channels}::text[])
    and d.day between ${of.from}::date and ${of.to}::date`

const movements = (of: Reconciled): RawBuilder<unknown> => sql`
  select m.* from unnest(${of.channels}::text[]) c (channel)
  cross join lateral (${selectChannelMovements({ channel: sql`c.channel`, within: (at) => within(at, of) })}) m
  where m.agent_id = any (${of.agentIds}::bigint[])`

const paidFor = (purpose: string): RawBuilder<unknown> =>
  sql`coalesce(sum(m.cents) filter (where not m.is_refund and m.purpose = ${purpose}), 0)::bigint`
const ownRow = rowOfValues({
  agent_id: computed('bigint', sql`m.agent_id`),
  channel: computed('text', sql`m.channel`),
  day: computed('text', dayOf(sql`m.at`)),
  paid: computed('bigint', sql`coalesce(sum(m.cents) filter (where not m.is_refund), 0)::bigint`),
  refunded: computed('bigint', sql`coalesce(sum(m.cents) filter (where m.is_refund), 0)::bigint`),
  ride: computed('bigint', paidFor('ride')),
  recharge: computed('bigint', paidFor('recharge')),
  deposit: computed('bigint', paidFor('deposit')),
  card: computed('bigint', paidFor('card')),
  service: computed('bigint', paidFor('service')),
}).codes({ channel: paymentChannels })

/** Payments and refunds, what companies paid in for services among them. */
export const selectOwn = (of: Reconciled) => ownRow.select`
  from (
    select m.agent_id, m.channel, m.is_refund, m.purpose, ${dayStartOf(sql`m.at`)} as at, sum(m.cents) as cents
    from (${movements(of)}) m group by 1, 2, 3, 4, 5
  ) m group by m.agent_id, m.channel, m.at`

const ledgerRow = rowOfValues({
  agent_id: computed('bigint', sql`f.agent_id`),
  channel: computed('text', sql`substr(f.account, 10)`),
  day: computed('text', dayOf(sql`f.hour`)),
  paid: computed('bigint', sql`sum(f.debit_cents)::bigint`),
  refunded: computed('bigint', sql`sum(f.credit_cents)::bigint`),
}).codes({ channel: paymentChannels })

const accountsOf = ({ channels }: Reconciled): string[] => channels.map((channel) => `clearing_${channel}`)
/** A fee and a decision about a difference are no payment. */
const isPayment = (column: string): RawBuilder<unknown> =>
  sql`${sql.ref(column)} <> all ('{channel_fee,channel_difference}'::text[])`

/**
 * What entries of payments and refunds have moved on the clearing accounts. It is of whole companies, whatever areas the
 * caller sees: so are the bills. The statement is run as the system, because the row policy asks for all areas.
 */
export const selectCleared = (of: Reconciled) => ledgerRow.select`
  from report_money_company_hour f
  where f.agent_id = any (${of.agentIds}::bigint[]) and f.account = any (${accountsOf(of)}::text[]) and ${isPayment('f.kind')}
    and f.day between ${addDays(of.from, -1)}::date and ${addDays(of.to, 1)}::date and ${within(sql`f.hour`, of)}
  group by f.agent_id, f.account, ${dayOf(sql`f.hour`)}`

const companyRow = rowsOf(rowOf('agent', 'a', ['id', 'company']))
export const selectCompanies = (agentIds: readonly number[]) =>
  companyRow.select`from agent a where a.id = any (${agentIds}::bigint[])`

const sourceRow = rowOfValues({
  at: computed('timestamptz', sql`p.at`),
  agent_id: computed('bigint', sql`p.agent_id`),
  company: computed('text', sql`(select a.company from agent a where a.id = p.agent_id)`),
  channel: computed('text', sql`p.channel`),
  side: computed('text', sql`p.side`),
  number: computed('text', sql`p.number`),
  kind: computed('text', sql`p.kind`),
  is_refund: computed('boolean', sql`p.is_refund`),
  cents: computed('bigint', sql`p.cents`),
  key0: computed('bigint', sql`p.key0`),
  key1: computed('bigint', sql`p.key1`),
  key2: computed('bigint', sql`p.key2`),
}).codes({ channel: paymentChannels, side: reconciliationSides })
export type SourceRow = RowOf<typeof sourceRow>

interface Params extends ReconciliationRowFilter {
  readonly of: Reconciled
  /** Days of companies and channels on which platform and ledger differ. */
  readonly uneven: readonly UnevenDay[]
}
type UnevenDay = Pick<CompanyDay, 'agentId' | 'channel' | 'day'>

/** Rows of a side in one form, with the keys of their order. */
const sides: Readonly<Record<ReconciliationRowSide, (params: Params) => RawBuilder<unknown>>> = {
  bill: ({ of }) => sql`
    select 'bill' as side, l.at, l.agent_id, l.channel, l.number, l.status as kind, l.is_refund,
      case when l.is_refund then -l.cents else l.cents end as cents,
      (l.day - date '1970-01-01')::bigint as key0, array_position(${[...paymentChannels]}::text[], l.channel)::bigint as key1,
      l.n::bigint as key2
    from channel_bill_line l
    where l.agent_id = any (${of.agentIds}::bigint[]) and l.channel = any (${of.channels}::text[])
      and l.day between ${of.from}::date and ${of.to}::date and l.status = 'success'`,
  own: ({ of, purpose }) => sql`
    select 'own' as side, m.at, m.agent_id, m.channel, m.number, m.purpose as kind, m.is_refund,
      case when m.is_refund then -m.cents else m.cents end as cents,
      (extract(epoch from m.at) * 1000000)::bigint as key0, m.is_refund::integer::bigint as key1, m.subject_id as key2
    from (${movements(of)}) m ${purpose === undefined ? sql`` : sql`where m.purpose = ${purpose}`}`,
  ledger: ({ of }) => sql`
    select 'ledger' as side, e.occurred_at as at, e.agent_id, substr(a.kind, 10) as channel, e.reference as number, e.kind,
      l.cents > 0 as is_refund, -l.cents as cents, e.agent_id as key0, e.number as key1, l.n::bigint as key2
    from ledger_entry e
    cross join lateral unnest(e.account_ids, e.amounts_cents) with ordinality as l (account_id, cents, n)
    join ledger_account a on a.id = l.account_id and a.kind = any (${accountsOf(of)}::text[])
    where e.agent_id = any (${of.agentIds}::bigint[]) and ${isPayment('e.kind')} and ${within(sql`e.occurred_at`, of)}`,
  unmatched: ({ uneven }) => sql`
    select u.side, u.at, u.agent_id, u.channel, u.number, u.kind, u.is_refund,
      case when u.is_refund = (u.side = 'own') then -u.cents else u.cents end as cents,
      (extract(epoch from u.at) * 1000000)::bigint as key0,
      (u.agent_id * 4 + (u.side = 'own')::integer * 2 + u.is_refund::integer)::bigint as key1, u.id as key2
    from (${unmatched(uneven)}) u`,
}

/** What tells rows of one amount apart that may stand for each other. */
const sameAmount = sql`s.agent_id, s.channel, s.is_refund, s.cents`
/** How many rows of a group the other side has. */
const ofOther = (group: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  case when s.side = 'own' then count(*) filter (where s.side = 'ledger') over (partition by ${group})
    else count(*) filter (where s.side = 'own') over (partition by ${group}) end`

/**
 * Payments, refunds and entries that the other side does not have: rows of one amount stand for each other where they are of
 * the same instant, and those that are left where they are of the same day. What is left then adds up to the difference.
 */
const unmatched = (uneven: readonly UnevenDay[]): RawBuilder<unknown> => sql`
  with d as (
    select * from unnest(${uneven.map(({ agentId }) => agentId)}::bigint[], ${uneven.map(({ channel }) => channel)}::text[],
      ${uneven.map(({ day }) => new Date(businessDayStart(day)).toISOString())}::timestamptz[],
      ${uneven.map(({ day }) => new Date(businessDayEnd(day)).toISOString())}::timestamptz[]) as d (agent_id, channel, from_at, to_at)
  ), both_sides as (
    select 'own' as side, m.at, m.agent_id, d.channel, m.number, m.purpose as kind, m.is_refund, m.cents, m.subject_id as id, d.from_at
    from d cross join lateral (${selectChannelMovements({
      channel: sql`d.channel`,
      within: (at) => sql`${at} >= d.from_at and ${at} < d.to_at`,
    })}) m where m.agent_id = d.agent_id
    union all
    select 'ledger', e.occurred_at, e.agent_id, d.channel, e.reference, e.kind, l.cents > 0, abs(l.cents),
      e.number * ${linesMax}::bigint + l.n, d.from_at
    from d join ledger_entry e on e.agent_id = d.agent_id and e.occurred_at >= d.from_at and e.occurred_at < d.to_at
    cross join lateral unnest(e.account_ids, e.amounts_cents) with ordinality as l (account_id, cents, n)
    join ledger_account a on a.id = l.account_id and a.kind = 'clearing_' || d.channel
    where ${isPayment('e.kind')}
  ), at_once as (
    select s.*, row_number() over (partition by s.side, ${sameAmount}, s.at order by s.id) as place,
      ${ofOther(sql`${sameAmount}, s.at`)} as others
    from both_sides s
  ), on_day as (
    select s.*, row_number() over (partition by s.side, ${sameAmount}, s.from_at order by s.at, s.id) as day_place,
      ${ofOther(sql`${sameAmount}, s.from_at`)} as day_others
    from at_once s where s.place > s.others
  )
  select * from on_day where day_place > day_others`

/** The statements of the rows behind a sum. */
export function sideRows(side: ReconciliationRowSide): CountedRows<typeof reconciliationSourceList, Params, SourceRow> {
  type Query = ListQuery<typeof reconciliationSourceList, Params>
  const found = ({ params, after, direction }: Query): RawBuilder<unknown> => {
    const { isRefund } = params
    return sql`
      (${sides[side](params)}) r where true ${isRefund === undefined ? sql`` : sql`and r.is_refund = ${isRefund}`}
      ${
        after === null
          ? sql``
          : sql`and (r.key0, r.key1, r.key2) ${sql.raw(direction === 'asc' ? '>' : '<')}
              (${sql.join(after.map((value) => sql`${value}::bigint`))})`
      }`
  }
  return {
    keys: { at: ['whole', 'whole', 'whole'] },
    select: (query) => {
      const way = sql.raw(query.direction)
      const order = (alias: string): RawBuilder<unknown> =>
        sql.join(['key0', 'key1', 'key2'].map((key) => sql`${sql.ref(`${alias}.${key}`)} ${way}`))
      return sourceRow.query(
        (list) => sql`
          select ${list} from (select r.* from ${found(query)} order by ${order('r')} limit ${query.limit}) p
          order by ${order('p')}`,
      )
    },
    count: (query) => sql`select count(*) as count from (select from ${found(query)} limit ${query.limit}) c`,
    sums: (query) => sql`select count(*) as rows, coalesce(sum(r.cents), 0)::bigint as cents from ${found(query)}`,
    cursorOf: ({ key0, key1, key2 }) => [key0, key1, key2],
  }
}
