import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { LockedTask } from './store.ts'

/** Whoever works in the field holds this code. */
const fieldCode = '0909'

const worksInField = sql`o.state = 'enabled' and exists (
  select from role r join role_permission p on p.role_id = r.id
  where r.id = o.role_id and r.state = 'enabled' and p.code = ${fieldCode}::text)`

/** Somebody may be sent to the areas of their own company and of those below it, or to those that they are held to. */
const mayBeSentTo = (areaId: number) => sql`case when o.all_areas
  then exists (
    select from service_area a where a.id = ${areaId}::bigint and a.agent_id in (select agent_and_below(o.agent_id)))
  else exists (select from operator_area h where h.operator_id = o.id and h.area_id = ${areaId}::bigint) end`

export type Worker = { id: number; name: string; agent_id: number; unfinished: number }

/** People of the companies of the scope who may be given tasks, and how many each has in hand within it. */
export function selectWorkers(scope: Scope, areaIds: readonly number[]) {
  const sent = sql.join([sql`true`, ...areaIds.map(mayBeSentTo)], sql` and `)
  // Who works in none of the areas that are looked at is nobody's choice here.
  const somewhere = sql`exists (
    select from service_area a where a.id = any (${scope.areaIds}::bigint[]) and (
      (o.all_areas and a.agent_id in (select agent_and_below(o.agent_id)))
      or exists (select from operator_area h where h.operator_id = o.id and h.area_id = a.id)))`
  return sql<Worker>`
    select o.id, o.name, o.agent_id, (
      select count(*)::integer from task t
      where t.assignee_id = o.id and t.done_at is null and t.agent_id = any (${scope.agentIds}::bigint[])
        and t.area_id = any (${scope.areaIds}::bigint[])
    ) as unfinished
    from operator o
    where o.agent_id = any (${scope.agentIds}::bigint[]) and ${worksInField} and ${somewhere} and ${sent}
    order by unfinished, o.name, o.id limit 500`
}

const operatorRow = rowOf('operator', 'o', ['name'])

/** The person, if they may be given work of each of the areas; undefined where they may not, or lie outside the scope. */
export async function findWorker(
  tx: Tx,
  options: { scope: Scope; operatorId: number; areaIds: readonly number[] },
): Promise<{ operatorId: number; name: string } | undefined> {
  const { scope, operatorId, areaIds } = options
  const everywhere = areaIds.map((areaId) => sql`and ${mayBeSentTo(areaId)}`)
  const { rows } = await operatorRow.select`
    from operator o
    where o.id = ${operatorId} and o.agent_id = any (${scope.agentIds}::bigint[]) and ${worksInField}
      ${sql.join(everywhere, sql` `)}`.execute(tx)
  const [found] = rows
  return found === undefined ? undefined : { operatorId, name: found.name }
}

/**
 * Whether the task's area names people for work of this kind, and not this one. A kind that nobody is named for is
 * everybody's, and so is that of people who have left.
 */
export async function isForOthers(
  tx: Tx,
  { task, operatorId }: { task: Pick<LockedTask, 'agent_id' | 'area_id' | 'kind'>; operatorId: number },
): Promise<boolean> {
  const { rows } = await rowOfValues({
    named: computed('boolean', sql`count(*) > 0`),
    own: computed('boolean', sql`coalesce(bool_or(w.operator_id = ${operatorId}), false)`),
  }).select`
    from work_area_person w join operator o on o.id = w.operator_id
    where w.area_id = ${task.area_id} and w.agent_id = ${task.agent_id} and ${task.kind}::text = any (w.kinds)
      and ${worksInField}`.execute(tx)
  return rows[0]?.named === true && !rows[0].own
}
