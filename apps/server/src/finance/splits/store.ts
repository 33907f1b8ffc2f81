import { sql } from 'kysely'
import { splitTermsSchema, type SplitTerms } from '@saddle/contract/finance/splitTerms.ts'
import type { Tx } from '#kit/db/pool.ts'
import { columnTable } from '#kit/db/columnTable.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Shares } from './rules.ts'

/** An entry that changes a book's income, with what the rules ask about it. */
const incomeRow = rowsOf(
  rowOf('ledger_entry', 'e', ['number', 'kind', 'occurred_at']),
  rowOfValues({
    order_id: computed('bigint?', sql`o.id`),
    // Few entries are about a bill, so no join looks for one for each.
    area_id: computed(
      'bigint?',
      sql`coalesce(o.area_id, case when e.reference like 'bill:%' then (
        select c.area_id from split_bill c where c.agent_id = e.agent_id and c.id = substr(e.reference, 6)::bigint
      ) end)`,
    ),
    paid_cents: computed('bigint', sql`e.amounts_cents[array_position(e.account_ids, m.revenue)]`),
    channel_cents: computed(
      'bigint',
      sql`-(select coalesce(sum(e.amounts_cents[array_position(e.account_ids, c.id)]), 0) from unnest(m.clearing) c (id))`,
    ),
    platform_borne_cents: computed('bigint', sql`coalesce(b.platform_cents, 0)`),
    partner_borne_cents: computed('bigint', sql`coalesce(b.partner_cents, 0)`),
  }),
)
export type Income = RowOf<typeof incomeRow>

const accountRow = rowOf('ledger_account', 'a', ['id', 'kind'])

/** The accounts of a book for income and for payment channels. */
type IncomeAccounts = { readonly revenue: number; readonly clearing: readonly number[] }

/** Null: the book has no income. */
export async function incomeAccounts(tx: Tx, agentId: number): Promise<IncomeAccounts | null> {
  const { rows } = await accountRow.select`
    from ledger_account a where a.agent_id = ${agentId} and a.owner_id = 0
      and (a.kind = 'agent_revenue' or a.kind like 'clearing\\_%')`.execute(tx)
  const revenue = rows.find(({ kind }) => kind === 'agent_revenue')
  if (revenue === undefined) return null
  return { revenue: revenue.id, clearing: rows.filter((row) => row !== revenue).map(({ id }) => id) }
}

type Span = { readonly agentId: number; readonly after: number; readonly until: number }

/** Entries of a book that change its income and are not an own bill's, by their numbers. */
export async function selectIncome(
  tx: Tx,
  { agentId, after, until }: Span,
  accounts: IncomeAccounts,
): Promise<Income[]> {
  const { rows } = await incomeRow.select`
    from (select ${accounts.revenue}::bigint as revenue, ${accounts.clearing}::bigint[] as clearing) m
    cross join ledger_entry e
    left join ride_order o on o.agent_id = e.agent_id
      and o.id = case when e.reference like 'order:%' then substr(e.reference, 7)::bigint end
    left join lateral (
      select -sum(l.amount_cents) filter (where l.bearer = 'platform') as platform_cents,
        -sum(l.amount_cents) filter (where l.bearer = 'partner') as partner_cents
      from order_line l where l.order_id = o.id and l.bearer in ('platform', 'partner')
    ) b on e.kind = 'ride_charge'
    where e.agent_id = ${agentId} and e.number > ${after} and e.number <= ${until}
      and e.kind <> 'bill_split' and m.revenue = any (e.account_ids)
    order by e.number`.execute(tx)
  return rows
}

const termsRow = rowOf('split_terms', 't', ['id', 'area_id', 'first_day', 'terms'])
export type TermsVersion = {
  readonly id: number
  readonly areaId: number | null
  readonly firstDay: string
  readonly terms: SplitTerms
}

/** All versions of a company's terms, the newest first: from its first day on a version replaces all that were made before it. */
export async function selectTerms(tx: Tx, agentId: number): Promise<TermsVersion[]> {
  const { rows } = await termsRow.select`
    from split_terms t where t.agent_id = ${agentId} order by t.version desc`.execute(tx)
  return rows.map(({ id, area_id: areaId, first_day: firstDay, terms }) => ({
    id,
    areaId,
    firstDay,
    terms: splitTermsSchema.parse(terms),
  }))
}

