import { describeReport, type FrameDescription } from '../description.ts'
import { ProtocolError } from '../error.ts'
import { decodeJt808Command } from './commands.ts'
import { decodeJt808 } from './decode.ts'
import { openJt808Frame } from './frames.ts'
import { jt808Status, type Jt808Command, type Jt808Message, type Jt808Position } from './messages.ts'
import { readJt808Packet, type Jt808Packet } from './packets.ts'
import { toReports } from './to-report.ts'

type Fields = { [name: string]: unknown }

const hexWord = (value: number, digits: number) => `0x${value.toString(16).padStart(digits, '0')}`

/** What the report of a position or the head of a frame says already. */
const saidElsewhere = new Set(
  (
    'lat lng speedKmh headingDeg altitudeM timeUtc odometerM signal bike ' +
    'headerVersion protocolVersion deviceId serial message messageId'
  ).split(' '),
)

function remaining(message: object): Fields {
  return Object.fromEntries(Object.entries(message).filter(([name]) => !saidElsewhere.has(name)))
}

function restOfPosition(position: Jt808Position): Fields {
  const { alarmBits, statusBits, bike, items } = position
  return {
    ...remaining(position),
    ...(items ? { items: items.map(({ id, hex }) => ({ id: hexWord(id, 2), hex })) } : {}),
    alarmBits: hexWord(alarmBits, 8),
    statusBits: hexWord(statusBits, 8),
    acc: (statusBits & jt808Status.acc) !== 0,
    doorsLocked: (statusBits & jt808Status.doorsLocked) !== 0,
    ...(bike ? { compartmentOpen: bike.compartmentOpen } : {}),
  }
}

function fieldsOf(message: Jt808Message | Jt808Command): Fields {
  const fields = remaining(message)
  if (message.message === 'position') return { ...fields, ...restOfPosition(message) }
  if (message.message === 'positionAnswer' || message.message === 'vehicleControlAnswer')
    return { ...fields, position: restOfPosition(message.position) }
  if (message.message === 'positionBatch') {
    return { ...fields, positions: message.positions.map((position) => restOfPosition(position)) }
  }
  if (message.message === 'unknown') return fields
  const answered = message.message === 'generalAnswer' ? { answeredId: hexWord(message.answeredId, 4) } : {}
  return { meaning: message.message, ...fields, ...answered }
}

/** Ids from 0x8000 on are the platform's. */
function explain(packet: Jt808Packet): Pick<FrameDescription, 'reports' | 'fields'> {
  if (packet.part) return { reports: [], fields: { part: packet.part, hex: packet.body.toString('hex') } }
  if (packet.messageId >= 0x8000) return { reports: [], fields: fieldsOf(decodeJt808Command(packet)) }
  const message = decodeJt808(packet)
  return { reports: toReports(message).map((report) => describeReport(report)), fields: fieldsOf(message) }
}

/**
 * Explains a JT/T 808 frame given in hexadecimal digits, from 7e to 7e, of either direction; what a report carries
 * is not repeated under `fields`. A part of a longer message is explained as a part.
 *
 * @throws ProtocolError when the frame is malformed.
 */
export function describeJt808(frame: string): FrameDescription {
  const digits = frame.replace(/\s+/g, '').replace(/^0x/i, '')
  if (!/^(?:[0-9a-f]{2})+$/i.test(digits)) throw new ProtocolError('the frame is not in hexadecimal digits')
  const packet = readJt808Packet(openJt808Frame(Buffer.from(digits, 'hex')))
  const { headerVersion, protocolVersion, serial } = packet
  const { reports, fields } = explain(packet)
  const version = protocolVersion === undefined ? {} : { protocolVersion }
  return {
    protocol: 'jt808',
    message: hexWord(packet.messageId, 4),
    deviceId: packet.deviceId,
    reports,
    fields: { headerVersion, ...version, serial, ...fields },
  }
}
