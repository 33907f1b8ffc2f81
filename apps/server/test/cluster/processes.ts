import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { adapted } from './database.ts'
import { entryAddress, machines, type Machine } from './network.ts'
import { statusOf, supervise, until, type Program } from './shell.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const serverMain = join(root, 'apps/server/src/main.ts')
const simulatorMain = join(root, 'apps/simulator/src/main.ts')
const quiet = '--disable-warning=ExperimentalWarning'
const consolePort = 9600
/** Where vehicles arrive at the entry: a demo of this machine may have the usual ports on all of its addresses. */
export const entryPorts = { omni: 19_680, jt808: 19_808, mqtt: 19_883 } as const
export const consoleUrl = `http://${entryAddress}:${consolePort}`
/** Where a process answers /readyz and /metrics, on its own address. */
export const processPort = 8080
export const metricsToken = 'cluster-metrics-token'
const startMs = 300_000

export interface Process {
  readonly program: Program
  readonly service: 'gateway' | 'api' | 'worker'
  readonly machine: Machine
  readonly address: string
  readonly dataDir: string
}

/** Who runs where: each machine may go, and one of each remains. */
const places = [
  ['gateway1', 'gateway', 0, 0],
  ['api1', 'api', 0, 1],
  ['gateway2', 'gateway', 1, 0],
  ['worker1', 'worker', 1, 1],
  ['api2', 'api', 2, 0],
  ['worker2', 'worker', 2, 1],
] as const

const addressOf = (wanted: (typeof places)[number][0]): string => {
  const [, , on, at] = places.find(([name]) => name === wanted) ?? places[0]
  return machines[on].processes[at] ?? ''
}

interface Options {
  readonly folder: string
  readonly deploy: string
  readonly databaseUrl: string
}

/** One NATS server on each machine, joined by routes. */
export const startBus = ({ folder }: Pick<Options, 'folder'>): Program[] =>
  machines.map(({ name, number, address }) =>
    supervise({
      name: `nats${number}`,
      machine: name,
      command: 'nats-server',
      words: [
        `--addr=${address}`,
        '--port=4222',
        `--cluster=nats://${address}:6222`,
        '--cluster_name=saddle',
        `--routes=${machines.map((one) => `nats://${one.address}:6222`).join(',')}`,
      ],
      logFile: join(folder, 'logs', `nats${number}.log`),
    }),
  )

/**
 * The schema, and the demo's companies, people and vehicles where they are wanted, written by a single server before the cluster takes
 * over its database. Returns the master secret.
 */
