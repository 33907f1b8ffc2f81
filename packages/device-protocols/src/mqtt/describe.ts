import { describeReport, type FrameDescription } from '../description.ts'
import { ProtocolError } from '../error.ts'
import { decodeMqttCommand } from './commands.ts'
import { decodeMqtt } from './decode.ts'
import type { MqttCommand, MqttMessage, MqttReported } from './messages.ts'
import { toReports } from './to-report.ts'
import { parseMqttTopic } from './topics.ts'

type Fields = FrameDescription['fields']

function restOfReport({ seq, satellites, compartmentOpen, fields }: MqttReported): Fields {
  const named = Object.entries({ seq, satellites, compartmentOpen }).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(named), ...fields }
}

function fieldsOf(message: MqttMessage | MqttCommand): Fields {
  if (message.message === 'report') {
    const [first, ...more] = message.reports
    return first && more.length === 0 ? restOfReport(first) : { reports: message.reports.map(restOfReport) }
  }
  if (message.message === 'event') return { event: message.event, ...restOfReport(message) }
  if (message.message === 'config') {
    if (message.config === null) return { cleared: true }
    const { fields, ...named } = message.config
    return { ...named, ...fields }
  }
  const { deviceId: _id, message: _kind, fields, at, ...named } = message
  return { ...(at === null ? {} : { at }), ...named, ...fields }
}

/**
 * Explains a topic and the payload behind it, with a space between them, of either direction; what a report carries
 * is not repeated under `fields`.
 *
 * @throws ProtocolError when one of them is malformed.
 */
export function describeMqtt(frame: string): FrameDescription {
  const parts = /^\s*(\S+)\s*([\s\S]*)$/.exec(frame)
  if (!parts) throw new ProtocolError('there is no topic')
  const [, topic = '', text = ''] = parts
  const { deviceId, kind } = parseMqttTopic(topic)
  const publication = { topic, payload: Buffer.from(text.trimEnd()) }
  if (kind === 'command' || kind === 'config') {
    const fields = fieldsOf(decodeMqttCommand(publication))
    return { protocol: 'mqtt', message: kind, deviceId, reports: [], fields }
  }
  const message = decodeMqtt(publication)
  const reports = toReports(message).map((report) => describeReport(report))
  return { protocol: 'mqtt', message: kind, deviceId, reports, fields: fieldsOf(message) }
}
