import { sql, type RawBuilder } from 'kysely'
import { paymentChannels } from '@saddle/contract/finance/payments.ts'
import { yuanText } from '@saddle/contract/money.ts'
import { addDays, businessDayEnd, businessDayStart } from '@saddle/contract/time.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import { selectMovements } from './movements.ts'

/** Business days, both included. */
export type FinanceSpan = { readonly first: string; readonly last: string }

export type FinanceProof = FinanceSpan & {
  /** Days of the span that have a bill. */
  readonly days: number
  /** What bills have taken in less what they have given back. */
  readonly billCents: number
  /** The same as payments and refunds, the ledger's clearing accounts, and what the ledger has as income of rides. */
  readonly ownCents: number
  readonly ledgerCents: number
  readonly rideCents: number
  readonly splitCents: number
  /** Known differences to bills that nobody has resolved yet: their money is held. */
  readonly waiting: readonly string[]
  /** What nothing explains; none when all agree. */
  readonly differences: readonly string[]
}

const namedMax = 1_000
const spanMax = 30

/**
 * Proves from one snapshot, each side from rows of its own, that bills of channels, payments and refunds, the ledger, orders,
 * lines, bills and statements of the division, and withdrawals agree to the cent. What a bill and the platform do not agree about is explained where a row
 * says so and its money is held or was resolved.
 */
export async function reconcileFinance(db: Pick<Database, 'system'>, span: FinanceSpan): Promise<FinanceProof> {
  return db.system(async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    const differences: string[] = []
    for (const check of checks) differences.push(...(await namesOf(tx, check(span))))
    return {
      ...span,
      ...(await sumsOf(tx, span)),
      waiting: await namesOf(tx, waitingOf(span)),
      differences,
    }
  })
}

/** The closing line of `npm run finance:reconcile`. */
export const financeLine = ({ days, billCents, differences }: FinanceProof): string =>
  `finance: ${days} days, ${billCents} cents, ${differences.length} differences`

const spanRow = rowOfValues({ first: computed('date?', sql`s.first`), last: computed('date?', sql`s.last`) })

/** The last 30 days that are closed: every channel's bill was compared, and the income of every company is divided. */
export async function lastClosedDays(db: Pick<Database, 'systemRead'>): Promise<FinanceSpan | null> {
  const [row] = await db.systemRead((k) =>
    spanRow.select`
      from (
        select min(b.day) as first, least(
          (select min(l.day) from (select max(c.day) as day from channel_bill c group by c.channel) l),
          (select min(c.open_day) - 1 from split_cursor c)
        ) as last from channel_bill b
      ) s`.compile(k),
  )
  const { first = null, last = null } = row ?? {}
  if (first === null || last === null || last < first) return null
  const earliest = addDays(last, 1 - spanMax)
  return { first: first > earliest ? first : earliest, last }
}

const sumRow = rowOfValues({
  days: computed('integer', sql`s.days`),
  bill: computed('bigint', sql`s.bill`),
  own: computed('bigint', sql`s.own`),
  ledger: computed('bigint', sql`s.ledger`),
  rides: computed('bigint', sql`s.rides`),
  splits: computed('bigint', sql`s.splits`),
})

async function sumsOf(tx: Tx, span: FinanceSpan) {
  const { rows } = await sumRow.select`
    from (
      select
        (select count(distinct b.day) from channel_bill b where b.day between ${span.first} and ${span.last}) as days,
        (select coalesce(sum(case when l.is_refund then -l.cents else l.cents end), 0) from channel_bill_line l
          where l.day between ${span.first} and ${span.last} and l.status = 'success') as bill,
        (select coalesce(sum(o.cents), 0) from (${own(span)}) o) as own,
        (select coalesce(sum(p.cents), 0) from (${cleared(span)}) p) as ledger,
        (select coalesce(sum(p.cents), 0) from (${revenue(span)}) p where p.kind in ('ride_charge', 'ride_refund')) as rides,
        (select coalesce(sum(l.paid_cents), 0) from split_line l where l.day between ${span.first} and ${span.last}) as splits
    ) s`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('a sum has one row')
  return {
    days: row.days,
    billCents: row.bill,
    ownCents: row.own,
    ledgerCents: row.ledger,
    rideCents: row.rides,
    splitCents: row.splits,
  }
}

