import { AsyncLocalStorage } from 'node:async_hooks'
import type { CompiledQuery, Kysely, Transaction } from 'kysely'
import pg from 'pg'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Log } from '../log.ts'
import { runningCall } from '../runningCall.ts'
import { copyIn } from './copy.ts'
import { DatabaseAwayError, isLineFault } from './pgErrors.ts'
import type { Logins } from './logins.ts'
import { createLookups } from './lookups.ts'
import { createReadDatabase, loginsAt, type Pools } from './readDatabase.ts'
import { isPlannedAnew } from './forceCustomPlan.ts'
import { beginScoped, scopeSettings, type Scope } from './scope.ts'
import { beginSnapshot, createSnapshots, type Snapshot } from './snapshot.ts'
import { keepNoStatements, runStatement, type ScopeSettings } from './statement.ts'
import { compilingKysely, kyselyOnClient } from './transaction.ts'
import type { DB } from './types.ts'
import { columnTypes } from './values.ts'

export type Tx = Transaction<DB>

type Build<R> = ((kysely: Kysely<DB>) => CompiledQuery<R>) | CompiledQuery<R>

export type Database = {
  /** One transaction as the unprivileged role; row level security shows and takes only rows of the scope. */
  withScope<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T>
  /** One statement as the unprivileged role, scope included, in one round trip. The way of hot reads. */
  read<R>(scope: Scope, build: Build<R>): Promise<R[]>
  /**
   * Like `read`, for reads that find a few rows by key and take microseconds: those that come up together share a
   * round trip, so a slow one would hold the others up.
   */
  lookup<R>(scope: Scope, query: CompiledQuery<R>): Promise<R[]>
  /** One transaction as the system role, which sees every tenant: for jobs, the gateway and login. */
  system<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** One statement as the system role, in one round trip. */
  systemRead<R>(build: Build<R>): Promise<R[]>
  /** Runs `copy … from stdin (format binary)` within a transaction of `system`; resolves to the number of rows. */
  copyIn(tx: Kysely<DB>, copy: { sql: string; chunks: Iterable<Uint8Array> }): Promise<number>
  /**
   * Runs `work` within `tx` after all that its caller does, in order; what it throws rolls back. For what others wait for,
   * so that nothing is locked behind it. Not for work under a savepoint that may be rolled back.
   */
  beforeCommit(tx: Kysely<DB>, work: () => Promise<void>): void
  /** Runs `effect` after the commit of `tx`, in order; never when it rolls back. What it throws is logged. */
  afterCommit(tx: Kysely<DB>, effect: () => void | Promise<void>): void
  /**
   * Runs what builds files on a few connections of their own, so that it never takes those that people wait for: every
   * reading and transaction of a scope within `work`.
   */
  apart<T>(work: () => Promise<T>): Promise<T>
  /**
   * Runs work whose reads all see the database as it was at one moment, whichever of the functions above they use. Nothing
   * can be written in it but by a transaction of `system`.
   */
  snapshot<T>(work: () => Promise<T>): Promise<T>
  /**
   * Lets `read`, `systemRead` and `snapshot` within `work` answer from the read database, where there is one: with everything
   * that was committed before. For figures and files; not for what decides something, and not after a write of its own.
   */
  fromReadDatabase<T>(work: () => Promise<T>): Promise<T>
  /** Seconds that the read database is behind, Infinity when it does not answer; null without one. */
  readLagSeconds(): Promise<number | null>
  /** Resolves when the database answers. */
  ping(): Promise<void>
  /** May be called more than once. */
  close(): Promise<void>
}

const READ_CONNECTIONS = 8
const ACQUIRE_TIMEOUT_MS = 10_000
const IDLE_TIMEOUT_MS = minuteMs
const APP_STATEMENT_TIMEOUT_MS = 30_000
const SYSTEM_STATEMENT_TIMEOUT_MS = 300_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = minuteMs

