import { sql } from 'kysely'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'

/** Rows of companies: whoever may see the company may see them. */
const ofCompany = (alias: string, scope: Scope, agentId: number) =>
  sql`${sql.ref(`${alias}.agent_id`)} = any (${scope.agentIds}::bigint[]) and ${sql.ref(`${alias}.agent_id`)} = ${agentId}`

export const reasonRow = rowOf('repair_reason', 'f', ['id', 'name', 'for_riders', 'position', 'version'])

export const selectReasons = (scope: Scope, agentId: number) => reasonRow.select`
  from repair_reason f
  where ${ofCompany('f', scope, agentId)} order by f.position, f.id limit 500`

const stockRow = (since: Date) =>
  rowsOf(
    rowOf('repair_part', 'p', ['id', 'name', 'unit', 'price_cents', 'stock', 'stock_low', 'version']),
    rowOfValues({
      used_pieces: computed(
        'integer',
        sql`(
          select coalesce(-sum(m.pieces), 0) from repair_part_movement m
          where m.part_id = p.id and m.agent_id = p.agent_id and m.task_id is not null and m.at >= ${since})`,
      ),
    }),
  )

export const readParts = async ({ db }: Pick<Kit, 'db'>, scope: Scope, agentId: number, since: Date) => {
  const part = stockRow(since)
  const query = part.select`
    from repair_part p
    where ${ofCompany('p', scope, agentId)} and p.removed_at is null order by p.name, p.id limit 1000`
  return (await db.read(scope, (k) => query.compile(k))).map(part.present)
}

const payRow = rowOf('task_pay', 't', ['kind', 'cents', 'reviewed'])

export const selectPay = (scope: Scope, agentId: number) =>
  payRow.select`from task_pay t where ${ofCompany('t', scope, agentId)}`

export const movementRow = rowOf('repair_part_movement', 'm', [
  'id',
  'at',
  'pieces',
  'cents',
  'task_id',
  'operator_name',
  'note',
])

export const selectMovements = (
  scope: Scope,
  asked: { partId: number; beforeId: number | undefined; limit: number },
) => movementRow.select`
  from repair_part_movement m
  where m.part_id = ${asked.partId} and m.agent_id = any (${scope.agentIds}::bigint[])
    and m.id < ${asked.beforeId ?? Number.MAX_SAFE_INTEGER}
  order by m.id desc limit ${asked.limit}`