export type SplitLine = {
  readonly agentId: number
  readonly entryNumber: number
  readonly kind: string
  readonly areaId: number | null
  readonly day: string
  readonly orderId: number | null
  readonly termsId: number | null
  readonly at: number
  readonly paidCents: number
  /** What of it a payment channel brought. */
  readonly channelCents: number
  readonly shares: Shares
}

export const lineColumns = columnTable<SplitLine>()('split_line', {
  agent_id: ['bigint', ({ agentId }) => agentId],
  entry_number: ['bigint', ({ entryNumber }) => entryNumber],
  kind: ['text', ({ kind }) => kind],
  area_id: ['bigint', ({ areaId }) => areaId],
  day: ['date', ({ day }) => day],
  order_id: ['bigint', ({ orderId }) => orderId],
  terms_id: ['bigint', ({ termsId }) => termsId],
  at: ['timestamptz', ({ at }) => at],
  paid_cents: ['bigint', ({ paidCents }) => paidCents],
  channel_cents: ['bigint', ({ channelCents }) => channelCents],
  fee_cents: ['bigint', ({ shares }) => shares.feeCents],
  platform_borne_cents: ['bigint', ({ shares }) => shares.platformBorneCents],
  partner_borne_cents: ['bigint', ({ shares }) => shares.partnerBorneCents],
  party_cents: ['bigint[]', ({ shares }) => shares.partyCents],
  parties_cents: ['bigint', ({ shares }) => shares.partyCents.reduce((sum, cents) => sum + cents, 0)],
  owner_cents: ['bigint', ({ shares }) => shares.ownerCents],
})

const chargeRow = rowsOf(
  rowOf('split_line', 'l', [
    'order_id',
    'terms_id',
    'paid_cents',
    'fee_cents',
    'platform_borne_cents',
    'partner_borne_cents',
    'party_cents',
    'owner_cents',
  ]).filled('order_id'),
  rowOfValues({
    taken_cents: computed(
      'bigint',
      sql`(select coalesce(-sum(r.paid_cents), 0) from split_line r where r.order_id = l.order_id and r.kind = 'ride_refund')`,
    ),
  }),
)
/** A charge that was divided, and what refunds have taken back of it so far. */
export type Divided = {
  readonly termsId: number | null
  readonly paidCents: number
  readonly shares: Shares
  takenCents: number
}

export async function selectCharges(
  tx: Tx,
  agentId: number,
  orderIds: readonly number[],
): Promise<Map<number, Divided>> {
  if (orderIds.length === 0) return new Map()
  const { rows } = await chargeRow.select`
    from split_line l where l.order_id = any (${orderIds}::bigint[]) and l.agent_id = ${agentId} and l.kind = 'ride_charge'`.execute(
    tx,
  )
  return new Map(
    rows.map((row) => {
      const shares = {
        feeCents: row.fee_cents,
        platformBorneCents: row.platform_borne_cents,
        partnerBorneCents: row.partner_borne_cents,
        partyCents: row.party_cents,
        ownerCents: row.owner_cents,
      }
      return [row.order_id, { termsId: row.terms_id, paidCents: row.paid_cents, shares, takenCents: row.taken_cents }]
    }),
  )
}

const cursorRow = rowOf('split_cursor', 'c', ['entry_number', 'open_day'])
const lastRow = rowOf('ledger_book', 'b', ['entry_number'])

/** How far a book is divided, locked until the end of the transaction; begins on the day that is given. */
export async function lockCursor(tx: Tx, agentId: number, firstDay: string): Promise<RowOf<typeof cursorRow>> {
  await sql`
    insert into split_cursor (agent_id, open_day) values (${agentId}, ${firstDay}) on conflict do nothing`.execute(tx)
  const { rows } = await cursorRow.select`from split_cursor c where c.agent_id = ${agentId} for update`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error(`company ${agentId} has no cursor`)
  return row
}

export const moveCursor = (tx: Tx, agentId: number, to: { readonly entryNumber: number; readonly openDay: string }) =>
  sql`
    update split_cursor set entry_number = ${to.entryNumber}, open_day = ${to.openDay} where agent_id = ${agentId}`.execute(
    tx,
  )

/** The number of a book's last entry. */
export async function lastEntry(tx: Tx, agentId: number): Promise<number> {
  const { rows } = await lastRow.select`from ledger_book b where b.agent_id = ${agentId}`.execute(tx)
  return rows[0]?.entry_number ?? 0
}
