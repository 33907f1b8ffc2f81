import type { KeyObject } from 'node:crypto'
import { ProtocolError } from '@saddle/device-protocols/error.ts'
import {
  decodeMqttCommand,
  encodeMqttToPlatform,
  mqttLastWill,
  mqttSubscriptions,
  type MqttCommandOf,
  type MqttConfig,
  type MqttPublication,
  type MqttReported,
} from '@saddle/device-protocols/mqtt/codec.ts'
import { generate, parser, type IPublishPacket, type Packet, type Parser } from 'mqtt-packet'
import type { Random } from '#sim/random.ts'
import { demoTiming, restartMs, switchedOffMs, type Device, type DeviceTiming } from './device.ts'
import { createFlasher, type Flasher } from './flasher.ts'
import { createReporter, type Reporter, type QueuedReport } from './reporter.ts'
import { noTroubles, type Troubles } from './troubles.ts'
import { obeyLock, type VehicleBody } from './vehicle-body.ts'

const keepAliveS = 300
const batchMax = 32
const messagesPerTake = 6
const rememberedCommands = 32

function reportedOf(imei: string, report: QueuedReport): MqttReported {
  const { lat, lng, fix, speedKmh, headingDeg, batteryPercent, voltageV, locked, signal, odometerM, alarms } = report
  const moving = speedKmh > 0 ? { speedKmh, headingDeg } : { speedKmh: 0 }
  return {
    seq: report.seq,
    satellites: report.satellites,
    report: {
      deviceId: imei,
      occurredAt: report.atMs,
      position: { lat, lng, fix, ...moving },
      batteryPercent,
      voltageV,
      locked,
      charging: false,
      signal,
      odometerM,
      ...(alarms.length > 0 ? { alarms } : {}),
    },
  }
}

type Outcome = { state: 'done' | 'failed'; reason?: string }

type Client = {
  readonly imei: string
  readonly password: string
  readonly model: string
  readonly version: 4 | 5
  readonly body: VehicleBody
  readonly troubles: Troubles
  readonly flasher: Flasher
  readonly download: Download
  readonly reporter: Reporter
  reader: Parser
  out: Uint8Array[]
  isIn: boolean
  lastId: number
  spokeMs: number
  nowMs: number
  leave: number | null
  configVersion: number
  /** Results of recent commands. */
  readonly done: Map<string, Outcome>
  /** The upgrade that is fetched; the latest address counts. */
  upgrade: Upgrade | null
}

function send(c: Client, packet: Packet): void {
  c.spokeMs = c.nowMs
  c.out.push(generate(packet, { protocolVersion: c.version }))
}

function nextId(c: Client): number {
  c.lastId = (c.lastId % 65_535) + 1
  return c.lastId
}

function publish(c: Client, { topic, payload, qos, retain }: MqttPublication): number {
  const messageId = nextId(c)
  send(c, { cmd: 'publish', topic, payload, qos, retain, dup: false, messageId })
  return messageId
}

function knock(c: Client): void {
  const { imei: deviceId, version } = c
  const { topic, payload, qos, retain } = mqttLastWill({ deviceId, at: c.nowMs })
  send(c, {
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: version,
    clean: false,
    clientId: deviceId,
    keepalive: keepAliveS,
    username: deviceId,
    password: Buffer.from(c.password),
    will: { topic, payload, qos, retain },
    ...(version === 5 ? { properties: { sessionExpiryInterval: 86_400 } } : {}),
  })
}

/** Publishes its model and its configuration version. */
function hello(c: Client): void {
  const { imei: deviceId, model, nowMs: at, configVersion } = c
  const known = configVersion > 0 ? { configVersion } : {}
  publish(c, encodeMqttToPlatform({ deviceId, message: 'hello', at, model, firmware: c.flasher.version, ...known }))
}

function enter(c: Client): void {
  const { imei: deviceId, nowMs } = c
  c.isIn = true
  const subscriptions = mqttSubscriptions(deviceId).map((topic) => ({ topic, qos: 1 as const }))
  send(c, { cmd: 'subscribe', messageId: nextId(c), subscriptions })
  hello(c)
  c.reporter.say(nowMs)
}

