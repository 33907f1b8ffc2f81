import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Log } from '../log.ts'

/** What one process of a cluster alone may do, with any fixed number that names its lock among the database's advisory locks. */
const lockNumbers = { jobs: 7_233_355, 'mqtt broker': 7_233_356 } as const
type Task = keyof typeof lockNumbers

const lookEveryMs = 1_000
/**
 * A leader whose database does not answer for so long stops leading. PostgreSQL frees the lock of a connection that it
 * cannot reach after 25 s, so that the next one begins later than that.
 */
const answerWithinMs = 5_000
/** A PostgreSQL that was started again has forgotten the lock: who held it has noticed after this time. */
const restartGraceMs = answerWithinMs + 2 * lookEveryMs
/** Its start seems to lie in the future after its clock was set back. */
const takeLock = (task: Task): string => `select case
    when clock_timestamp() between pg_postmaster_start_time() and pg_postmaster_start_time() + interval '${restartGraceMs} milliseconds'
    then false else pg_try_advisory_lock(${lockNumbers[task]}) end as held`

export interface LeadershipOptions {
  readonly url: string
  readonly log: Log
  readonly task: Task
  /** Begins what one process of the cluster alone may do; returns what ends it. */
  readonly lead: () => () => Promise<void>
}

/**
 * Asks to be the one process of several that does a task, until it is stopped: an advisory lock of the database says who
 * is. When that process ends or loses the database, another one takes over. Returns what ends it.
 */
export function seekLeadership({ url, ...options }: LeadershipOptions): () => Promise<void> {
  const stopped = new AbortController()
  const { signal } = stopped
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const client = await connect(url, options.task).catch(() => null)
      if (client !== null) await leadWith({ ...options, client, signal })
      await pause(signal)
    }
  }
  const running = run()
  return async () => {
    stopped.abort()
    await running
  }
}

async function leadWith(
  options: Omit<LeadershipOptions, 'url'> & { client: Client; signal: AbortSignal },
): Promise<void> {
  const { client, log, task, signal } = options
  let end: (() => Promise<void>) | null = null
  try {
    while (!signal.aborted) {
      const statement = end === null ? takeLock(task) : 'select true as held'
      const { rows } = await client.query<{ held: boolean }>(statement)
      if (end === null && rows[0]?.held === true) {
        log.info({ task }, 'this process leads now')
        end = begin(options)
      }
      await pause(signal)
    }
  } catch (err) {
    if (end !== null) log.warn({ err, task }, 'the lock is lost: another process may lead')
  }
  await end?.()
  // Its end frees the lock. One that does not answer is left to PostgreSQL.
  await Promise.race([client.end().catch(() => {}), sleep(answerWithinMs, undefined, { ref: false })])
}

function begin({ lead, log, task }: Pick<LeadershipOptions, 'lead' | 'log' | 'task'>): () => Promise<void> {
  try {
    return lead()
  } catch (err) {
    log.error({ err, task }, 'the task could not be begun')
    throw err
  }
}

const pause = (signal: AbortSignal): Promise<unknown> =>
  sleep(lookEveryMs, undefined, { ref: false, signal }).catch(() => null)

async function connect(url: string, task: Task): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: `saddle ${task}`,
    keepAlive: true,
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
    options: '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
  })
  // An error of this connection ends its next query.
  client.on('error', () => {})
  await client.connect()
  return client
}