const nameRow = (expression: RawBuilder<unknown>) => rowOfValues({ name: computed('text', expression) })

async function namesOf(tx: Tx, query: RawBuilder<{ name: string }>): Promise<string[]> {
  return (await query.execute(tx)).rows.map(({ name }) => name)
}

const yuan = (cents: RawBuilder<unknown>): RawBuilder<unknown> => sql`to_char(${cents} / 100.0, 'FM999999999990.00')`
const dayOf = (at: string): RawBuilder<unknown> => sql`(${sql.raw(at)} at time zone 'Asia/Shanghai')::date`
const isWithin = (at: RawBuilder<unknown>, { first, last }: FinanceSpan): RawBuilder<unknown> =>
  sql`${at} >= ${new Date(businessDayStart(first))} and ${at} < ${new Date(businessDayEnd(last))}`
const within = (at: string, span: FinanceSpan): RawBuilder<unknown> => isWithin(sql.raw(at), span)

/** Payments and refunds of the span; refunds below zero. */
const own = (span: FinanceSpan): RawBuilder<unknown> => sql`
  select m.agent_id, m.channel, (m.at at time zone 'Asia/Shanghai')::date as day, m.is_refund, m.subject_id, m.number,
    case when m.is_refund then -m.cents else m.cents end as cents
  from unnest(${[...paymentChannels]}::text[]) c (channel)
  cross join lateral (${selectMovements({ channel: sql`c.channel`, within: (at) => isWithin(at, span) })}) m`

/** What entries of payments and refunds have moved on the clearing accounts of channels. */
const cleared = (span: FinanceSpan): RawBuilder<unknown> => sql`
  select e.agent_id, substr(a.kind, 10) as channel, ${dayOf('e.occurred_at')} as day, -c.cents as cents
  from ledger_entry e cross join unnest(e.account_ids, e.amounts_cents) as c (account_id, cents)
  join ledger_account a on a.id = c.account_id and a.kind in ('clearing_wechat', 'clearing_alipay', 'clearing_sandbox')
  where ${within('e.occurred_at', span)} and e.kind not in ('channel_fee', 'channel_difference')`

/** What entries have changed of the income of companies. */
const revenue = (span: FinanceSpan): RawBuilder<unknown> => sql`
  select e.agent_id, e.number, e.kind, e.reference, c.cents
  from ledger_entry e cross join unnest(e.account_ids, e.amounts_cents) as c (account_id, cents)
  join ledger_account a on a.id = c.account_id and a.kind = 'agent_revenue'
  where ${within('e.occurred_at', span)} and e.kind <> 'bill_split'`

type Check = (span: FinanceSpan) => RawBuilder<{ name: string }>

/** Days on which money moved and that have no bill. */
const missingBills: Check = (span) =>
  nameRow(sql`format('%s %s: there is no bill for %s payments and refunds', o.day, o.channel, count(*))`).query(
    (list) => sql`
      select ${list} from (${own(span)}) o
      where not exists (select from channel_bill b where b.channel = o.channel and b.day = o.day)
      group by o.day, o.channel order by o.day, o.channel limit ${namedMax}`,
  )

/** Payments and refunds that no line of a bill has, and no difference tells of. */
const missingLines: Check = (span) =>
  nameRow(
    sql`format('%s company %s %s: %s %s of %s is in no bill', o.day, o.agent_id, o.channel,
      case when o.is_refund then 'refund' else 'payment' end, o.number, ${yuan(sql`abs(o.cents)`)})`,
  ).query(
    (list) => sql`
      select ${list} from (${own(span)}) o
      left join channel_bill_line l on l.channel = o.channel and l.is_refund = o.is_refund and l.subject_id = o.subject_id
        and l.day = o.day and l.status = 'success' and l.cents = abs(o.cents)
      where l.n is null
        and exists (select from channel_bill b where b.channel = o.channel and b.day = o.day)
        and not exists (select from channel_difference d where d.channel = o.channel and d.is_refund = o.is_refund and d.number = o.number)
      order by o.day, o.number limit ${namedMax}`,
  )

