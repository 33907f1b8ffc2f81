/** PostgreSQL's binary COPY format: https://www.postgresql.org/docs/current/sql-copy.html */
import { dayMs } from '@saddle/contract/time.ts'

type Write = (bytes: Buffer, at: number, value: never) => number

const chunkBytes = 128 * 1024
const signature = Buffer.from('PGCOPY\n\u00ff\r\n\0', 'latin1')
/** Microseconds of PostgreSQL's time count from the year 2000. */
const pgEpochMs = Date.UTC(2000, 0, 1)
const pgEpochDays = pgEpochMs / dayMs
const textOid = 25
const int8Oid = 20
const twoTo32 = 2 ** 32
/** A value is preceded by its length. */
const lengthBytes = 4
/** Length and value of what has a fixed size, at most. */
const fixedBytes = 12

/** JSON that is written down already, so that its length is known before its row begins. */
export interface JsonText {
  readonly json: string
}

const writers = {
  bigint: int8,
  integer: (bytes: Buffer, at: number, value: number) => bytes.writeInt32BE(value, bytes.writeInt32BE(4, at)),
  smallint: (bytes: Buffer, at: number, value: number) => bytes.writeInt16BE(value, bytes.writeInt32BE(2, at)),
  float8: (bytes: Buffer, at: number, value: number) => bytes.writeDoubleBE(value, bytes.writeInt32BE(8, at)),
  real: (bytes: Buffer, at: number, value: number) => bytes.writeFloatBE(value, bytes.writeInt32BE(4, at)),
  boolean: (bytes: Buffer, at: number, value: boolean) => bytes.writeUInt8(value ? 1 : 0, bytes.writeInt32BE(1, at)),
  text,
  date: (bytes: Buffer, at: number, value: string) =>
    bytes.writeInt32BE(Date.parse(value) / dayMs - pgEpochDays, bytes.writeInt32BE(4, at)),
  timestamptz: (bytes: Buffer, at: number, value: number) => int8(bytes, at, (value - pgEpochMs) * 1000),
  bytea: (bytes: Buffer, at: number, value: Uint8Array) => {
    const from = bytes.writeInt32BE(value.length, at)
    bytes.set(value, from)
    return from + value.length
  },
  jsonb: (bytes: Buffer, at: number, value: JsonText) => {
    // The version of the format is one byte.
    const from = bytes.writeUInt8(1, at + lengthBytes)
    const length = bytes.write(value.json, from)
    bytes.writeInt32BE(length + 1, at)
    return from + length
  },
  'text[]': (bytes: Buffer, at: number, values: readonly string[]) =>
    array({ bytes, at, values, oid: textOid, write: text }),
  'bigint[]': (bytes: Buffer, at: number, values: readonly number[]) =>
    array({ bytes, at, values, oid: int8Oid, write: int8 }),
} satisfies Record<string, (bytes: Buffer, at: number, value: never) => number>

export type CopyType = keyof typeof writers

/**
 * Rows in the binary format, a chunk at a time. Numbers are written as they are in memory, so that neither side formats or
 * parses a digit. A row that is longer than a chunk gets one of its own.
 */
export function* binaryRows<Source>(options: {
  rows: readonly Source[]
  columns: readonly (readonly [CopyType, (row: Source) => unknown])[]
}): Generator<Uint8Array> {
  const columns = options.columns.map(([type, value]) => ({ write: writers[type] as Write, value }))
  const values: unknown[] = columns.map(() => null)
  let bytes = Buffer.allocUnsafe(chunkBytes)
  let at = signature.copy(bytes, 0)
  // No flags and no header extension.
  at = bytes.writeInt32BE(0, at)
  at = bytes.writeInt32BE(0, at)
  for (const row of options.rows) {
    let room = 2
    for (let index = 0; index < columns.length; index += 1) {
      const value = columns[index]?.value(row) ?? null
      values[index] = value
      room += roomOf(value)
    }
    if (at + room > bytes.length) {
      yield bytes.subarray(0, at)
      bytes = Buffer.allocUnsafe(Math.max(chunkBytes, room))
      at = 0
    }
    at = bytes.writeInt16BE(columns.length, at)
    for (let index = 0; index < columns.length; index += 1) {
      const value = values[index]
      at = value === null ? bytes.writeInt32BE(-1, at) : (columns[index]?.write(bytes, at, value as never) ?? at)
    }
  }
  if (at + 2 > bytes.length) {
    yield bytes.subarray(0, at)
    bytes = Buffer.allocUnsafe(2)
    at = 0
  }
  at = bytes.writeInt16BE(-1, at)
  yield bytes.subarray(0, at)
}

/** Bytes that a value takes at most: a UTF-16 unit becomes three bytes of UTF-8 at most. */
function roomOf(value: unknown): number {
  if (typeof value === 'string') return lengthBytes + value.length * 3
  if (typeof value === 'object' && value !== null && 'json' in value) return fixedBytes + roomOf(value.json)
  if (value instanceof Uint8Array) return lengthBytes + value.length
  if (!Array.isArray(value)) return fixedBytes
  let room = lengthBytes + 20
  for (const item of value) room += roomOf(item)
  return room
}

/** Exact for whole numbers up to 2^53, of either sign. */
function int8(bytes: Buffer, start: number, value: number): number {
  const at = bytes.writeInt32BE(8, start)
  const high = Math.floor(value / twoTo32)
  return bytes.writeUInt32BE(value - high * twoTo32, bytes.writeInt32BE(high, at))
}

function text(bytes: Buffer, start: number, value: string): number {
  const length = bytes.write(value, start + 4)
  return bytes.writeInt32BE(length, start) + length
}

function array<T>(options: {
  bytes: Buffer
  at: number
  values: readonly T[]
  oid: number
  write: (bytes: Buffer, at: number, value: T) => number
}): number {
  const { bytes, values, oid, write } = options
  const start = options.at
  let at = start + 4
  const header = values.length === 0 ? [0, 0, oid] : [1, 0, oid, values.length, 1]
  for (const number of header) at = bytes.writeInt32BE(number, at)
  for (const value of values) at = write(bytes, at, value)
  bytes.writeInt32BE(at - start - 4, start)
  return at
}