/** Transactions and what is bound to one that runs. */
function createTransactions(log: Log) {
  const effects = new WeakMap<object, (() => void | Promise<void>)[]>()
  const lastWorks = new WeakMap<object, (() => Promise<void>)[]>()
  const clients = new WeakMap<object, pg.PoolClient>()

  const transact = async <T>(
    pool: pg.Pool,
    begin: string,
    work: (tx: Tx) => Promise<T>,
    atEnd?: (tx: Tx) => Promise<void> | undefined,
  ): Promise<T> => {
    const waiting: (() => void | Promise<void>)[] = []
    const result = await withClient(pool, (client) =>
      kyselyOnClient<DB>({ client, begin })
        .transaction()
        .execute(async (tx) => {
          const last: (() => Promise<void>)[] = []
          effects.set(tx, waiting)
          lastWorks.set(tx, last)
          clients.set(tx, client)
          const answer = await work(tx)
          lastWorks.delete(tx)
          for (const one of last) await one()
          await atEnd?.(tx)
          return answer
        }),
    )
    for (const effect of waiting) await runEffect({ effect, log })
    return result
  }
  const ofTransaction: Pick<Database, 'copyIn' | 'beforeCommit' | 'afterCommit'> = {
    copyIn: (tx, copy) => {
      const client = clients.get(tx)
      if (client === undefined) throw new Error('copyIn needs the transaction that withScope or system handed out')
      return copyIn({ client, ...copy })
    },
    beforeCommit: (tx, work) => {
      const last = lastWorks.get(tx)
      if (last === undefined)
        throw new Error('beforeCommit needs the transaction that withScope or system handed out, while its work runs')
      last.push(work)
    },
    afterCommit: (tx, effect) => {
      const waiting = effects.get(tx)
      if (waiting === undefined)
        throw new Error('afterCommit needs the transaction that withScope or system handed out')
      waiting.push(effect)
    },
  }
  return { transact, ...ofTransaction }
}

/**
 * Opens three small pools; migrations must have run. Connections take their role (`saddle_app`, `saddle_system`) at the
 * start: those of `logins` are members of that role alone, so that nothing is gained by giving it up. Tools connect at
 * `url`, as a member of both.
 */
export function openDatabase(options: {
  url: string
  logins?: Logins | null
  log: Log
  appConnections?: number
  systemConnections?: number
  fileConnections?: number
  /** Whether `logins` lead through a pooler in transaction mode. */
  isPooled?: boolean
  /** A replica, and how long it may take to come as far as the primary is. */
  read?: { readonly url: string; readonly waitMs: number } | null
}): Database {
  const { url, logins = null, log, isPooled = false } = options
  const requests = { url: logins?.app ?? url, log, role: 'saddle_app', isPooled } as const
  const app = openPool({ ...requests, size: options.appConnections ?? 10 })
  const files = openPool({ ...requests, size: options.fileConnections ?? 8 })
  const isApart = new AsyncLocalStorage<true>()
  const own = (): pg.Pool => (isApart.getStore() === true ? files : app)
  const snapshots = createSnapshots()
  const background = { url: logins?.system ?? url, log, role: 'saddle_system', isPooled } as const
  const system = openPool({ ...background, size: options.systemConnections ?? 6 })
  const primary = (): Pools => ({ app: own(), system })
  const readDatabase = openReadDatabase(options, app)
  const compiler = compilingKysely<DB>()
  let closing: Promise<void> | null = null
  const { transact, ...ofTransaction } = createTransactions(log)
  const readOne = async <R>(role: keyof Pools, build: Build<R>, scope?: ScopeSettings): Promise<R[]> => {
    const query = typeof build === 'function' ? build(compiler) : build
    const isKept = !isPlannedAnew(query)
    const statement = { sql: query.sql, values: query.parameters, isKept, ...(scope === undefined ? {} : { scope }) }
    const snapshot = snapshots.running()
    if (snapshot !== null) {
      if (scope !== undefined) return (await snapshot.read({ ...statement, scope })).rows as R[]
      return await transactIn(snapshot, role, null, async (tx) => (await tx.executeQuery<R>(query)).rows)
    }
    const run = (client: pg.PoolClient) => runStatement({ client, ...statement })
    const wanted = readDatabase?.wanted() ?? null
    const read = wanted === null ? null : await readDatabase?.run(role, wanted, run)
    const { rows } = read?.result ?? (await withClient(primary()[role], run))
    return rows as R[]
  }

  const lookups = createLookups({
    withClient: (work) => withClient(app, work),
    alone: (lookup) => withClient(own(), (client) => runStatement({ client, ...lookup })),
  })

  /** A transaction of its own that sees what the running snapshot sees. */
  const transactIn = <T>(snapshot: Snapshot, role: keyof Pools, scope: Scope | null, work: (tx: Tx) => Promise<T>) => {
    const begin = `${beginSnapshot}; set transaction snapshot '${snapshot.id}'`
    return transact(snapshot.pools[role], scope === null ? begin : beginScoped(scope, begin), work)
  }

  const takeSnapshot = async <T>(work: () => Promise<T>): Promise<T> => {
    const wanted = readDatabase?.wanted() ?? null
    if (readDatabase !== null && wanted !== null) {
      const { pools } = readDatabase
      // What the work has written to its file cannot be taken back: it is not begun again elsewhere.
      const taken = await readDatabase.run('app', wanted, (client) => snapshots.run({ client, pools }, work), false)
      if (taken !== null) return taken.result
    }
    return withClient(own(), (client) => snapshots.run({ client, pools: primary() }, work))
  }

  return {
    withScope: async (scope, work) => {
      const snapshot = snapshots.running()
      if (snapshot !== null) return transactIn(snapshot, 'app', scope, work)
      return transact(own(), beginScoped(scope), work, (tx) => runningCall()?.beforeCommit?.(tx, scope))
    },
    read: async (scope, build) => readOne('app', build, scopeSettings(scope)),
    snapshot: (work) => (snapshots.running() === null ? takeSnapshot(work) : work()),
    fromReadDatabase: (work) =>
      readDatabase === null || readDatabase.wanted() !== null ? work() : readDatabase.within(work),
    readLagSeconds: async () => (await readDatabase?.lagSeconds()) ?? null,
    lookup: async <R>(scope: Scope, query: CompiledQuery<R>) => {
      const lookup = { sql: query.sql, values: query.parameters, scope: scopeSettings(scope) }
      const snapshot = snapshots.running()
      if (snapshot !== null) return (await snapshot.read(lookup)).rows as R[]
      // Statements that share a round trip each get the error of a broken connection.
      const { rows } = await lookups.run(lookup).catch((error: unknown) => {
        throw isLineFault(error) ? new DatabaseAwayError('the line to the database broke', { cause: error }) : error
      })
      return rows as R[]
    },
    system: (work) => transact(system, 'begin', work, (tx) => runningCall()?.beforeCommit?.(tx, null)),
    systemRead: (build) => readOne('system', build),
    ...ofTransaction,
    apart: (work) => isApart.run(true, work),
    ping: async () => {
      await withClient(app, (client) => client.query('select 1'))
    },
    close: () =>
      (closing ??= Promise.all([app.end(), files.end(), system.end(), readDatabase?.close()]).then(() => undefined)),
  }
}

