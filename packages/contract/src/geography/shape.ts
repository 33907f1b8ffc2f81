import { boxAround, cornersOfCircle, type Box, type LatLng } from '@saddle/geo/earth.ts'
import {
  areaKm2Of,
  isInRing,
  ringProblem,
  ringProblemLabels,
  ringsOverlap,
  type Ring,
  type RingProblem,
} from '#contract/organisation/ring.ts'

/** A polygon, perhaps with holes, or a circle. WGS-84; rings are closed. */
export type Shape =
  | { readonly ring: Ring; readonly holes: readonly Ring[] }
  | { readonly centre: LatLng; readonly radiusM: number }

/** A parking place for one vehicle. */
export const shapeMinM2 = 2
export const radiusLimitsM = { min: 3, max: 5_000 } as const

export type ShapeProblem = RingProblem | 'hole_wrong' | 'hole_outside' | 'holes_meet' | 'radius'
export const shapeProblemLabels: Readonly<Record<ShapeProblem, string>> = {
  ...ringProblemLabels,
  hole_wrong: '挖空部分的边界有误',
  hole_outside: '挖空部分超出了围栏',
  holes_meet: '挖空部分互相重叠',
  radius: '半径须在 3 至 5000 米之间',
}

/** The first thing that is wrong with a shape; null: it can be a fence. */
export function shapeProblem(shape: Shape): ShapeProblem | null {
  if ('radiusM' in shape) {
    const { centre, radiusM } = shape
    if (!(Math.abs(centre.lng) <= 180) || !(Math.abs(centre.lat) <= 89)) return 'outside_world'
    return radiusM >= radiusLimitsM.min && radiusM <= radiusLimitsM.max ? null : 'radius'
  }
  const own = problemOfRing(shape.ring)
  if (own !== null) return own
  for (const [index, hole] of shape.holes.entries()) {
    if (problemOfRing(hole) !== null) return 'hole_wrong'
    if (!liesIn(hole, shape.ring)) return 'hole_outside'
    if (shape.holes.some((other, at) => at < index && ringsOverlap(other, hole))) return 'holes_meet'
  }
  return null
}

/** As of an area, but down to the size of a parking place. */
function problemOfRing(ring: Ring): RingProblem | null {
  const problem = ringProblem(ring)
  if (problem !== 'small') return problem
  return areaKm2Of(ring) * 1e6 < shapeMinM2 ? 'small' : null
}

/** Whether all of a ring lies within another; what reaches over its line does not. */
function liesIn(ring: Ring, outline: Ring): boolean {
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
