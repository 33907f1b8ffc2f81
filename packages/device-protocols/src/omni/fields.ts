import { ProtocolError } from '../error.ts'
import { utcMs } from '../time.ts'
import { omniHeaders, type OmniHead, type OmniHeader } from './messages.ts'

/** Reads the comma-separated values behind an instruction, in order; an empty value is an absent one. */
export type FieldReader = {
  text(name: string): string | undefined
  integer(name: string): number | undefined
  decimal(name: string): number | undefined
  flag(name: string): boolean | undefined
  required<T>(name: string, value: T | undefined): T
  /** What is left; undefined when nothing is. */
  rest(): string[] | undefined
}

const integerPattern = /^-?\d{1,10}$/
const decimalPattern = /^-?\d{1,10}(?:\.\d{1,8})?$/

export function createFieldReader(fields: readonly string[]): FieldReader {
  let next = 0
  const take = () => {
    const value = fields[next++]
    return value === undefined || value === '' ? undefined : value
  }
  const number = (name: string, pattern: RegExp) => {
    const value = take()
    if (value === undefined) return undefined
    if (!pattern.test(value)) throw new ProtocolError(`${name} is not a number`)
    return Number(value) + 0
  }
  return {
    text: () => take(),
    integer: (name) => number(name, integerPattern),
    decimal: (name) => number(name, decimalPattern),
    flag(name) {
      const value = take()
      if (value === undefined) return undefined
      if (value !== '0' && value !== '1') throw new ProtocolError(`${name} is neither 0 nor 1`)
      return value === '1'
    },
    required(name, value) {
      if (value === undefined) throw new ProtocolError(`${name} is missing`)
      return value
    },
    rest() {
      const left = fields.slice(next)
      next = fields.length
      return left.length > 0 ? left : undefined
    },
  }
}

export type SplitFrame = { head: OmniHead; code: string; fields: string[] }

const isHeader = (value: string | undefined): value is OmniHeader => omniHeaders.some((header) => header === value)

/** `yymmddhhmmss` of the CMDR dialect, read as UTC; all zeros mean that the device has no time. */
function parseSentAt(value: string): number | undefined {
  if (/^0+$/.test(value)) return undefined
  const [year, month, day, hour, minute, second] = (value.match(/\d\d/g) ?? []).map(Number)
  return utcMs({ year: 2000 + (year ?? 0), month, day, hour, minute, second })
}

/** Takes a frame apart into head, instruction code and raw fields; FF FF, line ends and spaces around it are allowed. */
export function splitFrame(frame: string): SplitFrame {
  if (frame.length > 2048) throw new ProtocolError('the frame is too long')
  const text = frame.replace(/^[\u00ff\s]+|\s+$/g, '')
  if (!text.startsWith('*')) throw new ProtocolError('the frame does not start with *')
  if (!text.endsWith('#')) throw new ProtocolError('the frame does not end with #')
  const inner = text.slice(1, -1)
  if (/[^\x20-\x7e]|[*#]/.test(inner)) throw new ProtocolError('the frame holds a character that it must not hold')
  const [header, vendor = '', deviceId = '', ...others] = inner.split(',')
  if (!isHeader(header)) throw new ProtocolError('the header is unknown')
  if (!/^[A-Z0-9]{1,8}$/.test(vendor)) throw new ProtocolError('the vendor code is malformed')
  if (!/^\d{15}$/.test(deviceId)) throw new ProtocolError('the IMEI is not 15 digits')
  const time = others[0]
  const timed = time !== undefined && /^\d{12}$/.test(time)
  const [code = '', ...fields] = timed ? others.slice(1) : others
  if (!/^[A-Z]\d$/.test(code)) throw new ProtocolError('the instruction is malformed')
  const sentAt = timed ? parseSentAt(time) : undefined
  return { head: { header, vendor, deviceId, ...(sentAt === undefined ? {} : { sentAt }) }, code, fields }
}

/** The inverse of splitFrame, without prefix and line end. Trailing absent values are left out. */
export function joinFrame({
  head,
  code,
  fields,
}: {
  head: OmniHead
  code: string
  fields: readonly (string | number | undefined)[]
}): string {
  const values = fields.map((field) => (field === undefined ? '' : String(field)))
  const parts: string[] = [head.header, head.vendor, head.deviceId]
  if (head.sentAt !== undefined) {
    parts.push(new Date(head.sentAt).toISOString().replace(/\D/g, '').slice(2, 14))
  }
  return `*${[...parts, code, ...values].join(',')}#`
}

/** Cuts the absent values from the end, so that an optional tail is really absent on the wire. */
export function trimAbsent<T>(fields: readonly (T | undefined)[]): (T | undefined)[] {
  let length = fields.length
  while (length > 0 && fields[length - 1] === undefined) length--
  return fields.slice(0, length)
}
