import { ByteReader } from './bytes.ts'
import {
  jt808UpIds,
  type Jt808Body,
  type Jt808GeneralAnswer,
  type Jt808Message,
  type Jt808Position,
} from './messages.ts'
import type { Jt808Head, Jt808Packet } from './packets.ts'
import { readParameters } from './parameters.ts'
import { readPosition, readPositionInto } from './position.ts'

type BodyDecoder = (read: ByteReader, packet: Jt808Packet) => Jt808Body

/** The shortest registration by the layout of 2013; what is shorter is of 2011. */
const registrationLength2013 = 37
/** IMEI and firmware behind the code of an authentication since 2019. */
const authenticationTail = 15 + 20

export function readGeneralAnswer(read: ByteReader): { message: 'generalAnswer' } & Jt808GeneralAnswer {
  return { message: 'generalAnswer', answeredSerial: read.u16(), answeredId: read.u16(), result: read.u8() }
}

const decodeRegister: BodyDecoder = (read, { headerVersion, body }) => {
  const old = body.length < registrationLength2013 ? 2011 : 2013
  const layout = headerVersion === 2019 ? 2019 : old
  const modern = layout === 2019
  return {
    message: 'register',
    layout,
    provinceId: read.u16(),
    cityId: read.u16(),
    manufacturer: read.text(modern ? 11 : 5),
    model: read.text(modern ? 30 : layout === 2013 ? 20 : 8),
    terminalId: read.text(modern ? 30 : 7),
    plateColour: read.u8(),
    plate: read.restOfText(),
  }
}

const decodeAuthenticate: BodyDecoder = (read, { headerVersion, body }) => {
  // Some terminals put the bare code of 2013 behind the header of 2019.
  const modern = headerVersion === 2019 && body.length >= 1 + (body[0] ?? 0) + authenticationTail
  if (!modern) return { message: 'authenticate', code: read.restOfText() }
  return { message: 'authenticate', code: read.countedText(), imei: read.text(15), firmware: read.text(20) }
}

const decodeAttributes: BodyDecoder = (read, { headerVersion }) => ({
  message: 'attributes',
  terminalType: read.u16(),
  manufacturer: read.text(5),
  model: read.text(headerVersion === 2019 ? 30 : 20),
  terminalId: read.text(headerVersion === 2019 ? 30 : 7),
  iccid: read.hex(10),
  hardware: read.countedText(),
  firmware: read.countedText(),
  satelliteSystems: read.u8(),
  networks: read.u8(),
})

const decodeBatch: BodyDecoder = (read) => {
  const positions: Jt808Position[] = []
  const count = read.u16()
  const blindArea = read.u8() === 1
  for (let at = 0; at < count; at++) positions.push(readPosition(read.bytes(read.u16())))
  return { message: 'positionBatch', blindArea, positions }
}

const decoders: Readonly<Record<number, BodyDecoder>> = {
  [jt808UpIds.generalAnswer]: readGeneralAnswer,
  [jt808UpIds.heartbeat]: () => ({ message: 'heartbeat' }),
  [jt808UpIds.logout]: () => ({ message: 'logout' }),
  [jt808UpIds.timeQuery]: () => ({ message: 'timeQuery' }),
  [jt808UpIds.register]: decodeRegister,
  [jt808UpIds.authenticate]: decodeAuthenticate,
  [jt808UpIds.packetRequest]: (read, { headerVersion }) => {
    const firstSerial = read.u16()
    const count = headerVersion === 2019 ? read.u16() : read.u8()
    const parts: number[] = []
    for (let at = 0; at < count; at++) parts.push(read.u16())
    return { message: 'packetRequest', firstSerial, parts }
  },
  [jt808UpIds.upgradeResult]: (read) => ({ message: 'upgradeResult', type: read.u8(), result: read.u8() }),
  [jt808UpIds.parameters]: (read) => ({
    message: 'parameters',
    answeredSerial: read.u16(),
    parameters: readParameters(read),
  }),
  [jt808UpIds.attributes]: decodeAttributes,
  [jt808UpIds.positionAnswer]: (read) => ({
    message: 'positionAnswer',
    answeredSerial: read.u16(),
    position: readPosition(read.bytes()),
  }),
  [jt808UpIds.vehicleControlAnswer]: (read) => ({
    message: 'vehicleControlAnswer',
    answeredSerial: read.u16(),
    position: readPosition(read.bytes()),
  }),
  [jt808UpIds.positionBatch]: decodeBatch,
}

export function headOf({ headerVersion, protocolVersion, deviceId, serial }: Jt808Head): Jt808Head {
  const head: Jt808Head = { headerVersion, deviceId, serial }
  if (protocolVersion !== undefined) head.protocolVersion = protocolVersion
  return head
}

/**
 * Reads one whole packet that a terminal sent (join its parts first). A message that is well formed but unknown
 * comes back as `unknown` with its body in `hex`.
 *
 * @throws ProtocolError with a reason when the body is malformed.
 */
export function decodeJt808(packet: Jt808Packet): Jt808Message {
  const { messageId, body, part } = packet
  if (messageId === jt808UpIds.position && !part) {
    return readPositionInto(Object.assign(headOf(packet), { message: 'position' as const }), body)
  }
  const decoder = decoders[messageId]
  if (!decoder || part) {
    return { ...headOf(packet), message: 'unknown', messageId, hex: body.toString('hex') }
  }
  const read = new ByteReader(body)
  const message: Jt808Message = Object.assign(headOf(packet), decoder(read, packet))
  if (read.left > 0) message.extraHex = read.hex()
  return message
}
