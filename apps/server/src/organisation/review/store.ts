import { scopeListMax } from '@saddle/contract/constants.ts'
import type { areaSources } from '@saddle/contract/organisation/review.ts'
import { sql } from 'kysely'
import type { Database } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { PeopleReach } from '#organisation/people/reach.ts'

export interface ReachedArea {
  readonly id: number
  readonly name: string
  readonly agentId: number
  readonly company: string
  readonly source: (typeof areaSources)[number]
}

/** Areas that a person reaches, by the same rule as a session's, as far as the caller sees them. */
export function findReachedAreas(
  db: Database,
  options: {
    readonly scope: Scope
    readonly person: { readonly operatorId: number; readonly agentId: number; readonly allAreas: boolean }
  },
): Promise<ReachedArea[]> {
  const { scope, person } = options
  const named = sql`exists (
    select from operator_area h
    where h.operator_id = ${person.operatorId} and h.agent_id = ${person.agentId} and h.area_id = a.id
  )`
  return db.read(scope, (k) =>
    sql<ReachedArea>`
      select a.id, a.name, a.agent_id as "agentId", agent.company,
        case when not ${person.allAreas}::boolean then 'named'
          when a.agent_id = ${person.agentId} then 'company' else 'below' end as source
      from service_area a join agent on agent.id = a.agent_id
      where a.agent_id in (select agent_and_below(${person.agentId}))
        and a.agent_id = any (${scope.agentIds}::bigint[]) and a.area_id = any (${scope.areaIds}::bigint[])
        and (${person.allAreas}::boolean or ${named})
      order by a.agent_id, a.name, a.id limit ${scopeListMax}`.compile(k),
  )
}

export interface Holder {
  readonly operatorId: number
  readonly name: string
  readonly phoneSealed: string
  readonly agentId: number
  readonly company: string
  readonly roleId: number
  readonly roleName: string
  readonly allAreas: boolean
  readonly areaCount: number
  readonly active: boolean
}

const holders = ({ agentIds }: PeopleReach, code: string) => sql`
  from role_permission p
  join role r on r.id = p.role_id and r.agent_id = p.agent_id
  join operator o on o.role_id = r.id and o.agent_id = r.agent_id
  join agent on agent.id = o.agent_id
  where p.code = ${code} and p.agent_id = any (${agentIds}::bigint[])
    and r.agent_id = any (${agentIds}::bigint[]) and o.agent_id = any (${agentIds}::bigint[])
    and o.state <> 'removed'`

/** People of the scope whose role holds the code, by their id, from the one after `afterId`. */
export function findHolders(
  db: Database,
  options: {
    readonly reach: PeopleReach
    readonly code: string
    readonly afterId?: number
    limit: number
    offset?: number
  },
): Promise<Holder[]> {
  const { reach, code, afterId = 0, limit, offset = 0 } = options
  return db.read(reach.scope, (k) =>
    sql<Holder>`
      select o.id as "operatorId", o.name, o.phone_sealed as "phoneSealed", o.agent_id as "agentId", agent.company,
        r.id as "roleId", r.name as "roleName", o.all_areas as "allAreas",
        (select count(*) from operator_area h
          where h.operator_id = o.id and h.area_id = any (${reach.scope.areaIds}::bigint[])) as "areaCount",
        o.state = 'enabled' and r.state = 'enabled' and agent.state = 'enabled' as active
      ${holders(reach, code)} and o.id > ${afterId}
      order by o.id limit ${limit} offset ${offset}`.compile(k),
  )
}

export async function countHolders(db: Database, reach: PeopleReach, code: string): Promise<number> {
  const [row] = await db.read(reach.scope, (k) =>
    sql<{ count: number }>`select count(*) as count ${holders(reach, code)}`.compile(k),
  )
  return row?.count ?? 0
}
