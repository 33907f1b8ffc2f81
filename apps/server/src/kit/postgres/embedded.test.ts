import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '#kit/log.ts'
import { startEmbedded, type EmbeddedPostgres } from './embedded.ts'

const HOLDER = fileURLToPath(new URL('../../../test/hold-postgres.ts', import.meta.url))
const SERVER_FOLDER = fileURLToPath(new URL('../../..', import.meta.url))

let dataDir = ''
let open: EmbeddedPostgres[] = []
let children: ChildProcess[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'saddle-pg-'))
  // mkdtemp closes the folder; started as root, PostgreSQL would go elsewhere.
  if (process.getuid?.() === 0) chmodOpen(dataDir)
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(open.map((postgres) => postgres.stop()))
  // What a killed holder left behind has to go too.
  await (await startEmbedded({ dataDir, log: silentLog })).stop()
  rmSync(dataDir, { recursive: true, force: true })
  open = []
  children = []
})

function chmodOpen(path: string): void {
  rmSync(path, { recursive: true })
  mkdirSync(path, { mode: 0o755 })
}

async function start(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbedded({ dataDir, log: silentLog })
  open.push(postgres)
  return postgres
}

async function hold(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [HOLDER, dataDir], { cwd: SERVER_FOLDER, stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, url }
}

async function query<T>(url: string, sql: string): Promise<T[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows as T[]
  } finally {
    await client.end()
  }
}

const pidFile = (): string => join(dataDir, 'postgres', 'cluster', 'data', 'postmaster.pid')
const postmasterPid = (): number => Number(readFileSync(pidFile(), 'utf8').split('\n')[0])
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
const kill = async (pid: number): Promise<void> => {
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => isAlive(pid)).toBe(false)
}

describe('embedded PostgreSQL', () => {
  it('starts, keeps what was stored, and stops', async () => {
    const first = await start()
    await query(first.url, 'create table kept as select 1 as a')
    const pid = postmasterPid()
    await first.stop()
    expect(isAlive(pid)).toBe(false)
    const second = await start()
    expect(second.url).toBe(first.url)
    expect(await query(second.url, 'select a, version() ~ $$PostgreSQL 18$$ as is18 from kept')).toEqual([
      { a: 1, is18: true },
    ])
  })

  it('keeps no more of its write-ahead log than a few hundred megabytes, however much is written', async () => {
    const { url } = await start()
    await query(
      url,
      `select sum((pg_logical_emit_message(false, 'test', repeat('x', 1000000)) - '0/0')::bigint % 2)
       from generate_series(1, 600)`,
    )
    const kept = async (): Promise<number> => {
      const [row] = await query<{ bytes: number }>(url, 'select sum(size)::float8 as bytes from pg_ls_waldir()')
      return row!.bytes
    }
    await expect.poll(kept).toBeLessThan(420_000_000)
  })

  it('lets nobody in without the password, and nobody by the network', async () => {
    const { url } = await start()
    const wrong = new URL(url)
    wrong.password = 'guess'
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
    expect(await query(url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    expect(await query(url, 'select distinct auth_method from pg_hba_file_rules')).toEqual([
      { auth_method: 'scram-sha-256' },
    ])
    expect(statSync(join(dataDir, 'postgres', 'cluster', 'password')).mode & 0o777).toBe(0o600)
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700)
  })

  it('is shared by processes: the second adopts, the last to leave stops it', async () => {
    const { child, url } = await hold()
    const mine = await start()
    expect(mine.url).toBe(url)
    const pid = postmasterPid()
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect(await query(mine.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(postmasterPid()).toBe(pid)
    await mine.stop()
    expect(isAlive(pid)).toBe(false)
  })

  it('is started by only one of many that ask at once', async () => {
    const all = await Promise.all([start(), start(), hold(), hold()])
    expect(new Set(all.map((one) => one.url)).size).toBe(1)
    expect(readdirSync(join(dataDir, 'postgres')).filter((name) => name.startsWith('cluster'))).toEqual(['cluster'])
  })

  it('is adopted after its Node was killed', async () => {
    const { child, url } = await hold()
    await query(url, 'create table kept as select 2 as a')
    const pid = postmasterPid()
    await kill(child.pid!)
    const mine = await start()
    expect(postmasterPid()).toBe(pid)
    expect(await query(mine.url, 'select a from kept')).toEqual([{ a: 2 }])
  })

  it('is started again at the same address when it was killed', async () => {
    const { url } = await start()
    await query(url, 'create table kept as select 3 as a')
    await kill(postmasterPid())
    await expect.poll(() => query(url, 'select a from kept').catch(() => null)).toEqual([{ a: 3 }])
  })

  it('comes back when one of its backends was killed', async () => {
    const { url } = await start()
    const victim = query(url, 'select pg_sleep(60)')
    const backends = "select pid from pg_stat_activity where query = 'select pg_sleep(60)' and pid <> pg_backend_pid()"
    await expect.poll(async () => (await query(url, backends)).length).toBe(1)
    const [backend] = await query<{ pid: number }>(url, backends)
    process.kill(backend!.pid, 'SIGKILL')
    await expect(victim).rejects.toThrow(Error)
    await expect.poll(() => query(url, 'select 1 as one').catch(() => null)).toEqual([{ one: 1 }])
  })

  it('starts after Node and PostgreSQL were killed together', async () => {
    const { child, url } = await hold()
    await query(url, 'create table kept as select 4 as a')
    const pid = postmasterPid()
    await kill(child.pid!)
    await kill(pid)
    expect(await query((await start()).url, 'select a from kept')).toEqual([{ a: 4 }])
  })

  it("starts when the dead one's number now belongs to somebody else", async () => {
    await (await start()).stop()
    const outsider = spawn('sleep', ['600'], { stdio: 'ignore', ...runAs() })
    children.push(outsider)
    writeFileSync(
      pidFile(),
      `${outsider.pid}\n${join(dataDir, 'postgres', 'cluster', 'data')}\n1\n5432\n\n\n  1234567  65432\nready\n`,
    )
    writeFileSync(join(dataDir, 'postgres', 'run', '.s.PGSQL.5432.lock'), `${outsider.pid}\n`)
    expect(await query((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(isAlive(outsider.pid!)).toBe(true)
  })

  it('starts with an empty or torn lock file', async () => {
    await (await start()).stop()
    writeFileSync(pidFile(), '')
    expect(await query((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('starts a new one when the socket of a running one is gone', async () => {
    const { child } = await hold()
    await kill(child.pid!)
    rmSync(join(dataDir, 'postgres', 'run', '.s.PGSQL.5432'))
    expect(await query((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('does initdb again when it was killed midway', async () => {
    const child = spawn(process.execPath, [HOLDER, dataDir], { cwd: SERVER_FOLDER, stdio: 'ignore' })
    children.push(child)
    const drafts = (): string[] =>
      existsSync(join(dataDir, 'postgres'))
        ? readdirSync(join(dataDir, 'postgres')).filter((name) => name.includes('draft'))
        : []
    await expect.poll(() => drafts().length, { interval: 2 }).toBe(1)
    await kill(child.pid!)
    expect(existsSync(join(dataDir, 'postgres', 'cluster'))).toBe(false)
    expect(await query((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

/** The account of PostgreSQL: only a process of the same account makes it believe that the number is its own. */
function runAs(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const { uid, gid } = statSync(join(dataDir, 'postgres', 'cluster'))
  return { uid, gid }
}
