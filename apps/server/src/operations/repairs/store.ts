import { sql } from 'kysely'
import type { Scope } from '#kit/db/scope.ts'

/** Rows of companies: whoever may see the company may see them. */
const ofCompany = (alias: string, scope: Scope, agentId: number) =>
  sql`${sql.ref(`${alias}.agent_id`)} = any (${scope.agentIds}::bigint[]) and ${sql.ref(`${alias}.agent_id`)} = ${agentId}`

export type ReasonRow = { id: number; name: string; for_riders: boolean; position: number; version: number }

export const selectReasons = (scope: Scope, agentId: number) => sql<ReasonRow>`
  select f.id, f.name, f.for_riders, f.position, f.version from repair_reason f
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

export type PayRow = { kind: string; cents: number; reviewed: boolean }

export const selectPay = (scope: Scope, agentId: number) => sql<PayRow>`
  select t.kind, t.cents, t.reviewed from task_pay t where ${ofCompany('t', scope, agentId)}`

export type MovementRow = {
  id: number
  at: Date
  pieces: number
  cents: number
  task_id: number | null
  operator_name: string
  note: string
}

export const selectMovements = (
  scope: Scope,
  asked: { partId: number; beforeId: number | undefined; limit: number },
) => sql<MovementRow>`
  select m.id, m.at, m.pieces, m.cents, m.task_id, m.operator_name, m.note from repair_part_movement m
  where m.part_id = ${asked.partId} and m.agent_id = any (${scope.agentIds}::bigint[])
    and m.id < ${asked.beforeId ?? Number.MAX_SAFE_INTEGER}
  order by m.id desc limit ${asked.limit}`