function carryOut(c: Client, command: MqttCommandOf<'command'>): Outcome {
  const { body, troubles, nowMs } = c
  if (command.expiresAt < nowMs) return { state: 'failed', reason: 'expired' }
  switch (command.command) {
    case 'unlock':
    case 'lock': {
      const outcome = obeyLock({ body, lock: command.command === 'lock', troubles, nowMs })
      return outcome === 'done' ? { state: 'done' } : { state: 'failed', reason: outcome }
    }
    case 'locate':
      c.reporter.say(nowMs)
      return { state: 'done' }
    case 'version':
      hello(c)
      return { state: 'done' }
    case 'ring':
    case 'open_compartment':
      return { state: 'done' }
    case 'power_off':
    case 'restart':
      c.leave = command.command === 'restart' ? restartMs : switchedOffMs
      return { state: 'done' }
  }
  return { state: 'failed', reason: 'unsupported' }
}

function configure(c: Client, config: MqttConfig | null): void {
  if (config === null || config.version < c.configVersion) return
  c.configVersion = config.version
  if (config.reportRidingS) c.reporter.setTiming({ trackingMs: config.reportRidingS * 1000 })
  if (config.reportIdleS) c.reporter.setTiming({ parkedPositionMs: config.reportIdleS * 1000 })
}

function obey(c: Client, topic: string, payload: Buffer): void {
  const message = decodeMqttCommand({ topic, payload })
  if (message.deviceId !== c.imei) return
  if (message.message === 'config') {
    configure(c, message.config)
    hello(c)
    return
  }
  const { id } = message
  if (message.command === 'upgrade' && !c.done.has(id)) return beginUpgrade(c, message)
  // A command that comes twice is carried out once.
  const outcome = c.done.get(id) ?? carryOut(c, message)
  c.done.set(id, outcome)
  const oldest = c.done.keys().next().value
  if (c.done.size > rememberedCommands && oldest !== undefined) c.done.delete(oldest)
  publish(c, encodeMqttToPlatform({ deviceId: c.imei, message: 'ack', id, at: c.nowMs, ...outcome }))
}

/** What a device runs that was never upgraded. */
const mqttFirmware = 'SD-M-3.2.1'

type Manifest = { url: string; size: number; sha256: string; signature: string; minBattery: number }
type Upgrade = { readonly id: string; manifest: Manifest; isFetching: boolean; retryAtMs: number }

/** Fetches bytes of an address, both ends included; null where the platform gives none. */
export type Download = (url: string, from: number, to: number) => Promise<Buffer | null>

const rangeBytes = 16_384
const fetchAgainMs = 10_000
const fetchWithinMs = 15_000

const downloadRange: Download = async (url, from, to) => {
  const signal = AbortSignal.timeout(fetchWithinMs)
  const answer = await fetch(url, { headers: { range: `bytes=${from}-${to}` }, signal })
  return answer.status === 206 ? Buffer.from(await answer.arrayBuffer()) : null
}

function beginUpgrade(c: Client, { id, fields = {} }: MqttCommandOf<'command'>): void {
  const { url, size, sha256, signature, minBattery } = fields
  const isWhole = typeof url === 'string' && typeof size === 'number' && typeof sha256 === 'string'
  if (!isWhole || typeof signature !== 'string' || typeof minBattery !== 'number') {
    return answerUpgrade(c, id, { state: 'failed', reason: 'digest' })
  }
  const manifest = { url, size, sha256, signature, minBattery }
  if (c.body.batteryPercent < minBattery) return answerUpgrade(c, id, { state: 'failed', reason: 'battery' })
  publish(c, encodeMqttToPlatform({ deviceId: c.imei, message: 'ack', id, at: c.nowMs, state: 'received' }))
  c.flasher.begin({ mark: sha256, total: Math.ceil(size / rangeBytes) })
  if (c.upgrade?.id === id) {
    c.upgrade.manifest = manifest
    c.upgrade.retryAtMs = 0
  } else c.upgrade = { id, manifest, isFetching: false, retryAtMs: 0 }
  return fetchNext(c)
}

function answerUpgrade(c: Client, id: string, outcome: Outcome): void {
  c.upgrade = null
  c.done.set(id, outcome)
  if (c.isIn) publish(c, encodeMqttToPlatform({ deviceId: c.imei, message: 'ack', id, at: c.nowMs, ...outcome }))
}

