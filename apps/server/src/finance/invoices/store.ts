import { sql, type RawBuilder } from 'kysely'
import {
  invoiceItemKinds,
  invoiceList,
  invoiceStates,
  invoiceTitleKinds,
  type InvoiceState,
} from '@saddle/contract/finance/invoices.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { unnest } from '#kit/db/unnest.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'

const columns = rowsOf(
  rowOf('invoice', 'i', [
    'id',
    'agent_id',
    'rider_id',
    'state',
    'title_kind',
    'title_sealed',
    'tax_number_sealed',
    'email_sealed',
    'cents',
    'item_count',
    'requested_at',
    'decided_at',
    'decided_by',
    'reason',
    'number',
    'link',
    'photo_ids',
    'red_number',
  ]).codes({ state: invoiceStates, title_kind: invoiceTitleKinds }),
  rowOf('agent', 'agent', ['company']),
  rowOf('rider', 'rider', ['phone_sealed', 'phone_hash']),
)
export type InvoiceRow = RowOf<typeof columns>
/** The row as the contract writes it, before what is sealed is opened. */
export const presentInvoice = columns.present

const names = sql`join agent on agent.id = i.agent_id join rider on rider.id = i.rider_id`
const inScope = ({ agentIds }: Pick<Scope, 'agentIds'>): RawBuilder<unknown> =>
  sql`i.agent_id = any (${agentIds}::bigint[])`

export const invoiceRows = tableList(invoiceList, {
  table: 'invoice',
  alias: 'i',
  tenant: 'agent',
  columns,
  joins: names,
  sorts: { requested: ['requested_at', 'instant'] },
  sums: { cents: sql`i.cents` },
  // The filter's phone is looked up before.
  find: ({ id, riderId, number, states, titleKind, ...span }, { riderIds }: { riderIds: number[] | undefined }) => ({
    narrowed: [
      id !== undefined && sql`i.id = ${id}`,
      riderIds && sql`i.rider_id = any (${riderIds}::bigint[])`,
      riderId !== undefined && sql`i.rider_id = ${riderId}`,
      number !== undefined && sql`i.number = ${number}`,
    ],
    where: [
      ...spanOf('i.requested_at', span),
      states && sql`i.state = any (${states}::text[])`,
      titleKind !== undefined && sql`i.title_kind = ${titleKind}`,
    ],
  }),
})

export function selectInvoice({ id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> }) {
  return columns.select`from invoice i ${names} where i.id = ${id} and ${inScope(scope)}`
}

/** The invoice of the scope, locked until the end of the transaction. */
export async function lockInvoice(
  tx: Tx,
  { id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> },
): Promise<InvoiceRow | undefined> {
  const { rows } = await sql`select i.id from invoice i where i.id = ${id} and ${inScope(scope)} for update`.execute(tx)
  if (rows.length === 0) return undefined
  return (await columns.select`from invoice i ${names} where i.id = ${id}`.execute(tx)).rows[0]
}

const item = rowOf('invoice_item', 't', ['kind', 'subject_id', 'number', 'at', 'cents']).codes({
  kind: invoiceItemKinds,
})
export const presentItem = item.present

export function selectItems({ id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> }) {
  return item.select`
    from invoice_item t
    where t.invoice_id = ${id} and t.agent_id = any (${scope.agentIds}::bigint[]) order by t.at desc, t.subject_id desc`
}

export type NewItem = {
  readonly kind: 'order' | 'recharge'
  readonly subjectId: number
  readonly number: string
  readonly at: number
  readonly cents: number
}

/** Adds an invoice with its items and returns its id. Fails on the unique index where an item counts elsewhere. */
export async function insertInvoice(
  tx: Tx,
  invoice: {
    readonly agentId: number
    readonly riderId: number
    readonly titleKind: string
    readonly titleSealed: string
    readonly taxNumberSealed: string | null
    readonly emailSealed: string
    readonly at: Date
    readonly items: readonly NewItem[]
  },
): Promise<number> {
  const { agentId, items } = invoice
  const { id } = await tx
    .insertInto('invoice')
    .values({
      agent_id: agentId,
      rider_id: invoice.riderId,
      title_kind: invoice.titleKind,
      title_sealed: invoice.titleSealed,
      tax_number_sealed: invoice.taxNumberSealed,
      email_sealed: invoice.emailSealed,
      cents: items.reduce((sum, { cents }) => sum + cents, 0),
      item_count: items.length,
      requested_at: invoice.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = unnest<NewItem>({
    rows: items,
    alias: 'n',
    columns: {
      kind: ['text', (item) => item.kind],
      subject_id: ['bigint', (item) => item.subjectId],
      number: ['text', (item) => item.number],
      at: ['timestamptz', (item) => item.at],
      cents: ['bigint', (item) => item.cents],
    },
  })
  await sql`
    insert into invoice_item (invoice_id, agent_id, kind, subject_id, number, at, cents)
    select ${id}, ${agentId}, n.kind, n.subject_id, n.number, n.at, n.cents from ${rows}`.execute(tx)
  return id
}

/** Of an invoice that the caller has locked; its items count while it is asked for or issued. */
export async function changeInvoice(
  tx: Tx,
  id: number,
  changes: {
    readonly state: InvoiceState
    readonly decided_at: Date | null
    readonly decided_by: string | null
    readonly reason?: string
    readonly number?: string
    readonly link?: string | null
    readonly photo_ids?: string[]
    readonly red_number?: string
  },
): Promise<void> {
  await tx.updateTable('invoice').set(changes).where('id', '=', id).execute()
  const counts = changes.state === 'requested' || changes.state === 'issued'
  await tx
    .updateTable('invoice_item')
    .set({ counts })
    .where('invoice_id', '=', id)
    .where('counts', '=', !counts)
    .execute()
}

const leftCents = rowOfValues({
  cents: computed(
    'bigint',
    sql`p.cents - coalesce((
      select sum(r.cents) from payment_refund r where r.payment_id = p.id and r.state <> 'returned'), 0)`,
  ),
})

/** Money that a rider paid in since then, less what was refunded. */
export function selectRecharges(asked: { agentId: number; riderId: number; since: Date; limit: number }) {
  // What has become a recharge has been paid.
  const paidAt = rowOfValues({ paid_at: computed('timestamptz', sql`p.paid_at`) })
  return rowsOf(rowOf('payment', 'p', ['id', 'number']), paidAt, leftCents).select`
    from payment p
    where p.agent_id = ${asked.agentId} and p.rider_id = ${asked.riderId} and p.became = 'recharge'
      and p.paid_at >= ${asked.since}
    order by p.id desc limit ${asked.limit}`
}

export function selectRechargesById({ agentId, ids }: { agentId: number; ids: readonly number[] }) {
  return rowsOf(rowOf('payment', 'p', ['id']), leftCents).select`
    from payment p
    where p.id = any (${ids}::bigint[]) and p.agent_id = ${agentId} and p.became = 'recharge'`
}

/** Which of these items are on an invoice that counts. */
export function selectTaken(asked: { agentId: number; riderId: number }) {
  return rowOf('invoice_item', 't', ['kind', 'subject_id']).select`
    from invoice_item t join invoice i on i.id = t.invoice_id
    where i.rider_id = ${asked.riderId} and t.agent_id = ${asked.agentId} and t.counts`
}
