import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockNumbers } from '#kit/db/lockNumbers.ts'
import { silentLog } from '#kit/log.ts'
import { testDatabase } from '#test/database.ts'
import { clockFault } from './clockCheck.ts'
import { holdDatabase, holdDatabaseBeside } from './onlyServer.ts'

const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
const { url, owner } = await testDatabase()
const secret = 'the secret of these tests, long enough'
const compiledDir = mkdtempSync(join(tmpdir(), 'saddle-compiled-'))

let dataDir = ''
let children: ChildProcess[] = []
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'saddle-start-'))
})
afterEach(async () => {
  await Promise.all(children.map((child) => end(child, 'SIGKILL')))
  children = []
  await sql`delete from secret_check`.execute(owner)
  rmSync(dataDir, { recursive: true, force: true })
})
afterAll(() => rmSync(compiledDir, { recursive: true, force: true }))

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

interface Started {
  readonly child: ChildProcess
  /** Standard error. */
  readonly said: () => string
  /** `listening`, or the exit code. */
  readonly outcome: Promise<'listening' | number | null>
}

function start(env: Readonly<Record<string, string>> = {}, preload?: string): Started {
  const args = [
    '--disable-warning=ExperimentalWarning',
    ...(preload === undefined ? [] : [`--import=${preload}`]),
    main,
  ]
  const child = spawn(process.execPath, args, {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: compiledDir,
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      SADDLE_SECRET: secret,
      LOG_LEVEL: 'fatal',
      PORT: '0',
      OMNI_PORT: '0',
      JT808_PORT: '0',
      MQTT_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  children.push(child)
  let said = ''
  child.stderr!.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
  })
  const listening = new Promise<'listening'>((resolve) => {
    child.on('message', (message) => (message as { type: string }).type === 'listening' && resolve('listening'))
  })
  // Standard error is whole once it is closed.
  const closed = once(child, 'close').then(([code]) => code as number | null)
  return { child, said: () => said, outcome: Promise.race([listening, closed]) }
}

async function refusal(started: Started): Promise<string> {
  expect(await started.outcome).toBe(1)
  // What is risky about the settings of these tests is said before, and is none of their business.
  return started.said().replaceAll(/^WARNING: .*\n/gm, '')
}

