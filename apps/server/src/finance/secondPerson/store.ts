import { sql } from 'kysely'
import { z } from 'zod'
import {
  moneyActList,
  moneyActs,
  moneyActsAbout,
  moneyActStates,
  type MoneyAct,
  type MoneyActRow,
  type MoneyActState,
  type MoneyActsAbout,
} from '@saddle/contract/finance/secondPerson.ts'
import type { Caller } from '#kit/call.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Tx } from '#kit/db/pool.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'

export type NewAct = {
  readonly act: MoneyAct
  readonly agentId: number
  readonly areaId: number | null
  /** Null: it concerns the company. */
  readonly riderId: number | null
  readonly cents: number
  readonly reason: string
}
type Person = { readonly operatorId: number; readonly name: string }

const LOCK_CLASS = 7_110

const centsRow = rowOfValues({ cents: computed('bigint', sql`coalesce(sum(cents), 0)`) })

/** What a person has done on a day; others of that person wait until the transaction ends. */
export async function lockDay(tx: Tx, day: { operatorId: number; from: Date }): Promise<number> {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS}, hashint8(${day.operatorId}))`.execute(tx)
  const { rows } = await centsRow.select`
    from money_action
    where operator_id = ${day.operatorId} and state = 'done' and acted_at >= ${day.from}`.execute(tx)
  return rows[0]?.cents ?? 0
}

export async function insertDone(tx: Tx, act: NewAct & { readonly by: Person; readonly at: Date }): Promise<void> {
  await tx
    .insertInto('money_action')
    .values({
      ...columnsOf(act),
      operator_id: act.by.operatorId,
      operator_name: act.by.name,
      acted_at: act.at,
      state: 'done',
    })
    .execute()
}

const columnsOf = ({ act, agentId, areaId, riderId, cents, reason }: NewAct) => ({
  act,
  agent_id: agentId,
  area_id: areaId,
  rider_id: riderId,
  cents,
  reason,
})

/** The request, and whether it is a new one: asked for twice while it waits, it is the same. */
export async function insertWaiting(
  tx: Tx,
  act: NewAct & {
    readonly by: Person
    readonly at: Date
    readonly expiresAt: Date
    readonly input: unknown
    readonly inputHash: string
  },
): Promise<{ id: number; isNew: boolean }> {
  const { by, inputHash } = act
  const made = await tx
    .insertInto('money_action')
    .values({
      ...columnsOf(act),
      operator_id: by.operatorId,
      operator_name: by.name,
      acted_at: act.at,
      expires_at: act.expiresAt,
      input: JSON.stringify(act.input),
      input_hash: inputHash,
      state: 'waiting',
    })
    .onConflict((conflict) =>
      conflict
        .columns(['operator_id', 'act', 'input_hash'])
        .where(sql<boolean>`state = 'waiting'`)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (made !== undefined) return { id: made.id, isNew: true }
  const { id } = await tx
    .selectFrom('money_action')
    .select('id')
    .where('operator_id', '=', by.operatorId)
    .where('act', '=', act.act)
    .where('input_hash', '=', inputHash)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return { id, isNew: false }
}

const moneyAct = rowOf('money_action', 'm', [
  'id',
  'agent_id',
  'area_id',
  'rider_id',
  'act',
  'input',
  'cents',
  'reason',
  'operator_id',
  'operator_name',
  'acted_at as asked_at',
  'expires_at',
  'state',
  'decided_by',
  'decided_at',
  'note',
])
  .codes({ act: moneyActs, state: moneyActStates })
  .filled('expires_at')
const listed = rowsOf(moneyAct, rowOf('agent', 'a', ['company', 'parent_id']))
export type MoneyActionRow = RowOf<typeof listed>

const inScope = (scope: Scope) => sql`m.agent_id = any (${scope.agentIds}::bigint[])
  and (m.area_id is null or m.area_id = any (${scope.areaIds}::bigint[]))`

const actsAbout = (about: MoneyActsAbout | undefined): readonly MoneyAct[] =>
  about === undefined ? moneyActs : moneyActsAbout[about]

/** What a caller may decide about: acts that they have the right to do. */
export interface ActsOf {
  readonly allowed: readonly MoneyAct[]
}

export const moneyActRows = tableList(moneyActList, {
  table: 'money_action',
  alias: 'm',
  tenant: inScope,
  columns: listed,
  joins: sql`join agent a on a.id = m.agent_id`,
  // Ids are given in the order in which the acts are asked for.
  sorts: { asked: [] },
  find: ({ states = moneyActStates, acts = moneyActs, about, ...span }, { allowed }: ActsOf) => ({
    where: [
      // What was done at once is kept for the sum of the day, and never waited.
      sql`m.state <> 'done'`,
      sql`m.state = any (${states}::text[])`,
      sql`m.act = any (${acts.filter((act) => allowed.includes(act) && actsAbout(about).includes(act))}::text[])`,
      ...spanOf('m.acted_at', span),
    ],
  }),
  sums: { cents: sql`m.cents` },
})

/** What of a call's input is shown with its request. */
const inputSchema = z.object({
  orderId: z.int().optional(),
  direction: z.string().optional(),
  id: z.int().optional(),
  cents: z.int().optional(),
})

/** Bills are corrected from above; the company at the top corrects its own. */
const isOfOwnCompany = (
  { agent_id, parent_id }: Pick<MoneyActionRow, 'agent_id' | 'parent_id'>,
  caller: Pick<Caller, 'agentId'>,
): boolean => parent_id !== null && agent_id === caller.agentId

export function actOf(row: MoneyActionRow, caller: Pick<Caller, 'operatorId' | 'agentId'>): MoneyActRow {
  const { input, parentId: _, ...shown } = listed.present(row)
  const { orderId, direction, id, cents } = inputSchema.parse(input ?? {})
  const isCorrection = row.act === 'split_correction'
  const isOwn = row.operator_id === caller.operatorId
  return {
    ...shown,
    orderId: orderId ?? null,
    billId: isCorrection ? (id ?? null) : null,
    isCredit: isCorrection ? (cents ?? 0) > 0 : direction !== 'debit',
    isOwn,
    canDecide: !isOwn && !(isCorrection && isOfOwnCompany(row, caller)),
  }
}

export function selectAct({ scope, id }: { scope: Scope; id: number }) {
  return listed.select`
    from money_action m join agent a on a.id = m.agent_id
    where m.id = ${id} and m.state <> 'done' and ${inScope(scope)}`
}

/** False when it does not wait any more. */
export async function decide(
  tx: Tx,
  decision: { id: number; state: MoneyActState; by: Person | null; at: Date; note: string },
): Promise<boolean> {
  const { by, at } = decision
  const decided = await tx
    .updateTable('money_action')
    .set({
      state: decision.state,
      decided_by_id: by?.operatorId ?? null,
      decided_by: by?.name ?? null,
      decided_at: at,
      note: decision.note,
    })
    .where('id', '=', decision.id)
    .where('state', '=', 'waiting')
    .where('expires_at', decision.state === 'expired' ? '<=' : '>', at)
    .returning('id')
    .executeTakeFirst()
  return decided !== undefined
}

const EXPIRED_AT_ONCE = 200

export async function expired(
  tx: Tx,
  at: Date,
): Promise<{ id: number; agent_id: number; rider_id: number | null; cents: number }[]> {
  return tx
    .selectFrom('money_action')
    .select(['id', 'agent_id', 'rider_id', 'cents'])
    .where('state', '=', 'waiting')
    .where('expires_at', '<=', at)
    .orderBy('id')
    .limit(EXPIRED_AT_ONCE)
    .execute()
}
