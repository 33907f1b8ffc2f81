/** PostgreSQL's binary COPY format: https://www.postgresql.org/docs/current/sql-copy.html */
import { dayMs } from '@saddle/contract/time.ts'

export type CopyType =
  | 'bigint'
  | 'integer'
  | 'smallint'
  | 'float8'
  | 'real'
  | 'boolean'
  | 'text'
  | 'date'
  | 'timestamptz'
  | 'bytea'
  | 'jsonb'
  | 'text[]'
  | 'bigint[]'

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
/** Length, dimensions, flags, type, size and lower bound. */
const arrayHeadBytes = 24

/** JSON as text, so that it is written once. */
export interface JsonText {
  readonly json: string
}

type Columns<Source> = readonly { readonly type: CopyType; readonly value: (row: Source) => unknown }[]

/** The chunk that is being filled, with chunks that are full. `view` is over the same bytes: it writes numbers fastest. */
interface Output {
  bytes: Buffer
  view: DataView
  at: number
  readonly full: Uint8Array[]
  /** Room that the fixed values of a whole row take at most; kept free behind every other value. */
  readonly reserved: number
}

/**
 * Rows in the binary format, a chunk at a time. Numbers are written as they are in memory, so that neither side formats or
 * parses a digit. A chunk may end within a row.
 */
export function* binaryRows<Source>(options: {
  rows: readonly Source[]
  columns: readonly (readonly [CopyType, (row: Source) => unknown])[]
}): Generator<Uint8Array> {
  const { rows } = options
  const columns = options.columns.map(([type, value]) => ({ type, value }))
  const out: Output = { ...newChunk(chunkBytes), at: 0, full: [], reserved: 2 + columns.length * fixedBytes }
  out.at = signature.copy(out.bytes, 0)
  // No flags and no header extension.
  writeInt32(out, 0)
  writeInt32(out, 0)
  for (const row of rows) {
    makeRoom(out, 0)
    writeRow(out, columns, row)
    if (out.full.length > 0) yield* out.full.splice(0)
  }
  makeRoom(out, 0)
  out.view.setInt16(out.at, -1)
  yield* out.full.splice(0)
  yield out.bytes.subarray(0, out.at + 2)
}

function newChunk(size: number): Pick<Output, 'bytes' | 'view'> {
  const bytes = Buffer.allocUnsafeSlow(size)
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, size) }
}

/** Makes room for a value of this size and for the fixed values that may follow it. */
function makeRoom(out: Output, valueBytes: number): void {
  const needed = valueBytes + out.reserved
  if (out.at + needed <= out.bytes.length) return
  if (out.at > 0) out.full.push(out.bytes.subarray(0, out.at))
  Object.assign(out, newChunk(Math.max(chunkBytes, needed)))
  out.at = 0
}

/** Numbers and flags, most of every row, are written with the position in a local variable: this is the hot path. */
function writeRow<Source>(out: Output, columns: Columns<Source>, row: Source): void {
  let { view, at } = out
  view.setInt16(at, columns.length)
  at += 2
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index]
    if (column === undefined) continue
    const value = column.value(row)
    if (typeof value === 'number') at = writeNumber(view, at, column.type, value)
    else if (value === null || value === undefined) {
      view.setInt32(at, -1)
      at += 4
    } else if (typeof value === 'boolean') {
      view.setInt32(at, 1)
      view.setUint8(at + 4, value ? 1 : 0)
      at += 5
    } else {
      out.at = at
      writeOther(out, column.type, value)
      ;({ view, at } = out)
    }
  }
  out.at = at
}

function writeOther(out: Output, type: CopyType, value: object | string): void {
  if (typeof value === 'string') {
    if (type === 'date') out.at = writeNumber(out.view, out.at, 'integer', Date.parse(value) / dayMs - pgEpochDays)
    else {
      makeRoom(out, textRoom(value))
      writeText(out, value)
    }
  } else if (value instanceof Uint8Array) {
    makeRoom(out, lengthBytes + value.length)
    writeInt32(out, value.length)
    out.bytes.set(value, out.at)
    out.at += value.length
  } else if (Array.isArray(value)) writeArray(out, type, value)
  else writeJson(out, (value as JsonText).json)
}

function writeInt32(out: Output, value: number): void {
  out.view.setInt32(out.at, value)
  out.at += 4
}

function writeNumber(view: DataView, at: number, type: CopyType, value: number): number {
  if (type === 'real') {
    view.setInt32(at, 4)
    view.setFloat32(at + 4, value)
    return at + 8
  }
  if (type === 'integer') {
    view.setInt32(at, 4)
    view.setInt32(at + 4, value)
    return at + 8
  }
  if (type === 'smallint') {
    view.setInt32(at, 2)
    view.setInt16(at + 4, value)
    return at + 6
  }
  view.setInt32(at, 8)
  if (type === 'float8') view.setFloat64(at + 4, value)
  else {
    const whole = type === 'timestamptz' ? (value - pgEpochMs) * 1000 : value
    // Exact for whole numbers up to 2^53, of either sign.
    const high = Math.floor(whole / twoTo32)
    view.setInt32(at + 4, high)
    view.setUint32(at + 8, whole - high * twoTo32)
  }
  return at + 12
}

/** Bytes that a text takes at most: a UTF-16 unit becomes three bytes of UTF-8 at most. */
const textRoom = (value: string): number => lengthBytes + value.length * 3

/** Its room is made. */
function writeText(out: Output, value: string): void {
  const length = out.bytes.write(value, out.at + lengthBytes)
  writeInt32(out, length)
  out.at += length
}

function writeJson(out: Output, json: string): void {
  makeRoom(out, 1 + textRoom(json))
  // The version of the format is one byte.
  out.view.setUint8(out.at + lengthBytes, 1)
  const length = 1 + out.bytes.write(json, out.at + lengthBytes + 1)
  writeInt32(out, length)
  out.at += length
}

function writeArray(out: Output, type: CopyType, values: readonly unknown[]): void {
  let room = arrayHeadBytes
  for (const value of values) room += typeof value === 'string' ? textRoom(value) : fixedBytes
  makeRoom(out, room)
  const start = out.at
  const oid = type === 'text[]' ? textOid : int8Oid
  const head = values.length === 0 ? [0, 0, 0, oid] : [0, 1, 0, oid, values.length, 1]
  for (const number of head) writeInt32(out, number)
  for (const value of values) {
    if (typeof value === 'string') writeText(out, value)
    else out.at = writeNumber(out.view, out.at, 'bigint', value as number)
  }
  out.view.setInt32(start, out.at - start - lengthBytes)
}
