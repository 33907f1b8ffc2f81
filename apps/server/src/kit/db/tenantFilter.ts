import { sql, type RawBuilder } from 'kysely'
import type { Scope } from './scope.ts'

/** The condition that a row of the table (or alias) lies within the franchisees and areas of the scope. */
export function tenantFilter(alias: string, scope: Pick<Scope, 'agentIds' | 'areaIds'>): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`(${column('agent_id')} = any (${scope.agentIds}::bigint[])
    and ${column('area_id')} = any (${scope.areaIds}::bigint[]))`
}
