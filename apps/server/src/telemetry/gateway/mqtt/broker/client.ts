import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { generate, parser as createParser, type IPublishPacket, type ISubackPacket, type Packet } from 'mqtt-packet'
import type { Kit } from '#kit/kit.ts'

export type Delivery = {
  readonly topic: string
  readonly payload: Uint8Array
  readonly qos: 0 | 1
  /** Tells the broker that it may forget the message; without effect once the connection has gone. */
  readonly acknowledge: () => void
}

export type BrokerClient = {
  /** Publishes a message with QoS 1; one that the broker has not acknowledged is sent again after a reconnect. */
  publish(message: { topic: string; payload: Uint8Array; retain: boolean }): void
  isConnected(): boolean
  /** Stops reading from the broker, or resumes. */
  pause(): void
  resume(): void
  /** Disconnects. The broker keeps the messages that were not acknowledged. */
  close(): Promise<void>
}

const keepAliveS = 30
const connectTimeoutMs = 15_000
const firstRetryMs = 1_000
const longestRetryMs = 30_000
/** Messages that the broker has not acknowledged; beyond this number the oldest are dropped and their commands expire. */
const maxUntaken = 1_000
const maxMessageId = 65_535
/** Of a subscription. */
const refused = 0x80
const closeWithinMs = 2_000

type Options = {
  readonly kit: Pick<Kit, 'log'>
  readonly url: string
  readonly clientId: string
  readonly subscriptions: readonly string[]
  readonly onMessage: (delivery: Delivery) => void
  readonly retryMs?: number | undefined
}

type Untaken = { readonly topic: string; readonly payload: Uint8Array; readonly retain: boolean }

type Client = Options & {
  readonly untaken: Map<number, Untaken>
  lastId: number
  socket: Socket | null
  isIn: boolean
  isPaused: boolean
  isClosed: boolean
  readonly retryMs: number
  nextRetryMs: number
  timer: NodeJS.Timeout | null
}

/**
 * The platform as one client of an external MQTT broker (3.1.1, which all brokers support), with a persistent session. A
 * message is acknowledged after it was stored, not when it arrives, and many may be unacknowledged at once; client
 * libraries that acknowledge one message after the other do not allow that.
 */
export function createBrokerClient(options: Options): BrokerClient {
  const client: Client = {
    ...options,
    untaken: new Map(),
    lastId: 0,
    socket: null,
    isIn: false,
    isPaused: false,
    isClosed: false,
    retryMs: options.retryMs ?? firstRetryMs,
    nextRetryMs: options.retryMs ?? firstRetryMs,
    timer: null,
  }
  open(client)
  return {
    publish(message) {
      const messageId = nextId(client)
      const oldest = client.untaken.keys().next().value
      if (client.untaken.size >= maxUntaken && oldest !== undefined) client.untaken.delete(oldest)
      client.untaken.set(messageId, message)
      if (client.isIn) sendUntaken(client, messageId, { ...message, dup: false })
    },
    isConnected: () => client.isIn,
    pause() {
      client.isPaused = true
      client.socket?.pause()
    },
    resume() {
      client.isPaused = false
      client.socket?.resume()
    },
    async close() {
      client.isClosed = true
      if (client.timer !== null) clearTimeout(client.timer)
      const { socket } = client
      if (socket === null) return
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      if (client.isIn) socket.end(generate({ cmd: 'disconnect' }))
      else socket.destroy()
      const cut = setTimeout(() => socket.destroy(), closeWithinMs)
      socket.resume()
      await closed
      clearTimeout(cut)
    },
  }
}

function nextId(client: Client): number {
  client.lastId = (client.lastId % maxMessageId) + 1
  return client.lastId
}

