import type { SanitizedReport } from './rules.ts'
import type { PlacedReport } from './store.ts'

/** The columns of `device_report` in the order in which `encodeCopyRows` writes them. */
export const copyColumns = [
  'vehicle_id',
  'agent_id',
  'area_id',
  'occurred_at',
  'frame_crc',
  'received_at',
  'kind',
  'lat',
  'lng',
  'fix',
  'speed_kmh',
  'heading_deg',
  'altitude_m',
  'battery_percent',
  'voltage_v',
  'locked',
  'charging',
  'signal',
  'odometer_m',
  'alarms',
] as const

const chunkBytes = 128 * 1024
/** More than the longest row: eight alarms of 40 characters and a kind of 20. */
const maxRowBytes = 1024
const signature = Buffer.from('PGCOPY\n\u00ff\r\n\0', 'latin1')
/** Microseconds of PostgreSQL's time count from the year 2000. */
const pgEpochMs = Date.UTC(2000, 0, 1)
const textOid = 25
const twoTo32 = 2 ** 32
/** An array without elements: no dimension, no null, the type of its elements. */
const emptyArray = Buffer.from([0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, textOid])

/**
 * Reports in PostgreSQL's binary COPY format, a chunk at a time. Numbers are written as they are in memory, so that
 * neither side formats or parses a digit: this is what lets one connection take in a whole city.
 */
export function* encodeCopyRows(rows: readonly PlacedReport[]): Generator<Uint8Array> {
  let bytes = Buffer.allocUnsafe(chunkBytes)
  let at = signature.copy(bytes, 0)
  // No flags and no header extension.
  at = bytes.writeInt32BE(0, at)
  at = bytes.writeInt32BE(0, at)
  for (const row of rows) {
    if (at > chunkBytes - maxRowBytes) {
      yield bytes.subarray(0, at)
      bytes = Buffer.allocUnsafe(chunkBytes)
      at = 0
    }
    at = writeRow(bytes, at, row)
  }
  at = bytes.writeInt16BE(-1, at)
  yield bytes.subarray(0, at)
}

function writeRow(bytes: Buffer, start: number, { row, agentId, areaId }: PlacedReport): number {
  const { report } = row
  let at = bytes.writeInt16BE(copyColumns.length, start)
  at = int8(bytes, at, row.vehicleId)
  at = int8(bytes, at, agentId)
  at = int8(bytes, at, areaId)
  at = instant(bytes, at, report.occurredAt)
  at = int4(bytes, at, row.frameCrc)
  at = instant(bytes, at, report.receivedAt)
  at = text(bytes, at, row.kind)
  at = writePlace(bytes, at, report.position)
  at = float4(bytes, at, report.batteryPercent)
  at = float4(bytes, at, report.voltageV)
  at = flag(bytes, at, report.locked)
  at = flag(bytes, at, report.charging)
  at = report.signal === null ? nothing(bytes, at) : int4(bytes, at, report.signal)
  at = report.odometerM === null ? nothing(bytes, at) : int8(bytes, at, report.odometerM)
  return texts(bytes, at, report.alarms)
}

function writePlace(bytes: Buffer, start: number, position: SanitizedReport['position']): number {
  let at = start
  if (position === null) {
    for (let column = 0; column < 6; column += 1) at = nothing(bytes, at)
    return at
  }
  at = bytes.writeInt32BE(8, at)
  at = bytes.writeDoubleBE(position.lat, at)
  at = bytes.writeInt32BE(8, at)
  at = bytes.writeDoubleBE(position.lng, at)
  at = flag(bytes, at, position.fix)
  at = float4(bytes, at, position.speedKmh)
  at = float4(bytes, at, position.headingDeg)
  return float4(bytes, at, position.altitudeM)
}

function nothing(bytes: Buffer, at: number): number {
  return bytes.writeInt32BE(-1, at)
}

function int4(bytes: Buffer, at: number, value: number): number {
  return bytes.writeInt32BE(value, bytes.writeInt32BE(4, at))
}

/** Exact for whole numbers up to 2^53, of either sign. */
function int8(bytes: Buffer, start: number, value: number): number {
  const at = bytes.writeInt32BE(8, start)
  const high = Math.floor(value / twoTo32)
  return bytes.writeUInt32BE(value - high * twoTo32, bytes.writeInt32BE(high, at))
}

function instant(bytes: Buffer, at: number, timeMs: number): number {
  return int8(bytes, at, (timeMs - pgEpochMs) * 1000)
}

function float4(bytes: Buffer, at: number, value: number | null): number {
  if (value === null) return nothing(bytes, at)
  return bytes.writeFloatBE(value, bytes.writeInt32BE(4, at))
}

function flag(bytes: Buffer, start: number, value: boolean | null): number {
  if (value === null) return nothing(bytes, start)
  const at = bytes.writeInt32BE(1, start)
  bytes[at] = value ? 1 : 0
  return at + 1
}

/** Only what `reports/rules.ts` lets through: ASCII. */
function text(bytes: Buffer, start: number, value: string): number {
  const at = bytes.writeInt32BE(value.length, start)
  return at + bytes.write(value, at, 'latin1')
}

function texts(bytes: Buffer, start: number, values: readonly string[]): number {
  if (values.length === 0) return start + emptyArray.copy(bytes, start)
  let at = start + 4
  for (const header of [1, 0, textOid, values.length, 1]) at = bytes.writeInt32BE(header, at)
  for (const value of values) at = text(bytes, at, value)
  bytes.writeInt32BE(at - start - 4, start)
  return at
}
