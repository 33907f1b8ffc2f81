import { ProtocolError } from '../error.ts'
import { closeJt808Frame } from './frames.ts'

/** The two generations of the header: 6 bytes of terminal number, or a version byte and 10 of them. */
export type Jt808HeaderVersion = 2013 | 2019

/** What every frame carries. */
export type Jt808Head = {
  headerVersion: Jt808HeaderVersion
  /** Counted by the makers of the standard, 1 since 2019; only the header of 2019 has it. */
  protocolVersion?: number
  /** The terminal number with its leading zeros: 12 digits by the header of 2013, 20 by that of 2019. */
  deviceId: string
  /** Counts the sender's packets modulo 65536; a message in parts takes one number for each of them. */
  serial: number
}

export type Jt808Packet = Jt808Head & {
  messageId: number
  /** Absent when the body is whole. `index` counts from 1. */
  part?: { total: number; index: number }
  body: Buffer
}

export const jt808MaxBodyLength = 1023
const splitBit = 1 << 13
const versionBit = 1 << 14
const encryptionBits = 7 << 10

/**
 * Reads the header of a frame's content.
 *
 * @throws ProtocolError when it is malformed.
 */
export function readJt808Packet(content: Buffer): Jt808Packet {
  if (content.length < 12) throw new ProtocolError('the header is cut off')
  const attributes = content.readUInt16BE(2)
  const modern = (attributes & versionBit) !== 0
  const idStart = modern ? 5 : 4
  const idEnd = idStart + (modern ? 10 : 6)
  const split = (attributes & splitBit) !== 0
  const bodyStart = idEnd + (split ? 6 : 2)
  if (content.length < bodyStart) throw new ProtocolError('the header is cut off')
  if ((attributes & encryptionBits) !== 0) throw new ProtocolError('the body is encrypted')
  if (content.length - bodyStart !== (attributes & jt808MaxBodyLength)) {
    throw new ProtocolError('the length of the body is not the one declared')
  }
  const packet: Jt808Packet = {
    messageId: content.readUInt16BE(0),
    headerVersion: modern ? 2019 : 2013,
    deviceId: content.toString('hex', idStart, idEnd),
    serial: content.readUInt16BE(idEnd),
    body: content.subarray(bodyStart),
  }
  if (modern) packet.protocolVersion = content[4] ?? 0
  if (split) {
    const part = { total: content.readUInt16BE(idEnd + 2), index: content.readUInt16BE(idEnd + 4) }
    if (part.index === 0 || part.index > part.total) throw new ProtocolError('the part is not one of its message')
    packet.part = part
  }
  return packet
}

function writeHeader({
  head,
  messageId,
  part,
  bodyLength,
}: Omit<Jt808Packet, 'body' | keyof Jt808Head> & {
  head: Jt808Head
  bodyLength: number
}): Buffer {
  const modern = head.headerVersion === 2019
  const digits = modern ? 20 : 12
  if (!/^[0-9a-f]+$/.test(head.deviceId) || head.deviceId.length > digits) {
    throw new ProtocolError(`the terminal number is not ${digits} digits`)
  }
  const header = Buffer.alloc((modern ? 17 : 12) + (part ? 4 : 0))
  header.writeUInt16BE(messageId, 0)
  header.writeUInt16BE(bodyLength | (part ? splitBit : 0) | (modern ? versionBit : 0), 2)
  if (modern) header[4] = head.protocolVersion ?? 1
  const idStart = modern ? 5 : 4
  const idEnd = idStart + digits / 2
  header.write(head.deviceId.padStart(digits, '0'), idStart, 'hex')
  header.writeUInt16BE(head.serial & 0xffff, idEnd)
  if (part) {
    header.writeUInt16BE(part.total, idEnd + 2)
    header.writeUInt16BE(part.index, idEnd + 4)
  }
  return header
}

/** One part of a message, for a sender that goes on at a part after the line broke: a frame of its own serial number. */
export function writeJt808Part({
  head,
  messageId,
  part,
  body,
}: {
  head: Jt808Head
  messageId: number
  /** `index` counts from 1. */
  part: { total: number; index: number }
  body: Buffer
}): Buffer {
  if (body.length > jt808MaxBodyLength) throw new RangeError('a part has at most 1023 bytes')
  // A message of one part is not split.
  const own = part.total === 1 ? {} : { part }
  return closeJt808Frame(Buffer.concat([writeHeader({ head, messageId, bodyLength: body.length, ...own }), body]))
}

/**
 * The frames of one message, in order. A body that is longer than `maxPartLength` goes out in parts, each with the
 * next serial number: the sender's counter moves on by the number of frames.
 */
export function writeJt808Frames({
  head,
  messageId,
  body,
  maxPartLength = jt808MaxBodyLength,
}: {
  head: Jt808Head
  messageId: number
  body: Buffer
  maxPartLength?: number
}): Buffer[] {
  if (maxPartLength < 1 || maxPartLength > jt808MaxBodyLength) throw new RangeError('a part has 1 to 1023 bytes')
  const total = Math.max(1, Math.ceil(body.length / maxPartLength))
  if (total > 0xffff) throw new ProtocolError('the message has too many parts')
  return Array.from({ length: total }, (_, index) => {
    const piece = body.subarray(index * maxPartLength, (index + 1) * maxPartLength)
    const header = writeHeader({
      head: { ...head, serial: head.serial + index },
      messageId,
      bodyLength: piece.length,
      ...(total === 1 ? {} : { part: { total, index: index + 1 } }),
    })
    return closeJt808Frame(Buffer.concat([header, piece]))
  })
}
