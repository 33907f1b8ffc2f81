import { sql } from 'kysely'
import {
  arrivalsMax,
  assetAccounts,
  assetDetailList,
  chargeNoteList,
  chargeStates,
  chargeWays,
  companiesShownMax,
  spendNoteList,
  type Arrival,
  type ChargeWay,
} from '@saddle/contract/finance/costCenter.ts'
import { entryKinds } from '@saddle/contract/finance/ledger.ts'
import { addDays } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { unnest } from '#kit/db/unnest.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'
import { priceOn } from '../meters/store.ts'

type Agents = Pick<Scope, 'agentIds'>
const company = rowOf('agent', 'agent', ['company'])

const note = rowsOf(
  rowOf('charge_note', 'n', [
    'id',
    'agent_id',
    'number',
    'way',
    'state',
    'cents',
    'left_cents',
    'created_at',
    'paid_at',
    'operator_name',
  ]).codes({ way: chargeWays, state: chargeStates }),
  company,
)
export const presentNote = note.present
const ofNote = sql`join agent on agent.id = n.agent_id`

export const noteRows = tableList(chargeNoteList, {
  table: 'charge_note',
  alias: 'n',
  tenant: 'agent',
  columns: note,
  joins: ofNote,
  sorts: { created: ['created_at', 'instant'] },
  sums: { cents: sql`n.cents`, leftCents: sql`n.left_cents` },
  find: ({ id, states, ...span }) => ({
    narrowed: [id !== undefined && sql`n.id = ${id}`],
    where: [...spanOf('n.created_at', span), states && sql`n.state = any (${states}::text[])`],
  }),
})

export function selectNote(id: number) {
  return note.select`from charge_note n ${ofNote} where n.id = ${id}`
}

export function selectNotesLeft({ agentId }: { agentId: number }) {
  return note.select`
    from charge_note n ${ofNote}
    where n.agent_id = ${agentId} and n.left_cents > 0
    order by n.paid_at, n.id limit 1000`
}

const spend = rowsOf(
  rowOf('spend_note', 's', ['id', 'agent_id', 'bill_id', 'cents', 'at']),
  rowOf('service_bill', 'b', ['number']),
  company,
  rowOfValues({ month: computed('text', sql`to_char(b.month, 'YYYY-MM')`) }),
)
export const presentSpend = spend.present

export const spendRows = tableList(spendNoteList, {
  table: 'spend_note',
  alias: 's',
  tenant: 'agent',
  columns: spend,
  joins: sql`join service_bill b on b.id = s.bill_id join agent on agent.id = s.agent_id`,
  sorts: { at: ['at', 'instant'] },
  sums: { cents: sql`s.cents` },
  find: ({ billId, ...span }) => ({
    narrowed: [billId !== undefined && sql`s.bill_id = ${billId}`],
    where: spanOf('s.at', span),
  }),
})

const detail = rowsOf(
  rowOf('asset_detail', 'd', [
    'id',
    'agent_id',
    'entry_number',
    'kind',
    'account',
    'cents',
    'reference',
    'at',
    'remark',
    'remarked_by',
  ]).codes({ kind: entryKinds, account: assetAccounts }),
  company,
)
export const presentDetail = detail.present
const ofDetail = sql`join agent on agent.id = d.agent_id`

export const detailRows = tableList(assetDetailList, {
  table: 'asset_detail',
  alias: 'd',
  tenant: 'agent',
  columns: detail,
  joins: ofDetail,
  sorts: { at: ['at', 'instant'] },
  sums: { cents: sql`d.cents` },
  find: ({ accounts, way, ...span }) => ({
    where: [
      ...spanOf('d.at', span),
      accounts && sql`d.account = any (${accounts}::text[])`,
      way === 'in' && sql`d.cents > 0`,
      way === 'out' && sql`d.cents < 0`,
    ],
  }),
})

