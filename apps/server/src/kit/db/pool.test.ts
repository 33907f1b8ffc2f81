import { sql, type CompiledQuery, type Kysely } from 'kysely'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { createLog, silentLog } from '#kit/log.ts'
import { testDatabase } from '#test/database.ts'
import { openDatabase } from './pool.ts'
import { EMPTY_SCOPE, type Scope } from './scope.ts'
import type { DB } from './types.ts'

const { db, url, owner } = await testDatabase()

const scope = (agentIds: number[], areaIds: number[] = []): Scope => ({ agentIds, areaIds, operatorId: 7 })
const raw =
  <R>(text: string) =>
  (kysely: Kysely<DB>): CompiledQuery<R> =>
    sql.raw<R>(text).compile(kysely)

beforeAll(async () => {
  await sql
    .raw(`
    create table thing (id bigint primary key, agent_id bigint not null, area_id bigint, name text);
    select enable_tenant_rls('thing', true);
    insert into thing values (1, 3, 30, 'a'), (2, 3, 31, 'b'), (3, 4, 40, 'c'), (4, 3, null, 'd');
  `)
    .execute(owner)
})

type Thing = { id: number }
const idsOf = (rows: Thing[]): number[] => rows.map((row) => row.id)
const all = raw<Thing>('select id from thing order by id')

