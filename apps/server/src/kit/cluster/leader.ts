import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { lockNumbers } from '../db/lockNumbers.ts'
import type { Log } from '../log.ts'

/** What one process of a cluster alone may do. */
type Task = Extract<keyof typeof lockNumbers, 'jobs' | 'mqttBroker'>

const lookEveryMs = 1_000
/** A leader whose database does not answer for so long stops leading. */
const answerWithinMs = 5_000
/**
 * Who takes the lock begins so much later: a leader whose connection broke, or whose PostgreSQL was started again and has forgotten the
 * lock, has noticed by then.
 */
const usualGraceMs = answerWithinMs + 2 * lookEveryMs

export interface LeadershipOptions {
  readonly url: string
  readonly log: Log
  readonly task: Task
  /** From taking the lock to the beginning; longer than a leader needs to notice that it has lost the lock. */
  readonly graceMs?: number
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
  const { client, log, task, signal, graceMs = usualGraceMs } = options
  const takeLock = `select pg_try_advisory_lock(${lockNumbers[task]}) as held`
  let heldSince: number | null = null
  let end: (() => Promise<void>) | null = null
  try {
    while (!signal.aborted) {
      const { rows } = await client.query<{ held: boolean }>(heldSince === null ? takeLock : 'select true as held')
      if (rows[0]?.held === true) heldSince ??= performance.now()
      if (end === null && heldSince !== null && performance.now() - heldSince >= graceMs) {
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
