import { ProtocolError } from '../error.ts'
import { ByteWriter, readTime } from './bytes.ts'
import { jt808Status, type Jt808BikeItem, type Jt808Item, type Jt808Position } from './messages.ts'

/** Additional items of the standard: name on the message, width in bytes, units per unit of the name. */
const numericItems = [
  { id: 0x01, name: 'odometerM', width: 4, scale: 100, divisor: 1 },
  { id: 0x02, name: 'fuelL', width: 2, scale: 1, divisor: 10 },
  { id: 0x03, name: 'recorderSpeedKmh', width: 2, scale: 1, divisor: 10 },
  { id: 0x04, name: 'alarmEvent', width: 2, scale: 1, divisor: 1 },
  { id: 0x25, name: 'vehicleSignalBits', width: 4, scale: 1, divisor: 1 },
  { id: 0x2a, name: 'ioBits', width: 2, scale: 1, divisor: 1 },
  { id: 0x2b, name: 'analogBits', width: 4, scale: 1, divisor: 1 },
  { id: 0x30, name: 'signal', width: 1, scale: 1, divisor: 1 },
  { id: 0x31, name: 'satellites', width: 1, scale: 1, divisor: 1 },
] as const satisfies readonly {
  id: number
  name: keyof Jt808Position
  width: 1 | 2 | 4
  scale: number
  divisor: number
}[]

type NumericItem = (typeof numericItems)[number]
const numericById: readonly (NumericItem | undefined)[] = Array.from({ length: 256 }, (_, id) =>
  numericItems.find((item) => item.id === id),
)

/** The fixed part of a position. */
const basicLength = 28
const bikeItemId = 0xf8
const bikeItemLength = 7
/** `SB` and the version of the layout tell our item from another maker's use of the same number. */
const bikeItemMark = 0x534201

function readBike(value: Buffer): Jt808BikeItem | undefined {
  if (value.length !== bikeItemLength || value.readUIntBE(0, 3) !== bikeItemMark) return undefined
  const flags = value[6] ?? 0
  // A bit that this version does not know would be lost: the item is left as it came.
  if (flags > 7) return undefined
  return {
    batteryPercent: value[3] ?? 0,
    voltageV: value.readUInt16BE(4) / 100,
    locked: (flags & 1) !== 0,
    charging: (flags & 2) !== 0,
    compartmentOpen: (flags & 4) !== 0,
  }
}

function writeBike(write: ByteWriter, bike: Jt808BikeItem): void {
  const flags = (bike.locked ? 1 : 0) | (bike.charging ? 2 : 0) | (bike.compartmentOpen ? 4 : 0)
  write
    .u8(bikeItemId)
    .u8(bikeItemLength)
    .bytes(Buffer.of(0x53, 0x42, 0x01))
  write
    .u8(bike.batteryPercent)
    .u16(Math.round(bike.voltageV * 100))
    .u8(flags)
}

/** Gives the item at `start` its name; false when it has none, has it already, or has an unusual width. */
function nameItem(options: { position: Jt808Position; body: Buffer; id: number; start: number; end: number }): boolean {
  const { position, body, id, start, end } = options
  if (id === bikeItemId && position.bike === undefined) {
    const bike = readBike(body.subarray(start, end))
    if (bike === undefined) return false
    position.bike = bike
    return true
  }
  const known = numericById[id]
  if (known === undefined || known.width !== end - start || position[known.name] !== undefined) return false
  position[known.name] = (body.readUIntBE(start, known.width) * known.scale) / known.divisor
  return true
}

function readItems(position: Jt808Position, body: Buffer): void {
  const items: Jt808Item[] = []
  let at = basicLength
  while (at + 2 <= body.length) {
    const id = body[at] ?? 0
    const start = at + 2
    const end = start + (body[at + 1] ?? 0)
    if (end > body.length) break
    if (!nameItem({ position, body, id, start, end })) items.push({ id, hex: body.toString('hex', start, end) })
    at = end
  }
  if (items.length > 0) position.items = items
  if (at < body.length) position.trailingHex = body.toString('hex', at)
}

function readDegrees(microdegrees: number, negative: boolean, limit: number): number {
  if (microdegrees > limit * 1e6) throw new ProtocolError(`${limit === 90 ? 'lat' : 'lng'} is out of range`)
  // South of the equator by nothing is 0 and not -0.
  return negative ? -microdegrees / 1e6 + 0 : microdegrees / 1e6
}

/**
 * Reads the body of a position report into `target`, which saves the hot path a copy.
 *
 * @throws ProtocolError when the fixed part is malformed; items that make no sense are kept raw.
 */
export function readPositionInto<T extends object>(target: T, body: Buffer): T & Jt808Position {
  if (body.length < basicLength) throw new ProtocolError('the body is cut off')
  const position = target as T & Jt808Position
  const statusBits = body.readUInt32BE(4)
  position.alarmBits = body.readUInt32BE(0)
  position.statusBits = statusBits
  position.lat = readDegrees(body.readUInt32BE(8), (statusBits & jt808Status.south) !== 0, 90)
  position.lng = readDegrees(body.readUInt32BE(12), (statusBits & jt808Status.west) !== 0, 180)
  position.altitudeM = body.readInt16BE(16)
  position.speedKmh = body.readUInt16BE(18) / 10
  position.headingDeg = body.readUInt16BE(20)
  position.timeUtc = readTime(body, 22)
  if (body.length > basicLength) readItems(position, body)
  return position
}

export const readPosition = (body: Buffer): Jt808Position => readPositionInto({}, body)

function withSign(bits: number, value: number, negativeBit: number): number {
  if (value === 0) return bits
  return value < 0 ? bits | negativeBit : bits & ~negativeBit
}

/** The body of a position report; named items go first, in the order of their numbers. */
export function writePosition(position: Jt808Position): Buffer {
  const { lat, lng } = position
  const hemispheres = withSign(withSign(position.statusBits, lat, jt808Status.south), lng, jt808Status.west)
  const write = new ByteWriter()
    .u32(position.alarmBits)
    // The operators of bits answer with a signed number.
    .u32(hemispheres >>> 0)
    .u32(Math.round(Math.abs(lat) * 1e6))
    .u32(Math.round(Math.abs(lng) * 1e6))
    .i16(Math.round(position.altitudeM))
    .u16(Math.round(position.speedKmh * 10))
    .u16(Math.round(position.headingDeg))
    .time(position.timeUtc)
  for (const { id, name, width, scale, divisor } of numericItems) {
    const value = position[name]
    if (value === undefined) continue
    const units = Math.round((value * divisor) / scale)
    write.u8(id).u8(width)
    if (width === 4) write.u32(units)
    else if (width === 2) write.u16(units)
    else write.u8(units)
  }
  if (position.bike) writeBike(write, position.bike)
  for (const { id, hex } of position.items ?? [])
    write
      .u8(id)
      .u8(hex.length / 2)
      .hex(hex)
  if (position.trailingHex !== undefined) write.hex(position.trailingHex)
  return write.toBuffer()
}
