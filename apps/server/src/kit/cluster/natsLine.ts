import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { BusLine } from './line.ts'
import { openNatsConnection, type NatsConnection } from './natsConnection.ts'

const reconnectMs = [100, 500, 1_000, 2_000] as const

/** The subject of one installation: others on the same NATS servers have another master secret, and so another subject. */
export const busSubject = ({ secret = '' }: Pick<Config, 'secret'>): string =>
  `saddle.bus.${createHash('sha256').update(`saddle bus ${secret}`).digest('hex').slice(0, 16)}`

export interface NatsLineOptions {
  /** Any of them will do: they pass messages on to each other. */
  readonly servers: readonly URL[]
  readonly subject: string
  readonly log: Log
}

/**
 * Carries the bus over core NATS, for many processes. Nothing is kept there: what is sent while a connection is broken is missed,
 * and told as a gap. The connection goes on with the next server of the list when one ends.
 */
export async function openNatsLine({ servers, subject, log }: NatsLineOptions): Promise<BusLine> {
  let connection: NatsConnection | null = null
  let receiver: Parameters<BusLine['listen']>[0] | null = null
  let isClosed = false
  let turn = 0

  const open = async (): Promise<void> => {
    const server = servers[turn % servers.length]
    turn += 1
    if (server === undefined) throw new Error('NATS_URL names no server')
    const fresh = await openNatsConnection({
      server,
      subject,
      onPayload: (payload) => receiver?.onFrame(payload),
      onEnd: (err) => {
        if (isClosed || connection === null) return
        connection = null
        log.warn({ err, server: server.host }, 'the connection of the bus broke')
        void reopen()
      },
    })
    if (isClosed) fresh.close()
    else connection = fresh
  }
  const reopen = async (): Promise<void> => {
    // eslint-disable-next-line no-unmodified-loop-condition -- close() sets it while this loop waits
    for (let attempt = 0; !isClosed; attempt += 1) {
      await sleep(reconnectMs[Math.min(attempt, reconnectMs.length - 1)], undefined, { ref: false })
      try {
        await open()
        receiver?.onGap()
        return
      } catch (err) {
        if (attempt === 0) log.warn({ err }, 'the bus cannot reach NATS')
      }
    }
  }
  await openAny(servers.length, open)
  return {
    send: async (frames) => {
      if (connection === null) throw new Error('the bus has no connection to NATS')
      await connection.publish(frames)
    },
    listen: (given) => {
      receiver = given
      return Promise.resolve()
    },
    close: async () => {
      isClosed = true
      connection?.close()
      await Promise.resolve()
    },
  }
}

/** Tries each server once; the failure of the last one is told. */
async function openAny(count: number, open: () => Promise<void>): Promise<void> {
  for (let left = count; ; left -= 1) {
    try {
      await open()
      return
    } catch (error) {
      if (left <= 1) throw error
    }
  }
}
