import type { FenceHours } from '@saddle/contract/geography/fences.ts'
import { businessOffsetMs, minuteMs } from '@saddle/contract/time.ts'
import { planeOf, type LatLng } from '@saddle/geo/earth.ts'

type Position = readonly [lng: number, lat: number]
type Ring = readonly Position[]
export type Shape = {
  readonly ring: Ring | null
  readonly holes?: readonly Ring[]
  readonly centre: LatLng
  readonly radiusM: number | null
}

type Nearness = { readonly distanceM: number; readonly isInside: boolean }

/**
 * Metres from a place to the nearest part of a fence, and whether it lies inside; inside the distance is 0. The line
 * itself belongs to the fence, that around a hole too.
 */
export function nearness(place: LatLng, shape: Shape): Nearness {
  if (shape.ring === null) {
    const { x, y } = planeOf(place, shape.centre)
    const beyond = Math.hypot(x, y) - (shape.radiusM ?? 0)
    return { distanceM: Math.max(0, beyond), isInside: beyond <= 0 }
  }
  const outer = towards(place, shape.ring)
  if (!outer.isInside) return outer
  for (const hole of shape.holes ?? []) {
    const { isInside, lineM } = towards(place, hole)
    if (isInside && lineM > 0) return { distanceM: lineM, isInside: false }
  }
  return { distanceM: 0, isInside: true }
}

/** `lineM`: metres to the line, from inside as from outside. */
function towards(place: LatLng, ring: Ring): Nearness & { readonly lineM: number } {
  const corners = ring.map(([lng, lat]) => planeOf(place, { lat, lng }))
  let isInside = false
  let lineM = Number.POSITIVE_INFINITY
  for (let index = 1; index < corners.length; index += 1) {
    const [from, to] = [corners[index - 1], corners[index]]
    if (from === undefined || to === undefined) continue
    lineM = Math.min(lineM, distanceToSegment(from, to))
    // The place itself is the origin: an edge counts where it crosses the ray to the east.
    if (from.y > 0 !== to.y > 0 && from.x + ((0 - from.y) / (to.y - from.y)) * (to.x - from.x) > 0) isInside = !isInside
  }
  const isIn = isInside || lineM === 0
  return { distanceM: isIn ? 0 : lineM, isInside: isIn, lineM }
}

type Corner = { readonly x: number; readonly y: number }

function distanceToSegment(from: Corner, to: Corner): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  const part = length === 0 ? 0 : Math.min(1, Math.max(0, -(from.x * dx + from.y * dy) / length))
  return Math.hypot(from.x + part * dx, from.y + part * dy)
}

/** Business time is eight hours ahead of UTC and knows no summer time. */

/** Whether a parking place takes vehicles at a moment. */
export function isOpenAt(hours: FenceHours | null, at: number): boolean {
  if (hours === null) return true
  const { opensMinute, closesMinute } = hours
  const minute = Math.floor((at + businessOffsetMs) / minuteMs) % 1_440
  return opensMinute < closesMinute
    ? minute >= opensMinute && minute < closesMinute
    : minute >= opensMinute || minute < closesMinute
}
