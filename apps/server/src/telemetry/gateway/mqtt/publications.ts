import { ProtocolError } from '@saddle/device-protocols/error.ts'
import { decodeMqtt, parseMqttTopic, toReports, type MqttMessage } from '@saddle/device-protocols/mqtt/codec.ts'
import { noteFirmware } from '../commandSteps.ts'
import { contactReport, submit } from '../inbound.ts'
import { noteMalformed } from '../malformed.ts'
import { gatewayLimits } from '../limits.ts'
import { factsOf, onAnswer, onConfigured } from './commands.ts'
import { isUpgradeAnswer, onUpgradeAnswer } from './upgrades.ts'
import { leave, mqttReasons, type MqttState, type Publication } from './state.ts'

const own = { hello: true, ack: true, offline: true }

/** Handles a message that a device published: it is stored, then acknowledged. */
export function onPublication(state: MqttState, publication: Publication): void {
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
      publication: {
        ...publication,
        stored: () => {
          publication.stored?.()
          onConfigured(state, configVersion)
        },
      },
      kind: 'hello',
    })
  }
  if (message.message === 'offline') {
    const { deps, device } = state
    // The connection is still open; when it breaks, no will is needed any more.
    deps.disconnected.note({ vehicleId: device.vehicleId, at: deps.kit.clock.now() })
  }
  const reports = message.message in own ? [contactReport(message.deviceId, timeOf(message))] : toReports(message)
  return storeAll(state, { reports, publication, kind: message.message })
}

function timeOf(message: MqttMessage): number | null {
  return 'at' in message ? message.at : null
}

/** Stores the reports of one message, and acknowledges it when the last of them is committed. */
function storeAll(
  state: MqttState,
  said: { reports: ReturnType<typeof toReports>; publication: Publication; kind: string },
): void {
  const { reports, publication, kind } = said
  let left = reports.length
  let isWhole = true
  const settled = (isStored: boolean): void => {
    left -= 1
    isWhole &&= isStored
    if (left === 0 && isWhole) publication.stored?.()
  }
  const commanded = kind === 'event' && factsOf(state.command) !== null
  for (let part = 0; part < reports.length; part += 1) {
    const report = reports[part]
    if (report !== undefined) submit(state, { frame: publication.payload, report, kind, part, commanded }, settled)
  }
}

function decode(state: MqttState, { topic, payload, stored }: Publication): MqttMessage | null {
  if (payload.length > gatewayLimits.maxMqttPacketBytes) {
    noteMalformed(state, 'too_large', 'the packet is longer than the platform said')
    leave(state, 'too_large', mqttReasons.packetTooLarge)
    return null
  }
  try {
    return decodeMqtt({ topic, payload })
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    refuse(state, { topic, payload, stored }, error.reason)
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
function refuse(state: MqttState, { topic, stored }: Publication, reason: string): void {
  const fault = faultOf(state, topic)
  if (fault === 'foreign') return leave(state, 'foreign')
  const mayGoOn = noteMalformed(state, fault, reason)
  stored?.(pubackReasons[fault])
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
