import type { PastVehicle } from '@saddle/contract/telemetry/past.ts'
import {
  decodeTrack,
  encodeTrack,
  trackMaxPoints,
  placeOnTrack,
  type TrackPoint,
} from '@saddle/contract/telemetry/track.ts'
import { vehicleStates } from '@saddle/contract/fleet/vehicles.ts'
import { greatCircleM, type LatLng } from '@saddle/geo/earth.ts'
import type { MomentRow, PointRow } from './store.ts'

export function lengthM(points: readonly LatLng[]): number {
  let sum = 0
  for (let index = 1; index < points.length; index += 1) {
    const [from, to] = [points[index - 1], points[index]]
    if (from !== undefined && to !== undefined) sum += greatCircleM(from, to)
  }
  return sum
}

/** Reports of one vehicle, in the order of their time, as the points of a track; every n-th where they are too many. */
export function pointsOf(rows: readonly PointRow[]): TrackPoint[] {
  const every = Math.ceil(rows.length / trackMaxPoints)
  const kept = every <= 1 ? rows : rows.filter((_, index) => index % every === 0 || index === rows.length - 1)
  let battery: number | null = null
  return kept.slice(0, trackMaxPoints).map((row) => {
    battery = row.battery_percent ?? battery
    return {
      at: row.occurred_at.getTime(),
      lat: row.lat,
      lng: row.lng,
      batteryPercent: battery,
      locked: row.locked !== false,
      unsure: row.fix === false,
    }
  })
}

/** What is to be shown of a track: places of which the device was not sure lead astray. */
export function coded(points: readonly TrackPoint[]): Uint8Array {
  const sure = points.filter((point) => !point.unsure)
  return encodeTrack(sure.length >= 2 ? sure : points)
}

/** Where a vehicle stood: by its stretch, or by its own word where that is the later one. */
export function momentOf(row: MomentRow, atMs: number): PastVehicle | null {
  const state = vehicleStates.find((known) => known === row.state) ?? 'available'
  const place = placeOf(row, atMs)
  return place === null ? null : { id: row.id, state, ...place }
}

function placeOf(row: MomentRow, atMs: number): (LatLng & { batteryPercent: number | null }) | null {
  const word =
    row.r_at === null || row.r_lat === null || row.r_lng === null
      ? null
      : { at: row.r_at.getTime(), lat: row.r_lat, lng: row.r_lng, batteryPercent: row.r_battery ?? row.g_battery_end }
  if (row.g_ended_at === null || row.g_end_lat === null || row.g_end_lng === null) return word
  const knownTo = Math.min(row.g_ended_at.getTime(), atMs)
  if (word !== null && word.at > knownTo) return word
  if (row.g_ended_at.getTime() > atMs && row.g_points !== null && row.g_points.length > 0) {
    const on = placeOnTrack(decodeTrack(row.g_points), atMs)
    if (on !== null) return { lat: on.lat, lng: on.lng, batteryPercent: on.batteryPercent }
  }
  return { lat: row.g_end_lat, lng: row.g_end_lng, batteryPercent: row.g_battery_end }
}
