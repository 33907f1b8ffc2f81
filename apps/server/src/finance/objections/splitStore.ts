import { sql } from 'kysely'
import { entryKinds } from '@saddle/contract/finance/ledger.ts'
import type { SplitReason } from '@saddle/contract/finance/objections.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { unnest } from '#kit/db/unnest.ts'
import { inScope } from '../splitBills/store.ts'
import { insertHead, type NewHead } from './store.ts'

/** A line of a closed day's income, and how much of it is disputed. */
export interface DisputedEntry {
  readonly entryNumber: number
  readonly cents: number
}

const billRow = rowOf('split_bill', 'b', ['id', 'agent_id', 'area_id', 'day', 'closed_at'])
type Bill = RowOf<typeof billRow>

/** The bill of the scope; a closed bill never changes. */
export async function splitBillOf(
  tx: Tx,
  { id, scope }: { readonly id: number; readonly scope: Pick<Scope, 'agentIds' | 'areaIds'> },
): Promise<Bill | undefined> {
  const { rows } = await billRow.select`from split_bill b where b.id = ${id} and ${inScope(scope)}`.execute(tx)
  return rows[0]
}

const unnested = (lines: readonly DisputedEntry[]) =>
  unnest<DisputedEntry>({
    rows: lines,
    alias: 'n',
    columns: {
      entry_number: ['bigint', ({ entryNumber }) => entryNumber],
      cents: ['bigint', ({ cents }) => cents],
    },
  })

const count = rowOfValues({ lines: computed('bigint', sql`count(*)`) })

/** How many of the lines belong to the bill and have as much that is neither disputed nor put right. */
export async function disputableEntries(tx: Tx, bill: Bill, lines: readonly DisputedEntry[]): Promise<number> {
  const { rows } = await count.select`
    from ${unnested(lines)} join split_line l on l.agent_id = ${bill.agent_id} and l.entry_number = n.entry_number
      and l.day = ${bill.day} and l.area_id is not distinct from ${bill.area_id}::bigint
    cross join lateral (
      select coalesce(sum(case when o.decided_at is null then x.cents else x.accepted_cents end), 0) as cents
      from objection_split_line x join objection o on o.id = x.objection_id
      where x.agent_id = l.agent_id and x.entry_number = l.entry_number
    ) d
    where d.cents + n.cents <= abs(l.paid_cents)`.execute(tx)
  return rows[0]?.lines ?? 0
}

const centsRow = rowOfValues({ cents: computed('bigint', sql`m.cents`) })

/** What of a company's day is in transit and not disputed yet. The caller has locked the company's cursor. */
export async function undisputedInTransit(
  tx: Tx,
  { agentId, day }: { readonly agentId: number; readonly day: string },
): Promise<number> {
  const { rows } = await centsRow.select`
    from (select
      (select coalesce(sum(b.owner_cents), 0) from split_bill b where b.agent_id = ${agentId} and b.day = ${day})
      - (select coalesce(sum(s.owner_cents), 0) from split_settlement s where s.agent_id = ${agentId} and s.day = ${day})
      - (select coalesce(sum(o.transit_cents), 0) from objection o join split_bill d on d.id = o.split_bill_id
        where o.agent_id = ${agentId} and d.agent_id = ${agentId} and d.day = ${day} and o.decided_at is null)
      as cents) m`.execute(tx)
  return Math.max(0, rows[0]?.cents ?? 0)
}

const heldRow = rowOfValues({
  cents: computed('bigint', sql`coalesce(sum(o.transit_cents), 0)`),
  ids: computed('bigint[]', sql`coalesce(array_agg(o.id order by o.id), '{}')`),
})

/** What of a company's day stays in transit because it is disputed, and the objections about it. */
export async function disputedInTransit(
  tx: Tx,
  { agentId, day }: { readonly agentId: number; readonly day: string },
): Promise<{ readonly cents: number; readonly ids: readonly number[] }> {
  const { rows } = await heldRow.select`
    from objection o join split_bill b on b.id = o.split_bill_id
    where o.agent_id = ${agentId} and b.agent_id = ${agentId} and b.day = ${day} and o.decided_at is null
      and o.transit_cents > 0`.execute(tx)
  return rows[0] ?? { cents: 0, ids: [] }
}

export async function insertSplitObjection(
  tx: Tx,
  made: NewHead & {
    readonly splitBillId: number
    readonly reason: SplitReason
    readonly lines: readonly DisputedEntry[]
    readonly transitCents: number
    readonly heldCents: number
  },
): Promise<number> {
  const { agentId, lines, reason } = made
  const id = await insertHead(tx, made, {
    split_bill_id: made.splitBillId,
    reason,
    disputed_cents: lines.reduce((sum, { cents }) => sum + cents, 0),
    transit_cents: made.transitCents,
    held_paid_cents: made.heldCents,
  })
  await sql`
    insert into objection_split_line (objection_id, agent_id, entry_number, cents)
    select ${id}, ${agentId}, n.entry_number, n.cents from ${unnested(lines)}`.execute(tx)
  return id
}

const lineRow = rowOf('objection_split_line', 'x', ['entry_number', 'cents'])

/** The disputed lines of an objection, in their order. */
export async function entriesHeld(tx: Tx, id: number): Promise<DisputedEntry[]> {
  const { rows } = await lineRow.select`
    from objection_split_line x where x.objection_id = ${id} order by x.entry_number`.execute(tx)
  return rows.map((row) => ({ entryNumber: row.entry_number, cents: row.cents }))
}

export async function acceptEntries(tx: Tx, id: number, accepted: readonly DisputedEntry[]): Promise<void> {
  await sql`
    update objection_split_line x set accepted_cents = n.cents
    from ${unnested(accepted)} where x.objection_id = ${id} and x.entry_number = n.entry_number`.execute(tx)
}

const shownLine = rowsOf(
  rowOf('objection_split_line', 'x', ['entry_number', 'cents', 'accepted_cents']),
  rowOf('split_line', 'l', ['kind', 'at', 'order_id', 'paid_cents', 'owner_cents']).codes({ kind: entryKinds }),
  rowOfValues({ area: computed('text?', sql`area.name`) }),
)
export const presentSplitLine = shownLine.present
export function selectSplitLines({ id, agentId }: { id: number; agentId: number }) {
  return shownLine.select`
    from objection_split_line x join split_line l on l.agent_id = x.agent_id and l.entry_number = x.entry_number
    left join service_area area on area.id = l.area_id
    where x.objection_id = ${id} and x.agent_id = ${agentId} order by x.entry_number`
}
