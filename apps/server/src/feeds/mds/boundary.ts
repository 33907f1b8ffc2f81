import type { Boundary } from '@saddle/contract/feeds/mds.ts'
import { planeM, type Box, type LatLng } from '@saddle/geo/earth.ts'
import { isInRing } from '@saddle/geo/ring.ts'
import { boxOf } from '@saddle/geo/shape.ts'

export interface Boundaries {
  readonly box: Box
  contains(place: LatLng): boolean
  /** Whether a way goes through it, corner to corner. */
  isTouchedBy(way: readonly LatLng[]): boolean
}

/** Between two points of a way it is looked at this often. */
const stepM = 20
const stepsMax = 500

export function boundariesOf(boundary: Boundary): Boundaries {
  const box = boxOfAll(boundary)
  const contains = ({ lat, lng }: LatLng): boolean =>
    lat >= box.south &&
    lat <= box.north &&
    lng >= box.west &&
    lng <= box.east &&
    boundary.some(({ ring, holes }) => isInRing(ring, [lng, lat]) && !holes.some((hole) => isInRing(hole, [lng, lat])))
  return {
    box,
    contains,
    isTouchedBy: (way) => way.some((place, index) => placesBetween(way[index - 1] ?? place, place).some(contains)),
  }
}

export function boxOfAll(boundary: Boundary): Box {
  const boxes = boundary.map((shape) => boxOf(shape))
  return {
    west: Math.min(...boxes.map(({ west }) => west)),
    south: Math.min(...boxes.map(({ south }) => south)),
    east: Math.max(...boxes.map(({ east }) => east)),
    north: Math.max(...boxes.map(({ north }) => north)),
  }
}

function placesBetween(from: LatLng, to: LatLng): LatLng[] {
  const steps = Math.min(stepsMax, Math.max(1, Math.ceil(planeM(from, to) / stepM)))
  return Array.from({ length: steps }, (_, index) => {
    const part = (index + 1) / steps
    return { lat: from.lat + (to.lat - from.lat) * part, lng: from.lng + (to.lng - from.lng) * part }
  })
}
