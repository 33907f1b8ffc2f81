import { ByteReader, ByteWriter } from './bytes.ts'
import { headOf, readGeneralAnswer } from './decode.ts'
import { writeGeneralAnswer, type Jt808EncodeOptions } from './encode.ts'
import {
  jt808DownIds,
  type Jt808Command,
  type Jt808CommandBody,
  type Jt808CommandOf,
  type Jt808VehicleControl,
} from './messages.ts'
import { writeJt808Frames, type Jt808Packet } from './packets.ts'
import { readParameters, writeParameters } from './parameters.ts'

type CommandDecoder = (read: ByteReader, packet: Jt808Packet) => Jt808CommandBody

const decoders: Readonly<Record<number, CommandDecoder>> = {
  [jt808DownIds.generalAnswer]: readGeneralAnswer,
  [jt808DownIds.serverTime]: (read) => ({ message: 'serverTime', timeUtc: read.utcTime() }),
  [jt808DownIds.registerAnswer]: (read) => {
    const answer = { message: 'registerAnswer' as const, answeredSerial: read.u16(), result: read.u8() }
    return read.left > 0 ? { ...answer, code: read.restOfText() } : answer
  },
  [jt808DownIds.setParameters]: (read) => ({ message: 'setParameters', parameters: readParameters(read) }),
  [jt808DownIds.queryParameters]: () => ({ message: 'queryParameters' }),
  [jt808DownIds.control]: (read) => {
    const control = { message: 'control' as const, command: read.u8() }
    return read.left > 0 ? { ...control, argument: read.restOfText() } : control
  },
  [jt808DownIds.queryAttributes]: () => ({ message: 'queryAttributes' }),
  [jt808DownIds.queryPosition]: () => ({ message: 'queryPosition' }),
  [jt808DownIds.text]: (read, { headerVersion }) => {
    const flags = read.u8()
    const kind = headerVersion === 2019 ? { kind: read.u8() } : {}
    return { message: 'text', flags, ...kind, text: read.restOfText() }
  },
  [jt808DownIds.vehicleControl]: (read, { headerVersion }) => {
    if (headerVersion === 2013) return { message: 'vehicleControl', flags: read.u8() }
    const count = read.u16()
    const controls: Jt808VehicleControl[] = []
    for (let at = 0; at < count; at++) controls.push({ type: read.u16(), value: read.u8() })
    return { message: 'vehicleControl', controls }
  },
  [jt808DownIds.passthrough]: (read) => ({ message: 'passthrough', type: read.u8(), hex: read.hex() }),
}

/**
 * Reads one whole packet that the platform sent: the terminal's side of the protocol.
 *
 * @throws ProtocolError with a reason when the body is malformed.
 */
export function decodeJt808Command(packet: Jt808Packet): Jt808Command {
  const { messageId, body } = packet
  const decoder = decoders[messageId]
  if (!decoder || packet.part) {
    return { ...headOf(packet), message: 'unknown', messageId, hex: body.toString('hex') }
  }
  const read = new ByteReader(body)
  const command: Jt808Command = Object.assign(headOf(packet), decoder(read, packet))
  if (read.left > 0) command.extraHex = read.hex()
  return command
}

function writeControls(write: ByteWriter, command: Jt808CommandOf<'vehicleControl'>): ByteWriter {
  if ('flags' in command) return write.u8(command.flags)
  write.u16(command.controls.length)
  for (const { type, value } of command.controls) write.u16(type).u8(value)
  return write
}

function writeBody(write: ByteWriter, command: Jt808Command): ByteWriter {
  switch (command.message) {
    case 'generalAnswer':
      return writeGeneralAnswer(write, command)
    case 'serverTime':
      return write.utcTime(command.timeUtc)
    case 'registerAnswer':
      return write
        .u16(command.answeredSerial)
        .u8(command.result)
        .text(command.code ?? '')
    case 'setParameters':
      return writeParameters(write, command.parameters)
    case 'control':
      return write.u8(command.command).text(command.argument ?? '')
    case 'text':
      write.u8(command.flags)
      if (command.headerVersion === 2019) write.u8(command.kind ?? 1)
      return write.text(command.text)
    case 'vehicleControl':
      return writeControls(write, command)
    case 'passthrough':
      return write.u8(command.type).hex(command.hex)
    case 'unknown':
      return write.hex(command.hex)
    case 'queryParameters':
    case 'queryAttributes':
    case 'queryPosition':
      break
  }
  return write
}

/**
 * The frames of a command, with consecutive serial numbers when there are several. Inverse of decodeJt808Command.
 *
 * @throws ProtocolError when a value does not fit into its field.
 */
export function encodeJt808ToDevice(command: Jt808Command, options: Jt808EncodeOptions = {}): Buffer[] {
  const messageId = command.message === 'unknown' ? command.messageId : jt808DownIds[command.message]
  const body = writeBody(new ByteWriter(), command)
    .hex(command.extraHex ?? '')
    .toBuffer()
  return writeJt808Frames({ head: command, messageId, body, ...options })
}
