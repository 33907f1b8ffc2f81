import { metresPerDegree } from '@saddle/geo/earth.ts'

/** Positions in whole millionths of a degree, compared on a locally flat earth: accurate to a percent over a few kilometres. */
type Micro = { readonly lat: number; readonly lng: number }

const metresPerMicro = metresPerDegree / 1e6
/** Shorter moves are position noise of a parked vehicle. */
const leastCourseMetres = 5

const eastMetres = (from: Micro, to: Micro): number =>
  (to.lng - from.lng) * metresPerMicro * Math.cos((from.lat * Math.PI) / 180e6)

export function metresBetween(from: Micro, to: Micro): number {
  return Math.hypot((to.lat - from.lat) * metresPerMicro, eastMetres(from, to))
}

/** Direction of a move in degrees clockwise from north; null when it is too short to tell. */
export function courseDeg(from: Micro, to: Micro): number | null {
  if (from.lat === to.lat && from.lng === to.lng) return null
  if (metresBetween(from, to) < leastCourseMetres) return null
  const north = (to.lat - from.lat) * metresPerMicro
  return ((Math.atan2(eastMetres(from, to), north) * 180) / Math.PI + 360) % 360
}
