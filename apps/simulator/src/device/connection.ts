import { connect, type Socket } from 'node:net'
import type { Random } from '#sim/random.ts'
import type { DeviceLine } from './device.ts'

export type DeviceConnection = {
  /** Connects when due and sends the device's messages. Call it a few times a second. */
  tick(nowMs: number): void
  readonly online: boolean
  /** A connection is open, opening or closing. */
  readonly busy: boolean
  /** Closes the connection; the device reconnects after this time. */
  drop(forMs?: number): void
  /** Keeps the device disconnected, or allows it to reconnect. */
  hold(isHeld: boolean): void
  close(): void
}

const firstRetryMs = 500
const longestRetryMs = 8_000
const connectTimeoutMs = 10_000
/** A connection this long counts as successful; after a shorter one the next attempt waits longer. */
const goodLineMs = 10_000
/** More than this unsent in the socket means that the platform does not read; messages then wait in the device. */
const socketBacklogBytes = 32 * 1024
const messagesPerTick = 50

/** The device's connection to the platform: one TCP socket at a time, with growing pauses between failed attempts. */
export function createDeviceConnection({
  line,
  host,
  port,
  random,
}: {
  line: DeviceLine
  host: string
  port: number
  random: Random
}): DeviceConnection {
  let socket: Socket | null = null
  let online = false
  let closed = false
  let failures = 0
  let nextTryMs = 0
  let openedMs = 0
  let nowMs = 0
  let held = false
  let awayUntilMs = 0

  const lost = (ended: Socket) => {
    if (socket !== ended) return
    socket = null
    if (online) line.disconnected()
    failures = online && nowMs - openedMs >= goodLineMs ? 0 : Math.min(failures + 1, 10)
    online = false
    const pauseMs = Math.min(longestRetryMs, firstRetryMs * 2 ** failures)
    nextTryMs = nowMs + pauseMs * random.between(0.5, 1)
  }

  const open = () => {
    const mine = connect({ host, port, noDelay: true })
    socket = mine
    mine.setTimeout(connectTimeoutMs, () => mine.destroy())
    mine.on('connect', () => {
      mine.setTimeout(0)
      online = true
      openedMs = nowMs
      line.connected(nowMs)
      flush()
    })
    mine.on('data', (chunk) => {
      line.receive(chunk, nowMs)
      flush()
    })
    // The reason is in the platform's log; the device only sees the closed connection.
    mine.on('error', () => mine.destroy())
    mine.on('close', () => lost(mine))
  }

  const flush = () => {
    if (!socket?.writable || !online || socket.writableLength > socketBacklogBytes) return
    const messages = line.take(messagesPerTick)
    if (messages.length > 1) socket.cork()
    for (const message of messages) socket.write(message)
    if (messages.length > 1) socket.uncork()
    const awayMs = line.takeLeave()
    if (awayMs === null) return
    socket.end()
    awayUntilMs = nowMs + awayMs
  }

  return {
    tick(now) {
      nowMs = now
      if (closed) return
      line.tick(now)
      if (!socket && !held && now >= nextTryMs && now >= awayUntilMs) open()
      flush()
    },
    get online() {
      return online
    },
    get busy() {
      return socket !== null
    },
    drop(forMs = 0) {
      awayUntilMs = nowMs + forMs
      socket?.destroy()
    },
    hold(isHeld) {
      held = isHeld
      if (held) socket?.destroy()
    },
    close() {
      closed = true
      socket?.destroy()
    },
  }
}
