import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { machines, type Machine } from './network.ts'
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
  /** How many machines Patroni knows as running, and how many are a synchronous standby. */
  members(): Promise<{ readonly running: number; readonly synchronous: number }>
  /** Address of the database by a machine's HAProxy, and by the primary's own port. */
  readonly url: string
  urlAt(machine: Machine): string
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
    const proxy = join(folder, `haproxy${number}.cfg`)
    const socket = join(folder, `haproxy${number}.sock`)
    const proxyText = readFileSync(join(deploy, 'haproxy', 'database.cfg'), 'utf8')
    writeFileSync(proxy, adapted(proxyText, [['/run/haproxy/database.sock', socket]]))
    return [
      supervise({
        name: `etcd${number}`,
        machine: name,
        command: 'etcd',
        words: etcdWords(machine, join(folder, `etcd${number}`)),
        logFile: join(logs, `etcd${number}.log`),
      }),
      supervise({
        name: `db${number}`,
        machine: name,
        account,
        command: 'patroni',
        words: [settings],
        logFile: join(logs, `db${number}.log`),
        stopSignal: 'SIGINT',
      }),
      supervise({
        name: `haproxy${number}`,
        machine: name,
        command: 'haproxy',
        words: ['-db', '-f', proxy],
        logFile: join(logs, `haproxy${number}.log`),
      }),
    ]
  })
  onStart(programs)
  const urlAt = ({ address }: Machine): string => `postgresql://saddle:${ownerPassword}@${address}:5432/saddle`
  await until(
    'a synchronous standby',
    async () => (await members()).running === 3 && (await members()).synchronous > 0,
    {
      withinMs: startMs,
    },
  )
  const first = await until('a primary', primary)
  await makeOwner(`postgresql://postgres:${postgresPassword}@${first.address}:5432/postgres`, ownerPassword)
  return { primary, members, url: `postgresql://saddle:${ownerPassword}@127.0.0.1:5000/saddle`, urlAt }
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
  // All machines share the processors of one.
  '--heartbeat-interval=300',
  '--election-timeout=3000',
]

async function primary(): Promise<Machine | undefined> {
  const answers = await Promise.all(machines.map(({ address }) => statusOf(`http://${address}:8008/primary`)))
  return machines.find((_, index) => answers[index] === 200)
}

async function members(): Promise<{ running: number; synchronous: number }> {
  for (const { address } of machines) {
    try {
      const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) })
      const { members: all } = (await answer.json()) as { members: { role: string; state: string }[] }
      return {
        running: all.filter(({ state }) => state === 'running' || state === 'streaming').length,
        synchronous: all.filter(({ role }) => role === 'sync_standby').length,
      }
    } catch {
      // Another machine may answer.
    }
  }
  return { running: 0, synchronous: 0 }
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
