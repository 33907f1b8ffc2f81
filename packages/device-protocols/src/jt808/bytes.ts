import { ProtocolError } from '../error.ts'
import { utcMs } from '../time.ts'
import { decodeGbk, encodeGbk } from './gbk.ts'

/** The standard uses China's time zone everywhere. */
const zoneMs = 8 * 3_600_000
const timeLength = 6

/** Reads a body from front to back; every method throws ProtocolError where the body ends too early. */
export class ByteReader {
  readonly #bytes: Buffer
  #next = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get left(): number {
    return this.#bytes.length - this.#next
  }

  #take(length: number): number {
    const at = this.#next
    if (at + length > this.#bytes.length) throw new ProtocolError('the body is cut off')
    this.#next = at + length
    return at
  }

  u8(): number {
    return this.#bytes[this.#take(1)] ?? 0
  }

  u16(): number {
    return this.#bytes.readUInt16BE(this.#take(2))
  }

  u32(): number {
    return this.#bytes.readUInt32BE(this.#take(4))
  }

  /** A view, not a copy. */
  bytes(length = this.left): Buffer {
    const at = this.#take(length)
    return this.#bytes.subarray(at, at + length)
  }

  hex(length = this.left): string {
    const at = this.#take(length)
    return this.#bytes.toString('hex', at, at + length)
  }

  /** `YYMMDDhhmmss` in BCD and UTC, as only the server's time is given; null when it is all zeros. */
  utcTime(): number | null {
    return readUtc(this.#bytes, this.#take(timeLength))
  }

  /** GBK text of a fixed width, without the zeros or spaces that fill it up. */
  text(width: number): string {
    return decodeGbk(this.bytes(width)).replace(/[\0 ]+$/, '')
  }

  /** GBK text behind its length in one byte, to the letter. */
  countedText(): string {
    return decodeGbk(this.bytes(this.u8()))
  }

  /** GBK text up to the end of the body; some senders close it with zeros. */
  restOfText(): string {
    return decodeGbk(this.bytes()).replace(/\0+$/, '')
  }
}

function readBcd(bytes: Buffer, at: number): number {
  const byte = bytes[at] ?? 0
  if ((byte & 15) > 9 || byte >> 4 > 9) throw new ProtocolError('the date or time is not decimal')
  return (byte >> 4) * 10 + (byte & 15)
}

/** `YYMMDDhhmmss` in BCD and China's time, from six bytes that are there; null when they are all zeros. */
export function readTime(bytes: Buffer, at: number): number | null {
  const timeUtc = readUtc(bytes, at)
  return timeUtc === null ? null : timeUtc - zoneMs
}

function readUtc(bytes: Buffer, at: number): number | null {
  const year = readBcd(bytes, at)
  const month = readBcd(bytes, at + 1)
  const day = readBcd(bytes, at + 2)
  const hour = readBcd(bytes, at + 3)
  const minute = readBcd(bytes, at + 4)
  const second = readBcd(bytes, at + 5)
  if ((year | month | day | hour | minute | second) === 0) return null
  // A clock that was never set counts from 1980.
  return utcMs({ year: year >= 80 ? 1900 + year : 2000 + year, month, day, hour, minute, second })
}

/** Writes a body; every value is checked against its width, because a silent cut would be another message. */
export class ByteWriter {
  readonly #pieces: Buffer[] = []

  #number(value: number, width: 1 | 2 | 4, least = 0): this {
    if (!Number.isInteger(value) || value < least || value >= 2 ** (8 * width) + least) {
      throw new ProtocolError(`a value does not fit into ${width} bytes`)
    }
    const piece = Buffer.allocUnsafe(width)
    if (least < 0) piece.writeIntBE(value, 0, width)
    else piece.writeUIntBE(value, 0, width)
    this.#pieces.push(piece)
    return this
  }

  u8(value: number): this {
    return this.#number(value, 1)
  }

  u16(value: number): this {
    return this.#number(value, 2)
  }

  i16(value: number): this {
    return this.#number(value, 2, -0x8000)
  }

  u32(value: number): this {
    return this.#number(value, 4)
  }

  bytes(value: Uint8Array): this {
    this.#pieces.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength))
    return this
  }

  hex(value: string): this {
    if (!/^(?:[0-9a-f]{2})*$/.test(value)) throw new ProtocolError('a value is not hexadecimal')
    return this.bytes(Buffer.from(value, 'hex'))
  }

  /** GBK text, filled up to a width when there is one. */
  text(value: string, width?: number, fill: 0 | 0x20 = 0): this {
    const bytes = encodeGbk(value)
    if (width === undefined) return this.bytes(bytes)
    if (bytes.length > width) throw new ProtocolError(`a text does not fit into ${width} bytes`)
    return this.bytes(Buffer.concat([bytes, Buffer.alloc(width - bytes.length, fill)]))
  }

  /** GBK text behind its length in one byte. */
  countedText(value: string): this {
    const bytes = encodeGbk(value)
    return this.u8(bytes.length).bytes(bytes)
  }

  time(value: number | null): this {
    return this.utcTime(value === null ? null : value + zoneMs)
  }

  utcTime(value: number | null): this {
    if (value === null) return this.bytes(Buffer.alloc(timeLength))
    const iso = new Date(value).toISOString()
    if (iso < '1980' || iso >= '2080') throw new ProtocolError('a time has more than two digits of year')
    return this.hex(iso.replace(/\D/g, '').slice(2, 14))
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.#pieces)
  }
}
