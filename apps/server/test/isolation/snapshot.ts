import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DB } from '#kit/db/types.ts'

/** What a refused or failing reach may write with its own tenant: the audit trail, logins, keys of idempotency. */
const ownTraces = ['audit_line', 'operator_device', 'idempotency']

const statements = new WeakMap<Kysely<DB>, Promise<(agentId: number) => RawBuilder<{ hash: string }>>>()

/** Hash of every row of a tenant, over all tables that have `agent_id`, as the owner sees them, in one statement. */
export async function tenantSnapshot(owner: Kysely<DB>, agentId: number): Promise<string> {
  const statement = statements.get(owner) ?? writeStatement(owner)
  statements.set(owner, statement)
  const { rows } = await (await statement)(agentId).execute(owner)
  return rows[0]?.hash ?? ''
}

async function writeStatement(owner: Kysely<DB>): Promise<(agentId: number) => RawBuilder<{ hash: string }>> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'agent_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition
      and c.relname <> all (${ownTraces})
    order by 1`.execute(owner)
  return (agentId) =>
    sql<{ hash: string }>`select md5(concat(${sql.join(
      rows.map(
        ({ name }) =>
          sql`(select md5(string_agg(t::text, '|' order by t::text)) from ${sql.table(name)} t where agent_id = ${agentId})`,
      ),
    )})) as hash`
}
