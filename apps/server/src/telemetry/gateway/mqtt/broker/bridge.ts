import { duplexPair, type Duplex } from 'node:stream'
import { generate, parser as createParser, type Packet } from 'mqtt-packet'
import { mqttSubscriptions, parseMqttTopic } from '@saddle/device-protocols/mqtt/topics.ts'
import { ProtocolError } from '@saddle/device-protocols/error.ts'
import type { Kit } from '#kit/kit.ts'
import type { TelemetryMetrics } from '#telemetry/metrics.ts'
import type { Transport } from '#telemetry/gateway/connection.ts'
import { createBrokerClient, type BrokerClient, type Delivery } from './client.ts'

/** The topics of all vehicles. */
const heard = ['saddle/v1/+/up/#']
/** Fixed: the broker queues messages for this client id while the platform is away. One gateway at a time uses a broker. */
const clientId = 'saddle-gateway'
/** A message whose session broke is given to the next session; at most this often. */
const maxTries = 3
const retryMs = 1_000
const maxMessageId = 65_535
const maxConfigs = 200_000

type Pending = { readonly delivery: Delivery; readonly tries: number }

/** The bridge's end of the stream that it opens for a device: it writes what the device has published. */
type DeviceLine = {
  readonly imei: string
  readonly near: Duplex
  readonly pending: Map<number, Pending>
  lastId: number
  isRefused: boolean
}

type Bridge = {
  readonly deps: BridgeDeps
  readonly client: BrokerClient
  readonly lines: Map<string, DeviceLine>
  /** The latest configuration that the broker retains for each device, as far as this process gave it. */
  readonly configs: Map<string, string>
  readonly full: Set<DeviceLine>
  isClosed: boolean
}

export type BridgeDeps = {
  readonly kit: Pick<Kit, 'log'>
  readonly url: string
  readonly metrics: TelemetryMetrics
  /** Starts a session on the other end of the stream, as if the device had connected to the gateway's own listener. */
  readonly adopt: (line: Transport) => void
  readonly retryMs?: number | undefined
}

export type BrokerBridge = {
  isConnected(): boolean
  /** Reads no more. */
  hold(): void
  /** Resolves once the sessions have ended. */
  close(): Promise<void>
  /** Ends the sessions too: what they have not acknowledged stays with the broker. */
  abandon(): Promise<void>
}

/**
 * Connects vehicles that use an external MQTT broker instead of the gateway's listener: each gets a stream to a session of
 * the gateway, so that the same rules apply, above all the acknowledgement after the commit. The broker has to make sure
 * that a device uses only the topics of its own IMEI.
 */
