import { sql } from 'kysely'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'

/** Rows of companies: whoever may see the company may see them. */
const ofCompany = (alias: string, scope: Scope, agentId: number) =>
  sql`${sql.ref(`${alias}.agent_id`)} = any (${scope.agentIds}::bigint[]) and ${sql.ref(`${alias}.agent_id`)} = ${agentId}`

const reasonRow = rowOf('repair_reason', 'f', ['id', 'name', 'for_riders', 'position', 'version'])
export type ReasonRow = RowOf<typeof reasonRow>

export const selectReasons = (scope: Scope, agentId: number) => reasonRow.select`
  from repair_reason f
  where ${ofCompany('f', scope, agentId)} order by f.position, f.id limit 500`

export type PartRow = {
  id: number
  name: string
  unit: string
  price_cents: number
  stock: number
  stock_low: number
  version: number
  used: number
}

export const selectParts = (scope: Scope, agentId: number, since: Date) => sql<PartRow>`
  select p.id, p.name, p.unit, p.price_cents, p.stock, p.stock_low, p.version, (
    select coalesce(-sum(m.pieces), 0)::integer from repair_part_movement m
    where m.part_id = p.id and m.agent_id = p.agent_id and m.task_id is not null and m.at >= ${since}) as used
  from repair_part p
  where ${ofCompany('p', scope, agentId)} and p.removed_at is null order by p.name, p.id limit 1000`

const payRow = rowOf('task_pay', 't', ['kind', 'cents', 'reviewed'])
export type PayRow = RowOf<typeof payRow>

export const selectPay = (scope: Scope, agentId: number) =>
  payRow.select`from task_pay t where ${ofCompany('t', scope, agentId)}`

const movementRow = rowOf('repair_part_movement', 'm', [
  'id',
  'at',
  'pieces',
  'cents',
  'task_id',
  'operator_name',
  'note',
])
export type MovementRow = RowOf<typeof movementRow>

export const selectMovements = (
  scope: Scope,
  asked: { partId: number; beforeId: number | undefined; limit: number },
) => movementRow.select`
  from repair_part_movement m
  where m.part_id = ${asked.partId} and m.agent_id = any (${scope.agentIds}::bigint[])
    and m.id < ${asked.beforeId ?? Number.MAX_SAFE_INTEGER}
  order by m.id desc limit ${asked.limit}`