describe('read', () => {
  it('shows the rows of the scope only', async () => {
    expect(idsOf(await db.read(scope([3], [30]), all))).toEqual([1, 4])
    expect(idsOf(await db.read(scope([3, 4], [30, 31, 40]), all))).toEqual([1, 2, 3, 4])
    expect(idsOf(await db.read(scope([4], [30, 31, 40]), all))).toEqual([3])
    expect(idsOf(await db.read(EMPTY_SCOPE, all))).toEqual([])
  })

  it('leaves no scope behind for the next statement on the same connection', async () => {
    const single = openDatabase({ url, log: silentLog, appConnections: 1, systemConnections: 1 })
    const settings = raw('select app_agent_ids() a, app_area_ids() b, app_operator_id() c, pg_backend_pid() pid')
    const [during] = await single.read(scope([3, 4], [30]), settings)
    const after = await single.withScope(EMPTY_SCOPE, async (tx) => (await settingsNow(tx)).rows[0])
    const [next] = await single.read(EMPTY_SCOPE, settings)
    await single.close()
    expect(during).toMatchObject({ a: [3, 4], b: [30], c: 7 })
    expect(after).toMatchObject({ a: [], b: [], c: null })
    expect(next).toMatchObject({ a: [], b: [], c: null, pid: (during as { pid: number }).pid })
  })

  const settingsNow = (tx: Kysely<DB>) =>
    sql`select app_agent_ids() a, app_area_ids() b, app_operator_id() c`.execute(tx)

  it('runs many at a time without mixing scopes', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => db.read(scope(index % 2 === 0 ? [3] : [4], [30, 31, 40]), all)),
    )
    answers.forEach((rows, index) => expect(idsOf(rows)).toEqual(index % 2 === 0 ? [1, 2, 4] : [3]))
  })

  it('leaves a usable connection behind an error, whatever went wrong', async () => {
    const single = openDatabase({ url, log: silentLog, appConnections: 1, systemConnections: 1 })
    const pid = raw<{ pid: number }>('select pg_backend_pid() pid')
    const [before] = await single.read(scope([3]), pid)
    const wrong = [
      'select nonsense',
      'selec 1',
      'select 1/0',
      'select 9007199254740993::int8',
      "select 'x'::int",
      'copy thing from stdin',
    ]
    for (const text of wrong) {
      await expect(single.read(scope([3]), raw(text))).rejects.toThrow(Error)
      await expect(single.read(scope([3]), raw(text))).rejects.toThrow(Error)
      expect(idsOf(await single.read(scope([4], [40]), all))).toEqual([3])
    }
    const [after] = await single.read(scope([3]), pid)
    await single.close()
    expect(after).toEqual(before)
  })

  it('survives the change of a table that it has prepared a statement for', async () => {
    const star = raw('select * from changing')
    await sql.raw('create table changing (a int); insert into changing values (1)').execute(owner)
    const single = openDatabase({ url, log: silentLog, appConnections: 1, systemConnections: 1 })
    expect(await single.read(EMPTY_SCOPE, star)).toEqual([{ a: 1 }])
    await sql.raw('alter table changing add b text').execute(owner)
    await expect(single.read(EMPTY_SCOPE, star)).rejects.toThrow('cached plan')
    expect(await single.read(EMPTY_SCOPE, star)).toEqual([{ a: 1, b: null }])
    await single.close()
  })

  it('keeps a bounded number of prepared statements', async () => {
    const single = openDatabase({ url, log: silentLog, appConnections: 1, systemConnections: 1 })
    for (let number = 0; number < 450; number += 1) {
      expect(await single.read(EMPTY_SCOPE, raw(`select ${number} as n`))).toEqual([{ n: number }])
    }
    const [count] = await single.read(
      EMPTY_SCOPE,
      raw<{ n: number }>('select count(*)::int n from pg_prepared_statements'),
    )
    await single.close()
    expect(count?.n).toBeGreaterThan(150)
    expect(count?.n).toBeLessThanOrEqual(202)
  })

  it('parses values as node-postgres does, but bigint as number and date as text', async () => {
    const text = `select 1::int2 a, 2::int4 b, 3::int8 c, 1.5::float8 d, 2.50::numeric e, true f, 'x' g, null::text h,
      '2026-01-02T03:04:05.678Z'::timestamptz i, '{"k":[1,null]}'::jsonb j, '{"k":2}'::json k, '\\x0aff'::bytea l,
      array[1,2]::int4[] m, array['a','b,"c']::text[] n, array[5,null]::int8[] o, '2026-01-02'::date p, '{}'::int8[] q`
    const [row] = await db.read(EMPTY_SCOPE, raw<Record<string, unknown>>(text))
    const plain = new pg.Client({ connectionString: url })
    await plain.connect()
    const expected = (await plain.query<Record<string, unknown>>(text)).rows[0]
    await plain.end()
    expect(row).toEqual({ ...expected, c: 3, o: [5, null], p: '2026-01-02', q: [] })
  })

  it('sends parameters of every kind', async () => {
    const date = new Date('2026-05-06T07:08:09.123Z')
    const values = [5, 'tëxt 中', null, true, date, Buffer.from([0, 255]), [1, 2], { a: [1] }]
    const [row] = await db.read(EMPTY_SCOPE, () => ({
      ...sql`select $1::int8 a, $2::text b, $3::text c, $4::bool d, $5::timestamptz e, $6::bytea f, $7::int8[] g, $8::jsonb h`.compile(
        owner,
      ),
      parameters: values,
    }))
    expect(row).toEqual({
      a: 5,
      b: 'tëxt 中',
      c: null,
      d: true,
      e: date,
      f: Buffer.from([0, 255]),
      g: [1, 2],
      h: { a: [1] },
    })
  })
})

