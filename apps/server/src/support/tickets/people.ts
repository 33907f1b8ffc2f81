import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'

/** The permission to work on tickets. */
const ticketCode = '0401'

const worksOnTickets = sql`o.state = 'enabled' and exists (
  select from role r join role_permission p on p.role_id = r.id
  where r.id = o.role_id and r.state = 'enabled' and p.code = ${ticketCode}::text)`

/** Users of the scope's companies who can be assigned tickets, with the number of open tickets of each. */
export function selectPeople(scope: Scope) {
  // Users without an area of the scope are omitted.
  const somewhere = sql`exists (
    select from service_area a where a.id = any (${scope.areaIds}::bigint[]) and (
      (o.all_areas and a.agent_id in (select agent_and_below(o.agent_id)))
      or exists (select from operator_area h where h.operator_id = o.id and h.area_id = a.id)))`
  return rowsOf(
    rowOf('operator', 'o', ['id', 'name']),
    rowOfValues({
      unfinished: computed(
        'bigint',
        sql`(
      select count(*)::integer from ticket c
      where c.assignee_id = o.id and not c.is_done and c.agent_id = any (${scope.agentIds}::bigint[])
        and (c.area_id is null or c.area_id = any (${scope.areaIds}::bigint[]))
    )`,
      ),
    }),
  ).select`
    from operator o
    where o.agent_id = any (${scope.agentIds}::bigint[]) and ${worksOnTickets} and ${somewhere}
    order by unfinished, o.name, o.id limit 500`
}

const operatorRow2 = rowOf('operator', 'o', ['name'])

/**
 * The user, if they can be assigned a ticket of this company and area; undefined otherwise, or outside the
 * scope.
 */
export async function findPerson(
  tx: Tx,
  options: { scope: Scope; operatorId: number; agentId: number; areaId: number | null },
): Promise<{ operatorId: number; name: string } | undefined> {
  const { scope, operatorId, agentId, areaId } = options
  const { rows } = await operatorRow2.select`
    from operator o
    where o.id = ${operatorId} and o.agent_id = any (${scope.agentIds}::bigint[]) and ${worksOnTickets}
      and ${agentId}::bigint in (select agent_and_below(o.agent_id))
      and (o.all_areas or ${areaId}::bigint is null
        or exists (select from operator_area h where h.operator_id = o.id and h.area_id = ${areaId}::bigint))`.execute(
    tx,
  )
  const [found] = rows
  return found === undefined ? undefined : { operatorId, name: found.name }
}
