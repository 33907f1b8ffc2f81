import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import type { Log } from '../log.ts'
import { chooseAccount, type Account } from './account.ts'
import {
  createCluster,
  disarmLeftovers,
  launch,
  logTail,
  OWNER,
  runningPostmaster,
  SOCKET_PORT,
  stopPostmaster,
} from './cluster.ts'
import { withMachineLock } from './lock.ts'
import { prepareNative, type Native } from './native.ts'
import { preparePlace, shortHash, type Place } from './place.ts'

export type EmbeddedPostgres = {
  /** Connection string of the owner (a superuser of this private cluster) for the database `saddle`. */
  url: string
  /** Stops PostgreSQL unless another process still uses it. */
  stop(): Promise<void>
}

const DATABASE = 'saddle'
const KEEPER = 'saddle keeper'
const POLL_MS = 10
// Replaying the log after a power cut can take a while.
const MAX_START_MS = 120_000
const MAX_STARTS = 3
const MAX_WITHOUT_SOCKET_MS = 2_000
const RESTART_PAUSE_MS = [100, 500, 2_000, 5_000] as const

type Cluster = { place: Place; native: Native; account: Account; durable: boolean; log: Log }

/**
 * Starts the PostgreSQL 18 that comes with the npm package, or adopts the one that already runs on this data folder.
 * It is reached by a Unix socket with a random password; as root it runs under an unprivileged account. Every process
 * that uses it holds one connection (the keeper): it tells when PostgreSQL died, which is then started again at the
 * same address, and it tells the process that leaves whether it is the last. `durable: false` switches fsync off and
 * is for tests only.
 */
export async function startEmbedded(options: {
  dataDir: string
  log: Log
  durable?: boolean
}): Promise<EmbeddedPostgres> {
  const account = chooseAccount()
  const place = preparePlace({ dataDir: options.dataDir, account })
  const native = prepareNative({ account, copyParent: account === null ? place.base : '/var/lib/saddle' })
  const cluster: Cluster = { place, native, account, durable: options.durable ?? true, log: options.log }
  const lockName = shortHash(place.base)
  const ensure = (): Promise<Client> => withMachineLock(lockName, () => ensureRunning(cluster))

  let stopping = false
  let keeper: Client
  let watching: Promise<void> = Promise.resolve()
  const watch = (client: Client): void => {
    keeper = client
    client.once('end', () => {
      if (!stopping) watching = revive()
    })
  }
  const revive = async (): Promise<void> => {
    // eslint-disable-next-line no-unmodified-loop-condition -- stop() sets it while this loop waits
    for (let attempt = 0; !stopping; attempt += 1) {
      options.log.warn({ attempt }, 'the connection to PostgreSQL broke, making sure that it runs')
      try {
        const client = await ensure()
        watch(client)
        return
      } catch (err) {
        options.log.error({ err }, 'PostgreSQL could not be started again')
        await sleep(RESTART_PAUSE_MS[Math.min(attempt, RESTART_PAUSE_MS.length - 1)], undefined, { ref: false })
      }
    }
  }
  watch(await ensure())
  return {
    url: connectionString({ place, database: DATABASE }),
    stop: async () => {
      if (stopping) return
      stopping = true
      await watching
      await withMachineLock(lockName, () => leave({ cluster, keeper }))
    },
  }
}

/** Address of one database of the cluster, as the owner. */
function connectionString(options: { place: Place; database: string }): string {
  const password = readFileSync(options.place.passwordFile, 'utf8').trim()
  return `postgresql://${OWNER}:${password}@localhost:${SOCKET_PORT}/${options.database}?host=${encodeURIComponent(options.place.socketFolder)}`
}

async function ensureRunning(cluster: Cluster): Promise<Client> {
  const { place, log } = cluster
  if (!existsSync(place.cluster)) {
    log.info({ folder: place.cluster }, 'creating the database cluster')
    await createCluster(cluster)
  }
  for (let start = 0; start < MAX_STARTS; start += 1) {
    const pid = runningPostmaster(place)
    if (pid !== null) {
      const client = await connectWhile({ place, alive: () => runningPostmaster(place) === pid })
      if (client !== null) return client
      // It does not answer (its socket was deleted, or it hangs): stop it and start a new one.
      const left = runningPostmaster(place)
      if (left !== null) await stopPostmaster({ place, pid: left })
    }
    disarmLeftovers(place)
    const client = await startAndConnect(cluster)
    if (client !== null) return client
  }
  throw new Error(`PostgreSQL does not start: ${logTail(place)}`)
}

async function startAndConnect(cluster: Cluster): Promise<Client | null> {
  const child = launch(cluster)
  let alive = true
  child.once('error', (err) => {
    cluster.log.error({ err }, 'PostgreSQL cannot be run')
    alive = false
  })
  child.once('exit', () => {
    alive = false
  })
  return connectWhile({ place: cluster.place, alive: () => alive })
}

/** Tries to connect for as long as the postmaster lives; null when it died or never answers. */
async function connectWhile(options: { place: Place; alive: () => boolean }): Promise<Client | null> {
  let refusals = 0
  for (let waitedMs = 0; waitedMs < MAX_START_MS && options.alive(); waitedMs += POLL_MS) {
    const outcome = await connectKeeper(options.place)
    if (outcome instanceof Client) return outcome
    // A postmaster makes its socket within milliseconds; one that has none for so long will not get one.
    refusals = outcome === 'starting' ? 0 : refusals + 1
    if (refusals * POLL_MS > MAX_WITHOUT_SOCKET_MS) return null
    await sleep(POLL_MS)
  }
  return null
}

async function connectKeeper(place: Place): Promise<Client | 'starting' | 'absent'> {
  try {
    return await openKeeper({ place, database: DATABASE })
  } catch (error) {
    if (!(error instanceof DatabaseError)) return 'absent'
    if (error.code === '57P03') return 'starting'
    if (error.code !== '3D000') throw error
    await createDatabase(place)
    return 'starting'
  }
}

async function openKeeper(options: { place: Place; database: string }): Promise<Client> {
  const client = new Client({ connectionString: connectionString(options), application_name: KEEPER })
  // Errors of an idle connection are followed by 'end', which is what the caller listens to.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function createDatabase(place: Place): Promise<void> {
  const client = await openKeeper({ place, database: 'postgres' })
  try {
    await client.query(`create database ${DATABASE}`)
  } catch (error) {
    // 42P04: another process made it in the meantime.
    if (!(error instanceof DatabaseError) || error.code !== '42P04') throw error
  } finally {
    await client.end()
  }
}

async function leave(options: { cluster: Cluster; keeper: Client }): Promise<void> {
  const { cluster, keeper } = options
  const others = await otherKeepers(keeper)
  await keeper.end().catch(() => {})
  const pid = runningPostmaster(cluster.place)
  if (pid !== null && others === 0) await stopPostmaster({ place: cluster.place, pid })
}

async function otherKeepers(keeper: Client): Promise<number> {
  try {
    const sql =
      'select count(*)::int as others from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()'
    const result = await keeper.query<{ others: number }>(sql, [KEEPER])
    return result.rows[0]?.others ?? 0
  } catch {
    // The connection is lost, so no other process has one either.
    return 0
  }
}
