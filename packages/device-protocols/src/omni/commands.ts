import { ProtocolError } from '../error.ts'
import { createFieldReader, joinFrame, splitFrame, type FieldReader } from './fields.ts'
import { readOperation } from './decode.ts'
import type { OmniCommand, OmniCommandBody } from './messages.ts'

const acknowledged = ['L0', 'L1', 'W0', 'E0', 'L5'] as const
const isAcknowledged = (code: string): code is (typeof acknowledged)[number] => acknowledged.some((one) => one === code)

function commandFields(command: OmniCommand): (string | number)[] {
  switch (command.instruction) {
    case 'R0':
      return [command.operation, command.keySeconds, command.userId, command.timestamp]
    case 'L0':
      return [command.key, command.userId, command.timestamp]
    case 'L1':
      return [command.key]
    case 'D1':
      return [command.intervalS]
    case 'S8':
      return [command.times, 0]
    case 'V0':
      return [command.sound]
    case 'L5':
      return [command.operation]
    case 'S1':
      return [command.event]
    case 'S5':
      return [command.sensitivity, command.uploadWhileUnlocked, command.heartbeatS, command.uploadIntervalS]
    case 'U0':
      return [command.packages, command.packageBytes, command.crc16, command.deviceType, command.key]
    case 'U1':
      return [command.packet, command.crc16, command.hex]
    case 'unknown':
      return command.fields
    case 'ack':
    case 'D0':
    case 'S6':
    case 'G0':
      break
  }
  return []
}

function commandCode(command: OmniCommandBody): string {
  if (command.instruction === 'ack') return command.of
  return command.instruction === 'unknown' ? command.code : command.instruction
}

/** The frame of a command, `*` to `#`, without prefix and line end. */
export function formatOmniCommand(command: OmniCommand): string {
  return joinFrame({ head: command, code: commandCode(command), fields: commandFields(command) })
}

/** The bytes that the platform puts on the socket: FF FF, the frame, a line end. */
export function encodeOmniToDevice(command: OmniCommand): Uint8Array {
  return Buffer.from(`\u00ff\u00ff${formatOmniCommand(command)}\n`, 'latin1')
}

/** The most bytes of one package: in hexadecimal digits they still fit a frame. */
export const omniMaxPackageBytes = 400

function hexOf(text: string): string {
  if (!/^(?:[0-9a-f]{2}){1,400}$/.test(text)) throw new ProtocolError('the data of a package is not hexadecimal')
  return text
}

type CommandDecoder = (read: FieldReader) => OmniCommandBody

const decoders: Record<string, CommandDecoder> = {
  R0: (read) => ({
    instruction: 'R0',
    operation: readOperation(read),
    keySeconds: read.required('key seconds', read.integer('key seconds')),
    userId: read.required('user', read.integer('user')),
    timestamp: read.required('timestamp', read.integer('timestamp')),
  }),
  L0: (read) => ({
    instruction: 'L0',
    key: read.required('key', read.integer('key')),
    userId: read.required('user', read.integer('user')),
    timestamp: read.required('timestamp', read.integer('timestamp')),
  }),
  L1: (read) => ({ instruction: 'L1', key: read.required('key', read.integer('key')) }),
  D0: () => ({ instruction: 'D0' }),
  D1: (read) => ({ instruction: 'D1', intervalS: read.required('interval', read.integer('interval')) }),
  S6: () => ({ instruction: 'S6' }),
  G0: () => ({ instruction: 'G0' }),
  S8: (read) => ({ instruction: 'S8', times: read.required('times', read.integer('times')) }),
  V0: (read) => ({ instruction: 'V0', sound: read.required('sound', read.integer('sound')) }),
  L5: (read) => ({ instruction: 'L5', operation: read.required('operation', read.integer('operation')) }),
  S1: (read) => ({ instruction: 'S1', event: read.required('event', read.integer('event')) }),
  U0: (read) => ({
    instruction: 'U0',
    packages: read.required('packages', read.integer('packages')),
    packageBytes: read.required('bytes a package', read.integer('bytes a package')),
    crc16: read.required('checksum', read.integer('checksum')),
    deviceType: read.required('device type', read.text('device type')),
    key: read.required('key', read.text('key')),
  }),
  U1: (read) => ({
    instruction: 'U1',
    packet: read.required('packet', read.integer('packet')),
    crc16: read.required('checksum', read.integer('checksum')),
    hex: hexOf(read.required('data', read.text('data'))),
  }),
  S5: (read) => ({
    instruction: 'S5',
    sensitivity: read.required('sensitivity', read.integer('sensitivity')),
    uploadWhileUnlocked: read.required('upload while unlocked', read.integer('upload while unlocked')),
    heartbeatS: read.required('heartbeat interval', read.integer('heartbeat interval')),
    uploadIntervalS: read.required('upload interval', read.integer('upload interval')),
  }),
}

/**
 * Reads one frame that the platform sent: the device's side of the protocol.
 *
 * @throws ProtocolError with a reason when the frame is malformed.
 */
export function decodeOmniCommand(frame: string): OmniCommand {
  const { head, code, fields } = splitFrame(frame)
  if (fields.length === 0 && isAcknowledged(code)) return { ...head, instruction: 'ack', of: code }
  const decoder = Object.hasOwn(decoders, code) ? decoders[code] : undefined
  if (!decoder) return { ...head, instruction: 'unknown', code, fields }
  return { ...head, ...decoder(createFieldReader(fields)) }
}
