import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  mkdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from './account.ts'
import type { Native } from './native.ts'
import { own, type Place } from './place.ts'

export const OWNER = 'saddle'
export const SOCKET_PORT = 5432
const MAX_LOG_BYTES = 10_000_000
const LOG_TAIL_BYTES = 2_000

type Setting = readonly [name: string, value: string]

const SETTINGS: readonly Setting[] = [
  ['listen_addresses', ''],
  ['unix_socket_permissions', '0700'],
  ['password_encryption', 'scram-sha-256'],
  ['timezone', 'UTC'],
  ['log_timezone', 'UTC'],
  ['shared_buffers', '256MB'],
  ['effective_cache_size', '1GB'],
  ['random_page_cost', '1.1'],
  // What is written ahead is bounded, at the price of a few checkpoints more while a demo reads its past in.
  ['max_wal_size', '256MB'],
  ['wal_compression', 'on'],
  // The first change of a page after a checkpoint writes the whole page ahead, and a fleet changes all of its pages within minutes.
  // What a crash has to read again is bounded by its size, not by its age.
  ['checkpoint_timeout', '30min'],
  ['jit', 'off'],
  // Three more read-ahead processes do not help on a small machine.
  ['io_method', 'sync'],
]

const DURABLE: readonly Setting[] = [
  ['fsync', 'on'],
  ['synchronous_commit', 'on'],
  ['max_connections', '100'],
]

// Only for clusters that tests throw away. They share one cluster, hence the connections.
const FAST: readonly Setting[] = [
  ['fsync', 'off'],
  ['synchronous_commit', 'off'],
  ['full_page_writes', 'off'],
  ['max_connections', '400'],
]

/** Runs initdb beside the final place and renames the result: a kill at any moment leaves a whole cluster or none. */
export async function createCluster(options: {
  place: Place
  native: Native
  account: Account
  durable: boolean
}): Promise<void> {
  const { place, native, account } = options
  removeDrafts(place)
  const draft = `${place.cluster}.draft-${randomBytes(6).toString('hex')}`
  const passwordFile = join(draft, 'password')
  mkdirSync(draft, { mode: 0o700 })
  writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (account !== null) chownSync(passwordFile, account.uid, account.gid)
  own({ path: draft, account })
  const output = await run({
    program: native.initdb,
    account,
    args: initdbArguments({ folder: draft, passwordFile, durable: options.durable }),
  })
  if (output.code !== 0) throw new Error(`initdb failed: ${output.text.trim().slice(-LOG_TAIL_BYTES)}`)
  renameSync(draft, place.cluster)
}

function initdbArguments(options: { folder: string; passwordFile: string; durable: boolean }): string[] {
  return [
    `--pgdata=${join(options.folder, 'data')}`,
    `--username=${OWNER}`,
    `--pwfile=${options.passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The built-in provider sorts the same on every machine and does not change with system libraries.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(options.durable ? [] : ['--no-sync']),
  ]
}

function removeDrafts(place: Place): void {
  for (const name of readdirSync(place.base)) {
    if (name.startsWith('cluster.draft-'))
      rmSync(join(place.base, name), { recursive: true, force: true, maxRetries: 3 })
  }
}

function run(options: {
  program: string
  args: readonly string[]
  account: Account
}): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(options.program, options.args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: '/',
      env: processEnvironment(),
      ...options.account,
    })
    let text = ''
    const collect = (chunk: Buffer): void => {
      text = (text + chunk.toString()).slice(-10 * LOG_TAIL_BYTES)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('error', (error) => reject(explainSpawnError(error)))
    child.once('close', (code) => resolve({ code, text }))
  })
}

/** PostgreSQL's environment contains none of our secrets and none of the user's PG… variables. */
function processEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

function explainSpawnError(error: Error): Error {
  return new Error(`PostgreSQL cannot be run: ${error.message}; set DATABASE_URL to use another PostgreSQL`)
}

/** Starts the postmaster in a process group of its own, so that Ctrl-C reaches Node first. */
export function launch(options: { place: Place; native: Native; account: Account; durable: boolean }): ChildProcess {
  const { place, account } = options
  rotateLog(place.logFile)
  const log = openSync(place.logFile, 'a', 0o600)
  try {
    const settings = [
      ...SETTINGS,
      ...(options.durable ? DURABLE : FAST),
      ['unix_socket_directories', place.socketFolder],
    ]
    const child = spawn(
      options.native.postgres,
      ['-D', place.data, '-p', String(SOCKET_PORT), ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { stdio: ['ignore', log, log], cwd: '/', detached: true, env: processEnvironment(), ...account },
    )
    child.unref()
    return child
  } finally {
    closeSync(log)
  }
}

function rotateLog(file: string): void {
  if (existsSync(file) && statSync(file).size > MAX_LOG_BYTES) renameSync(file, `${file}.1`)
}

export function logTail(place: Place): string {
  return existsSync(place.logFile) ? readFileSync(place.logFile, 'utf8').slice(-LOG_TAIL_BYTES).trim() : ''
}

/** The process that runs this cluster, or null: a pid file may be stale, or its pid may belong to another process. */
export function runningPostmaster(place: Place): number | null {
  const pid = pidInFile(place)
  return pid !== null && isPostmasterOf({ pid, place }) ? pid : null
}

function pidInFile(place: Place): number | null {
  const file = join(place.data, 'postmaster.pid')
  if (!existsSync(file)) return null
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  return Number.isInteger(pid) && pid > 1 ? pid : null
}

/** A postmaster's working directory is its data folder; a process that got the same pid later has another one. */
function isPostmasterOf(options: { pid: number; place: Place }): boolean {
  if (process.platform !== 'linux') return isAlive(options.pid)
  try {
    return readlinkSync(`/proc/${options.pid}/cwd`) === realpathSync(options.place.data)
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Makes leftovers of a dead postmaster harmless. PostgreSQL does so itself unless the dead one's number now belongs to
 * another process of the same user. The pid file is not deleted but given our own number: PostgreSQL never waits for
 * its parent, and it still checks by the file's other lines that no orphaned backend uses the old shared memory.
 */
export function disarmLeftovers(place: Place): void {
  const file = join(place.data, 'postmaster.pid')
  if (existsSync(file)) {
    const lines = readFileSync(file, 'utf8').split('\n')
    if (lines[0] !== undefined && lines.length > 1)
      writeFileSync(file, [String(process.pid), ...lines.slice(1)].join('\n'))
    else rmSync(file)
  }
  rmSync(join(place.socketFolder, `.s.PGSQL.${SOCKET_PORT}`), { force: true })
  rmSync(join(place.socketFolder, `.s.PGSQL.${SOCKET_PORT}.lock`), { force: true })
}

/** Stops a postmaster: first disconnects all clients, then stops at once (the log is replayed at the next start). */
export async function stopPostmaster(options: { place: Place; pid: number }): Promise<void> {
  const { place, pid } = options
  for (const [signal, waitMs] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return
      throw error
    }
    for (let waitedMs = 0; waitedMs < waitMs; waitedMs += 10) {
      if (!isPostmasterOf({ pid, place })) return
      await sleep(10)
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop`)
}
