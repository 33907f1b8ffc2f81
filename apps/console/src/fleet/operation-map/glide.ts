import { planeM, type LatLng, radiansOf } from '@saddle/geo/earth.ts'

/** A vehicle's way on the screen between two reported positions. */
export interface Glide {
  readonly from: LatLng
  readonly to: LatLng
  readonly startedAt: number
  readonly durationMs: number
}

const shortestMs = 400
const longestMs = 4_000
/** A longer move is a vehicle carried away or a corrected fix: it is drawn there at once. */
const jumpMetres = 400

export interface GlideStep {
  readonly last: Glide | undefined
  readonly from: LatLng
  readonly to: LatLng
  readonly nowMs: number
}

/**
 * The way to a new position. It takes as long as the report before it was ago, so that a riding vehicle
 * moves steadily instead of hopping, one report behind the truth.
 */
export function glide({ last, from, to, nowMs }: GlideStep): Glide {
  const start = last === undefined ? from : positionAt(last, nowMs)
  if (planeM(start, to) > jumpMetres) return { from: to, to, startedAt: nowMs, durationMs: 0 }
  const sinceLastMs = last === undefined ? shortestMs : nowMs - last.startedAt
  return { from: start, to, startedAt: nowMs, durationMs: Math.min(longestMs, Math.max(shortestMs, sinceLastMs)) }
}

/** The position at a moment; before the start the beginning, after the end the goal. */
export function positionAt({ from, to, startedAt, durationMs }: Glide, nowMs: number): LatLng {
  if (durationMs <= 0 || nowMs >= startedAt + durationMs) return { lng: to.lng, lat: to.lat }
  const share = Math.max(0, (nowMs - startedAt) / durationMs)
  return { lng: from.lng + (to.lng - from.lng) * share, lat: from.lat + (to.lat - from.lat) * share }
}

/** Shorter moves are the noise of a parked vehicle's position. */
const leastCourseMetres = 5

/** Direction of a move in degrees clockwise from north; null when it is too short to tell. */
export function courseDeg(from: LatLng, to: LatLng): number | null {
  if (planeM(from, to) < leastCourseMetres) return null
  const east = (to.lng - from.lng) * Math.cos(radiansOf(from.lat))
  return ((Math.atan2(east, to.lat - from.lat) * 180) / Math.PI + 360) % 360
}
