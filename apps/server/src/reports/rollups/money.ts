import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { noteAreas } from './companies.ts'

/** Entries that one transaction takes in. */
export const entriesAtATime = 10_000

/** What a posting counts under: with the area of its order, and of the company as a whole. */
const keys = sql`agent_id, area_id, account, kind, channel, card_kind`
const companyKeys = sql`agent_id, account, kind, channel, card_kind`
const sums = sql`credits, debits, credit_cents, debit_cents`
const added = sql`sum(credits), sum(debits), sum(credit_cents), sum(debit_cents)`

/** Postings of entries `e`: what each counts under, beside the hour and the entry; `of` says of which entries. */
export const moneyPostings = (of: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select e.agent_id, e.number, l.n, e.occurred_at, o.id as order_id, o.placed_at, o.area_id,
    a.kind as account, e.kind,
    coalesce(h.channel, '') as channel, coalesce(k.kind, '') as card_kind,
    date_trunc('hour', e.occurred_at, 'UTC') as hour, l.cents
  from ledger_entry e
  cross join lateral unnest(e.account_ids, e.amounts_cents) with ordinality as l (account_id, cents, n)
  join ledger_account a on a.id = l.account_id
  left join ride_order o on o.id = case when e.reference like 'order:%' then substr(e.reference, 7)::bigint end
    and o.agent_id = e.agent_id
  left join rider_card k on k.id = case when e.reference like 'card:%' then substr(e.reference, 6)::bigint end
    and k.agent_id = e.agent_id
  left join lateral (
    select substr(min(b.kind), 10) as channel from ledger_account b
    where b.id = any (e.account_ids) and b.owner_id = 0 and b.kind like 'clearing\\_%'
  ) h on true
  where ${of}`

/** Entries `e` by hour, company, area of the order, account, kind, payment channel and kind of card; `of` says which entries. */
export const moneyHours = (of: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select p.agent_id, p.area_id, p.account, p.kind, p.channel, p.card_kind, p.hour,
    report_day(p.hour, c.zone, c.day_starts_at) as day,
    count(*) filter (where p.cents > 0) as credits, count(*) filter (where p.cents < 0) as debits,
    coalesce(sum(p.cents) filter (where p.cents > 0), 0)::bigint as credit_cents,
    coalesce(-sum(p.cents) filter (where p.cents < 0), 0)::bigint as debit_cents
  from (${moneyPostings(of)}) p left join report_calendar c on c.agent_id = p.agent_id
  group by p.agent_id, p.area_id, p.account, p.kind, p.channel, p.card_kind, p.hour, c.zone, c.day_starts_at`

const cursorRow = rowOf('report_money_cursor', 'c', ['entry_number'])
const bookRow = rowOf('ledger_book', 'b', ['agent_id', 'entry_number'])

/** Books with entries that the figures do not have. */
export function selectBooksBehind({ limit }: { readonly limit: number }) {
  return bookRow.select`
    from ledger_book b left join report_money_cursor c on c.agent_id = b.agent_id
    where b.entry_number > coalesce(c.entry_number, 0) order by b.agent_id limit ${limit}`
}

/**
 * Takes the next entries of a book into the figures and moves its cursor; false when there were none. The numbers of a book
 * have no gaps and are given in the order of the commits, so that no entry is missed or taken twice.
 */
export async function takeInEntries(tx: Tx, agentId: number): Promise<boolean> {
  await sql`insert into report_money_cursor (agent_id, entry_number) values (${agentId}, 0) on conflict do nothing`.execute(
    tx,
  )
  const { rows: cursors } = await cursorRow.select`
    from report_money_cursor c where c.agent_id = ${agentId} for update`.execute(tx)
  const { rows: books } = await bookRow.select`from ledger_book b where b.agent_id = ${agentId}`.execute(tx)
  const after = cursors[0]?.entry_number ?? 0
  const until = Math.min(books[0]?.entry_number ?? 0, after + entriesAtATime)
  if (until <= after) return false
  const more = (table: 'hour' | 'day' | 'month' | 'company_hour' | 'company_day') => sql`
    credits = ${sql.ref(`report_money_${table}.credits`)} + excluded.credits,
    debits = ${sql.ref(`report_money_${table}.debits`)} + excluded.debits,
    credit_cents = ${sql.ref(`report_money_${table}.credit_cents`)} + excluded.credit_cents,
    debit_cents = ${sql.ref(`report_money_${table}.debit_cents`)} + excluded.debit_cents`
  await sql`
    with fresh as materialized (
      ${moneyHours(sql`e.agent_id = ${agentId} and e.number > ${after} and e.number <= ${until}`)}
    ), hours as (
      insert into report_money_hour (${keys}, day, hour, ${sums}) select ${keys}, day, hour, ${sums} from fresh
      on conflict (agent_id, account, kind, hour, area_id, channel, card_kind) do update set ${more('hour')}
    ), days as (
      insert into report_money_day (${keys}, day, ${sums}) select ${keys}, day, ${added} from fresh group by ${keys}, day
      on conflict (agent_id, account, kind, day, area_id, channel, card_kind) do update set ${more('day')}
    ), company_hours as (
      insert into report_money_company_hour (${companyKeys}, day, hour, ${sums})
      select ${companyKeys}, min(day), hour, ${added} from fresh group by ${companyKeys}, hour
      on conflict (agent_id, account, kind, hour, channel, card_kind) do update set ${more('company_hour')}
    ), company_days as (
      insert into report_money_company_day (${companyKeys}, day, ${sums})
      select ${companyKeys}, day, ${added} from fresh group by ${companyKeys}, day
      on conflict (agent_id, account, day, kind, channel, card_kind) do update set ${more('company_day')}
    ), areas as (
      ${noteAreas(sql`fresh`)}
    )
    insert into report_money_month (${keys}, day, ${sums})
    select ${keys}, date_trunc('month', day)::date, ${added} from fresh group by ${keys}, date_trunc('month', day)
    on conflict (agent_id, account, kind, day, area_id, channel, card_kind) do update set ${more('month')}`.execute(tx)
  await sql`update report_money_cursor set entry_number = ${until} where agent_id = ${agentId}`.execute(tx)
  return true
}

/** Puts a company's hours into the days of its calendar, which has changed, and makes days and months of them. */
export async function moveMoneyDays(tx: Tx, agentId: number): Promise<void> {
  await sql`
    update report_money_hour b set day = n.day
    from (
      select h.ctid as at, report_day(h.hour, c.zone, c.day_starts_at) as day
      from report_money_hour h left join report_calendar c on c.agent_id = h.agent_id where h.agent_id = ${agentId}
    ) n where b.ctid = n.at and b.day <> n.day`.execute(tx)
  for (const table of ['day', 'month', 'company_hour', 'company_day']) {
    await sql`delete from ${sql.table(`report_money_${table}`)} where agent_id = ${agentId}`.execute(tx)
  }
  await makeMoneyDays(tx, agentId)
}

async function makeMoneyDays(tx: Tx, agentId: number): Promise<void> {
  await noteAreas(sql`(select agent_id, area_id from report_money_hour where agent_id = ${agentId})`).execute(tx)
  await sql`
    insert into report_money_day (${keys}, day, ${sums})
    select ${keys}, day, ${added} from report_money_hour where agent_id = ${agentId} group by ${keys}, day`.execute(tx)
  await sql`
    insert into report_money_month (${keys}, day, ${sums})
    select ${keys}, date_trunc('month', day)::date, ${added} from report_money_day where agent_id = ${agentId}
    group by ${keys}, date_trunc('month', day)`.execute(tx)
  await sql`
    insert into report_money_company_hour (${companyKeys}, day, hour, ${sums})
    select ${companyKeys}, min(day), hour, ${added} from report_money_hour where agent_id = ${agentId}
    group by ${companyKeys}, hour`.execute(tx)
  await sql`
    insert into report_money_company_day (${companyKeys}, day, ${sums})
    select ${companyKeys}, day, ${added} from report_money_company_hour where agent_id = ${agentId}
    group by ${companyKeys}, day`.execute(tx)
}

const booksMax = 10_000

/** Makes all figures of money from nothing, one book after the other. Whoever calls it holds the lock of the figures. */
export async function makeAllMoney(tx: Tx): Promise<void> {
  for (const { agent_id: agentId, entry_number: number } of (await selectBooksBehind({ limit: booksMax }).execute(tx))
    .rows) {
    await sql`
      insert into report_money_hour (${keys}, day, hour, ${sums})
      select ${keys}, day, hour, ${sums} from (${moneyHours(sql`e.agent_id = ${agentId} and e.number <= ${number}`)}) m`.execute(
      tx,
    )
    await makeMoneyDays(tx, agentId)
    await sql`insert into report_money_cursor (agent_id, entry_number) values (${agentId}, ${number})`.execute(tx)
  }
}
