import { boxAround, cornersOfCircle, type Box, type LatLng } from './earth.ts'
import { areaKm2Of, isInRing, ringsOverlap, type Ring } from './ring.ts'

/** A polygon, perhaps with holes, or a circle. WGS-84; rings are closed. */
export type Shape =
  | { readonly ring: Ring; readonly holes: readonly Ring[] }
  | { readonly centre: LatLng; readonly radiusM: number }

/** Whether all of a ring lies within another; what reaches over its line does not. */
export function liesIn(ring: Ring, outline: Ring): boolean {
  const middles = ring.slice(1).map(([lng, lat], index): [number, number] => {
    const [fromLng, fromLat] = ring[index] ?? [lng, lat]
    return [(lng + fromLng) / 2, (lat + fromLat) / 2]
  })
  return [...ring, ...middles].every((place) => isInRing(outline, place))
}

const circleCorners = 48

/** The line around a shape; of a circle, one with corners. */
export function outlineOf(shape: Shape): Ring {
  if ('ring' in shape) return shape.ring
  const corners = cornersOfCircle(shape.centre, shape.radiusM, circleCorners)
  return corners.concat(corners.slice(0, 1))
}

/** Square metres inside, without the holes. */
export function areaM2Of(shape: Shape): number {
  if ('radiusM' in shape) return Math.PI * shape.radiusM * shape.radiusM
  const holes = shape.holes.reduce((sum, hole) => sum + areaKm2Of(hole), 0)
  return Math.max(0, areaKm2Of(shape.ring) - holes) * 1e6
}

export function boxOf(shape: Shape): Box {
  if ('radiusM' in shape) return boxAround(shape.centre, shape.radiusM)
  const [lngs, lats] = [shape.ring.map(([lng]) => lng), shape.ring.map(([, lat]) => lat)]
  return { west: Math.min(...lngs), south: Math.min(...lats), east: Math.max(...lngs), north: Math.max(...lats) }
}

export const boxesMeet = (one: Box, other: Box): boolean =>
  one.west <= other.east && other.west <= one.east && one.south <= other.north && other.south <= one.north

/** Whether two shapes have an inside in common. A shape that fills a hole of another has not. */
export function shapesOverlap(one: Shape, other: Shape): boolean {
  if (!boxesMeet(boxOf(one), boxOf(other))) return false
  const [left, right] = [outlineOf(one), outlineOf(other)]
  if (!ringsOverlap(left, right)) return false
  return !isInHole(one, right) && !isInHole(other, left)
}

const isInHole = (shape: Shape, ring: Ring): boolean =>
  'ring' in shape && shape.holes.some((hole) => liesIn(ring, hole) || sameRing(ring, hole))

const sameRing = (one: Ring, other: Ring): boolean =>
  one.length === other.length && one.every(([lng, lat]) => other.some((place) => place[0] === lng && place[1] === lat))

/** How much of a shape lies outside of a service area. */
export function outsideOf(shape: Shape, area: Ring): 'none' | 'part' | 'all' {
  const outline = outlineOf(shape)
  if (liesIn(outline, area)) return 'none'
  return ringsOverlap(outline, area) ? 'part' : 'all'
}
