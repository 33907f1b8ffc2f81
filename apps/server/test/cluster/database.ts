import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { entryAddress, machines, type Machine } from './network.ts'
import { run, statusOf, supervise, until, type Program } from './shell.ts'

const account = 'postgres'
const startMs = 300_000

/** The text with each part replaced. Throws when a part is not there: the file has changed. */
export function adapted(text: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`deploy/ has no longer: ${from}`)
    return changed.replaceAll(from, to)
  }, text)
}

export interface Databases {
  /** The machine of the primary; undefined while there is none. */
  primary(): Promise<Machine | undefined>
  /** Whether every other database follows the primary on its timeline, and the one that may take over is known to all. */
  isComplete(): Promise<boolean>
  /** Address of the database by a machine's HAProxy, and by the one at the entry. */
  readonly url: string
  readonly entryUrl: string
  patroniAt(machine: Machine): Program
  /** Of the machine's PostgreSQL. */
  pidFileAt(machine: Machine): string
}

interface Options {
  readonly folder: string
  readonly deploy: string
  /** Told of what runs, before it is waited for. */
  readonly onStart: (programs: readonly Program[]) => void
}

/** etcd, Patroni with PostgreSQL, and HAProxy in front of it on each machine, by the files of deploy/. */
export async function startDatabases({ folder, deploy, onStart }: Options): Promise<Databases> {
  const [postgresPassword, replicatorPassword, rewinderPassword, ownerPassword] = Array.from({ length: 4 }, () =>
    randomBytes(16).toString('hex'),
  ) as [string, string, string, string]
  const logs = join(folder, 'logs')
  const template = readFileSync(join(deploy, 'patroni', 'patroni.yml'), 'utf8')
  const wal = join(folder, 'wal')
  mkdirSync(wal)
  run('chown', [`${account}:${account}`, wal])
  const proxyText = readFileSync(join(deploy, 'haproxy', 'database.cfg'), 'utf8')
  const startProxy = (name: string, machine: string | undefined, changes: readonly (readonly [string, string])[]) => {
    const file = join(folder, `${name}.cfg`)
    const socket = join(folder, `${name}.sock`)
    writeFileSync(file, adapted(proxyText, [['/run/haproxy/database.sock', socket], ...changes]))
    const logFile = join(logs, `${name}.log`)
    return supervise({
      name,
      ...(machine !== undefined && { machine }),
      command: 'haproxy',
      words: ['-db', '-f', file],
      logFile,
    })
  }
  const patronis = new Map<Machine, Program>()
  const programs = machines.flatMap((machine) => {
    const { name, number, address } = machine
    const data = join(folder, `db${number}`)
    mkdirSync(data, { recursive: true })
    const settings = join(data, 'patroni.yml')
    const text = adapted(template, [
      ['name: db1', `name: db${number}`],
      ['connect_address: 10.0.0.11:', `connect_address: ${address}:`],
      ['/var/lib/postgresql/18/main', join(data, 'main')],
      ['/usr/lib/postgresql/18/bin', '/usr/lib/postgresql/15/bin'],
      ['/var/lib/postgresql/pgpass', join(data, 'pgpass')],
      ['/mnt/wal', wal],
      ['put-a-password-here', postgresPassword],
      ['put-another-password-here', replicatorPassword],
      ['put-a-third-password-here', rewinderPassword],
      // Debian 12 has Patroni 3.0.
      ['\netcd3:', '\netcd:'],
      // The machines share one file system, and no watchdog.
      ['  listen: 0.0.0.0:5432', `  parameters:\n    unix_socket_directories: ${data}\n  listen: 0.0.0.0:5432`],
      ['mode: automatic', "mode: 'off'"],
    ])
    writeFileSync(settings, text, { mode: 0o600 })
    run('chown', ['-R', `${account}:${account}`, data])
    const patroni = supervise({
      name: `db${number}`,
      machine: name,
      account,
      command: 'patroni',
      words: [settings],
      logFile: join(logs, `db${number}.log`),
      stopSignal: 'SIGINT',
    })
    patronis.set(machine, patroni)
    const etcd = supervise({
      name: `etcd${number}`,
      machine: name,
      command: 'etcd',
      words: etcdWords(machine, join(folder, `etcd${number}`)),
      logFile: join(logs, `etcd${number}.log`),
    })
    return [etcd, patroni, startProxy(`haproxy${number}`, name, [])]
  })
  // Only what watches the cluster from outside needs it.
  programs.push(startProxy('entry-database', undefined, [['bind 127.0.0.1:', `bind ${entryAddress}:1`]]))
  onStart(programs)
  await until('three databases, one of them a synchronous standby', isComplete, { withinMs: startMs })
  const first = await until('a primary', primary)
  await makeOwner(`postgresql://postgres:${postgresPassword}@${first.address}:5432/postgres`, ownerPassword)
  return {
    primary,
    isComplete,
    url: `postgresql://saddle:${ownerPassword}@127.0.0.1:5000/saddle`,
    entryUrl: `postgresql://saddle:${ownerPassword}@${entryAddress}:15000/saddle`,
    patroniAt: (machine) => {
      const patroni = patronis.get(machine)
      if (patroni === undefined) throw new Error(`no Patroni on ${machine.name}`)
      return patroni
    },
    pidFileAt: ({ number }) => join(folder, `db${number}`, 'main', 'postmaster.pid'),
  }
}

