import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '#test/database.ts'

const { owner } = await testDatabase()

/** Tables of the product with their comments; partitions are the same tables. */
const ownTable = sql`c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace`

it('every table has a comment: one sentence that says what a row is', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where ${ownTable} and coalesce(obj_description(c.oid, 'pg_class'), '') !~ '^[A-Z].{10,180}[.]$' order by 1`.execute(
    owner,
  )
  expect(rows).toEqual([])
})

/**
 * Keys whose table needs no index to look rows up by: the rows that they refer to are never deleted nor given another key,
 * and no query asks for them. An index would cost every append of the largest tables.
 */
const withoutIndex = [
  // An audit record is never deleted.
  'audit_mention (line_id)',
  // A price version is never deleted, and orders are not looked up by it.
  'ride_order (price_version_id)',
]

it('every foreign key has an index that begins with one of its columns, so that a deletion does not read the table', async () => {
  const { rows } = await sql<{ key: string }>`
    select c.relname || ' (' || a.attname || ')' as key
    from pg_constraint k join pg_class c on c.oid = k.conrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
    where k.contype = 'f' and ${ownTable} and not exists (
      select from pg_index i
      where i.indrelid = c.oid and i.indkey[0] = any (k.conkey) and (
        i.indpred is null
        -- An index over rows that have a reference serves as well.
        or pg_get_expr(i.indpred, c.oid) = format('(%I IS NOT NULL)', a.attname)
      ) and (i.indkey[0] = k.conkey[1] or a.attname = 'agent_id'))
    order by 1`.execute(owner)
  expect(rows.map(({ key }) => key)).toEqual(withoutIndex)
})

it('amounts are bigint cents everywhere', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname || '.' || a.attname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p', 'v') and c.relnamespace = 'public'::regnamespace and a.attname ~ '(^|_)cents$'
      and format_type(a.atttypid, a.atttypmod) not in ('bigint', 'bigint[]')
    order by 1`.execute(owner)
  expect(rows).toEqual([])
})

it('a column with a word of a fixed list has a check', async () => {
  const named = [
    'state',
    'kind',
    'channel',
    'protocol',
    'source',
    'cause',
    'purpose',
    'step',
    'finding',
    'direction',
    'level',
  ]
  const { rows } = await sql<{ name: string }>`
    select c.relname || '.' || a.attname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where ${ownTable} and a.attname = any (${named}::text[]) and not exists (
      select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any (k.conkey))
    order by 1`.execute(owner)
  expect(rows).toEqual([])
})

it('latitudes and longitudes are within their bounds', async () => {
  // Reports and tracks are checked where they are decoded: a check would cost every message of every vehicle.
  const { rows } = await sql<{ name: string }>`
    select c.relname || '.' || a.attname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where ${ownTable} and a.attname ~ '(^|_)(lat|lng)$' and c.relname not in ('device_report', 'track_segment')
      and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum])
    order by 1`.execute(owner)
  expect(rows).toEqual([])
})
