import { sql, type CompiledQuery, type Kysely } from 'kysely'
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '#kit/log.ts'
import { testDatabase } from '#test/database.ts'
import { openDatabase, type Database } from './pool.ts'
import { loginsAt } from './readDatabase.ts'
import { EMPTY_SCOPE } from './scope.ts'
import type { DB } from './types.ts'

// Two databases of one cluster: the second stands for the replica, which has other rows, so that it shows who answered.
const primary = await testDatabase()
const replica = await testDatabase()
const place = { url: primary.url, log: silentLog, appConnections: 2, systemConnections: 2 }
const opened: Database[] = []
afterAll(() => Promise.all(opened.map((db) => db.close())))
function open(readUrl: string, waitMs: number): Database {
  const db = openDatabase({ ...place, read: { url: readUrl, waitMs } })
  opened.push(db)
  return db
}

for (const [name, { owner }] of Object.entries({ primary, replica })) {
  await sql.raw(`create table answers (name text); grant all on answers to saddle_app, saddle_system`).execute(owner)
  await sql`insert into answers values (${name})`.execute(owner)
}
/** Makes the stand-in say that it is so far: it is no replica, so the words that ask for its place are its own. */
async function standAt(lsn: string): Promise<void> {
  await sql.raw(`create schema if not exists injected; grant usage on schema injected to public`).execute(replica.owner)
  await sql
    .raw(
      `create or replace function injected.pg_current_wal_lsn() returns pg_lsn language sql as $$ select '${lsn}'::pg_lsn $$`,
    )
    .execute(replica.owner)
  const [{ database } = { database: '' }] = (
    await sql<{ database: string }>`select current_database() as database`.execute(replica.owner)
  ).rows
  await sql.raw(`alter database ${database} set search_path = injected, pg_catalog, public`).execute(replica.owner)
}
const far = 'FFFFFFFF/0'
const near = '0/1'
const query = (k: Kysely<DB>): CompiledQuery<{ name: string }> =>
  sql<{ name: string }>`select name from answers`.compile(k)
const read = async (db: Database): Promise<string | undefined> => (await db.read(EMPTY_SCOPE, query))[0]?.name
const elsewhere = (db: Database): Promise<string | undefined> => db.fromReadDatabase(() => read(db))

describe('the read database', () => {
  beforeEach(() => standAt(far))

  it('answers what is asked of it, and nothing else', async () => {
    const db = open(replica.url, 1_000)
    expect(await elsewhere(db)).toBe('replica')
    expect(await db.fromReadDatabase(() => db.systemRead(query))).toMatchObject([{ name: 'replica' }])
    expect(await db.fromReadDatabase(() => db.snapshot(() => read(db)))).toBe('replica')
    const both = db.fromReadDatabase(() =>
      db.snapshot(async () => [await read(db), (await db.systemRead(query))[0]?.name]),
    )
    expect(await both).toEqual(['replica', 'replica'])
    expect(await read(db)).toBe('primary')
    expect(await db.snapshot(() => read(db))).toBe('primary')
    const written = db.fromReadDatabase(() =>
      db.system((tx) => sql<{ name: string }>`select name from answers`.execute(tx)),
    )
    expect((await written).rows).toEqual([{ name: 'primary' }])
    expect(await db.readLagSeconds()).toBe(0)
  })

  it('is waited for until it has what the primary had, for a bounded time', async () => {
    await standAt(near)
    const patient = open(replica.url, 30_000)
    const asked = elsewhere(patient)
    const impatient = open(replica.url, 0)
    expect(await elsewhere(impatient)).toBe('primary')
    expect(await impatient.fromReadDatabase(() => impatient.snapshot(() => read(impatient)))).toBe('primary')
    expect(await impatient.readLagSeconds()).toBeGreaterThan(0)
    await standAt(far)
    // Sessions that are open keep the path on which they found the function, and look at its new body.
    expect(await asked).toBe('replica')
  })

  it('is left out while it does not answer, and used again', async () => {
    const address = new URL(replica.url)
    address.pathname = '/no_such_database'
    const db = open(address.href, 1_000)
    expect(await elsewhere(db)).toBe('primary')
    expect(await db.readLagSeconds()).toBe(Infinity)
    const back = open(replica.url, 1_000)
    expect(await elsewhere(back)).toBe('replica')
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = (select datname from pg_stat_activity where pid = pg_backend_pid()) and pid <> pg_backend_pid()
        and application_name like 'saddle%'`.execute(replica.owner)
    await expect.poll(() => elsewhere(back)).toBe('replica')
  })

  it('does not hide a fault of the statement', async () => {
    const db = open(replica.url, 1_000)
    const wrong = (k: Kysely<DB>): CompiledQuery<unknown> => sql`select 1 / 0`.compile(k)
    await expect(db.fromReadDatabase(() => db.read(EMPTY_SCOPE, wrong))).rejects.toThrow(pg.DatabaseError)
  })
})

it('is reached with the logins of the primary', () => {
  const logins = { app: 'postgresql://a:x@one/db', system: 'postgresql://s:y@one/db' }
  expect(loginsAt('postgresql://owner:z@two:5001/db', logins)).toEqual({
    app: 'postgresql://a:x@two:5001/db',
    system: 'postgresql://s:y@two:5001/db',
  })
})