const etcdWords = ({ number, address }: Machine, data: string): string[] => [
  `--name=db${number}`,
  `--data-dir=${data}`,
  `--listen-client-urls=http://${address}:2379`,
  `--advertise-client-urls=http://${address}:2379`,
  `--listen-peer-urls=http://${address}:2380`,
  `--initial-advertise-peer-urls=http://${address}:2380`,
  `--initial-cluster=${machines.map((one) => `db${one.number}=http://${one.address}:2380`).join(',')}`,
  '--initial-cluster-state=new',
  '--enable-v2=true',
  '--pre-vote=true',
  // All machines share the processors of one.
  '--heartbeat-interval=200',
  '--election-timeout=2000',
]

async function primary(): Promise<Machine | undefined> {
  const answers = await Promise.all(machines.map(({ address }) => statusOf(`http://${address}:8008/primary`)))
  return machines.find((_, index) => answers[index] === 200)
}

interface PatroniState {
  readonly role: string
  readonly state: string
  readonly timeline?: number
  readonly replication?: readonly { readonly state: string; readonly sync_state: string }[]
  /** Is said of the standby that the cluster's state names. */
  readonly sync_standby?: boolean
}

/** Each machine is asked of itself: what one knows of the others is what it read last. */
async function isComplete(): Promise<boolean> {
  const states = await Promise.all(machines.map(stateOf))
  const leader = states.find((one) => one?.replication !== undefined && one.role !== 'replica')
  if (leader === undefined) return false
  const followers = leader.replication?.filter(({ state }) => state === 'streaming') ?? []
  return (
    states.every((one) => one?.state === 'running' && one.timeline === leader.timeline) &&
    followers.length === machines.length - 1 &&
    followers.some(({ sync_state }) => sync_state === 'sync') &&
    states.some((one) => one?.sync_standby === true)
  )
}

async function stateOf({ address }: Machine): Promise<PatroniState | undefined> {
  try {
    const answer = await fetch(`http://${address}:8008/patroni`, { signal: AbortSignal.timeout(2_000) })
    return (await answer.json()) as PatroniState
  } catch {
    return undefined
  }
}

/** As docs/operations.md says. */
async function makeOwner(url: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`create role saddle login createrole bypassrls password '${password}'`)
    await client.query('create database saddle owner saddle')
  } finally {
    await client.end()
  }
}
