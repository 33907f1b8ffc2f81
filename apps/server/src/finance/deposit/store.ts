import { sql, type RawBuilder } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import type { DepositState } from '@saddle/contract/finance/deposits.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'

export type DepositRow = {
  id: number
  agent_id: number
  rider_id: number
  cents: number
  frozen_cents: number
  recovered_cents: number
  refunded_cents: number
  paid_at: Date
  state: DepositState
}

export type ListedDepositRow = DepositRow & {
  company: string
  channel: string
  phone_sealed: string
  phone_hash: string
}

const columns = sql`d.id, d.agent_id, d.rider_id, d.cents, d.frozen_cents, d.recovered_cents, d.refunded_cents,
  d.paid_at, d.state`

export function selectDeposits(options: {
  scope: Scope
  ids?: readonly number[] | undefined
  riderIds?: readonly number[] | undefined
  states?: readonly DepositState[] | undefined
  from?: number | undefined
  to?: number | undefined
  before?: number | undefined
  limit: number
}): RawBuilder<ListedDepositRow> {
  const { scope, ids, riderIds, states, from, to, before, limit } = options
  const conditions = [
    sql`d.agent_id = any (${scope.agentIds}::bigint[])`,
    ...(ids === undefined ? [] : [sql`d.id = any (${ids}::bigint[])`]),
    ...(riderIds === undefined ? [] : [sql`d.rider_id = any (${riderIds}::bigint[])`]),
    ...(states === undefined ? [] : [sql`d.state = any (${[...states]}::text[])`]),
    ...(from === undefined ? [] : [sql`d.paid_at >= ${new Date(from)}`]),
    ...(to === undefined ? [] : [sql`d.paid_at < ${new Date(to)}`]),
    ...(before === undefined ? [] : [sql`d.id < ${before}`]),
  ]
  return sql<ListedDepositRow>`
    select ${columns}, a.company, p.channel, i.phone_sealed, i.phone_hash
    from rider_deposit d
    join payment p on p.id = d.id and p.agent_id = d.agent_id
    join agent a on a.id = d.agent_id
    join rider i on i.id = d.rider_id and i.agent_id = d.agent_id
    where ${sql.join(conditions, sql` and `)} order by d.id desc limit ${limit}`
}

const caseRow = rowOf('deposit_case', 'c', [
  'id',
  'agent_id',
  'deposit_id',
  'cents',
  'recovered_cents',
  'state',
  'reason',
  'operator_name',
  'opened_at',
  'decision',
  'decided_by',
  'decided_at',
]).codes({ state: ['open', 'released', 'recovered'] })
export type CaseRow = RowOf<typeof caseRow>

export function selectCases(options: { scope: Scope; depositIds: readonly number[] }): RawBuilder<CaseRow> {
  return caseRow.select`
    from deposit_case c
    where c.agent_id = any (${options.scope.agentIds}::bigint[]) and c.deposit_id = any (${options.depositIds}::bigint[])
    order by c.id desc`
}

/** The deposit of the scope, locked until the end of the transaction. Throws not_found. */
export async function lockDeposit(tx: Tx, options: { scope: Scope; id: number }): Promise<DepositRow> {
  const { rows } = await sql<DepositRow>`
    select ${columns} from rider_deposit d
    where d.id = ${options.id} and d.agent_id = any (${options.scope.agentIds}::bigint[]) for update`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return row
}

const depositCaseRow = rowOf('deposit_case', 'c', ['deposit_id'])

/** The open case of the scope and its deposit, both locked. Throws not_found and deposit_case_decided. */
export async function lockCase(
  tx: Tx,
  options: { scope: Scope; id: number },
): Promise<{ found: CaseRow; deposit: DepositRow }> {
  // The deposit first, as everywhere.
  const { rows } = await depositCaseRow.select`
    from deposit_case c
    where c.id = ${options.id} and c.agent_id = any (${options.scope.agentIds}::bigint[])`.execute(tx)
  const [place] = rows
  if (place === undefined) throw new AppError('not_found')
  const deposit = await lockDeposit(tx, { scope: options.scope, id: place.deposit_id })
  const cases = await selectCases({ scope: options.scope, depositIds: [deposit.id] }).execute(tx)
  const found = cases.rows.find(({ id }) => id === options.id)
  if (found === undefined) throw new AppError('not_found')
  if (found.state !== 'open') throw new AppError('deposit_case_decided')
  return { found, deposit }
}

/** All deposits of a rider of which something is left, locked, oldest first. */
export async function lockHeld(tx: Tx, who: { agentId: number; riderId: number }): Promise<DepositRow[]> {
  const { rows } = await sql<DepositRow>`
    select ${columns} from rider_deposit d
    where d.rider_id = ${who.riderId} and d.agent_id = ${who.agentId} and d.state <> 'over' order by d.id
    for update`.execute(tx)
  return rows
}

export async function insertDeposit(
  tx: Tx,
  deposit: { id: number; agentId: number; riderId: number; cents: number; at: Date },
): Promise<void> {
  await tx
    .insertInto('rider_deposit')
    .values({
      id: deposit.id,
      agent_id: deposit.agentId,
      rider_id: deposit.riderId,
      cents: deposit.cents,
      paid_at: deposit.at,
    })
    .execute()
}

export async function insertCase(
  tx: Tx,
  given: {
    deposit: DepositRow
    cents: number
    reason: string
    operatorId: number | null
    operatorName: string
    at: Date
  },
): Promise<number> {
  const { id } = await tx
    .insertInto('deposit_case')
    .values({
      agent_id: given.deposit.agent_id,
      deposit_id: given.deposit.id,
      cents: given.cents,
      reason: given.reason,
      operator_id: given.operatorId,
      operator_name: given.operatorName,
      opened_at: given.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function decideCase(
  tx: Tx,
  decided: {
    id: number
    recoveredCents: number
    decision: string
    operatorId: number | null
    operatorName: string
    at: Date
  },
): Promise<void> {
  const { id, recoveredCents, decision, operatorId, operatorName, at } = decided
  await tx
    .updateTable('deposit_case')
    .set({
      state: recoveredCents > 0 ? 'recovered' : 'released',
      recovered_cents: recoveredCents,
      decision,
      decided_by_id: operatorId,
      decided_by: operatorName,
      decided_at: at,
    })
    .where('id', '=', id)
    .execute()
}

/** Adds to what of a deposit is frozen, kept and given back; the database refuses what does not add up. */
export async function moveDeposit(
  tx: Tx,
  id: number,
  by: { frozen?: number; recovered?: number; refunded?: number },
): Promise<void> {
  await sql`
    update rider_deposit set frozen_cents = frozen_cents + ${by.frozen ?? 0},
      recovered_cents = recovered_cents + ${by.recovered ?? 0}, refunded_cents = refunded_cents + ${by.refunded ?? 0}
    where id = ${id}`.execute(tx)
}
