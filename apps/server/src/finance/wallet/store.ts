import { sql, type RawBuilder } from 'kysely'
import { entryKinds, type AccountKind } from '@saddle/contract/finance/ledger.ts'
import { refundStates, type RefundFilter, type RefundState } from '@saddle/contract/finance/wallet.ts'
import type { Tx } from '#kit/db/pool.ts'
import { builtJson, computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
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
 * What moved some accounts of a rider, the latest first, each with the sum of the accounts after it. All of a rider's
 * postings are read for that sum: those of one person are few.
 */
export function selectStatement(options: {
  who: Who
  accounts: readonly AccountKind[]
  before: number | undefined
  limit: number
}): RawBuilder<StatementRow> {
  const { who, accounts, before, limit } = options
  return statementRow.query(
    (columns) => sql`
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
    )
    select ${columns} from told t join ledger_entry e on e.agent_id = ${who.agentId} and e.number = t.entry_number
    where ${before ?? null}::bigint is null or t.entry_number < ${before ?? null}::bigint
    order by t.entry_number desc limit ${limit}`,
  )
}

export type RefundDetail = {
  id: number
  cents: number
  reason: string
  state: RefundState
  fault: string
  attempts: number
  created_at: Date
  done_at: Date | null
  returned_at: Date | null
  returned_by: string | null
}

const paymentDetailRow = rowOf('payment', 'p', [
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
])
export type PaymentDetail = RowOf<typeof paymentDetailRow>

export function selectPayments(options: { who: Who; before: number | undefined; limit: number }) {
  const { who, before, limit } = options
  return paymentDetailRow.select`
    from payment p
    where p.agent_id = ${who.agentId} and p.rider_id = ${who.riderId}
      and (${before ?? null}::bigint is null or p.id < ${before ?? null}::bigint)
    order by p.id desc limit ${limit}`
}

const refundColumns = sql`r.id, r.cents, r.reason, r.state, r.fault, r.attempts, r.created_at, r.done_at,
  r.returned_at, r.returned_by`

export function selectRefundsOf(options: { agentId: number; paymentIds: readonly number[] }) {
  return sql<RefundDetail & { payment_id: number }>`
    select ${refundColumns}, r.payment_id from payment_refund r
    where r.agent_id = ${options.agentId} and r.payment_id = any (${options.paymentIds}::bigint[]) order by r.id desc`
}

export type ListedRefundRow = RefundDetail & {
  agent_id: number
  company: string
  rider_id: number
  phone_sealed: string | null
  phone_hash: string | null
  payment_id: number
  purpose: string
  subject_id: number | null
  channel: string
}

export function selectRefunds(options: {
  scope: Scope
  filter: RefundFilter
  /** The riders that it is narrowed to; absent: to none. */
  riderIds: readonly number[] | undefined
  before: number | undefined
  limit: number
}) {
  const { scope, filter, riderIds, before, limit } = options
  const { states = ['failed'], purposes, from, to } = filter
  const conditions = [
    sql`r.agent_id = any (${scope.agentIds}::bigint[])`,
    sql`r.state = any (${[...states]}::text[])`,
    ...(purposes === undefined ? [] : [sql`p.purpose = any (${[...purposes]}::text[])`]),
    ...(riderIds === undefined ? [] : [sql`p.rider_id = any (${riderIds}::bigint[])`]),
    ...(from === undefined ? [] : [sql`r.created_at >= ${new Date(from)}`]),
    ...(to === undefined ? [] : [sql`r.created_at < ${new Date(to)}`]),
    ...(before === undefined ? [] : [sql`r.id < ${before}`]),
  ]
  return sql<ListedRefundRow>`
    select ${refundColumns}, r.agent_id, a.company, p.rider_id, i.phone_sealed, i.phone_hash, r.payment_id, p.purpose,
      p.subject_id, p.channel
    from payment_refund r
    join payment p on p.id = r.payment_id and p.agent_id = r.agent_id
    join agent a on a.id = r.agent_id
    left join rider i on i.id = p.rider_id and i.agent_id = p.agent_id
    where ${sql.join(conditions, sql` and `)} order by r.id desc limit ${limit}`
}

const countRow2 = rowOfValues({
  count: computed('bigint', sql`count(*)`),
  cents: computed('bigint', sql`coalesce(sum(cents), 0)`),
})

export function countFailed(scope: Scope) {
  return countRow2.select`
    from payment_refund
    where agent_id = any (${scope.agentIds}::bigint[]) and state = 'failed'`
}

const platformChargeRow = rowOf('platform_charge', 'c', ['agent_id', 'rider_id'])

/** Whose charge by hand it is, within the scope. */
export function selectChargeInScope(options: { scope: Scope; id: number }) {
  return platformChargeRow.select`
    from platform_charge c
    where c.id = ${options.id} and c.agent_id = any (${options.scope.agentIds}::bigint[])`
}

const askedRefundRow = rowsOf(
  rowOf('payment_refund', 'r', ['id', 'agent_id', 'cents', 'state']).codes({ state: refundStates }),
  rowOf('payment', 'p', ['rider_id']),
)
export type AskedRefund = RowOf<typeof askedRefundRow>

export function selectRefund(options: { agentId: number; id: number }) {
  return sql<RefundDetail>`
    select ${refundColumns} from payment_refund r where r.agent_id = ${options.agentId} and r.id = ${options.id}`
}

/** Those of the scope, whatever else was asked for. */
export function selectAskedRefunds(options: { scope: Scope; ids: readonly number[] }) {
  return askedRefundRow.select`
    from payment_refund r join payment p on p.id = r.payment_id and p.agent_id = r.agent_id
    where r.agent_id = any (${options.scope.agentIds}::bigint[]) and r.id = any (${options.ids}::bigint[])
    order by r.agent_id, r.id`
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
