/**
 * A stretch of a vehicle's way as bytes: what `track_segment.points` holds, what calls about the past answer with, and
 * what the map plays. Typically six to eight bytes a point.
 *
 * Layout: version u8, number of points varint, then for each point the differences to the one before it (the first: to
 * zero): seconds varint, latitude and longitude zigzag varint in 1e-6 degree, and one varint that holds the zigzag
 * difference of the battery (101 stands for unknown) above three bits of flags.
 */
export interface TrackPoint {
  /** Milliseconds since 1970; kept to the second. */
  readonly at: number
  /** WGS-84, kept to 1e-6 degree. */
  readonly lat: number
  readonly lng: number
  /** 0 to 100, kept to the percent; null when unknown. */
  readonly batteryPercent: number | null
  readonly locked: boolean
  /** The device itself was not sure of the position. */
  readonly unsure: boolean
}

const version = 1
const unknownBattery = 101
const flag = { locked: 1, unsure: 2 } as const
const flagBits = 3
const microdegrees = 1e6

/** A stretch ends after so many points at the latest; a decoder takes no more. */
export const trackMaxPoints = 20_000

/** Throws a RangeError when times go back, or there are more than `trackMaxPoints`. */
export function encodeTrack(points: readonly TrackPoint[]): Uint8Array {
  if (points.length > trackMaxPoints) throw new RangeError('too many points in a track')
  const bytes: number[] = [version]
  writeVarint(bytes, points.length)
  let [seconds, lat, lng, battery] = [0, 0, 0, 0]
  for (const point of points) {
    const next = {
      seconds: Math.round(point.at / 1000),
      lat: Math.round(point.lat * microdegrees),
      lng: Math.round(point.lng * microdegrees),
      battery: point.batteryPercent === null ? unknownBattery : Math.round(point.batteryPercent),
    }
    if (next.seconds < seconds) throw new RangeError('the times of a track must not go back')
    const flags = (point.locked ? flag.locked : 0) | (point.unsure ? flag.unsure : 0)
    writeVarint(bytes, next.seconds - seconds)
    writeVarint(bytes, zigzag(next.lat - lat))
    writeVarint(bytes, zigzag(next.lng - lng))
    writeVarint(bytes, zigzag(next.battery - battery) * 2 ** flagBits + flags)
    ;({ seconds, lat, lng, battery } = next)
  }
  return Uint8Array.from(bytes)
}

/** Throws a RangeError on anything that `encodeTrack` does not write. */
export function decodeTrack(bytes: Uint8Array): TrackPoint[] {
  if (bytes[0] !== version) throw new RangeError('not a track')
  const reader = { bytes, at: 1 }
  const count = readVarint(reader)
  // A point takes four bytes at the least: a false count must not make room for millions.
  if (count > trackMaxPoints || count * 4 > bytes.length - reader.at) throw new RangeError('a track is cut short')
  const points: TrackPoint[] = []
  let [seconds, lat, lng, battery] = [0, 0, 0, 0]
  for (let index = 0; index < count; index++) {
    seconds += readVarint(reader)
    lat += unzigzag(readVarint(reader))
    lng += unzigzag(readVarint(reader))
    const last = readVarint(reader)
    battery += unzigzag(Math.floor(last / 2 ** flagBits))
    const flags = last % 2 ** flagBits
    points.push({
      at: seconds * 1000,
      lat: lat / microdegrees,
      lng: lng / microdegrees,
      batteryPercent: battery === unknownBattery ? null : battery,
      locked: (flags & flag.locked) !== 0,
      unsure: (flags & flag.unsure) !== 0,
    })
  }
  if (reader.at !== bytes.length) throw new RangeError('a track has bytes left over')
  return points
}

export interface TrackPlace {
  readonly lat: number
  readonly lng: number
  readonly batteryPercent: number | null
}

/** Where the vehicle was at `atMs`, on the straight line between two points; the ends hold before and after. */
export function placeOnTrack(points: readonly TrackPoint[], atMs: number): TrackPlace | null {
  const first = points[0]
  if (first === undefined) return null
  let [low, high] = [0, points.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((points[middle]?.at ?? 0) <= atMs) low = middle
    else high = middle - 1
  }
  const before = points[low] ?? first
  const after = points[low + 1]
  if (after === undefined || atMs <= before.at) return before
  const part = (atMs - before.at) / (after.at - before.at)
  return {
    lat: before.lat + (after.lat - before.lat) * part,
    lng: before.lng + (after.lng - before.lng) * part,
    batteryPercent: before.batteryPercent,
  }
}

// Differences can be negative and larger than 31 bits hold (the first second is 1.7e9), so no bit operators here.
const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)
const unzigzag = (value: number): number => (value % 2 === 1 ? -(value + 1) / 2 : value / 2)

function writeVarint(bytes: number[], value: number): void {
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
}

/** Seven bytes hold 2^49: more than any difference of two sound points. */
const varintMaxBytes = 7

function readVarint(reader: { readonly bytes: Uint8Array; at: number }): number {
  let value = 0
  let scale = 1
  for (let length = 0; length < varintMaxBytes; length++) {
    const byte = reader.bytes[reader.at]
    if (byte === undefined) throw new RangeError('a track is cut short')
    reader.at += 1
    value += (byte % 128) * scale
    if (byte < 128) return value
    scale *= 128
  }
  throw new RangeError('a number in a track is too long')
}
