import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Log } from '../log.ts'
import type { BusLine } from './line.ts'

const channel = 'saddle_bus'
const reconnectMs = [100, 500, 1_000, 2_000] as const
/** A connection that does not answer within this time is given up. */
const answerWithinMs = 5_000

/**
 * Carries the bus by LISTEN and NOTIFY of the database that all processes share: nothing else is needed, and it serves some
 * processes. Each has one connection for both; when it breaks, it is made again, and what was sent meanwhile is missed.
 */
export async function openPostgresLine({ url, log }: { readonly url: string; readonly log: Log }): Promise<BusLine> {
  let client: Client | null = null
  let isClosed = false
  let receiver: Parameters<BusLine['listen']>[0] | null = null

  const lose = (lost: Client): void => {
    if (client !== lost) return
    client = null
    // It may never answer again: nobody waits for its end.
    lost.end().catch(() => {})
    if (!isClosed) void reopen()
  }
  const open = async (): Promise<void> => {
    const fresh = new Client({
      connectionString: url,
      application_name: 'saddle bus',
      keepAlive: true,
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
      options: '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3',
    })
    // An error of this connection is followed by 'end'.
    fresh.on('error', () => {})
    fresh.on('notification', ({ payload = '' }) => receiver?.onFrame(payload))
    await fresh.connect()
    await fresh.query(`listen ${channel}`)
    client = fresh
    fresh.once('end', () => lose(fresh))
  }
  const reopen = async (): Promise<void> => {
    log.warn('the connection of the bus broke')
    // eslint-disable-next-line no-unmodified-loop-condition -- close() sets it while this loop waits
    for (let attempt = 0; !isClosed; attempt += 1) {
      await sleep(reconnectMs[Math.min(attempt, reconnectMs.length - 1)], undefined, { ref: false })
      try {
        await open()
        receiver?.onGap()
        return
      } catch (err) {
        if (attempt === 0) log.warn({ err }, 'the bus cannot reach the database')
      }
    }
  }
  await open()
  return {
    async send(frames) {
      if (client === null) throw new Error('the bus has no connection to the database')
      const connection = client
      try {
        await connection.query(`select pg_notify('${channel}', f) from unnest($1::text[]) f`, [frames])
      } catch (error) {
        lose(connection)
        throw error
      }
    },
    listen(given) {
      receiver = given
      return Promise.resolve()
    },
    async close() {
      isClosed = true
      await client?.end().catch(() => {})
    },
  }
}