export function createBrokerBridge(deps: BridgeDeps): BrokerBridge {
  const client = createBrokerClient({
    kit: deps.kit,
    url: deps.url,
    clientId,
    subscriptions: heard,
    retryMs: deps.retryMs,
    onMessage: (delivery) => onMessage(bridge, { delivery, tries: 1 }),
  })
  const bridge: Bridge = { deps, client, lines: new Map(), configs: new Map(), full: new Set(), isClosed: false }
  const close = async (): Promise<void> => {
    bridge.isClosed = true
    // The last acknowledgements are still in the streams.
    while (bridge.lines.size > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await client.close()
  }
  return {
    isConnected: () => client.isConnected(),
    hold() {
      bridge.isClosed = true
      client.pause()
    },
    close,
    abandon() {
      bridge.isClosed = true
      client.pause()
      for (const { near } of bridge.lines.values()) near.destroy()
      return close()
    },
  }
}

function onMessage(bridge: Bridge, pending: Pending): void {
  if (bridge.isClosed) return
  const { delivery } = pending
  const imei = imeiOf(delivery.topic)
  if (imei === null) {
    bridge.deps.metrics.malformed.inc({ protocol: 'mqtt', fault: 'topic' })
    delivery.acknowledge()
    return
  }
  const line = bridge.lines.get(imei) ?? openLine(bridge, imei)
  const { topic, payload, qos } = delivery
  line.lastId = (line.lastId % maxMessageId) + 1
  if (qos === 1) line.pending.set(line.lastId, pending)
  say(bridge, line, {
    cmd: 'publish',
    topic,
    payload: payload as Buffer,
    qos,
    messageId: line.lastId,
    dup: false,
    retain: false,
  })
}

function imeiOf(topic: string): string | null {
  try {
    return parseMqttTopic(topic).deviceId
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return null
  }
}

function openLine(bridge: Bridge, imei: string): DeviceLine {
  const [near, far] = duplexPair()
  const line: DeviceLine = { imei, near, pending: new Map(), lastId: 0, isRefused: false }
  bridge.lines.set(imei, line)
  const parser = createParser({ protocolVersion: 4 })
  parser.on('packet', (packet) => onAnswer(bridge, line, packet))
  near.on('data', (chunk: Buffer) => parser.parse(chunk))
  near.on('drain', () => {
    bridge.full.delete(line)
    if (bridge.full.size === 0 && !bridge.isClosed) bridge.client.resume()
  })
  near.on('error', () => {})
  far.on('error', () => {})
  // When one end closes, the other one closes too, after it has read what is left.
  near.on('end', () => near.destroy())
  near.on('close', () => {
    far.destroy()
    onClosed(bridge, line)
  })
  far.on('close', () => near.destroy())
  bridge.deps.adopt(lineOf(far, bridge.deps.url))
  say(bridge, line, {
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    clientId: imei,
    keepalive: 0,
    username: imei,
  })
  const subscriptions = mqttSubscriptions(imei).map((topic) => ({ topic, qos: 1 as const }))
  say(bridge, line, { cmd: 'subscribe', messageId: maxMessageId, subscriptions })
  return line
}

/** A stream that has what a session needs of a socket. */
function lineOf(far: Duplex, url: string): Transport {
  return Object.assign(far, {
    remoteAddress: new URL(url).hostname,
    isAuthenticated: true,
    destroySoon() {
      if (far.writableFinished) far.destroy()
      else far.end(() => far.destroy())
    },
  })
}

function say(bridge: Bridge, line: DeviceLine, packet: Packet): void {
  if (line.near.destroyed) return
  if (line.near.write(generate(packet, { protocolVersion: 4 })) || bridge.isClosed) return
  // The session reads no more, so the platform stops reading from the broker.
  bridge.full.add(line)
  bridge.client.pause()
}

function onAnswer(bridge: Bridge, line: DeviceLine, packet: Packet): void {
  if (packet.cmd === 'connack') {
    line.isRefused = (packet.returnCode ?? 0) !== 0
  } else if (packet.cmd === 'puback') {
    const messageId = packet.messageId ?? 0
    line.pending.get(messageId)?.delivery.acknowledge()
    line.pending.delete(messageId)
  } else if (packet.cmd === 'publish') {
    // The broker's acknowledgement is not the device's: only the device's own answer confirms the command.
    handOn(bridge, line, { topic: packet.topic, payload: packet.payload as Buffer, retain: packet.retain })
  }
}

/** Publishes a configuration, unless the broker retains it already. */
function handOn(
  bridge: Bridge,
  { imei }: DeviceLine,
  message: { topic: string; payload: Buffer; retain: boolean },
): void {
  if (message.retain) {
    const text = message.payload.toString('base64')
    if (bridge.configs.get(imei) === text) return
    const oldest = bridge.configs.keys().next().value
    if (bridge.configs.size >= maxConfigs && oldest !== undefined) bridge.configs.delete(oldest)
    bridge.configs.set(imei, text)
  }
  bridge.client.publish(message)
}

function onClosed(bridge: Bridge, line: DeviceLine): void {
  if (bridge.lines.get(line.imei) === line) bridge.lines.delete(line.imei)
  bridge.full.delete(line)
  if (bridge.isClosed) return
  if (bridge.full.size === 0) bridge.client.resume()
  const again: Pending[] = []
  for (const { delivery, tries } of line.pending.values()) {
    // Messages of an unknown device are never trusted; it is held for review.
    if (line.isRefused) delivery.acknowledge()
    else if (tries < maxTries) again.push({ delivery, tries: tries + 1 })
    else {
      bridge.deps.kit.log.error({ imei: line.imei }, 'a message of the broker could not be taken in')
      delivery.acknowledge()
    }
  }
  if (again.length === 0) return
  setTimeout(() => {
    for (const pending of again) onMessage(bridge, pending)
  }, retryMs).unref()
}