function open(client: Client): void {
  const address = new URL(client.url)
  const isTls = address.protocol === 'mqtts:'
  const host = address.hostname.replace(/^\[|\]$/g, '')
  const target = { host, port: Number(address.port || (isTls ? 8883 : 1883)), noDelay: true }
  const socket = isTls ? connectTls({ ...target, servername: host }) : connectTcp(target)
  const { log } = client.kit
  client.socket = socket
  const parser = createParser({ protocolVersion: 4 })
  let heardAt = performance.now()
  const beat = setInterval(
    () => {
      // A dead connection is noticed by a missing answer to a ping.
      const silentMs = performance.now() - heardAt
      if (silentMs > (client.isIn ? keepAliveS * 1_500 : connectTimeoutMs) && !client.isPaused) socket.destroy()
      else if (client.isIn) send(socket, { cmd: 'pingreq' })
    },
    (keepAliveS * 1_000) / 3,
  )
  beat.unref()
  socket.once(isTls ? 'secureConnect' : 'connect', () => {
    const credentials =
      address.username === ''
        ? {}
        : {
            username: decodeURIComponent(address.username),
            password: Buffer.from(decodeURIComponent(address.password)),
          }
    const { clientId } = client
    send(socket, {
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: false,
      clientId,
      keepalive: keepAliveS,
      ...credentials,
    })
  })
  parser.on('packet', (packet) => onPacket(client, socket, packet))
  parser.on('error', (err) => {
    log.warn({ err }, 'the MQTT broker says what is no MQTT')
    socket.destroy()
  })
  socket.on('data', (chunk) => {
    heardAt = performance.now()
    try {
      parser.parse(chunk)
    } catch (err) {
      log.error({ err }, 'a message of the MQTT broker could not be read')
      socket.destroy()
    }
  })
  socket.on('error', (err) => log.debug({ err }, 'the connection to the MQTT broker broke'))
  socket.on('close', () => {
    clearInterval(beat)
    const wasIn = client.isIn
    client.isIn = false
    client.socket = null
    if (client.isClosed) return
    if (wasIn) client.nextRetryMs = client.retryMs
    log.warn({ host, againInMs: client.nextRetryMs }, 'no connection to the MQTT broker')
    client.timer = setTimeout(() => open(client), client.nextRetryMs)
    client.nextRetryMs = Math.min(longestRetryMs, client.nextRetryMs * 2)
  })
}

function onPacket(client: Client, socket: Socket, packet: Packet): void {
  if (packet.cmd === 'connack') onWelcome(client, socket, packet.returnCode ?? 0)
  else if (packet.cmd === 'suback') onSubscribed(client, socket, packet.granted)
  else if (packet.cmd === 'puback') client.untaken.delete(packet.messageId ?? 0)
  else if (packet.cmd === 'publish') onPublish(client, socket, packet)
}

function onWelcome(client: Client, socket: Socket, code: number): void {
  if (code !== 0) {
    client.kit.log.warn({ code }, 'the MQTT broker refuses the platform')
    socket.destroy()
    return
  }
  const subscriptions = client.subscriptions.map((topic) => ({ topic, qos: 1 as const }))
  send(socket, { cmd: 'subscribe', messageId: nextId(client), subscriptions })
}

function onSubscribed(client: Client, socket: Socket, granted: ISubackPacket['granted']): void {
  if (granted.some((code) => code === refused)) {
    client.kit.log.warn('the MQTT broker does not let the platform hear its vehicles')
    socket.destroy()
    return
  }
  client.isIn = true
  client.kit.log.info('connected to the MQTT broker')
  for (const [messageId, message] of client.untaken) sendUntaken(client, messageId, { ...message, dup: true })
}

function onPublish(client: Client, socket: Socket, { topic, payload, qos, messageId }: IPublishPacket): void {
  const acknowledge = qos === 0 || messageId === undefined ? () => {} : () => send(socket, { cmd: 'puback', messageId })
  client.onMessage({ topic, payload: payload as Buffer, qos: qos === 0 ? 0 : 1, acknowledge })
}

function sendUntaken(client: Client, messageId: number, message: Untaken & { dup: boolean }): void {
  const { topic, retain, dup } = message
  const payload = Buffer.from(message.payload)
  if (client.socket !== null) send(client.socket, { cmd: 'publish', qos: 1, messageId, topic, payload, retain, dup })
}

function send(socket: Socket, packet: Packet): void {
  if (socket.writable) socket.write(generate(packet, { protocolVersion: 4 }))
}
