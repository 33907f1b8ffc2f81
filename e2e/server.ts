import { spawn, type ChildProcess } from 'node:child_process'
import { on, once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { portSettings, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { demoRidersFile } from '@saddle/contract/demo/riders.ts'
import { ownedDatabase, type OwnedDatabase } from '@saddle/server/test/ownedDatabase.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const serverMain = join(root, 'apps/server/src/main.ts')
const historyMain = join(root, 'apps/simulator/src/history/main.ts')
const cityMain = join(root, 'apps/simulator/src/city/build.ts')
/** The tiles are the same for all files and runs: they are generated only when the generator has changed. */
const tilesDir = join(root, '.cache/e2e/tiles')
/** Node's compile cache of the server's sources: it saves a third of the work of a start. */
const compiledDir = join(root, '.cache/e2e/compiled')
const startTimeoutMs = 240_000

/** Database cluster and prepared demo that a server starts from. */
export interface ServerFixture {
  readonly clusterUrl: string
  /** Database and data folder of a prepared demo, to be copied; without it the server creates its own. */
  readonly started?: { readonly template: string; readonly dataDir: string }
}

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Where it keeps its secret; a new folder without it. */
  readonly dataDir?: string
  /** Days of the city's past that are there before the server starts; none without it. */
  readonly historyDays?: number
}

export interface RunningServer {
  readonly url: string
  /** Name of its database. */
  readonly database: string
  /** Address of its database as the owner. */
  readonly databaseUrl: string
  /** TCP ports of the listeners for devices. */
  readonly ports: DevicePorts
  /** Password of an MQTT device of the demo. */
  readonly devicePassword: (imei: string) => string
  /** The rider API key of the demo. */
  readonly riderKey: () => string
  readonly query: OwnedDatabase['query']
  /** Titles of the letters that the demo's outbox keeps, the oldest first. */
  readonly letters: () => string[]
  /** The newest code that was sent to the phone, as the demo's outbox shows it. */
  readonly readCode: (phone: string) => Promise<string>
  /** Ends the process with the signal and waits until it is gone. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>
  /** Starts it again after `stop`, on the same data and the same ports. */
  readonly restart: () => Promise<void>
  /** Starts a finance host beside it, on its database and data folder; its address. `end` stops it too. */
  readonly startFinanceHost: () => Promise<string>
  /** Stops it and removes its data. */
  readonly end: () => Promise<void>
}

/**
 * The real server as a separate process with the demo, on a database of its own, and the map of its city. The caller
 * has to call `end`.
 */
export async function startServer(fixture: ServerFixture, options: ServerOptions = {}): Promise<RunningServer> {
  const { env = {}, historyDays = 0, dataDir = mkdtempSync(join(tmpdir(), 'saddle-e2e-')) } = options
  if (fixture.started !== undefined) cpSync(fixture.started.dataDir, dataDir, { recursive: true })
  const database = await ownedDatabase({ clusterUrl: fixture.clusterUrl, template: fixture.started?.template })
  if (fixture.started === undefined) await run(cityMain, ['--out', tilesDir])
  if (historyDays > 0) await run(historyMain, ['--out', join(dataDir, 'history'), '--days', String(historyDays)])
  const settings = {
    ...process.env,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    DEMO: 'true',
    DATA_DIR: dataDir,
    TILES_DIR: tilesDir,
    DATABASE_URL: database.url,
    NODE_COMPILE_CACHE: compiledDir,
    LOG_LEVEL: 'error',
    // All users of a test file share one address.
    SMS_PER_ADDRESS_HOURLY: '1000',
    ...env,
  }
  let running = await launch(
    { ...settings, PORT: '0', ...portSettings(() => 0) },
    historyDays > 0 ? 'past' : 'listening',
  )
  const { url, ports } = running
  const hosts: ChildProcess[] = []
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => stopProcess(running.child, signal)
  return {
    url,
    database: database.name,
    databaseUrl: database.url,
    ports,
    devicePassword: (imei) => readPassword(dataDir, imei),
    riderKey: () => readRiderKey(dataDir),
    query: database.query,
    letters: () => readLetters(dataDir),
    readCode: (phone) => readCode(url, phone),
    stop,
    restart: async () => {
      running = await launch({
        ...settings,
        PORT: new URL(url).port,
        ...portSettings((protocol) => ports[protocol]),
      })
    },
    startFinanceHost: async () => {
      const host = await launch({ ...settings, PORT: '0', SERVICES: 'finance' })
      hosts.push(host.child)
      return host.url
    },
    end: async () => {
      await Promise.all(hosts.map((host) => stopProcess(host, 'SIGTERM')))
      await stop()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Clears the compile cache: entries of older sources are never used again and would accumulate. */
export const forgetCompiled = (): void => rmSync(compiledDir, { recursive: true, force: true })

export type DevicePorts = Readonly<Record<DeviceProtocol, number>>

interface Running {
  readonly child: ChildProcess
  readonly url: string
  readonly ports: DevicePorts
}

/** Starts the server and waits until it listens, or until the demo's past is written too. */
async function launch(env: NodeJS.ProcessEnv, until: 'listening' | 'past' = 'listening'): Promise<Running> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', serverMain], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const limit = AbortSignal.timeout(startTimeoutMs)
  const ended = once(child, 'exit', { signal: limit }).then(([code]) => {
    throw new Error(`the server ended at its start with code ${String(code)}`)
  })
  // Looked at only until the server listens.
  ended.catch(() => {})
  const arrived = async (): Promise<{ readonly url: string; readonly devicePorts: DevicePorts }> => {
    let address: unknown
    for await (const [message] of on(child, 'message', { signal: limit }) as AsyncIterable<
      [{ readonly type: string }]
    >) {
      if (message.type === 'listening') address = message
      if (message.type === until) break
    }
    return address as { readonly url: string; readonly devicePorts: DevicePorts }
  }
  const { url, devicePorts: ports } = await Promise.race([arrived(), ended])
  return { child, url: url.replace('localhost', '127.0.0.1'), ports }
}

function readPassword(dataDir: string, imei: string): string {
  const devices = JSON.parse(readFileSync(join(dataDir, 'demo-devices.json'), 'utf8')) as {
    imei: string
    password: string | null
  }[]
  const device = devices.find((one) => one.imei === imei)
  if (device === undefined) throw new Error(`the demo has no device ${imei}`)
  return device.password ?? ''
}

function readLetters(dataDir: string): string[] {
  const folder = join(dataDir, 'outbox', 'notices')
  if (!existsSync(folder)) return []
  const letters = readdirSync(folder)
    .filter((file) => file.startsWith('email-'))
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as { title: string; nowMs: number })
  return letters.toSorted((left, right) => left.nowMs - right.nowMs).map(({ title }) => title)
}

function readRiderKey(dataDir: string): string {
  const { key } = JSON.parse(readFileSync(join(dataDir, demoRidersFile), 'utf8')) as { key: string }
  return key
}

async function stopProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${program} ended with code ${String(code)}`)
}

async function readCode(url: string, phone: string): Promise<string> {
  const page = await (await fetch(`${url}/outbox`)).text()
  // The newest message is first.
  const code = new RegExp(`<span>${phone}</span> <b>(\\d{6})</b>`).exec(page)?.[1]
  if (code === undefined) throw new Error(`no code was sent to ${phone}`)
  return code
}
