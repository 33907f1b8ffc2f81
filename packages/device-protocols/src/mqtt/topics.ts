import { ProtocolError } from '../error.ts'

const prefix = 'saddle/v1/'
const imeiLength = 15
const kindStart = prefix.length + imeiLength + 1

export const mqttUpKinds = ['report', 'event', 'ack', 'hello', 'offline'] as const
export type MqttUpKind = (typeof mqttUpKinds)[number]
export type MqttDownKind = 'command' | 'config'

/** The part of a topic behind the IMEI. */
const tails = new Map<string, MqttUpKind | MqttDownKind>([
  ...mqttUpKinds.map((kind) => [`up/${kind}`, kind] as const),
  ['down/command', 'command'],
  ['config', 'config'],
])

export type MqttTopic = { deviceId: string; kind: MqttUpKind | MqttDownKind }

function isImei(text: string): boolean {
  for (let at = 0; at < imeiLength; at++) {
    const code = text.charCodeAt(at)
    if (!(code >= 0x30 && code <= 0x39)) return false
  }
  return text.length === imeiLength
}

/**
 * Whose topic it is and what travels on it.
 *
 * @throws ProtocolError when it is none of the scheme's.
 */
export function parseMqttTopic(topic: string): MqttTopic {
  if (!topic.startsWith(prefix)) throw new ProtocolError('the topic does not start with saddle/v1/')
  const deviceId = topic.slice(prefix.length, kindStart - 1)
  if (!isImei(deviceId) || topic[kindStart - 1] !== '/') throw new ProtocolError('the IMEI is not 15 digits')
  const kind = tails.get(topic.slice(kindStart))
  if (kind === undefined) throw new ProtocolError('the topic is unknown')
  return { deviceId, kind }
}

export function mqttTopic({ deviceId, kind }: MqttTopic): string {
  if (!isImei(deviceId)) throw new ProtocolError('the IMEI is not 15 digits')
  if (kind === 'config') return `${prefix}${deviceId}/config`
  return `${prefix}${deviceId}/${kind === 'command' ? 'down' : 'up'}/${kind}`
}

/** What a device subscribes to, and nothing else. */
export function mqttSubscriptions(deviceId: string): string[] {
  return [mqttTopic({ deviceId, kind: 'command' }), mqttTopic({ deviceId, kind: 'config' })]
}