export function selectDetail({ id, scope }: { id: number; scope: Agents }) {
  return detail.select`
    from asset_detail d ${ofDetail} where d.id = ${id} and d.agent_id = any (${scope.agentIds}::bigint[])`
}

export async function remarkDetail(
  tx: Tx,
  { id, remark, by, byId }: { id: number; remark: string; by: string; byId: number },
): Promise<void> {
  await tx
    .updateTable('asset_detail')
    .set(
      remark === ''
        ? { remark, remarked_by: null, remarked_by_id: null }
        : { remark, remarked_by: by, remarked_by_id: byId },
    )
    .where('id', '=', id)
    .execute()
}

export type NewNote = {
  readonly agentId: number
  readonly number: string
  readonly way: ChargeWay
  readonly cents: number
  readonly at: Date
  readonly by: string
  readonly byId: number | null
}

export async function insertNote(tx: Tx, made: NewNote): Promise<number> {
  const { id } = await tx
    .insertInto('charge_note')
    .values({
      agent_id: made.agentId,
      number: made.number,
      way: made.way,
      cents: made.cents,
      created_at: made.at,
      operator_name: made.by,
      operator_id: made.byId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function keepCode(tx: Tx, { id, code }: { id: number; code: string }): Promise<void> {
  await tx.updateTable('charge_note').set({ code }).where('id', '=', id).execute()
}

/** The money of a note is there: all of it is left. */
export async function payNote(tx: Tx, { id, at }: { id: number; at: Date }): Promise<void> {
  await sql`update charge_note set state = 'paid', paid_at = ${at}, left_cents = cents where id = ${id}`.execute(tx)
}

const askedNote = rowOf('charge_note', ['id', 'agent_id', 'way', 'state', 'cents'])
/** The note of a payment, locked until the end of the transaction. */
export async function lockNote(tx: Tx, number: string): Promise<RowOf<typeof askedNote> | undefined> {
  return (await askedNote.select`from charge_note where number = ${number} for update`.execute(tx)).rows[0]
}

/** Notes that nobody paid in time. One that is paid later counts all the same. */
export async function lapseNotes(tx: Tx, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update charge_note set state = 'lapsed' where state = 'waiting' and created_at < ${before}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

const LOCK_CLASS = 7_120
/** Whoever charges, spends or disputes the balance of a company waits for one another. */
export async function lockBalance(tx: Tx, agentId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS}, hashint8(${agentId}))`.execute(tx)
}

const leftRow = rowOf('charge_note', ['id', 'left_cents'])
export async function notesLeft(tx: Tx, agentId: number): Promise<RowOf<typeof leftRow>[]> {
  return (
    await leftRow.select`
      from charge_note where agent_id = ${agentId} and left_cents > 0 order by paid_at, id for update`.execute(tx)
  ).rows
}

export async function takeFromNotes(
  tx: Tx,
  taken: readonly { readonly noteId: number; readonly cents: number }[],
): Promise<void> {
  const rows = unnest<(typeof taken)[number]>({
    rows: taken,
    alias: 't',
    columns: { id: ['bigint', ({ noteId }) => noteId], cents: ['bigint', ({ cents }) => cents] },
  })
  await sql`update charge_note n set left_cents = n.left_cents - t.cents from ${rows} where n.id = t.id`.execute(tx)
}

const openRow = rowOf('service_bill', ['id', 'open_cents']).filled('open_cents')
export async function lockOpenBills(tx: Tx, agentId: number): Promise<RowOf<typeof openRow>[]> {
  return (
    await openRow.select`
      from service_bill where agent_id = ${agentId} and state = 'unpaid' order by issued_at, id for update`.execute(tx)
  ).rows
}

export async function insertSpend(
  tx: Tx,
  made: { readonly agentId: number; readonly billId: number; readonly cents: number; readonly at: Date },
): Promise<number> {
  const { agentId, billId, cents, at } = made
  await sql`update service_bill set paid_cents = paid_cents + ${cents} where id = ${billId}`.execute(tx)
  const { id } = await tx
    .insertInto('spend_note')
    .values({ agent_id: agentId, bill_id: billId, cents, at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const agentRow = rowOfValues({ agent_id: computed('bigint', sql`b.agent_id`) })
/** Companies with bills to pay and money to pay them. */
export function selectPayers({ limit }: { limit: number }) {
  return agentRow.select`
    from service_bill b where b.state = 'unpaid'
      and exists (select from charge_note n where n.agent_id = b.agent_id and n.left_cents > 0)
    group by b.agent_id order by b.agent_id limit ${limit}`
}

const balance = (kind: string) => sql`coalesce((
  select l.balance_cents from ledger_account k join ledger_balance l on l.account_id = k.id
  where k.agent_id = agent.id and k.kind = ${kind} and k.owner_id = 0), 0)`
const dailyDays = 7
const assets = rowOfValues({
  agent_id: computed('bigint', sql`agent.id`),
  company: computed('text', sql`agent.company`),
  in_transit_cents: computed('bigint', balance('agent_in_transit')),
  available_cents: computed('bigint', balance('agent_available')),
  withdrawing_cents: computed('bigint', balance('agent_withdrawing')),
  service_cents: computed('bigint', balance('service_balance')),
  held_cents: computed('bigint', sql`${balance('service_held')} + ${balance('agent_disputed')}`),
  undivided_cents: computed('bigint', balance('agent_revenue')),
  open_cents: computed('bigint', sql`coalesce(b.cents, 0)`),
  due_at: computed('timestamptz?', sql`b.due_at`),
  unbilled_cents: computed('bigint', sql`coalesce(u.unbilled, 0)`),
  daily_cents: computed('bigint', sql`coalesce(u.week, 0) / ${dailyDays}`),
})
export type Assets = RowOf<typeof assets>
export const presentAssets = assets.present

/** What companies have, owe and use. The platform's own company pays itself nothing. */
export function selectAssets({ scope, today }: { scope: Agents; today: string }) {
  return assets.select`
    from agent
    left join lateral (
      select sum(o.open_cents) as cents, min(o.due_at) as due_at from service_bill o
      where o.agent_id = agent.id and o.state = 'unpaid'
    ) b on true
    left join lateral (
      select sum(c.cents) filter (where d.day >= date_trunc('month', ${today}::date))::bigint as unbilled,
        sum(c.cents) filter (where d.day >= ${today}::date - ${dailyDays}::integer)::bigint as week
      from meter_day d cross join lateral (${priceOn(sql`d.meter`, sql`d.day`)}) p
      cross join lateral (select d.quantity * p.price_cents::numeric / p.per_quantity as cents) c
      where d.agent_id = agent.id
        and d.day >= least(date_trunc('month', ${today}::date)::date, ${today}::date - ${dailyDays}::integer)
    ) u on true
    where agent.id = any (${scope.agentIds}::bigint[]) and agent.parent_id is not null
    order by agent.id limit ${companiesShownMax}`
}

const arrival = rowOfValues({
  day: computed('text', sql`to_char(t.day, 'YYYY-MM-DD')`),
  companies: computed('bigint', sql`count(distinct t.agent_id)`),
  cents: computed('bigint', sql`sum(t.cents)`),
  held_cents: computed('bigint', sql`sum(t.held)`),
  held_for: computed(
    'jsonb',
    sql`coalesce(jsonb_agg(jsonb_build_object('company', t.company, 'reasons', t.held_for) order by t.agent_id)
      filter (where t.held > 0), '[]')`,
  ),
}).json<{ held_for: Arrival['heldFor'] }>()

/** Closed days whose income is still in transit, the newest first. */
export function selectArrivals({ scope }: { scope: Agents }) {
  return arrival.select`
    from (
      select b.agent_id, b.day, sum(b.owner_cents) - coalesce(min(s.settled), 0) as cents, coalesce(min(s.held), 0) as held,
        min(a.company) as company, coalesce((array_agg(s.held_for))[1], '[]') as held_for
      from split_bill b join agent a on a.id = b.agent_id
      left join lateral (
        select sum(n.owner_cents) as settled, (array_agg(n.held_cents order by n.number desc))[1] as held,
          (array_agg(n.held_for order by n.number desc))[1] as held_for
        from split_settlement n where n.agent_id = b.agent_id and n.day = b.day
      ) s on true
      where b.agent_id = any (${scope.agentIds}::bigint[]) and not exists (
        select from split_settlement d where d.agent_id = b.agent_id and d.day = b.day and d.held_cents = 0)
      group by b.agent_id, b.day
    ) t where t.cents <> 0 group by t.day order by t.day desc limit ${arrivalsMax}`
}

export const presentArrival = (row: RowOf<typeof arrival>): Arrival => {
  const shown = arrival.present(row)
  return { ...shown, dueDay: addDays(shown.day, 1) }
}

const trendDay = rowOfValues({
  day: computed('text', sql`to_char(t.day, 'YYYY-MM-DD')`),
  cost_cents: computed('bigint', sql`sum(t.cost)`),
  income_cents: computed('bigint', sql`sum(t.income)`),
})
export const presentTrend = trendDay.present
/** By business day: what was used, and what of closed income became the company's own. */
export function selectTrend({ scope, from, to }: { scope: Agents; from: string; to: string }) {
  return trendDay.select`
    from (
      select g.day::date as day, 0::numeric as cost, 0::numeric as income
      from generate_series(${from}::date, ${to}::date, interval '1 day') g (day)
      union all
      select d.day, d.quantity * p.price_cents::numeric / p.per_quantity, 0
      from meter_day d cross join lateral (${priceOn(sql`d.meter`, sql`d.day`)}) p
      where d.agent_id = any (${scope.agentIds}::bigint[]) and d.day >= ${from}::date and d.day <= ${to}::date
      union all
      select s.day, 0, s.owner_cents from split_bill s
      where s.agent_id = any (${scope.agentIds}::bigint[]) and s.day >= ${from}::date and s.day <= ${to}::date
    ) t group by t.day order by t.day`
}

const fault = rowOfValues({ what: computed('text', sql`f.what`) })
/** Companies whose notes do not sum to their balance, and bills whose spend notes do not sum to what is paid. */
export function selectFaults() {
  return fault.select`
    from (
      select 'company ' || k.agent_id || ' has other money than its charge notes' as what
      from ledger_account k join ledger_balance l on l.account_id = k.id
      where k.kind = 'service_balance' and l.balance_cents <> (
        select coalesce(sum(n.left_cents), 0) from charge_note n where n.agent_id = k.agent_id)
      union all
      select b.number || ' is not paid by its spend notes' from service_bill b
      where b.paid_cents <> (select coalesce(sum(s.cents), 0) from spend_note s where s.bill_id = b.id)
        - (select coalesce(sum(case when o.decided_at is null then o.held_paid_cents else o.back_cents end), 0)
          from objection o where o.bill_id = b.id)
      union all
      select b.number || ' holds other sums than are disputed' from service_bill b
      where b.held_cents <> (
        select coalesce(sum(o.disputed_cents), 0) from objection o where o.bill_id = b.id and o.decided_at is null)
      union all
      select 'company ' || k.agent_id || ' has other money held than is disputed'
      from ledger_account k join ledger_balance l on l.account_id = k.id
      where k.kind = 'service_held' and l.balance_cents <> (
        select coalesce(sum(o.held_paid_cents), 0) from objection o
        where o.agent_id = k.agent_id and o.bill_id is not null and o.decided_at is null)
      union all
      select 'company ' || k.agent_id || ' has other income held than is disputed'
      from ledger_account k join ledger_balance l on l.account_id = k.id
      where k.kind = 'agent_disputed' and l.balance_cents <> (
        select coalesce(sum(o.held_paid_cents), 0) from objection o
        where o.agent_id = k.agent_id and o.split_bill_id is not null and o.decided_at is null)
    ) f limit 20`
}
