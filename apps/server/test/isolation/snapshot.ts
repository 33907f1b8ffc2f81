import { sql, type Kysely } from 'kysely'
import type { DB } from '#kit/db/types.ts'

/**
 * Hash of every row of a tenant, over all tables that have `agent_id`, as the owner sees them.
 * Lines of the audit trail are left out: a refused reach for foreign things leaves one with its own tenant.
 */
export async function tenantSnapshot(owner: Kysely<DB>, agentId: number): Promise<string> {
  const tables = await sql<{ name: string }>`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'agent_id' and t.table_type = 'BASE TABLE'
      and c.table_name not in ('audit_line', 'operator_device', 'idempotency')
    order by 1`.execute(owner)
  const parts = await Promise.all(
    tables.rows.map(async ({ name }) => {
      const { rows } = await sql<{ hash: string }>`
        select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as hash
        from ${sql.table(name)} t where agent_id = ${agentId}`.execute(owner)
      return `${name}:${rows[0]?.hash ?? ''}`
    }),
  )
  return parts.join('\n')
}
