import { scopeListMax } from '@saddle/contract/constants.ts'
import { areaSources, holderList } from '@saddle/contract/organisation/review.ts'
import { sql } from 'kysely'
import type { Database } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tableList } from '#kit/list/tableList.ts'
import { likePattern } from '#organisation/agents/rules.ts'

/** Areas that a person reaches, by the same rule as a session's, as far as the caller sees them. */
export async function findReachedAreas(
  db: Database,
  options: {
    readonly scope: Scope
    readonly person: { readonly operatorId: number; readonly agentId: number; readonly allAreas: boolean }
  },
) {
  const { scope, person } = options
  const named = sql`exists (
    select from operator_area h
    where h.operator_id = ${person.operatorId} and h.agent_id = ${person.agentId} and h.area_id = a.id
  )`
  const reached = rowsOf(
    rowOf('service_area', 'a', ['id', 'name', 'agent_id']),
    rowOf('agent', 'agent', ['company']),
    rowOfValues({
      source: computed(
        'text',
        sql`case when not ${person.allAreas}::boolean then 'named'
          when a.agent_id = ${person.agentId} then 'company' else 'below' end`,
      ),
    }).codes({ source: areaSources }),
  )
  const rows = await db.read(scope, (k) =>
    reached.select`
      from service_area a join agent on agent.id = a.agent_id
      where a.agent_id in (select agent_and_below(${person.agentId}))
        and a.agent_id = any (${scope.agentIds}::bigint[]) and a.area_id = any (${scope.areaIds}::bigint[])
        and (${person.allAreas}::boolean or ${named})
      order by a.agent_id, a.name, a.id limit ${scopeListMax}`.compile(k),
  )
  return rows.map((row) => reached.present(row))
}

const holderColumns = ({ areaIds }: Scope) =>
  rowsOf(
    rowOf('operator', 'o', ['id as operator_id', 'name', 'phone_sealed', 'agent_id', 'all_areas']).filled(
      'phone_sealed',
    ),
    rowOf('agent', 'agent', ['company']),
    rowOf('role', 'r', ['id as role_id', 'name as role_name']),
    rowOfValues({
      area_count: computed(
        'bigint',
        sql`(select count(*) from operator_area h
          where h.operator_id = o.id and h.area_id = any (${areaIds}::bigint[]))`,
      ),
      active: computed('boolean', sql`o.state = 'enabled' and r.state = 'enabled' and agent.state = 'enabled'`),
    }),
  )
const shown = holderColumns({ agentIds: [], areaIds: [], operatorId: 0 })
export const presentHolder = (row: RowOf<typeof shown>) => shown.present(row)

/** What the list of holders needs beside its filter. */
export interface OfHolders {
  readonly agentIds: readonly number[]
}

export const holderRows = tableList(holderList, {
  table: 'operator',
  alias: 'o',
  tenant: 'agent',
  columns: holderColumns,
  joins: sql`join agent on agent.id = o.agent_id join role r on r.id = o.role_id`,
  sorts: { name: ['name', 'text'] },
  find: ({ code, keyword }, { agentIds }: OfHolders) => ({
    agentIds,
    where: [
      sql`o.state <> 'removed'`,
      code === undefined
        ? sql`false`
        : sql`exists (
            select from role_permission p
            where p.role_id = o.role_id and p.agent_id = o.agent_id and p.code = ${code}
          )`,
      keyword !== undefined && keyword !== '' && sql`o.name ilike ${likePattern(keyword)}`,
    ],
  }),
})
