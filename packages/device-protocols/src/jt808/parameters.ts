import { ProtocolError } from '../error.ts'
import type { ByteReader, ByteWriter } from './bytes.ts'
import type { Jt808Parameter } from './messages.ts'

/** The standard's parameters by kind, from 0x0001 (heartbeat in s) to 0x0084 (colour of the plate). */
const widths = new Map<number, 1 | 2 | 4>()
const texts = new Set<number>()

const inclusive = (first: number, last = first) => Array.from({ length: last - first + 1 }, (_, at) => first + at)
const four = [
  [0x01, 0x07],
  [0x18, 0x19],
  [0x1b, 0x1c],
  [0x20, 0x22],
  [0x27, 0x29],
  [0x2c, 0x30],
  [0x45, 0x47],
]
four.push([0x50, 0x5a], [0x64, 0x65], [0x70, 0x74], [0x80, 0x80])
for (const [first = 0, last] of four) for (const id of inclusive(first, last)) widths.set(id, 4)
for (const id of [0x31, ...inclusive(0x5b, 0x5e), 0x81, 0x82]) widths.set(id, 2)
widths.set(0x84, 1)
const ranges = [
  [0x10, 0x17],
  [0x1a, 0x1a],
  [0x1d, 0x1d],
  [0x23, 0x26],
  [0x40, 0x44],
  [0x48, 0x49],
  [0x83, 0x83],
]
for (const [first = 0, last] of ranges) for (const id of inclusive(first, last)) texts.add(id)

/** Ids of parameters whose meaning the platform uses. */
export const jt808ParameterIds = {
  heartbeatS: 0x0001,
  server: 0x0013,
  tcpPort: 0x0018,
  reportWhileSleepingS: 0x0027,
  reportInAlarmS: 0x0028,
  reportS: 0x0029,
  illegalMovementRadiusM: 0x0031,
  maxSpeedKmh: 0x0055,
} as const

/** The kind that the standard fixes for a parameter; a width in bytes for a number. */
export function jt808ParameterKind(id: number): 1 | 2 | 4 | 'text' | 'bytes' {
  return widths.get(id) ?? (texts.has(id) ? 'text' : 'bytes')
}

/** A list of parameters behind its count. A number of another width than the standard's stays bytes. */
export function readParameters(read: ByteReader): Jt808Parameter[] {
  const parameters: Jt808Parameter[] = []
  for (let left = read.u8(); left > 0; left--) {
    const id = read.u32()
    const kind = jt808ParameterKind(id)
    if (kind === 'text') {
      parameters.push({ id, text: read.countedText() })
      continue
    }
    const length = read.u8()
    if (kind !== length) parameters.push({ id, hex: read.hex(length) })
    else parameters.push({ id, number: kind === 4 ? read.u32() : kind === 2 ? read.u16() : read.u8() })
  }
  return parameters
}

export function writeParameters(write: ByteWriter, parameters: readonly Jt808Parameter[]): ByteWriter {
  write.u8(parameters.length)
  for (const parameter of parameters) {
    write.u32(parameter.id)
    if ('hex' in parameter) {
      write.u8(parameter.hex.length / 2).hex(parameter.hex)
    } else if ('text' in parameter) {
      write.countedText(parameter.text)
    } else {
      const kind = jt808ParameterKind(parameter.id)
      if (typeof kind === 'string') throw new ProtocolError('the parameter is no number')
      write.u8(kind)
      if (kind === 4) write.u32(parameter.number)
      else if (kind === 2) write.u16(parameter.number)
      else write.u8(parameter.number)
    }
  }
  return write
}
