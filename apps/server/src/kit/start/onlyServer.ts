import { realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { minuteMs } from '@saddle/contract/time.ts'
import { lockNumbers } from '../db/lockNumbers.ts'
import type { Log } from '../log.ts'
import { shortHash } from '../postgres/place.ts'
import { StartRefusal } from './refusal.ts'

const retryMs = 200
/** PostgreSQL may notice a killed server with a short delay. */
const waitMs = 8_000
const reconnectMs = [200, 1_000, 2_000, 5_000] as const

/**
 * Throws StartRefusal when another server of this machine uses the data folder; otherwise holds it until this process
 * ends. The lock is an abstract socket: the kernel frees it with its process, so it is never stale. Other systems than
 * Linux have none, and rely on the lock of the database.
 */
export async function holdDataFolder(dataDir: string): Promise<void> {
  if (process.platform !== 'linux') return
  const folder = realpathSync(dataDir)
  const server = createServer((socket) => socket.destroy())
  server.unref()
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new StartRefusal(
              `Another Saddle server runs on the data folder ${folder}: stop it, or set DATA_DIR to another folder.`,
            )
          : error,
      ),
    )
    server.listen({ path: `\0saddle-server-${shortHash(folder)}` }, resolve)
  })
}

export interface DatabaseHold {
  release(): Promise<void>
}

/**
 * Throws StartRefusal when another server uses the database: a server that is no part of a cluster assumes that it is alone.
 * The lock lives as long as its connection, which is made again when it breaks; `onLost` is called when another server
 * has taken the lock in between.
 */
export function holdDatabase(options: HoldOptions): Promise<DatabaseHold> {
  const { maxWaitMs = waitMs } = options
  return hold(options, (client) => lock({ client, maxWaitMs }))
}

/**
 * Holds the database for one process of a cluster: any number of them may, and no server that assumes to be alone. Throws
 * StartRefusal beside one of those.
 */
export function holdDatabaseTogether(options: HoldOptions): Promise<DatabaseHold> {
  const { maxWaitMs = waitMs } = options
  return hold(options, (client) => lock({ client, maxWaitMs, isShared: true }))
}

/** How many other processes hold the database. */
export async function countOthers(url: string): Promise<number> {
  const client = await connect(url)
  try {
    const { rows } = await client.query<{ holders: number }>(
      `select count(*)::integer as holders from pg_locks
       where locktype = 'advisory' and granted and objid = $1
         and database = (select oid from pg_database where datname = current_database())`,
      [lockNumbers.server],
    )
    return Math.max(0, (rows[0]?.holders ?? 0) - 1)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Processes of a cluster prepare the database one after another; the returned function lets the next one begin. */
export async function takeTurnToStart(url: string): Promise<() => Promise<void>> {
  const client = await connect(url)
  await client.query('select pg_advisory_lock($1)', [lockNumbers.start])
  return async () => {
    await client.end().catch(() => {})
  }
}

/**
 * Holds the database for a finance host: any number of them may, beside one server. Throws StartRefusal while a server
 * changes the schema.
 */
export function holdDatabaseBeside(options: HoldOptions): Promise<DatabaseHold> {
  return hold(options, async (client) => {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock_shared($1) as held', [
      lockNumbers.financeHosts,
    ])
    if (rows[0]?.held !== true)
      throw new StartRefusal(
        'A server changes the schema of this database. Start the finance host when it has started.',
      )
  })
}

/**
 * Runs the work while no finance host uses the database. Throws StartRefusal when one does: it would go on with the code of
 * the schema as it was.
 */
export async function withoutFinanceHosts<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = await connect(url)
  try {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
      lockNumbers.financeHosts,
    ])
    if (rows[0]?.held !== true)
      throw new StartRefusal(
        'A finance host runs on this database, and this version changes the schema. Stop the finance host, start the server, then start the finance host in the same version.',
      )
    return await work()
  } finally {
    await client.end().catch(() => {})
  }
}

interface HoldOptions {
  readonly url: string
  readonly log: Log
  readonly onLost: (sentence: string) => void
  readonly maxWaitMs?: number
}

async function hold(options: HoldOptions, lockBy: (client: Client) => Promise<void>): Promise<DatabaseHold> {
  const { url, log, onLost } = options
  let isReleased = false
  let holder: Client | null = null

  const take = async (): Promise<void> => {
    const client = await connect(url)
    client.once('end', () => {
      if (isReleased || holder !== client) return
      holder = null
      log.warn('the connection that holds the lock of the database broke')
      void retake()
    })
    try {
      await lockBy(client)
      holder = client
      speakNowAndThen(client)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
  }
  const retake = async (): Promise<void> => {
    // eslint-disable-next-line no-unmodified-loop-condition -- release() sets it while this loop waits
    for (let attempt = 0; !isReleased; attempt += 1) {
      await sleep(reconnectMs[Math.min(attempt, reconnectMs.length - 1)], undefined, { ref: false })
      try {
        await take()
        return
      } catch (error) {
        if (error instanceof StartRefusal) {
          onLost(error.message)
          return
        }
      }
    }
  }
  await take()
  return {
    release: async () => {
      isReleased = true
      await holder?.end().catch(() => {})
    },
  }
}

/** A proxy ends a connection that says nothing for half an hour or so. */
function speakNowAndThen(client: Client): void {
  const timer = setInterval(() => void client.query('select').catch(() => {}), minuteMs)
  timer.unref()
  client.once('end', () => clearInterval(timer))
}

async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: 'saddle server',
    keepAlive: true,
    // PostgreSQL notices within half a minute that the machine of a server is gone.
    options: '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
  })
  // An error of this connection is followed by 'end'.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function lock(options: { client: Client; maxWaitMs: number; isShared?: boolean }): Promise<void> {
  const { client, maxWaitMs, isShared = false } = options
  const take = isShared ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
  for (let waitedMs = 0; ; waitedMs += retryMs) {
    const { rows } = await client.query<{ held: boolean }>(`select ${take}($1) as held`, [lockNumbers.server])
    if (rows[0]?.held === true) return
    if (waitedMs >= maxWaitMs) {
      const holder = await describeHolder(client)
      throw new StartRefusal(
        isShared
          ? `A Saddle server that is no part of a cluster uses this database (${holder}). Stop it, or start it with CLUSTER=true.`
          : `Another Saddle server uses this database (${holder}). One server at a time can: stop that one first.`,
      )
    }
    await sleep(retryMs)
  }
}

async function describeHolder(client: Client): Promise<string> {
  const { rows } = await client.query<{ address: string | null; since: Date }>(
    `select host(a.client_addr) as address, a.backend_start as since
     from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and l.objid = $1 and l.database = (select oid from pg_database where datname = current_database())`,
    [lockNumbers.server],
  )
  const [holder] = rows
  return holder === undefined
    ? 'it has just left'
    : `from ${holder.address ?? 'this machine'}, since ${holder.since.toISOString()}`
}
