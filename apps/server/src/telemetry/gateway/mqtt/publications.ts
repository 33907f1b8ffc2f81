import { crc32 } from 'node:zlib'
import { ProtocolError } from '@saddle/device-protocols/error.ts'
import {
  decodeMqtt,
  parseMqttTopic,
  readUsualReport,
  toReports,
  type MqttMessage,
} from '@saddle/device-protocols/mqtt/codec.ts'
import { noteFirmware } from '../commandSteps.ts'
import { contactReport, submit, type Answering } from '../inbound.ts'
import { noteMalformed } from '../malformed.ts'
import { gatewayLimits } from '../limits.ts'
import { factsOf, onAnswer, onConfigured } from './commands.ts'
import { crc32Of } from './checksum.ts'
import type { Published } from './reader.ts'
import { isUpgradeAnswer, onUpgradeAnswer } from './upgrades.ts'
import { acknowledge, leave, mqttReasons, type MqttState, type Publication } from './state.ts'

const own = { hello: true, ack: true, offline: true }

/** Handles a message that a device published: it is stored, then acknowledged. */
export function onPublication(state: MqttState, published: Published): void {
  if (takeUsual(state, published)) return undefined
  const { topic, messageId, bytes, start, end } = published
  const publication: Publication = { topic, messageId, payload: bytes.subarray(start, end) }
  const message = decode(state, publication)
  if (message === null) return undefined
  // One connection belongs to one device.
  if (message.deviceId !== state.device?.imei) return leave(state, 'foreign')
  state.deps.metrics.countFrame('mqtt', message.message)
  if (message.message === 'ack' && isUpgradeAnswer(message)) {
    onUpgradeAnswer(state, message)
    const reports = [contactReport(message.deviceId, message.at)]
    return storeAll(state, { reports, publication, kind: 'ack' })
  }
  if (message.message === 'ack') return onAnswer(state, message, publication)
  if (message.message === 'hello') {
    const { firmware, configVersion = 0 } = message
    noteFirmware(state, firmware)
    return storeAll(state, {
      reports: [contactReport(message.deviceId, message.at)],
      publication,
      kind: 'hello',
      onStored: () => onConfigured(state, configVersion),
    })
  }
  if (message.message === 'offline') {
    const { deps, device } = state
    // The connection is still open; when it breaks, no will is needed any more.
    deps.disconnected.note({ vehicleId: device.vehicleId, at: deps.kit.clock.now() })
  }
  if (message.message === 'report') state.reportTopic = topic
  const reports = message.message in own ? [contactReport(message.deviceId, timeOf(message))] : toReports(message)
  return storeAll(state, { reports, publication, kind: message.message })
}

/** Takes the report that a device sends all day, on a topic that is known to be its own; false for everything else. */
function takeUsual(state: MqttState, published: Published): boolean {
  if (published.topic !== state.reportTopic || state.device === null) return false
  const report = readUsualReport(published)
  if (report === null) return false
  state.deps.metrics.countFrame('mqtt', 'report')
  const { messageId } = published
  submit(state, { frameCrc: crc32Of(published), report, kind: 'report', messageId }, state.usualReports)
  return true
}

/** Acknowledges such a report after its commit. */
export function onUsualReport(state: MqttState, failure: unknown, messageId: number): void {
  if (failure === null) acknowledge(state, messageId)
}

function timeOf(message: MqttMessage): number | null {
  return 'at' in message ? message.at : null
}

/** Stores the reports of one message, and acknowledges it when the last of them is committed. */
function storeAll(
  state: MqttState,
  said: { reports: ReturnType<typeof toReports>; publication: Publication; kind: string; onStored?: () => void },
): void {
  const { reports, publication, kind, onStored = null } = said
  const waiting = new Unacknowledged(state, { left: reports.length, messageId: publication.messageId, onStored })
  const commanded = kind === 'event' && factsOf(state.command) !== null
  const frameCrc = crc32(publication.payload)
  for (let part = 0; part < reports.length; part += 1) {
    const report = reports[part]
    if (report !== undefined) submit(state, { frameCrc, report, kind, part, commanded }, waiting)
  }
}

/** A message until its last report is settled. It keeps nothing of the message itself, which is large. */
class Unacknowledged implements Answering {
  readonly #state: MqttState
  readonly #messageId: number
  readonly #onStored: (() => void) | null
  #left: number
  #isWhole = true

  constructor(state: MqttState, said: { left: number; messageId: number; onStored: (() => void) | null }) {
    this.#state = state
    this.#messageId = said.messageId
    this.#onStored = said.onStored
    this.#left = said.left
  }

  settled(failure: unknown): void {
    this.#left -= 1
    this.#isWhole &&= failure === null
    if (this.#left > 0 || !this.#isWhole) return
    acknowledge(this.#state, this.#messageId)
    this.#onStored?.()
  }
}

function decode(state: MqttState, { topic, payload, messageId }: Publication): MqttMessage | null {
  if (payload.length > gatewayLimits.maxMqttPacketBytes) {
    noteMalformed(state, 'too_large', 'the packet is longer than the platform said')
    leave(state, 'too_large', mqttReasons.packetTooLarge)
    return null
  }
  try {
    return decodeMqtt({ topic, payload })
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    refuse(state, { topic, payload, messageId }, error.reason)
    return null
  }
}

const pubackReasons = {
  payload: mqttReasons.payloadInvalid,
  topic: mqttReasons.topicInvalid,
  not_authorized: mqttReasons.notAuthorized,
} as const

/**
 * A publication that breaks the scheme would be as wrong the next time. It is acknowledged, so that the device does not
 * repeat it for ever; over MQTT 5 with the reason why it was refused.
 */
function refuse(state: MqttState, { topic, messageId }: Publication, reason: string): void {
  const fault = faultOf(state, topic)
  if (fault === 'foreign') return leave(state, 'foreign')
  const mayGoOn = noteMalformed(state, fault, reason)
  acknowledge(state, messageId, pubackReasons[fault])
  return mayGoOn ? undefined : leave(state, 'garbage')
}

/** Whether the topic is wrong, and how. */
function faultOf(state: MqttState, topic: string): keyof typeof pubackReasons | 'foreign' {
  try {
    const { deviceId, kind } = parseMqttTopic(topic)
    if (deviceId !== state.device?.imei) return 'foreign'
    return kind === 'command' || kind === 'config' ? 'not_authorized' : 'payload'
  } catch {
    return 'topic'
  }
}