export async function prepareDatabase({ folder, databaseUrl, isDemo }: Options & { isDemo: boolean }): Promise<string> {
  const dataDir = firstDataDir(folder)
  const env = {
    ...process.env,
    DEMO: String(isDemo),
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    HOST: '127.0.0.1',
    PORT: '0',
  }
  const ports = { OMNI_PORT: '0', JT808_PORT: '0', MQTT_PORT: '0', LOG_LEVEL: 'error' }
  const words = ['netns', 'exec', machines[0].name, process.execPath, quiet, serverMain]
  const child = spawn('ip', words, { env: { ...env, ...ports }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  const failed = ended.then(([code]) => Promise.reject(new Error(`the server ended with ${String(code)}`)))
  failed.catch(() => {})
  const listening = (async () => {
    for (;;) {
      const [message] = (await once(child, 'message', { signal: AbortSignal.timeout(startMs) })) as [{ type?: string }]
      if (message.type === 'listening') return
    }
  })()
  await Promise.race([listening, failed])
  child.kill('SIGTERM')
  await ended
  return readFileSync(join(dataDir, 'secret'), 'utf8').trim()
}

/** Of the server that prepared the database; codes of logins are written there later, too. */
export const firstDataDir = (folder: string): string => join(folder, 'first')

/** Two of each role, and what stands in front of them at the entry. */
export async function startProcesses(
  options: Options & { readonly secret: string; readonly onStart: (programs: readonly Program[]) => void },
): Promise<readonly Process[]> {
  const { folder, databaseUrl, secret, deploy, onStart } = options
  // Codes of either api server are found in one place.
  const outbox = join(firstDataDir(folder), 'outbox')
  mkdirSync(outbox, { recursive: true })
  const processes = places.map(([name, service, on, at]): Process => {
    const machine = machines[on]
    const address = machine.processes[at] ?? ''
    const dataDir = join(folder, name)
    mkdirSync(dataDir, { recursive: true })
    symlinkSync(outbox, join(dataDir, 'outbox'))
    if (service === 'worker') copyAnchors(folder, dataDir)
    const env = {
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      CLUSTER: 'true',
      SERVICES: service,
      DATABASE_URL: databaseUrl,
      NATS_URL: machines.map((one) => `nats://${one.address}:4222`).join(','),
      SADDLE_SECRET: secret,
      DATA_DIR: dataDir,
      HOST: address,
      PORT: String(processPort),
      OMNI_PORT: '19680',
      JT808_PORT: '19808',
      MQTT_PORT: '19883',
      TRUST_PROXY: entryAddress,
      PUBLIC_URL: consoleUrl,
      // Nothing outside of this machine can listen to its namespaces.
      ALLOW_HTTP: 'true',
      GATEWAY_LINES_PER_ADDRESS: '20000',
      SMS_PER_ADDRESS_HOURLY: '10000',
      METRICS_TOKEN: metricsToken,
      LOG_LEVEL: 'warn',
    }
    const program = supervise({
      name,
      machine: machine.name,
      command: process.execPath,
      words: [quiet, serverMain],
      env,
      logFile: join(folder, 'logs', `${name}.log`),
    })
    return { program, service, machine, address, dataDir }
  })
  onStart([...processes.map(({ program }) => program), ...startFront(folder, deploy)])
  for (const one of processes)
    await until(`${one.program.name} ready`, async () => (await isReady(one)) || undefined, { withinMs: startMs })
  return processes
}

export const isReady = async ({ address }: Process): Promise<boolean> =>
  (await statusOf(`http://${address}:${processPort}/readyz`)) === 200

/** The audit's anchors of the single server go on at the workers. */
function copyAnchors(folder: string, dataDir: string): void {
  const anchors = join(firstDataDir(folder), 'audit-anchors')
  if (existsSync(anchors)) cpSync(anchors, join(dataDir, 'audit-anchors'), { recursive: true })
}

/** HAProxy at the entry: vehicles by the file of deploy/, the console by a frontend of its own instead of nginx with TLS. */
function startFront(folder: string, deploy: string): Program[] {
  const text = adapted(readFileSync(join(deploy, 'haproxy', 'vehicles.cfg'), 'utf8'), [
    ['/run/haproxy/vehicles.sock', join(folder, 'entry.sock')],
    // Each process has an address of its own here instead of a port.
    ['server gateway1 10.0.0.11:', `server gateway1 ${addressOf('gateway1')}:`],
    ['server gateway2 10.0.0.12:', `server gateway2 ${addressOf('gateway2')}:`],
    ['check port 8081', `check port ${processPort}`],
    ['bind :9680', `bind ${entryAddress}:${entryPorts.omni}`],
    ['bind :9808', `bind ${entryAddress}:${entryPorts.jt808}`],
    ['bind :9883', `bind ${entryAddress}:${entryPorts.mqtt}`],
    // The limit of open files of this one machine may be low.
    ['maxconn 250000', 'maxconn 8000'],
  ])
  const api = places.filter(([, service]) => service === 'api')
  const servers = api.map(([name, , on, at]) => `  server ${name} ${machines[on].processes[at]}:${processPort} check`)
  const file = join(folder, 'entry.cfg')
  writeFileSync(
    file,
    `${text}
listen console
  mode http
  bind ${entryAddress}:${consolePort}
  option forwardfor
  option httpchk
  http-check send meth GET uri /readyz
  http-check expect status 200
  default-server inter 1s fall 2 rise 2 on-marked-down shutdown-sessions
${servers.join('\n')}
`,
  )
  return [
    supervise({
      name: 'entry',
      command: 'haproxy',
      words: ['-db', '-f', file],
      logFile: join(folder, 'logs', 'entry.log'),
    }),
  ]
}

/** The simulated city at the entry. */
export function startCity(folder: string, vehicles: number): Program {
  const demo = firstDataDir(folder)
  return supervise({
    name: 'city',
    command: process.execPath,
    words: [
      quiet,
      simulatorMain,
      `--omni=${entryAddress}:${entryPorts.omni}`,
      `--jt808=${entryAddress}:${entryPorts.jt808}`,
      `--mqtt=${entryAddress}:${entryPorts.mqtt}`,
      `--vehicles=${vehicles}`,
      `--devices=${join(demo, 'demo-devices.json')}`,
      `--api=${consoleUrl}`,
      `--riders=${join(demo, 'demo-riders.json')}`,
    ],
    logFile: join(folder, 'logs', 'city.log'),
  })
}
