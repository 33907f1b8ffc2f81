import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deviceProtocols, portSetting, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import type { Service } from '#kit/settings/forms.ts'
import { openLink, type Link } from './links.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const steppedClock = new URL('steppedClock.ts', import.meta.url).href
const startAgainMs = 200

/** One process of the cluster, with links of its own to the database and to the bus. */
export interface Node {
  readonly name: string
  readonly service: Service
  readonly port: number
  readonly url: string
  readonly host: string
  readonly devicePorts: Readonly<Partial<Record<DeviceProtocol, number>>>
  readonly database: Link
  /** Null where the database carries the bus. */
  readonly bus: Link | null
  /** kill -9, and a new start at once, as by a supervisor; false when it does not run. */
  kill(): Promise<boolean>
  /** SIGTERM, as in a rolling upgrade, and a new start. */
  restart(): Promise<boolean>
  /** Its clock is off the machine's by so much from now on. */
  stepClock(offsetMs: number): void
  isReady(): Promise<boolean>
  stop(): Promise<void>
}

/** Where vehicles connect: a process, or what stands in front of several. */
export type GatewayAddress = Pick<Node, 'host' | 'devicePorts'>
/** Where staff, riders and consoles call, likewise. */
export type ApiAddress = Pick<Node, 'name' | 'url'>

export interface NodeOptions {
  readonly name: string
  readonly service: Service
  readonly folder: string
  readonly compiled: string
  readonly databaseUrl: string
  readonly socketPath: string
  readonly natsPort: number | null
  readonly secret: string
  readonly random: () => number
}

export async function startNode(options: NodeOptions): Promise<Node> {
  const { name, service, socketPath, natsPort, random } = options
  const database = await openLink({ path: socketPath }, random)
  const bus = natsPort === null ? null : await openLink({ host: '127.0.0.1', port: natsPort, noDelay: true }, random)
  const [port = 0, ...rest] = await freePorts(1 + deviceProtocols.length)
  const devicePorts =
    service === 'gateway' ? Object.fromEntries(deviceProtocols.map((protocol, at) => [protocol, rest[at] ?? 0])) : {}
  const dataDir = prepareFolder(options)
  const clockFile = join(dataDir, 'clock')
  const stepClock = (offsetMs: number): void => writeFileSync(clockFile, String(offsetMs))
  stepClock(0)
  const env = environmentOf(options, { dataDir, clockFile, port, devicePorts, database, bus })
  const supervised = supervise(env)
  return {
    name,
    service,
    port,
    url: `http://127.0.0.1:${port}`,
    host: '127.0.0.1',
    devicePorts,
    database,
    bus,
    stepClock,
    kill: () => supervised.end('SIGKILL'),
    restart: () => supervised.end('SIGTERM'),
    isReady: async () => {
      try {
        return (await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(1_000) })).ok
      } catch {
        return false
      }
    },
    stop: async () => {
      await supervised.stop()
      database.close()
      bus?.close()
    },
  }
}

/** Codes of all api servers are found in one place. */
function prepareFolder({ folder, name }: NodeOptions): string {
  const [dataDir, outbox] = [join(folder, name), join(folder, 'outbox')]
  mkdirSync(dataDir, { recursive: true })
  mkdirSync(outbox, { recursive: true })
  symlinkSync(outbox, join(dataDir, 'outbox'))
  return dataDir
}

function environmentOf(
  { service, compiled, databaseUrl, secret }: NodeOptions,
  own: Pick<Node, 'port' | 'devicePorts' | 'database' | 'bus'> & {
    readonly dataDir: string
    readonly clockFile: string
  },
): Record<string, string> {
  const { port, devicePorts, database, bus, dataDir, clockFile } = own
  const address = new URL(databaseUrl)
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: compiled,
    STEPPED_CLOCK_FILE: clockFile,
    CLUSTER: 'true',
    SERVICES: service,
    DATABASE_URL: `postgresql://${address.username}:${address.password}@127.0.0.1:${database.port}${address.pathname}`,
    ...(bus !== null && { NATS_URL: `nats://127.0.0.1:${bus.port}` }),
    SADDLE_SECRET: secret,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'error',
    ...Object.fromEntries(
      deviceProtocols.map((protocol) => [portSetting(protocol), String(devicePorts[protocol] ?? 0)]),
    ),
  }
}

/** Keeps a process running until it is stopped. */
function supervise(env: Readonly<Record<string, string>>) {
  let child: ChildProcess | null = null
  let isStopped = false
  /** Of two faults at once only one counts. */
  let killed: ChildProcess | null = null
  const start = (): void => {
    const words = ['--disable-warning=ExperimentalWarning', `--import=${steppedClock}`, main]
    const started = spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'ignore'] })
    child = started
    // A process that cannot reach the database ends by itself, and is started again.
    started.once('exit', () => {
      if (!isStopped && child === started) setTimeout(() => (isStopped ? undefined : start()), startAgainMs)
    })
  }
  start()
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<boolean> => {
    const running = child
    if (running === null || running.exitCode !== null || running.signalCode !== null) return false
    const isFirst = killed !== running
    if (signal === 'SIGKILL') killed = running
    const ended = once(running, 'exit')
    running.kill(signal)
    await ended
    return isFirst
  }
  return {
    end,
    stop: async () => {
      isStopped = true
      await end('SIGKILL')
    },
  }
}

/** Below the ports that the kernel gives to outgoing connections: a process that starts again finds its port free. */
const firstPort = 12_000
const lastPort = 32_000
let nextPort = firstPort + (process.pid % 1_000) * 20

/** Ports that nobody listens on and that are given once. */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = []
  while (found.length < count) {
    const port = nextPort
    nextPort = port === lastPort ? firstPort : port + 1
    if (await isFree(port)) found.push(port)
  }
  return found
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (isListening) await once(server.close(), 'close')
  return isListening
}
