import { sql, type RawBuilder } from 'kysely'
import { entryKinds, type AccountKind } from '@saddle/contract/finance/ledger.ts'
import { purposes, paymentChannels } from '@saddle/contract/finance/payments.ts'
import { chargeDirections, type StatementFilter, type statementList } from '@saddle/contract/finance/wallet.ts'
import type { Direction } from '@saddle/contract/list.ts'
import type { Tx } from '#kit/db/pool.ts'
import { builtJson, computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Cursor } from '#kit/list/cursor.ts'
import type { ListRows } from '#kit/list/serveList.ts'
import type { Who } from './who.ts'

const statementRow = rowsOf(
  rowOf('ledger_entry', 'e', ['number', 'kind', 'reference', 'memo', 'occurred_at']).codes({ kind: entryKinds }),
  rowOfValues({
    parts: builtJson<{ account: AccountKind; cents: number }[]>(sql`t.parts`),
    cents: computed('bigint', sql`t.cents`),
    after_cents: computed('bigint', sql`t.after_cents`),
  }),
)
export type StatementRow = RowOf<typeof statementRow>

/**
 * What moved some accounts of a rider, each with the sum of the accounts after it. All of a rider's postings are read for
 * that sum: those of one person are few.
 */
const moved = ({ who, accounts }: StatementOf) => sql`
    with mine as materialized (
      select p.entry_number, a.kind, sum(p.amount_cents)::bigint as cents
      from ledger_account a join ledger_posting p on p.account_id = a.id
      where a.agent_id = ${who.agentId} and a.owner_id = ${who.riderId} and a.kind = any (${[...accounts]}::text[])
      group by p.entry_number, a.kind
    ),
    told as (
      select m.entry_number, sum(m.cents)::bigint as cents,
        sum(sum(m.cents)) over (order by m.entry_number)::bigint as after_cents,
        jsonb_agg(jsonb_build_object('account', m.kind, 'cents', m.cents) order by m.kind) as parts
      from mine m group by m.entry_number
    )`
const ofEntries = ({ who }: StatementOf) =>
  sql`from told t join ledger_entry e on e.agent_id = ${who.agentId} and e.number = t.entry_number`

export interface StatementOf {
  readonly who: Who
  readonly accounts: readonly AccountKind[]
}

/** The latest lines first. */
export const selectStatement = (
  options: StatementOf & { readonly before: number | undefined; readonly limit: number },
): RawBuilder<StatementRow> =>
  statementRow.query(
    (columns) => sql`
    ${moved(options)} select ${columns} ${ofEntries(options)}
    where ${options.before ?? null}::bigint is null or t.entry_number < ${options.before ?? null}::bigint
    order by t.entry_number desc limit ${options.limit}`,
  )

/** The statements of the list of a rider's lines. */
export const statementRows: ListRows<typeof statementList, StatementOf, StatementRow> = {
  keys: { at: ['whole'] },
  select: ({ params, filter, direction, after, limit }) =>
    statementRow.query(
      (columns) => sql`
      ${moved(params)} select ${columns} ${ofEntries(params)}
      where ${sql.join([...spanOf(filter), ...beyond(after, direction)], sql` and `)}
      order by t.entry_number ${sql.raw(direction)} limit ${limit}`,
    ),
  count: ({ params, filter, limit }) => sql`
    ${moved(params)}
    select count(*) as count from (
      select ${ofEntries(params)} where ${sql.join(spanOf(filter), sql` and `)} limit ${limit}) c`,
  cursorOf: ({ number }) => [number],
}

const spanOf = ({ from, to }: StatementFilter): RawBuilder<unknown>[] => [
  sql`e.occurred_at >= ${new Date(from ?? 0)}`,
  ...(to === undefined ? [] : [sql`e.occurred_at < ${new Date(to)}`]),
]

const beyond = (after: Cursor | null, direction: Direction): RawBuilder<unknown>[] =>
  after === null ? [] : [sql`t.entry_number ${sql.raw(direction === 'asc' ? '>' : '<')} ${after[0]}::bigint`]

const paymentDetailRow = rowsOf(
  rowOf('payment', 'p', [
    'id',
    'purpose',
    'became',
    'subject_id',
    'channel',
    'number',
    'cents',
    'gift_cents',
    'created_at',
    'paid_at',
  ]),
  rowOfValues({
    open_gift_cents: computed(
      'bigint',
      sql`coalesce((select sum(l.open_cents) from gift_lot l
        where l.source = 'payment' and l.source_id = p.id and l.agent_id = p.agent_id), 0)`,
    ),
  }),
).codes({ purpose: purposes, became: purposes, channel: paymentChannels })
export type PaymentDetail = RowOf<typeof paymentDetailRow>

export const paymentOf = (row: PaymentDetail) => paymentDetailRow.present(row)

export function selectPayments(options: { who: Who; before: number | undefined; limit: number }) {
  const { who, before, limit } = options
  return paymentDetailRow.select`
    from payment p
    where p.agent_id = ${who.agentId} and p.rider_id = ${who.riderId}
      and (${before ?? null}::bigint is null or p.id < ${before ?? null}::bigint)
    order by p.id desc limit ${limit}`
}

const platformChargeRow = rowOf('platform_charge', 'c', [
  'id as charge_id',
  'agent_id',
  'rider_id',
  'account',
  'direction',
  'cents',
]).codes({ direction: chargeDirections })

export const chargeOf = (row: RowOf<typeof platformChargeRow>) => platformChargeRow.present(row)

/** Whose charge by hand it is, within the scope. */
export function selectChargeInScope(options: { scope: Scope; id: number }) {
  return platformChargeRow.select`
    from platform_charge c
    where c.id = ${options.id} and c.agent_id = any (${options.scope.agentIds}::bigint[])`
}

const paymentRow = rowOf('payment', 'p', ['agent_id', 'rider_id', 'became'])

export function selectPaymentInScope(options: { scope: Scope; id: number }) {
  return paymentRow.select`
    from payment p
    where p.id = ${options.id} and p.agent_id = any (${options.scope.agentIds}::bigint[])`
}

export async function insertCharge(
  tx: Tx,
  charge: {
    readonly who: Who
    readonly account: string
    readonly direction: string
    readonly cents: number
    readonly reason: string
    readonly operatorId: number | null
    readonly operatorName: string
    readonly at: Date
  },
): Promise<number> {
  const { id } = await tx
    .insertInto('platform_charge')
    .values({
      agent_id: charge.who.agentId,
      rider_id: charge.who.riderId,
      account: charge.account,
      direction: charge.direction,
      cents: charge.cents,
      reason: charge.reason,
      operator_id: charge.operatorId,
      operator_name: charge.operatorName,
      charged_at: charge.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