/** Lines of bills that neither a payment or refund nor a difference has. */
const strangeLines: Check = (span) =>
  nameRow(
    sql`format('%s company %s %s: line %s of the bill, %s of %s, is not in the books', l.day, l.agent_id, l.channel, l.n,
      l.number, ${yuan(sql`l.cents`)})`,
  ).query(
    (list) => sql`
      select ${list} from channel_bill_line l
      left join (${own(span)}) o on o.channel = l.channel and o.is_refund = l.is_refund and o.subject_id = l.subject_id
        and o.day = l.day and abs(o.cents) = l.cents
      where l.day between ${span.first} and ${span.last} and o.number is null and l.status = 'success'
        and not exists (select from channel_difference d where d.channel = l.channel
          and ((d.is_refund = l.is_refund and d.number = l.number) or (l.is_refund and d.refund_number = l.number)))
      order by l.day, l.n limit ${namedMax}`,
  )

/** By company, channel and day: payments less refunds are what the clearing accounts have moved. */
const ledgerSums: Check = (span) =>
  nameRow(
    sql`format('%s company %s %s: payments less refunds are %s, the ledger has cleared %s', day, agent_id, channel,
      ${yuan(sql`coalesce(o.cents, 0)`)}, ${yuan(sql`coalesce(p.cents, 0)`)})`,
  ).query(
    (list) => sql`
      select ${list}
      from (select agent_id, channel, day, sum(cents) as cents from (${own(span)}) o group by 1, 2, 3) o
      full join (select agent_id, channel, day, sum(cents) as cents from (${cleared(span)}) p group by 1, 2, 3) p
        using (agent_id, channel, day)
      where coalesce(o.cents, 0) <> coalesce(p.cents, 0)
      order by day, agent_id, channel limit ${namedMax}`,
  )

/** Fees: the lines of a bill, the sum of a company's day, and the entry about it. */
const fees: Check = (span) =>
  nameRow(
    sql`format('%s company %s %s: the bill''s fee is %s, the day says %s, the ledger %s', d.day, d.agent_id, d.channel,
      ${yuan(sql`coalesce(l.fee, 0) / 1000.0`)}, ${yuan(sql`d.fee_cents`)}, ${yuan(sql`coalesce(p.cents, 0)`)})`,
  ).query(
    (list) => sql`
      select ${list} from channel_day d
      left join (
        select l.agent_id, l.channel, l.day, sum(l.fee_millicents) as fee from channel_bill_line l
        where l.day between ${span.first} and ${span.last} group by 1, 2, 3
      ) l using (agent_id, channel, day)
      left join lateral (
        select sum(c.cents) as cents from ledger_entry e
        cross join unnest(e.account_ids, e.amounts_cents) as c (account_id, cents)
        join ledger_account a on a.id = c.account_id and a.kind like 'clearing\\_%'
        where e.agent_id = d.agent_id and e.reference = 'channel-statement:' || d.id
      ) p on true
      where d.day between ${span.first} and ${span.last}
        and (abs(d.fee_cents * 1000 - coalesce(l.fee, 0)) >= 1000 or coalesce(p.cents, 0) <> d.fee_cents)
      order by d.day, d.agent_id limit ${namedMax}`,
  )

/** What two people decided has moved as much as the difference is. */
const decisions: Check = (span) =>
  nameRow(
    sql`format('%s company %s %s: difference %s of %s is resolved, the ledger has moved %s', d.day, d.agent_id, d.channel, d.id,
      ${yuan(sql`d.delta_cents`)}, ${yuan(sql`coalesce(p.cents, 0)`)})`,
  ).query(
    (list) => sql`
      select ${list} from channel_difference d
      left join lateral (
        select -sum(c.cents) as cents from ledger_entry e
        cross join unnest(e.account_ids, e.amounts_cents) as c (account_id, cents)
        join ledger_account a on a.id = c.account_id and a.kind like 'clearing\\_%'
        where e.agent_id = d.agent_id and e.reference = 'channel-difference:' || d.id
      ) p on true
      where d.day between ${span.first} and ${span.last} and coalesce(p.cents, 0) <> case
        when d.state in ('parked', 'open', 'cleared') or d.resolution = 'book' or (d.state = 'proposed' and d.suspended_by is null)
          or d.refunded_on is not null then 0
        else d.delta_cents end
      order by d.day, d.id limit ${namedMax}`,
  )

