import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DB } from '#kit/db/types.ts'

/** What a refused or failing reach may write with its own tenant: the audit trail, logins, keys of idempotency. */
const ownTraces = ['audit_line', 'operator_device', 'idempotency']

type Column = 'agent_id' | 'area_id'
type Statement = (id: number) => RawBuilder<{ hash: string }>
const statements = new WeakMap<Kysely<DB>, Map<Column, Promise<Statement>>>()

/** Hash of every row of a tenant, over all tables that have `agent_id`, as the owner sees them, in one statement. */
export const tenantSnapshot = (owner: Kysely<DB>, agentId: number): Promise<string> =>
  snapshot(owner, 'agent_id', agentId)

/** The same of every row that stands in a service area. */
export const areaSnapshot = (owner: Kysely<DB>, areaId: number): Promise<string> => snapshot(owner, 'area_id', areaId)

async function snapshot(owner: Kysely<DB>, column: Column, id: number): Promise<string> {
  const known = statements.get(owner) ?? new Map<Column, Promise<Statement>>()
  statements.set(owner, known)
  const statement = known.get(column) ?? writeStatement(owner, column)
  known.set(column, statement)
  const { rows } = await (await statement)(id).execute(owner)
  return rows[0]?.hash ?? ''
}

async function writeStatement(owner: Kysely<DB>, column: Column): Promise<Statement> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = ${column} and not a.attisdropped
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition
      and c.relname <> all (${ownTraces})
    order by 1`.execute(owner)
  return (id) =>
    sql<{ hash: string }>`select md5(concat(${sql.join(
      rows.map(
        ({ name }) =>
          sql`(select md5(string_agg(t::text, '|' order by t::text)) from ${sql.table(name)} t
            where ${sql.ref(column)} = ${id})`,
      ),
    )})) as hash`
}