/** Connections to the replica, as requests and background work have them to the primary, and never through a pooler. */
function openReadDatabase({ read, logins = null, log }: Parameters<typeof openDatabase>[0], primary: pg.Pool) {
  if (read === undefined || read === null) return null
  const { app, system } = loginsAt(read.url, logins)
  return createReadDatabase({
    pools: {
      app: openPool({ url: app, log, role: 'saddle_app', size: READ_CONNECTIONS, isPooled: false }),
      system: openPool({ url: system, log, role: 'saddle_system', size: 2, isPooled: false }),
    },
    log,
    waitMs: read.waitMs,
    withClient,
    place: () =>
      withClient(primary, async (client) => {
        const { rows } = await client.query<{ place: string }>('select pg_current_wal_lsn()::text as place')
        return rows[0]?.place ?? ''
      }),
  })
}

interface PoolOptions {
  readonly isPooled: boolean
  readonly url: string
  readonly log: Log
  readonly role: 'saddle_app' | 'saddle_system'
  readonly size: number
}

/** What every connection of a role has set. */
export function sessionSettings(role: 'saddle_app' | 'saddle_system'): [name: string, value: string][] {
  const timeoutMs = role === 'saddle_app' ? APP_STATEMENT_TIMEOUT_MS : SYSTEM_STATEMENT_TIMEOUT_MS
  return [
    ['role', role],
    ['statement_timeout', String(timeoutMs)],
    ['idle_in_transaction_session_timeout', String(IDLE_IN_TRANSACTION_TIMEOUT_MS)],
  ]
}

function openPool(options: PoolOptions): pg.Pool {
  const { role, log, isPooled } = options
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: role,
    // A pooler hands out sessions that others began: there the logins themselves have these settings.
    ...(!isPooled && {
      options: sessionSettings(role)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
    }),
    max: options.size,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    types: columnTypes,
  })
  // Without listeners a connection that breaks while idle or lent would end the process.
  pool.on('error', (err) => log.warn({ err, role }, 'an idle database connection broke'))
  if (isPooled) pool.on('connect', keepNoStatements)
  pool.on('connect', (client) => client.on('error', (err) => log.debug({ err, role }, 'a database connection broke')))
  return pool
}

async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await connect(pool)
  let isBroken = true
  try {
    const result = await work(client)
    isBroken = false
    return result
  } catch (error) {
    // An error that PostgreSQL or our own code raised leaves a good connection; one that is mid-transaction is thrown away.
    isBroken = !(await isIdle(client))
    throw isBroken && isLineFault(error)
      ? new DatabaseAwayError('the line to the database broke', { cause: error })
      : error
  } finally {
    client.release(isBroken)
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (cause) {
    throw new DatabaseAwayError('no connection to the database', { cause })
  }
}

/** Whether the connection still answers and is outside of any transaction. */
async function isIdle(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('select 1')
    return client.getTransactionStatus() === 'I'
  } catch {
    return false
  }
}

async function runEffect(options: { effect: () => void | Promise<void>; log: Log }): Promise<void> {
  try {
    await options.effect()
  } catch (err) {
    options.log.error({ err }, 'something that follows a commit failed')
  }
}
