import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { chmod, chown } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { silentLog } from '#kit/log.ts'
import { assertPooled, loginSettings } from '#kit/start/poolerCheck.ts'
import { testDatabase } from '#test/database.ts'
import { freePort } from '#test/freePort.ts'
import { openDatabase } from './pool.ts'
import { EMPTY_SCOPE, type Scope } from './scope.ts'

// `apt-get install pgbouncer`: these tests are about what it does, so nothing stands in for it.
const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0
const { owner, url } = await testDatabase()
const password = 'a password of a test'
const suffix = new URL(url).pathname.slice(1).replaceAll(/\W/g, '')
const names = { app: `${suffix}_app`, system: `${suffix}_sys` }
const scope = (agentIds: number[]): Scope => ({ ...EMPTY_SCOPE, agentIds, operatorId: 7 })

/** pgbouncer with two sessions for each login, in transaction mode; the address of a login behind it. */
async function startPooler(): Promise<(name: string) => string> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'saddle-pooler-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const address = new URL(url)
  const host = address.searchParams.get('host') ?? address.hostname
  const behind = `host=${host} port=${address.searchParams.get('port') ?? (address.port || '5432')}`
  const users = join(folder, 'users')
  writeFileSync(
    users,
    Object.values(names)
      .map((name) => `"${name}" "${password}"\n`)
      .join(''),
  )
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    pool_mode: 'transaction',
    default_pool_size: 2,
    ignore_startup_parameters: 'extra_float_digits',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`)
  const ini = join(folder, 'pgbouncer.ini')
  writeFileSync(ini, `[databases]\n* = ${behind}\n[pgbouncer]\n${lines.join('')}`)
  // It refuses to be root, and the socket of the test's database is its account's alone.
  const { uid, gid } = host.startsWith('/')
    ? statSync(host)
    : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  await chmod(folder, 0o755)
  for (const file of [users, ini]) await chown(file, uid, gid)
  const child = spawn('pgbouncer', ['-q', ini], { stdio: 'ignore', uid, gid })
  afterAll(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  return (name) =>
    `postgresql://${name}:${encodeURIComponent(password)}@127.0.0.1:${port}/${new URL(url).pathname.slice(1)}`
}

afterAll(async () => {
  for (const name of Object.values(names))
    await sql
      .raw(`drop owned by ${name}; drop role ${name}`)
      .execute(owner)
      .catch(() => {})
})

describe.skipIf(!isInstalled)('behind pgbouncer in transaction mode', async () => {
  if (!isInstalled) return
  for (const [role, name] of [
    ['saddle_app', names.app],
    ['saddle_system', names.system],
  ])
    await sql.raw(`create role ${name} login password '${password}' in role ${role}`).execute(owner)
  const addressOf = await startPooler()
  const logins = { app: addressOf(names.app), system: addressOf(names.system) }

  it('a server starts only with logins that carry their settings', async () => {
    await expect.poll(() => canConnect(logins.app), { timeout: 60_000 }).toBe(true)
    await expect(assertPooled(logins)).rejects.toThrow(/alter role .* set role/)
    await sql.raw(loginSettings('saddle_app', names.app) + loginSettings('saddle_system', names.system)).execute(owner)
    // Sessions that pgbouncer has already begun keep what they began with.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename in (${names.app}, ${names.system})`.execute(
      owner,
    )
    await expect
      .poll(
        () =>
          assertPooled(logins).then(
            () => true,
            () => false,
          ),
        { timeout: 60_000 },
      )
      .toBe(true)
  })

  it('readings and transactions hold their scope, however the sessions change', async () => {
    const db = openDatabase({ url, logins, isPooled: true, log: silentLog, appConnections: 8, systemConnections: 4 })
    afterAll(() => db.close())
    await sql
      .raw(`create table pooled (id bigint primary key, agent_id bigint not null, name text);
      select enable_tenant_rls('pooled', false); insert into pooled values (1, 3, 'a'), (2, 4, 'b')`)
      .execute(owner)
    const ids = async (agentIds: number[], of: number): Promise<number[]> => {
      // Texts that differ would each be kept by name, and a name of another session would fail.
      const rows = await db.read(scope(agentIds), (k) =>
        sql<{
          id: number
        }>`select id from pooled where ${of} = ${of} and ${sql.lit(`text ${of % 30}`)} <> '' order by id`.compile(k),
      )
      return rows.map(({ id }) => id)
    }
    const asked = Array.from({ length: 400 }, async (_, n) => {
      expect(await ids(n % 2 === 0 ? [3] : [4], n)).toEqual(n % 2 === 0 ? [1] : [2])
      if (n % 10 === 0)
        await db.withScope(scope([3]), async (tx) => {
          await sql`update pooled set name = ${`n ${n}`} where id = 1`.execute(tx)
          expect((await sql`select id from pooled`.execute(tx)).rows).toHaveLength(1)
        })
      if (n % 25 === 0) expect((await db.system((tx) => sql`select id from pooled`.execute(tx))).rows).toHaveLength(2)
    })
    await Promise.all(asked)
    const seen = await db.snapshot(() => Promise.all([ids([3, 4], 1), ids([4], 2)]))
    expect(seen).toEqual([[1, 2], [2]])
  })
})

async function canConnect(address: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: address })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}