/** Rides: what an order charged is what became income, and every paid order did. */
const orders: Check = (span) =>
  nameRow(
    sql`format('%s company %s: order %s charged %s, the ledger has %s', coalesce(${dayOf('o.ended_at')}::text, '--'),
      coalesce(o.agent_id, p.agent_id), coalesce(o.id::text, p.reference), ${yuan(sql`coalesce(o.charged_cents, 0)`)},
      ${yuan(sql`coalesce(p.cents, 0)`)})`,
  ).query(
    (list) => sql`
      select ${list}
      from (select agent_id, reference, sum(cents) as cents from (${revenue(span)}) p where kind = 'ride_charge' group by 1, 2) p
      full join (
        select o.id, o.agent_id, o.charged_cents, o.ended_at, 'order:' || o.id as reference from ride_order o
        where o.charged_cents > 0 and (o.state = 'paid' or exists (
          select from ledger_entry e where e.reference = 'order:' || o.id and e.key = 'ride_charge' and e.agent_id = o.agent_id))
          and ${within('o.ended_at', { first: addDays(span.first, -1), last: addDays(span.last, 1) })}
      ) o on o.agent_id = p.agent_id and o.reference = p.reference
      where coalesce(p.cents, 0) <> coalesce(o.charged_cents, 0)
        -- An order that ended beside the span may be charged beside it; one that was refunded whole is no longer paid.
        and (p.reference is not null or ${within('o.ended_at', span)})
        and not (p.reference is null and exists (
          select from ledger_entry e where e.reference = o.reference and e.key = 'ride_charge' and e.agent_id = o.agent_id))
        and not (o.id is null and exists (
          select from ride_order t where t.id = case when p.reference like 'order:%' then substr(p.reference, 7)::bigint end
            and t.charged_cents = p.cents))
      order by 1 limit ${namedMax}`,
  )

/** Every entry of income that was divided has a line of the same sum, whose parts the table's check makes sum to it. */
const splitLines: Check = (span) =>
  nameRow(
    sql`format('company %s: entry %s of %s has the line %s', p.agent_id, p.number, ${yuan(sql`p.cents`)},
      coalesce(${yuan(sql`l.paid_cents`)}, '--'))`,
  ).query(
    (list) => sql`
      select ${list} from (${revenue(span)}) p
      join split_cursor c on c.agent_id = p.agent_id and p.number <= c.entry_number
      left join split_line l on l.agent_id = p.agent_id and l.entry_number = p.number
      where p.cents <> 0 and l.paid_cents is distinct from p.cents
      order by p.agent_id, p.number limit ${namedMax}`,
  )

/** A closed day's bills are the sums of its lines, and what the ledger has divided. */
const splitBills: Check = (span) =>
  nameRow(
    sql`format('%s company %s area %s: the bill says %s, its lines %s, the ledger %s', day, agent_id, area_id,
      ${yuan(sql`coalesce(b.paid, 0)`)}, ${yuan(sql`coalesce(l.paid, 0)`)}, ${yuan(sql`coalesce(b.posted, 0)`)})`,
  ).query(
    (list) => sql`
      select ${list}
      from (
        select b.agent_id, coalesce(b.area_id, 0) as area_id, b.day, b.paid_cents as paid, (
          select -sum(c.cents) from ledger_entry e cross join unnest(e.account_ids, e.amounts_cents) as c (account_id, cents)
          join ledger_account a on a.id = c.account_id and a.kind = 'agent_revenue'
          where e.agent_id = b.agent_id and e.reference = 'bill:' || b.id and e.kind = 'bill_split'
        ) as posted
        from split_bill b where b.day between ${span.first} and ${span.last}
      ) b full join (
        select l.agent_id, coalesce(l.area_id, 0) as area_id, l.day, sum(l.paid_cents) as paid from split_line l
        join split_cursor c on c.agent_id = l.agent_id and l.day < c.open_day
        where l.day between ${span.first} and ${span.last} group by 1, 2, 3
      ) l using (agent_id, area_id, day)
      where coalesce(b.paid, 0) <> coalesce(l.paid, 0) or coalesce(b.paid, 0) <> coalesce(b.posted, 0)
      order by day, agent_id, area_id limit ${namedMax}`,
  )

