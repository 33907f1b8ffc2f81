import { ProtocolError } from '../error.ts'
import type { MqttCommand, MqttCommandOf, MqttConfig, MqttPublication } from './messages.ts'
import { encodePayload } from './payload.ts'
import { mqttTopic, parseMqttTopic } from './topics.ts'
import {
  asObject,
  countOf,
  flagOf,
  idOf,
  parsePayload,
  readingOf,
  restOf,
  timeOf,
  wordOf,
  type JsonObject,
} from './values.ts'

const commandNames = new Set(['id', 'at', 'expiresAt', 'command'])
const configNames = new Set([
  'version',
  'reportRidingS',
  'reportIdleS',
  'lowBatteryPercent',
  'maxSpeedKmh',
  'movementAlarm',
])

function commandOf(deviceId: string, object: JsonObject): MqttCommandOf<'command'> {
  const fields = restOf(object, commandNames)
  return {
    deviceId,
    message: 'command',
    id: idOf('id', object['id']),
    at: timeOf('at', object['at']),
    expiresAt: timeOf('expiresAt', object['expiresAt']),
    command: wordOf('command', object['command']),
    ...(fields ? { fields } : {}),
  }
}

function configOf(object: JsonObject): MqttConfig {
  const config: MqttConfig = { version: countOf('version', object['version']) }
  for (const name of ['reportRidingS', 'reportIdleS', 'lowBatteryPercent', 'maxSpeedKmh'] as const) {
    if (object[name] !== undefined) config[name] = readingOf(name, object[name])
  }
  if (object['movementAlarm'] !== undefined) config.movementAlarm = flagOf('movementAlarm', object['movementAlarm'])
  const fields = restOf(object, configNames)
  if (fields) config.fields = fields
  return config
}

/**
 * Reads what the platform published: the device's side of the scheme.
 *
 * @throws ProtocolError with a reason when topic or payload are malformed.
 */
export function decodeMqttCommand({ topic, payload }: { topic: string; payload: Uint8Array }): MqttCommand {
  const { deviceId, kind } = parseMqttTopic(topic)
  if (kind === 'command') return commandOf(deviceId, asObject(parsePayload(payload)))
  if (kind !== 'config') throw new ProtocolError('the topic belongs to the device')
  const config = payload.length === 0 ? null : configOf(asObject(parsePayload(payload)))
  return { deviceId, message: 'config', config }
}

/**
 * What the platform publishes; only the configuration is retained. Inverse of decodeMqttCommand.
 *
 * @throws ProtocolError when the payload would be longer than the scheme allows.
 */
export function encodeMqttToDevice(command: MqttCommand): MqttPublication {
  const topic = mqttTopic({ deviceId: command.deviceId, kind: command.message })
  if (command.message === 'config') {
    const { fields, ...named } = command.config ?? {}
    // An empty payload is how MQTT takes a retained message back.
    const payload = command.config === null ? Buffer.alloc(0) : encodePayload({ ...named, ...fields })
    return { topic, payload, qos: 1, retain: true }
  }
  const { deviceId: _id, message: _kind, fields, ...named } = command
  return { topic, payload: encodePayload({ ...named, ...fields }), qos: 1, retain: false }
}