describe('withScope', () => {
  it('refuses to write outside of the scope', async () => {
    const insert = (agentId: number, areaId: number | null) =>
      db.withScope(scope([3], [30]), (tx) =>
        sql`insert into thing values (${100 + agentId}, ${agentId}, ${areaId}, 'n')`.execute(tx),
      )
    await expect(insert(4, null)).rejects.toThrow('row-level security')
    await expect(insert(3, 31)).rejects.toThrow('row-level security')
    const moved = db.withScope(scope([3], [30]), (tx) => sql`update thing set agent_id = 4 where id = 1`.execute(tx))
    await expect(moved).rejects.toThrow('row-level security')
    const foreign = await db.withScope(scope([3], [30]), (tx) =>
      sql`update thing set name = 'stolen' where id = 3`.execute(tx),
    )
    expect(foreign.numAffectedRows).toBe(0n)
    expect((await sql<{ name: string }>`select name from thing where id = 3`.execute(owner)).rows).toEqual([
      { name: 'c' },
    ])
  })

  it('refuses scopes that are no whole numbers, since they become part of the statement', async () => {
    for (const bad of [1.5, Number.NaN, -1, '1}' as unknown as number, 2 ** 60]) {
      await expect(db.withScope(scope([bad]), async () => 1)).rejects.toThrow(RangeError)
      await expect(db.read(scope([], [bad]), all)).rejects.toThrow(RangeError)
    }
  })

  it('rolls back on an error, and refuses to commit what PostgreSQL rolled back', async () => {
    const failing = db.withScope(scope([3]), async (tx) => {
      await sql`insert into thing values (200, 3, null, 'x')`.execute(tx)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    const swallowing = db.withScope(scope([3]), async (tx) => {
      await sql`insert into thing values (201, 3, null, 'x')`.execute(tx)
      await sql`select 1/0`.execute(tx).catch(() => null)
    })
    await expect(swallowing).rejects.toThrow('rolled back')
    expect((await sql`select id from thing where id in (200, 201)`.execute(owner)).rows).toEqual([])
  })

  it('lets statements of one transaction be started together', async () => {
    const ids = await db.withScope(scope([3, 4], [30, 31, 40]), (tx) =>
      Promise.all(
        [1, 2, 3].map(async (id) => (await sql<Thing>`select id from thing where id = ${id}`.execute(tx)).rows[0]?.id),
      ),
    )
    expect(ids).toEqual([1, 2, 3])
  })

  it('cannot start a transaction inside a transaction', async () => {
    await expect(
      db.withScope(EMPTY_SCOPE, (tx) => (tx as Kysely<DB>).transaction().execute(async () => 1)),
    ).rejects.toThrow(Error)
  })
})

describe('system', () => {
  it('sees every tenant, as a role that row level security binds', async () => {
    const rows = await db.system(async (tx) => (await sql<Thing>`select id from thing order by id`.execute(tx)).rows)
    expect(idsOf(rows)).toEqual([1, 2, 3, 4])
    expect(idsOf(await db.systemRead(all))).toEqual([1, 2, 3, 4])
    expect(await db.systemRead(raw('select current_user as u'))).toEqual([{ u: 'saddle_system' }])
    expect(await db.read(EMPTY_SCOPE, raw('select current_user as u'))).toEqual([{ u: 'saddle_app' }])
  })
})

describe('afterCommit', () => {
  it('runs after the commit, in order, and never after a rollback', async () => {
    const seen: string[] = []
    await db.system(async (tx) => {
      db.afterCommit(tx, async () => {
        seen.push(`sees ${(await sql`select 1 from thing where id = 300`.execute(owner)).rows.length}`)
      })
      db.afterCommit(tx, () => {
        throw new Error('logged only')
      })
      db.afterCommit(tx, () => void seen.push('second'))
      await sql`insert into thing values (300, 3, null, 'x')`.execute(tx)
      seen.push('work')
    })
    const failing = db.system(async (tx) => {
      db.afterCommit(tx, () => void seen.push('never'))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(seen).toEqual(['work', 'sees 1', 'second'])
    expect(() => db.afterCommit(owner, () => {})).toThrow('withScope')
  })
})

it('goes on after the server cut all connections', async () => {
  const other = openDatabase({ url, log: createLog({ level: 'silent' }), appConnections: 3, systemConnections: 1 })
  await Promise.all([1, 2, 3].map(() => other.read(EMPTY_SCOPE, raw('select pg_sleep(0.01)'))))
  const cut = other.withScope(EMPTY_SCOPE, async (tx) => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'saddle_app' and datname = current_database()`.execute(
      owner,
    )
    return sql`select 1`.execute(tx)
  })
  await expect(cut).rejects.toThrow(Error)
  // Connections that died while idle are found out by their end; the pool makes new ones.
  await expect.poll(() => other.read(EMPTY_SCOPE, raw('select 1 as one')).catch(() => null)).toEqual([{ one: 1 }])
  await other.close()
})