/** A sealed statement is the sum of the bills of its days. */
const statements: Check = (span) =>
  nameRow(
    sql`format('statement %s company %s: it says %s paid and %s own, its bills %s and %s', s.id, s.agent_id,
      ${yuan(sql`s.paid_cents`)}, ${yuan(sql`s.owner_cents`)}, ${yuan(sql`coalesce(b.paid, 0)`)}, ${yuan(sql`coalesce(b.owner, 0)`)})`,
  ).query(
    (list) => sql`
      select ${list} from split_statement s
      left join lateral (
        select sum(b.paid_cents) as paid, sum(b.owner_cents) as owner from split_bill b
        where b.agent_id = s.agent_id and b.day between s.first_day and s.last_day
      ) b on true
      where s.first_day <= ${span.last} and s.last_day >= ${span.first}
        and (s.paid_cents <> coalesce(b.paid, 0) or s.owner_cents <> coalesce(b.owner, 0))
      order by s.id limit ${namedMax}`,
  )

/** What a withdrawal says is what its entries have paid out by the bank, or still hold back for it. */
const withdrawals: Check = (span) =>
  nameRow(
    sql`format('%s company %s: withdrawal %s of %s is %s, the ledger paid out %s and holds %s', w.day, w.agent_id, w.id,
      ${yuan(sql`w.cents`)}, w.state, ${yuan(sql`coalesce(p.paid, 0)`)}, ${yuan(sql`coalesce(p.held, 0)`)})`,
  ).query(
    (list) => sql`
      select ${list} from withdrawal w
      left join lateral (
        select sum(c.cents) filter (where a.kind = 'clearing_bank') as paid,
          sum(c.cents) filter (where a.kind = 'agent_withdrawing') as held
        from ledger_entry e cross join unnest(e.account_ids, e.amounts_cents) as c (account_id, cents)
        join ledger_account a on a.id = c.account_id
        where e.agent_id = w.agent_id and e.reference = 'withdrawal:' || w.id
      ) p on true
      where w.day between ${span.first} and ${span.last} and (
        coalesce(p.paid, 0) <> case when w.state in ('paid', 'conflict') then w.cents - w.fee_cents else 0 end
        or coalesce(p.held, 0) <> case when w.state in ('waiting', 'queued', 'sent', 'unknown') then w.cents else 0 end)
      order by w.day, w.id limit ${namedMax}`,
  )

const checks: readonly Check[] = [
  missingBills,
  missingLines,
  strangeLines,
  ledgerSums,
  fees,
  decisions,
  orders,
  splitLines,
  splitBills,
  statements,
  withdrawals,
]

const waitingOf: Check = (span) =>
  nameRow(
    sql`format('%s company %s %s: %s, %s of %s, held %s', d.day, d.agent_id, d.channel, d.kind, d.number,
      ${yuan(sql`d.delta_cents`)}, ${yuan(sql`d.held_cents`)})`,
  ).query(
    (list) => sql`
      select ${list} from channel_difference d
      where d.day between ${span.first} and ${span.last} and d.state in ('parked', 'open', 'proposed', 'suspended')
      order by d.day, d.id limit ${namedMax}`,
  )

/** The sums beside each other, for people. */
export const sumLine = ({
  first,
  last,
  billCents,
  ownCents,
  ledgerCents,
  rideCents,
  splitCents,
}: FinanceProof): string =>
  `${first} to ${last}: bills ${yuanText(billCents)}, payments less refunds ${yuanText(ownCents)}, cleared ${yuanText(ledgerCents)}, rides ${yuanText(rideCents)}, divided ${yuanText(splitCents)}`
