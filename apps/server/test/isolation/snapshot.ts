import { sql, type Kysely } from 'kysely'
import type { DB } from '#kit/db/types.ts'

/** What a refused or failing reach may write with its own tenant: the audit trail, logins, keys of idempotency, files asked for. */
const ownTraces = ['audit_record', 'operator_device', 'idempotency', 'export_job', 'export_part']
/** What a job of the server takes from, at its own time. */
const queues = ['report_stale', 'report_backlog']
/** What every server adds to once a minute, for the calls of the minute: the minute may end between two looks. */
const tallies = ['meter_tally']

type Column = 'agent_id' | 'area_id'
interface Look {
  /** How many statements had written into any of the tables by then. */
  readonly writes: string
  readonly hash: string
}
interface Looks {
  readonly ready: Promise<void>
  readonly last: Map<string, Look>
}
const looksOf = new WeakMap<Kysely<DB>, Looks>()

/** Hash of every row of a tenant, over all tables that have `agent_id`, as the owner sees them. */
export const tenantSnapshot = (owner: Kysely<DB>, agentId: number): Promise<string> =>
  snapshot(owner, 'agent_id', agentId)

/** The same of every row that stands in a service area. */
export const areaSnapshot = (owner: Kysely<DB>, areaId: number): Promise<string> => snapshot(owner, 'area_id', areaId)

/** The same as `tenantSnapshot`, of rows read now, whatever was noticed of writing. */
export async function readTenant(owner: Kysely<DB>, agentId: number): Promise<string> {
  return await readAll(owner, 'agent_id', agentId)
}

/** Reads the rows only when a statement has written into one of the tables since they were read. */
async function snapshot(owner: Kysely<DB>, column: Column, id: number): Promise<string> {
  const looks = looksOf.get(owner) ?? { ready: watchWrites(owner), last: new Map<string, Look>() }
  looksOf.set(owner, looks)
  await looks.ready
  const { rows } = await sql<{ writes: string }>`select last_value::text as writes from snapshot_writes`.execute(owner)
  const writes = rows[0]?.writes ?? ''
  const last = looks.last.get(`${column} ${id}`)
  if (last?.writes === writes) return last.hash
  const hash = await readAll(owner, column, id)
  looks.last.set(`${column} ${id}`, { writes, hash })
  return hash
}

async function readAll(owner: Kysely<DB>, column: Column, id: number): Promise<string> {
  const { rows } = await sql<{ hash: string }>`select ${sql.id(`snapshot_by_${column}`)}(${id}) as hash`.execute(owner)
  return rows[0]?.hash ?? ''
}

/** Counts the statements that write. A sequence also counts those that are rolled back: rows may be read once too often, never too seldom. */
async function watchWrites(owner: Kysely<DB>): Promise<void> {
  await sql`create sequence snapshot_writes`.execute(owner)
  await sql`create function snapshot_written() returns trigger language plpgsql security definer as
    'begin perform nextval(''public.snapshot_writes''); return null; end'`.execute(owner)
  for (const column of ['agent_id', 'area_id'] as const) await watchTables(owner, column)
}

/** The hashing is a function, because a connection keeps its plan: to plan for all the tables takes longer than to read them. */
async function watchTables(owner: Kysely<DB>, column: Column): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = ${column} and not a.attisdropped
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition
      and c.relname <> all (${[...ownTraces, ...queues, ...tallies]})
    order by 1`.execute(owner)
  for (const { name } of rows) {
    await sql`create or replace trigger snapshot_written after insert or update or delete or truncate
      on ${sql.table(name)} execute function snapshot_written()`.execute(owner)
  }
  const hashes = rows.map(
    ({ name }) => `(select md5(string_agg(t::text, '|' order by t::text)) from "${name}" t where t.${column} = $1)`,
  )
  await sql`create function ${sql.id(`snapshot_by_${column}`)}(bigint) returns text language plpgsql as ${sql.lit(
    // A function takes 100 arguments at most; an array has no such bound.
    `begin return md5(array_to_string(array[${hashes.join(', ')}], '')); end`,
  )}`.execute(owner)
}
