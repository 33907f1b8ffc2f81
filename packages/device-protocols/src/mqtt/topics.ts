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

/** Topics come in rows: a device says nearly everything on one. */
let last: { readonly text: string; readonly topic: Readonly<MqttTopic> } | null = null

/**
 * Whose topic it is and what travels on it.
 *
 * @throws ProtocolError when it is none of the scheme's.
 */
export function parseMqttTopic(topic: string): Readonly<MqttTopic> {
  if (last?.text === topic) return last.topic
  if (!topic.startsWith(prefix)) throw new ProtocolError('the topic does not start with saddle/v1/')
  const deviceId = topic.slice(prefix.length, kindStart - 1)
  if (!isImei(deviceId) || topic[kindStart - 1] !== '/') throw new ProtocolError('the IMEI is not 15 digits')
  const kind = tails.get(topic.slice(kindStart))
  if (kind === undefined) throw new ProtocolError('the topic is unknown')
  last = { text: topic, topic: { deviceId, kind } }
  return last.topic
}

export function mqttTopic({ deviceId, kind }: MqttTopic): string {
  if (!isImei(deviceId)) throw new ProtocolError('the IMEI is not 15 digits')
  if (kind === 'config') return `${prefix}${deviceId}/config`
  return `${prefix}${deviceId}/${kind === 'command' ? 'down' : 'up'}/${kind}`
}

/** Whether a topic filter is one that MQTT allows: `+` fills a level, `#` the last one. */
export function isMqttFilter(filter: string): boolean {
  const levels = filter.split('/')
  return levels.every(
    (level, at) => !/[+#]/.test(level) || level === '+' || (level === '#' && at === levels.length - 1),
  )
}

/** Whether a filter names topics of this device alone. */
export function isOwnMqttFilter(deviceId: string, filter: string): boolean {
  return filter.startsWith(`${prefix}${deviceId}/`) && isMqttFilter(filter)
}

/** Whether a topic is one of those that a filter asks for. */
export function coversMqttTopic(filter: string, topic: string): boolean {
  if (filter === topic) return true
  const wanted = filter.split('/')
  const levels = topic.split('/')
  for (const [at, level] of wanted.entries()) {
    // It asks for its own level too: `a/#` covers `a`.
    if (level === '#') return at <= levels.length
    if (level !== '+' && level !== levels[at]) return false
  }
  return wanted.length === levels.length
}

/** What a device subscribes to; it may ask for more of its own, and hears nothing more. */
export function mqttSubscriptions(deviceId: string): string[] {
  return [mqttTopic({ deviceId, kind: 'command' }), mqttTopic({ deviceId, kind: 'config' })]
}
