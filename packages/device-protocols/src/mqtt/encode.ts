import type { MqttMessage, MqttPublication, MqttReported } from './messages.ts'
import { encodePayload } from './payload.ts'
import { mqttTopic } from './topics.ts'

/** The flat object of a report; names in the order of the scheme. */
function flatReport({ report, seq, satellites, compartmentOpen, fields }: MqttReported): object {
  const { occurredAt, position, deviceId: _id, ...readings } = report
  return {
    at: occurredAt ?? undefined,
    seq,
    ...position,
    // True is what an absent one means.
    fix: position?.fix === false ? false : undefined,
    satellites,
    ...readings,
    compartmentOpen,
    ...fields,
  }
}

function payloadOf(message: MqttMessage): object {
  if (message.message === 'report') {
    const [first, ...more] = message.reports
    return first && more.length === 0 ? flatReport(first) : message.reports.map(flatReport)
  }
  if (message.message === 'event') return { event: message.event, ...flatReport(message) }
  const { deviceId: _id, message: _kind, at, fields, ...named } = message
  return { at: at ?? undefined, ...named, ...fields }
}

/**
 * What a device publishes. Inverse of decodeMqtt.
 *
 * @throws ProtocolError when the payload would be longer than the scheme allows.
 */
export function encodeMqttToPlatform(message: MqttMessage): MqttPublication {
  const topic = mqttTopic({ deviceId: message.deviceId, kind: message.message })
  return { topic, payload: encodePayload(payloadOf(message)), qos: 1, retain: false }
}

/** The last will that a device leaves when it connects at a time, null when it does not know it. */
export function mqttLastWill({ deviceId, at }: { deviceId: string; at: number | null }): MqttPublication {
  return encodeMqttToPlatform({ deviceId, message: 'offline', at, reason: 'lost' })
}
