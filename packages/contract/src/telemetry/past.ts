import { vehicleStates, type VehicleState } from '#contract/fleet/vehicles.ts'

/**
 * The past of a whole fleet as bytes: where every vehicle stood at one moment, and the stretches in which they moved.
 * Both little endian; both travel as base64url inside an answer.
 */
export interface PastVehicle {
  readonly id: number
  readonly lat: number
  readonly lng: number
  readonly batteryPercent: number | null
  readonly state: VehicleState
}

export interface PastStretch {
  readonly vehicleId: number
  readonly kind: 'trip' | 'stay'
  /** Milliseconds since 1970. A stay that begins at the asked moment must not begin after it, so nothing is rounded. */
  readonly startedAt: number
  readonly endedAt: number
  readonly start: { readonly lat: number; readonly lng: number; readonly batteryPercent: number | null }
  readonly end: { readonly lat: number; readonly lng: number; readonly batteryPercent: number | null }
  /** As `encodeTrack` wrote them; empty for a stay. */
  readonly points: Uint8Array
}

const momentVersion = 1
const stretchVersion = 3
const headerBytes = 8
const vehicleBytes = 14
const stretchBytes = 44
const unknownBattery = 255
const microdegrees = 1e6

/** Header: version u8, three zero bytes, count u32. Record: id u32, lng i32, lat i32 (1e-6 degree), battery u8, state u8. */
export function encodeMoment(vehicles: readonly PastVehicle[]): Uint8Array {
  const bytes = new Uint8Array(headerBytes + vehicles.length * vehicleBytes)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, momentVersion)
  view.setUint32(4, vehicles.length, true)
  let at = headerBytes
  for (const vehicle of vehicles) {
    view.setUint32(at, vehicle.id, true)
    writePlace(view, at + 4, vehicle)
    view.setUint8(at + 12, batteryByte(vehicle.batteryPercent))
    view.setUint8(at + 13, vehicleStates.indexOf(vehicle.state))
    at += vehicleBytes
  }
  return bytes
}

/** Throws a RangeError on anything that `encodeMoment` does not write. */
export function decodeMoment(bytes: Uint8Array): PastVehicle[] {
  const view = viewOf(bytes, momentVersion)
  const count = view.getUint32(4, true)
  if (bytes.length !== headerBytes + count * vehicleBytes) throw new RangeError('a moment has the wrong length')
  return Array.from({ length: count }, (_, index) => {
    const at = headerBytes + index * vehicleBytes
    const state = vehicleStates[view.getUint8(at + 13)]
    if (state === undefined) throw new RangeError('a moment has an unknown state')
    return {
      id: view.getUint32(at, true),
      ...readPlace(view, at + 4),
      batteryPercent: batteryOf(view.getUint8(at + 12)),
      state,
    }
  })
}

/**
 * Header as above with version 3. Record: id u32, kind u8 (1 trip), batteries u8 u8, zero u8, milliseconds f64 f64, start
 * and end as lng i32, lat i32, length of the points u32; then the points.
 */
export function encodeStretches(stretches: readonly PastStretch[]): Uint8Array {
  const length = stretches.reduce((sum, one) => sum + stretchBytes + one.points.length, headerBytes)
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, stretchVersion)
  view.setUint32(4, stretches.length, true)
  let at = headerBytes
  for (const one of stretches) {
    view.setUint32(at, one.vehicleId, true)
    view.setUint8(at + 4, one.kind === 'trip' ? 1 : 0)
    view.setUint8(at + 5, batteryByte(one.start.batteryPercent))
    view.setUint8(at + 6, batteryByte(one.end.batteryPercent))
    view.setFloat64(at + 8, one.startedAt, true)
    view.setFloat64(at + 16, one.endedAt, true)
    writePlace(view, at + 24, one.start)
    writePlace(view, at + 32, one.end)
    view.setUint32(at + 40, one.points.length, true)
    bytes.set(one.points, at + stretchBytes)
    at += stretchBytes + one.points.length
  }
  return bytes
}

/** Throws a RangeError on anything that `encodeStretches` does not write; the points are not looked into. */
export function decodeStretches(bytes: Uint8Array): PastStretch[] {
  const view = viewOf(bytes, stretchVersion)
  const count = view.getUint32(4, true)
  if (count * stretchBytes > bytes.length - headerBytes) throw new RangeError('stretches are cut short')
  const stretches: PastStretch[] = []
  let at = headerBytes
  for (let index = 0; index < count; index++) {
    if (at + stretchBytes > bytes.length) throw new RangeError('stretches are cut short')
    const end = at + stretchBytes + view.getUint32(at + 40, true)
    if (end > bytes.length) throw new RangeError('stretches are cut short')
    stretches.push({
      vehicleId: view.getUint32(at, true),
      kind: view.getUint8(at + 4) === 1 ? 'trip' : 'stay',
      startedAt: view.getFloat64(at + 8, true),
      endedAt: view.getFloat64(at + 16, true),
      start: { ...readPlace(view, at + 24), batteryPercent: batteryOf(view.getUint8(at + 5)) },
      end: { ...readPlace(view, at + 32), batteryPercent: batteryOf(view.getUint8(at + 6)) },
      points: bytes.slice(at + stretchBytes, end),
    })
    at = end
  }
  if (at !== bytes.length) throw new RangeError('stretches have bytes left over')
  return stretches
}

function viewOf(bytes: Uint8Array, version: number): DataView {
  if (bytes.length < headerBytes || bytes[0] !== version) throw new RangeError('not a picture of the past')
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function writePlace(view: DataView, at: number, place: { readonly lat: number; readonly lng: number }): void {
  view.setInt32(at, Math.round(place.lng * microdegrees), true)
  view.setInt32(at + 4, Math.round(place.lat * microdegrees), true)
}

function readPlace(view: DataView, at: number): { lat: number; lng: number } {
  return { lng: view.getInt32(at, true) / microdegrees, lat: view.getInt32(at + 4, true) / microdegrees }
}

const batteryByte = (percent: number | null): number => (percent === null ? unknownBattery : Math.round(percent))
const batteryOf = (byte: number): number | null => (byte === unknownBattery ? null : byte)