/** Fetches the next range that is missing, one at a time, while the device has a line. */
function fetchNext(c: Client): void {
  const { upgrade: own, flasher } = c
  if (own === null || own.isFetching || !c.isIn || c.nowMs < own.retryAtMs) return
  const index = flasher.missing()
  if (index === null) {
    const content = flasher.whole()
    if (content === null) return
    const { sha256, signature, minBattery } = own.manifest
    const outcome = flasher.install({ content, sha256, signature: Buffer.from(signature, 'base64'), minBattery })
    return answerUpgrade(c, own.id, outcome === 'done' ? { state: 'done' } : { state: 'failed', reason: outcome })
  }
  own.isFetching = true
  const from = index * rangeBytes
  const to = Math.min(own.manifest.size, from + rangeBytes) - 1
  const ended = (bytes: Buffer | null): void => {
    own.isFetching = false
    // A short or refused answer is asked for again later.
    if (bytes?.length !== to - from + 1) own.retryAtMs = c.nowMs + fetchAgainMs
    else flasher.put(index, bytes)
  }
  c.download(own.manifest.url, from, to).then(ended, () => ended(null))
}

function onPublished(c: Client, packet: IPublishPacket): void {
  if (packet.qos > 0) send(c, { cmd: 'puback', messageId: packet.messageId ?? 0 })
  try {
    obey(c, packet.topic, packet.payload as Buffer)
  } catch (error) {
    // A real device does not answer what it does not understand.
    if (!(error instanceof ProtocolError)) throw error
  }
}

function onPacket(c: Client, packet: Packet): void {
  if (packet.cmd === 'publish') return onPublished(c, packet)
  if (packet.cmd === 'puback') return c.reporter.acknowledged(packet.messageId ?? 0)
  if (packet.cmd === 'disconnect') c.leave = restartMs
  if (packet.cmd !== 'connack') return
  if ((packet.returnCode ?? packet.reasonCode ?? 0) === 0) enter(c)
  else c.leave = restartMs
}

type MqttDeviceOptions = {
  imei: string
  password: string
  model: string
  version: 4 | 5
  body: VehicleBody
  random: Random
  timing?: DeviceTiming
  startMs: number
  firmware?: string | undefined
  artefactKey?: KeyObject | null | undefined
  download?: Download | undefined
}

/** A device of our own MQTT scheme without its socket, by version 3.1.1 or 5. */
export function createMqttDevice({
  imei,
  password,
  model,
  version,
  body,
  random,
  timing = demoTiming,
  startMs,
  firmware = mqttFirmware,
  artefactKey = null,
  download = downloadRange,
}: MqttDeviceOptions): Device {
  const troubles = noTroubles()
  const flasher = createFlasher({ version: firmware, key: artefactKey, body, troubles, random })
  const c: Client = {
    imei,
    password,
    model,
    version,
    body,
    troubles,
    flasher,
    download,
    reporter: createReporter({ body, troubles, random, timing, startMs }),
    reader: parser({ protocolVersion: version }),
    out: [],
    isIn: false,
    lastId: 0,
    spokeMs: startMs,
    nowMs: startMs,
    leave: null,
    configVersion: 0,
    done: new Map(),
    upgrade: null,
  }
  return {
    imei,
    body,
    troubles,
    flasher,
    alarm: (name, nowMs) => c.reporter.say(nowMs, [name]),
    report: (nowMs) => c.reporter.say(nowMs),
    connected(nowMs) {
      flasher.started()
      c.nowMs = nowMs
      c.out = []
      c.reader = parser({ protocolVersion: version })
      c.reader.on('packet', (packet) => onPacket(c, packet))
      // This is not MQTT: the parser starts again with a new connection.
      c.reader.on('error', () => (c.leave = restartMs))
      knock(c)
    },
    disconnected() {
      c.isIn = false
      c.out = []
      c.reporter.again()
    },
    receive(chunk, nowMs) {
      c.nowMs = nowMs
      c.reader.parse(chunk)
    },
    tick(nowMs) {
      c.nowMs = nowMs
      c.reporter.tick(nowMs)
      fetchNext(c)
      if (c.isIn && nowMs - c.spokeMs > keepAliveS * 500) send(c, { cmd: 'pingreq' })
    },
    take(limit) {
      if (c.isIn) {
        for (const group of c.reporter.take(messagesPerTake, batchMax)) {
          const reports = group.map((report) => reportedOf(imei, report))
          c.reporter.sent(publish(c, encodeMqttToPlatform({ deviceId: imei, message: 'report', reports })), group)
        }
      }
      return c.out.splice(0, limit)
    },
    takeLeave() {
      const asked = c.leave
      c.leave = null
      return c.flasher.takeLeave() ?? asked
    },
  }
}
