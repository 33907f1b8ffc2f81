import { ByteWriter } from './bytes.ts'
import { jt808UpIds, type Jt808GeneralAnswer, type Jt808Message, type Jt808MessageOf } from './messages.ts'
import { writeJt808Frames } from './packets.ts'
import { writeParameters } from './parameters.ts'
import { writePosition } from './position.ts'

export type Jt808EncodeOptions = {
  /** The longest body of one frame, 1023 bytes unless told. */
  maxPartLength?: number
}

export function writeGeneralAnswer(write: ByteWriter, answer: Jt808GeneralAnswer): ByteWriter {
  return write.u16(answer.answeredSerial).u16(answer.answeredId).u8(answer.result)
}

function writeRegister(write: ByteWriter, message: Jt808MessageOf<'register'>): ByteWriter {
  const { layout } = message
  const modern = layout === 2019
  const fill = layout === 2011 ? 0x20 : 0
  return write
    .u16(message.provinceId)
    .u16(message.cityId)
    .text(message.manufacturer, modern ? 11 : 5, fill)
    .text(message.model, modern ? 30 : layout === 2013 ? 20 : 8, fill)
    .text(message.terminalId, modern ? 30 : 7, fill)
    .u8(message.plateColour)
    .text(message.plate)
}

function writeAuthenticate(write: ByteWriter, message: Jt808MessageOf<'authenticate'>): ByteWriter {
  const { code, imei, firmware } = message
  if (imei === undefined && firmware === undefined) return write.text(code)
  return write
    .countedText(code)
    .text(imei ?? '', 15)
    .text(firmware ?? '', 20)
}

function writeAttributes(write: ByteWriter, message: Jt808MessageOf<'attributes'>): ByteWriter {
  const modern = message.headerVersion === 2019
  return write
    .u16(message.terminalType)
    .text(message.manufacturer, 5)
    .text(message.model, modern ? 30 : 20)
    .text(message.terminalId, modern ? 30 : 7)
    .hex(message.iccid.padStart(20, '0'))
    .countedText(message.hardware)
    .countedText(message.firmware)
    .u8(message.satelliteSystems)
    .u8(message.networks)
}

function writeBatch(write: ByteWriter, message: Jt808MessageOf<'positionBatch'>): ByteWriter {
  write.u16(message.positions.length).u8(message.blindArea ? 1 : 0)
  for (const position of message.positions) {
    const body = writePosition(position)
    write.u16(body.length).bytes(body)
  }
  return write
}

function writeBody(write: ByteWriter, message: Jt808Message): ByteWriter {
  switch (message.message) {
    case 'generalAnswer':
      return writeGeneralAnswer(write, message)
    case 'register':
      return writeRegister(write, message)
    case 'authenticate':
      return writeAuthenticate(write, message)
    case 'parameters':
      return writeParameters(write.u16(message.answeredSerial), message.parameters)
    case 'attributes':
      return writeAttributes(write, message)
    case 'packetRequest':
      write.u16(message.firstSerial)
      if (message.headerVersion === 2019) write.u16(message.parts.length)
      else write.u8(message.parts.length)
      for (const part of message.parts) write.u16(part)
      return write
    case 'upgradeResult':
      return write.u8(message.type).u8(message.result)
    case 'position':
      return write.bytes(writePosition(message))
    case 'positionAnswer':
    case 'vehicleControlAnswer':
      return write.u16(message.answeredSerial).bytes(writePosition(message.position))
    case 'positionBatch':
      return writeBatch(write, message)
    case 'unknown':
      return write.hex(message.hex)
    case 'heartbeat':
    case 'logout':
    case 'timeQuery':
      break
  }
  return write
}

/**
 * The frames of a message that a terminal sends: one, or several with consecutive serial numbers when the body is
 * too long for one. Inverse of splitting, reading, joining and decodeJt808.
 *
 * @throws ProtocolError when a value does not fit into its field.
 */
export function encodeJt808ToPlatform(message: Jt808Message, options: Jt808EncodeOptions = {}): Buffer[] {
  const messageId = message.message === 'unknown' ? message.messageId : jt808UpIds[message.message]
  const body = writeBody(new ByteWriter(), message)
    .hex(message.extraHex ?? '')
    .toBuffer()
  return writeJt808Frames({ head: message, messageId, body, ...options })
}
