import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import { caseStates, depositList, depositStates, type Deposit } from '@saddle/contract/finance/deposits.ts'
import { paymentChannels } from '@saddle/contract/finance/payments.ts'
import type { Tx } from '#kit/db/pool.ts'
import { builtJson, computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'
import type { OfRiders, RiderDirectory } from '../wallet/who.ts'

const deposit = rowOf('rider_deposit', 'd', [
  'id',
  'agent_id',
  'rider_id',
  'cents',
  'frozen_cents',
  'recovered_cents',
  'refunded_cents',
  'paid_at',
  'state',
]).codes({ state: depositStates })
export type DepositRow = RowOf<typeof deposit>

/** A case in the JSON that the database returns. */
interface WrittenCase {
  readonly id: number
  readonly cents: number
  readonly recovered_cents: number
  readonly state: (typeof caseStates)[number]
  readonly reason: string
  readonly operator_name: string
  readonly opened_at: string
  readonly decision: string
  readonly decided_by: string | null
  readonly decided_at: string | null
}

const listed = rowsOf(
  deposit,
  rowOf('agent', 'a', ['company']),
  rowOf('payment', 'pay', ['channel']).codes({ channel: paymentChannels }),
  rowOf('rider', 'i', ['phone_sealed', 'phone_hash']),
  rowOfValues({
    free_cents: computed('bigint', sql`d.cents - d.frozen_cents - d.recovered_cents - d.refunded_cents`),
    cases: builtJson<WrittenCase[]>(sql`(
      select coalesce(jsonb_agg(to_jsonb(c) order by c.id desc), '[]'::jsonb) from deposit_case c
      where c.deposit_id = d.id and c.agent_id = d.agent_id)`),
  }),
)
const joins = sql`
  join payment pay on pay.id = d.id and pay.agent_id = d.agent_id
  join agent a on a.id = d.agent_id
  join rider i on i.id = d.rider_id and i.agent_id = d.agent_id`

export const depositRows = tableList(depositList, {
  table: 'rider_deposit',
  alias: 'd',
  tenant: 'agent',
  columns: listed,
  joins,
  sorts: { paid: ['paid_at', 'instant'] },
  find: ({ states = depositStates, ...span }, { riderIds }: OfRiders) => ({
    runs: { column: 'state', type: 'text', values: states },
    narrowed: [riderIds && sql`d.rider_id = any (${riderIds}::bigint[])`],
    where: spanOf('d.paid_at', span),
  }),
  sums: { cents: sql`d.cents` },
})

export function selectDeposit(options: { scope: Scope; id: number }) {
  return listed.select`
    from rider_deposit d ${joins}
    where d.id = ${options.id} and d.agent_id = any (${options.scope.agentIds}::bigint[])`
}

export const depositOf = (row: RowOf<typeof listed>, riders: Pick<RiderDirectory, 'maskedPhone'>): Deposit => ({
  ...listed.present(row),
  riderPhone: riders.maskedPhone(row),
  cases: row.cases.map((found) => ({
    id: found.id,
    cents: found.cents,
    recoveredCents: found.recovered_cents,
    state: found.state,
    reason: found.reason,
    operatorName: found.operator_name,
    openedAt: Date.parse(found.opened_at),
    decision: found.decision,
    decidedBy: found.decided_by,
    decidedAt: found.decided_at === null ? null : Date.parse(found.decided_at),
  })),
})

const caseRow = rowOf('deposit_case', 'c', ['id', 'deposit_id', 'cents', 'state']).codes({ state: caseStates })
export type CaseRow = RowOf<typeof caseRow>

/** The deposit of the scope, locked until the end of the transaction. Throws not_found. */
export async function lockDeposit(tx: Tx, options: { scope: Scope; id: number }): Promise<DepositRow> {
  const { rows } = await deposit.select`
    from rider_deposit d
    where d.id = ${options.id} and d.agent_id = any (${options.scope.agentIds}::bigint[]) for update`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** The open case of the scope and its deposit, both locked. Throws not_found and deposit_case_decided. */
export async function lockCase(
  tx: Tx,
  options: { scope: Scope; id: number },
): Promise<{ found: CaseRow; deposit: DepositRow }> {
  const { id, scope } = options
  const select = caseRow.select`
    from deposit_case c where c.id = ${id} and c.agent_id = any (${scope.agentIds}::bigint[])`
  const [before] = (await select.execute(tx)).rows
  if (before === undefined) throw new AppError('not_found')
  // The deposit is locked first, as everywhere; then the case is read as it is.
  const own = await lockDeposit(tx, { scope, id: before.deposit_id })
  const [found] = (await select.execute(tx)).rows
  if (found === undefined) throw new AppError('not_found')
  if (found.state !== 'open') throw new AppError('deposit_case_decided')
  return { found, deposit: own }
}

/** All deposits of a rider of which something is left, locked, oldest first. */
export async function lockHeld(tx: Tx, who: { agentId: number; riderId: number }): Promise<DepositRow[]> {
  const { rows } = await deposit.select`
    from rider_deposit d
    where d.rider_id = ${who.riderId} and d.agent_id = ${who.agentId} and d.state <> 'over' order by d.id
    for update`.execute(tx)
  return rows
}

export async function insertDeposit(
  tx: Tx,
  paid: { id: number; agentId: number; riderId: number; cents: number; at: Date },
): Promise<void> {
  await tx
    .insertInto('rider_deposit')
    .values({
      id: paid.id,
      agent_id: paid.agentId,
      rider_id: paid.riderId,
      cents: paid.cents,
      paid_at: paid.at,
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