/** What a module does that is loaded before the server. */
const preload = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`

describe('a start is refused in one line', () => {
  it('on a data folder that another server uses, and not once that one was killed', async () => {
    const first = start()
    expect(await first.outcome).toBe('listening')
    expect(await refusal(start())).toBe(
      `Another Saddle server runs on the data folder ${dataDir}: stop it, or set DATA_DIR to another folder.\n`,
    )
    await end(first.child, 'SIGKILL')
    expect(await start().outcome).toBe('listening')
  })

  it('on a database that another server uses', async () => {
    const first = start()
    expect(await first.outcome).toBe('listening')
    const elsewhere = join(dataDir, 'elsewhere')
    const line = await refusal(start({ DATA_DIR: elsewhere }))
    expect(line).toMatch(
      /^Another Saddle server uses this database \(from .*, since 20.*Z\)\. One server at a time can: stop that one first\.\n$/,
    )
    await end(first.child, 'SIGTERM')
    expect(await start({ DATA_DIR: elsewhere }).outcome).toBe('listening')
  })

  it('of a finance host on a schema that no server has made, and of a server that would change it beside one', async () => {
    const last = await owner
      .deleteFrom('migration')
      .where('name', '=', ({ selectFrom }) =>
        selectFrom('migration')
          .select(({ fn }) => fn.max('name').as('name'))
          .where('name', '<>', 'baseline'),
      )
      .returningAll()
      .executeTakeFirstOrThrow()
    expect(await refusal(start({ SERVICES: 'finance' }))).toBe(
      'The schema of this database is older than this version. Start the server of this version first: it brings the schema up to date.\n',
    )
    const beside = await holdDatabaseBeside({ url, log: silentLog, onLost: () => {} })
    expect(await refusal(start())).toMatch(/^A finance host runs on this database, and this version changes/)
    await beside.release()
    await owner.insertInto('migration').values(last).execute()
  })

  it('with a part of the server, and not as a finance host beside it, which may be several', async () => {
    expect(await refusal(start({ SERVICES: 'api' }))).toMatch(
      /^Configuration: SERVICES must name all of api,gateway,worker, or finance alone/,
    )
    expect(await refusal(start({ SERVICES: 'api,finance' }))).toMatch(
      /^Configuration: SERVICES names finance alone or not at all/,
    )
    const first = start()
    expect(await first.outcome).toBe('listening')
    const hosts = [start({ SERVICES: 'finance' }), start({ SERVICES: 'finance' })]
    expect(await Promise.all(hosts.map(({ outcome }) => outcome))).toEqual(['listening', 'listening'])
    // A server that starts again finds its schema as it is, so the hosts do not stand in its way.
    await end(first.child, 'SIGTERM')
    expect(await start().outcome).toBe('listening')
  })

  it('without the master secret of the database, and makes none that would pass for it', async () => {
    const file = join(dataDir, 'secret')
    // The one that the database of these tests has been used with.
    writeFileSync(file, secret)
    const first = start({ SADDLE_SECRET: '' })
    expect(await first.outcome).toBe('listening')
    await end(first.child, 'SIGTERM')
    rmSync(file)
    for (let time = 0; time < 2; time += 1) {
      expect(await refusal(start({ SADDLE_SECRET: '' }))).toBe(
        `The master secret of this database is missing: ${file} does not exist. Put it back from its backup, or set SADDLE_SECRET.\n`,
      )
      expect(existsSync(file)).toBe(false)
    }
    writeFileSync(file, 'x'.repeat(64))
    expect(await refusal(start({ SADDLE_SECRET: '' }))).toContain(`The master secret (${file}) is not the one`)
  })

  it('with a master secret that is not the one of the database', async () => {
    const first = start()
    expect(await first.outcome).toBe('listening')
    await end(first.child, 'SIGTERM')
    const line =
      'The master secret (SADDLE_SECRET) is not the one that this database was made with. Set the right one; after a change set the former one as SADDLE_PREVIOUS_SECRET.\n'
    const other = 'another secret, which is as long as that'
    expect(await refusal(start({ SADDLE_SECRET: other }))).toBe(line)
    const changed = start({ SADDLE_SECRET: other, SADDLE_PREVIOUS_SECRET: secret })
    expect(await changed.outcome).toBe('listening')
    await end(changed.child, 'SIGTERM')
    expect(await refusal(start())).toBe(line)
  })

  it('on a machine whose clock is wrong', async () => {
    const wrong = preload('const now = Date.now; Date.now = () => now() + 3600 * 1000')
    expect(await refusal(start({}, wrong))).toBe(
      'The clock of this machine is 3600 s ahead of that of the database: set both by NTP and start again.\n',
    )
  })

  it('without a database, whose address it does not repeat', async () => {
    const line = await refusal(start({ DATABASE_URL: 'postgresql://saddle:hidden@127.0.0.1:1/saddle' }))
    expect(line).toBe(
      'PostgreSQL cannot be reached (connect ECONNREFUSED 127.0.0.1:1): is it running, and is DATABASE_URL right?\n',
    )
  })
})

describe('the clock', () => {
  it('may differ by less than a second, is warned of up to ten, and refused beyond', () => {
    expect(clockFault(999)).toBe(null)
    expect(clockFault(-1_000)).toMatchObject({ isRefused: false, sentence: expect.stringContaining('1 s behind that') })
    expect(clockFault(9_999)?.isRefused).toBe(false)
    expect(clockFault(-10_000)?.isRefused).toBe(true)
  })
})

describe('the lock of the database', () => {
  const dropConnections = (): Promise<unknown> =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'saddle server' and datname = current_database()`.execute(owner)
  /** The backends that hold the lock; one that was terminated keeps it until it is gone. */
  const holders = async (): Promise<number[]> => {
    const { rows } = await sql<{ pid: number }>`select pid from pg_locks
      where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())`.execute(owner)
    return rows.map(({ pid }) => pid)
  }

  it('is taken again when its connection broke', async () => {
    const hold = await holdDatabase({ url, log: silentLog, onLost: () => {}, maxWaitMs: 0 })
    const [before] = await holders()
    await dropConnections()
    await expect.poll(async () => (await holders()).filter((pid) => pid !== before)).toHaveLength(1)
    await expect(holdDatabase({ url, log: silentLog, onLost: () => {}, maxWaitMs: 0 })).rejects.toThrow(
      'Another Saddle server uses this database',
    )
    await hold.release()
    await expect.poll(holders).toEqual([])
  })

  it('tells a server whose database another one took while its connection was broken', async () => {
    let told = ''
    const hold = await holdDatabase({ url, log: silentLog, onLost: (sentence) => (told = sentence), maxWaitMs: 0 })
    const lockNumber = lockNumbers.server
    await owner.connection().execute(async (connection) => {
      // It waits for the lock and has it at the moment when the holder's connection breaks.
      const waiting = sql`select pg_advisory_lock(${sql.lit(lockNumber)})`.execute(connection)
      await dropConnections()
      await waiting
      await expect.poll(() => told).toContain('Another Saddle server uses this database')
      await sql`select pg_advisory_unlock_all()`.execute(connection)
    })
    await hold.release()
  })
})
