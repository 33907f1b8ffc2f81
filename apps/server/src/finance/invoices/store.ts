import { sql, type RawBuilder } from 'kysely'
import { invoiceCountMax, type InvoiceFilter, type InvoiceState } from '@saddle/contract/finance/invoices.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import { unnest } from '#kit/db/unnest.ts'
import type { InvoiceCursor } from './rules.ts'

export type InvoiceRow = {
  id: number
  agent_id: number
  company: string
  rider_id: number
  phone_sealed: string
  phone_hash: string
  state: string
  title_kind: string
  title_sealed: string
  tax_number_sealed: string | null
  email_sealed: string
  cents: number
  item_count: number
  requested_at: Date
  decided_at: Date | null
  decided_by: string | null
  reason: string
  number: string | null
  link: string | null
  photo_ids: string[]
  red_number: string | null
}

const columns = sql`i.id, i.agent_id, agent.company, i.rider_id, rider.phone_sealed, rider.phone_hash, i.state,
  i.title_kind, i.title_sealed, i.tax_number_sealed, i.email_sealed, i.cents, i.item_count, i.requested_at, i.decided_at,
  i.decided_by, i.reason, i.number, i.link, i.photo_ids, i.red_number`
const names = sql`join agent on agent.id = i.agent_id join rider on rider.id = i.rider_id`
const inScope = ({ agentIds }: Pick<Scope, 'agentIds'>): RawBuilder<unknown> =>
  sql`i.agent_id = any (${agentIds}::bigint[])`

export type InvoiceSearch = {
  readonly scope: Scope
  readonly filter: InvoiceFilter
  /** The filter's phone, looked up; absent: no phone was asked for. */
  readonly riderIds?: readonly number[] | undefined
}

function conditions({ scope, filter, riderIds }: InvoiceSearch): RawBuilder<unknown>[] {
  const { id, riderId, number, states, titleKind, from, to } = filter
  const asked: (RawBuilder<unknown> | false)[] = [
    inScope(scope),
    id !== undefined && sql`i.id = ${id}`,
    riderIds !== undefined && sql`i.rider_id = any (${riderIds}::bigint[])`,
    riderId !== undefined && sql`i.rider_id = ${riderId}`,
    number !== undefined && sql`i.number = ${number}`,
    states !== undefined && sql`i.state = any (${states}::text[])`,
    titleKind !== undefined && sql`i.title_kind = ${titleKind}`,
    from !== undefined && sql`i.requested_at >= ${new Date(from)}`,
    to !== undefined && sql`i.requested_at < ${new Date(to)}`,
  ]
  return asked.filter((condition) => condition !== false)
}

export function selectInvoices(
  search: InvoiceSearch & { readonly after: InvoiceCursor | null; readonly limit: number },
) {
  const { after, limit } = search
  const asked = conditions(search)
  if (after !== null) asked.push(sql`(i.requested_at, i.id) < (${new Date(after.at)}, ${after.id})`)
  return sql<InvoiceRow>`
    select ${columns} from (
      select i.* from invoice i where ${sql.join(asked, sql` and `)}
      order by i.requested_at desc, i.id desc limit ${limit}
    ) i ${names} order by i.requested_at desc, i.id desc`
}

/** How many meet the conditions, up to one more than is told. */
export function countInvoices(search: InvoiceSearch) {
  return sql<{ count: number }>`
    select count(*) as count from (
      select from invoice i where ${sql.join(conditions(search), sql` and `)} limit ${invoiceCountMax + 1}) f`
}

export function countWaiting(scope: Scope) {
  return sql<{ requested: number; cents: number }>`
    select count(*) as requested, coalesce(sum(i.cents), 0)::bigint as cents from invoice i
    where i.state = 'requested' and ${inScope(scope)}`
}

export function selectInvoice({ id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> }) {
  return sql<InvoiceRow>`select ${columns} from invoice i ${names} where i.id = ${id} and ${inScope(scope)}`
}

/** The invoice of the scope, locked until the end of the transaction. */
export async function lockInvoice(
  tx: Tx,
  { id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> },
): Promise<InvoiceRow | undefined> {
  const { rows } = await sql`select i.id from invoice i where i.id = ${id} and ${inScope(scope)} for update`.execute(tx)
  if (rows.length === 0) return undefined
  return (await sql<InvoiceRow>`select ${columns} from invoice i ${names} where i.id = ${id}`.execute(tx)).rows[0]
}

export type ItemRow = { kind: string; subject_id: number; number: string; at: Date; cents: number }

export function selectItems({ id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> }) {
  return sql<ItemRow>`
    select t.kind, t.subject_id, t.number, t.at, t.cents from invoice_item t
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

export type RechargeRow = { id: number; number: string; paid_at: Date; cents: number }

const left = sql`p.cents - coalesce((
  select sum(r.cents) from payment_refund r where r.payment_id = p.id and r.state <> 'returned'), 0)`

/** Money that a rider paid in since then, as far as it was not given back. */
export function selectRecharges(asked: { agentId: number; riderId: number; since: Date; limit: number }) {
  return sql<RechargeRow>`
    select p.id, p.number, p.paid_at, (${left})::bigint as cents from payment p
    where p.agent_id = ${asked.agentId} and p.rider_id = ${asked.riderId} and p.became = 'recharge'
      and p.paid_at >= ${asked.since}
    order by p.id desc limit ${asked.limit}`
}

export function selectRechargesById({ agentId, ids }: { agentId: number; ids: readonly number[] }) {
  return sql<{ id: number; cents: number }>`
    select p.id, (${left})::bigint as cents from payment p
    where p.id = any (${ids}::bigint[]) and p.agent_id = ${agentId} and p.became = 'recharge'`
}

/** Which of these are on an invoice that counts. */
export function selectTaken(asked: { agentId: number; riderId: number }) {
  return sql<{ kind: string; subject_id: number }>`
    select t.kind, t.subject_id from invoice_item t join invoice i on i.id = t.invoice_id
    where i.rider_id = ${asked.riderId} and t.agent_id = ${asked.agentId} and t.counts`
}
