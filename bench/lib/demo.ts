import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { portSettings } from '@saddle/contract/fleet/protocols.ts'
import pg from 'pg'
import type { Endpoint, OutputOf, RequestOf } from '@saddle/contract/endpoint.ts'
import { silentLog } from '@saddle/server/kit/log.ts'
import { startEmbedded } from '@saddle/server/kit/postgres/embedded.ts'
import { createClient, type TestClient } from '@saddle/server/test/client.ts'
import { readCode } from './login.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** A million vehicles are read into the live index before it listens. */
const startTimeoutMs = 300_000
const importTimeoutMs = 120_000
const preparedFile = 'prepared'

/** The platform's administrator of the demo, who sees all of it. */
export const administrator = '13800138000'

export type Demo = {
  readonly url: string
  /** Of the database, as its owner. */
  readonly databaseUrl: string
  readonly dataDir: string
  /** Calls as the administrator, who logs in with the first call; throws on a refusal. */
  call<E extends Endpoint>(endpoint: E, input: RequestOf<E>): Promise<OutputOf<E>>
  stop(): Promise<void>
}

/**
 * The real server with the demo's fleet on a database of its own, with so many days of history. Whoever starts it calls
 * `stop`. With `BENCH_DATA` the data stays in that folder, and the next run finds it prepared.
 */
export async function startDemo(options: {
  historyDays: number
  env?: Readonly<Record<string, string>>
  /** Runs on the database after the history is loaded; the server restarts afterwards and sees the changes. */
  prepare?: (database: pg.Client) => Promise<void>
}): Promise<Demo> {
  const kept = process.env['BENCH_DATA']
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'saddle-bench-'))
  mkdirSync(dataDir, { recursive: true })
  const isPrepared = existsSync(join(dataDir, preparedFile))
  // Codes of an earlier run.
  rmSync(join(dataDir, 'outbox'), { recursive: true, force: true })
  const postgres = await startEmbedded({ dataDir, log: silentLog })
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    DEMO: 'true',
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    LOG_LEVEL: 'error',
    PORT: '0',
    ...portSettings(() => 0),
    ...options.env,
  }
  const children: ChildProcess[] = []
  const stopChildren = async (): Promise<void> => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill()
      await once(child, 'exit')
    }
  }
  const stop = async (): Promise<void> => {
    await stopChildren()
    await postgres.stop()
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const segments = options.historyDays > 0 && !isPrepared ? await writeHistory(dataDir, options.historyDays) : 0
    const launch = async (): Promise<string> => {
      const server = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', join(root, 'apps/server/src/main.ts')],
        { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
      )
      children.push(server)
      return listening(server)
    }
    let url = await launch()
    const database = new pg.Client({ connectionString: postgres.url })
    // A start that fails stops PostgreSQL below it: what failed is told, not this.
    database.on('error', () => {})
    await database.connect()
    if (segments > 0) await imported(database, segments)
    if (options.prepare !== undefined && !isPrepared) {
      await stopChildren()
      await options.prepare(database)
      writeFileSync(join(dataDir, preparedFile), '')
      url = await launch()
    }
    await database.end()
    let client: Promise<TestClient> | null = null
    return {
      url,
      databaseUrl: postgres.url,
      dataDir,
      call: async (endpoint, input) => {
        client ??= logIn({ url, dataDir })
        const { status, body } = await (await client).call(endpoint, input)
        if (status !== 200) throw new Error(`${endpoint.path}: ${status} ${JSON.stringify(body)}`)
        return body
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function writeHistory(dataDir: string, days: number): Promise<number> {
  const out = join(dataDir, 'history')
  const script = join(root, 'apps/simulator/src/history/main.ts')
  const args = ['--disable-warning=ExperimentalWarning', script, '--out', out, '--days', String(days)]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('the history could not be written')
  const manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as {
    days: { rows: { segment?: number } }[]
  }
  return manifest.days.reduce((sum, { rows }) => sum + (rows.segment ?? 0), 0)
}

async function listening(server: ChildProcess): Promise<string> {
  const limit = AbortSignal.timeout(startTimeoutMs)
  const ended = once(server, 'exit', { signal: limit }).then(([code]) => {
    throw new Error(`the server ended at its start with code ${String(code)}`)
  })
  ended.catch(() => {})
  for (;;) {
    const [message] = (await Promise.race([once(server, 'message', { signal: limit }), ended])) as [unknown]
    const { type, url } = message as { type?: string; url?: string }
    if (type === 'listening' && url !== undefined) return url.replace('localhost', '127.0.0.1')
  }
}

async function imported(database: pg.Client, segments: number): Promise<void> {
  const until = performance.now() + importTimeoutMs
  while (performance.now() < until) {
    const { rows } = await database.query<{ count: string }>('select count(*) as count from track_segment')
    if (Number(rows[0]?.count) >= segments) return
    await sleep(250)
  }
  throw new Error('the history was not read in')
}

async function logIn({ url, dataDir }: { url: string; dataDir: string }): Promise<TestClient> {
  const client = createClient({ url })
  const page = await (await fetch(`${url}/console/`)).text()
  const serverKey = /"serverKey":"([^"]+)"/.exec(page)?.[1]
  if (serverKey === undefined) throw new Error('the console is not built: npm start does it')
  await client.login({ phone: administrator, serverKey, readCode: (to) => readCode(dataDir, to) })
  return client
}
