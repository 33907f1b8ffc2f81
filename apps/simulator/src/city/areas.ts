import { createRandom } from '#sim/random.ts'
import type { City } from './city.ts'
import { between, closed, distance, inside, lengthOf, toLngLat, type LngLat, type Point } from './geometry.ts'
import { riverAt, type Plan } from './plan.ts'

/** The six service areas: three columns of the grid, each cut in two by the river. */
const columns: { west: number; east: number }[] = [
  { west: -5500, east: -1900 },
  { west: -1900, east: 1900 },
  { west: 1900, east: 5500 },
]
const north = 4150
const south = -4150

/** The row coordinate at which a column meets the river. */
function riverRow(plan: Plan, u: number): number {
  let v = north
  while (v > south) {
    const [x, y] = plan.warp(u, v)
    if (y <= riverAt(x)) break
    v -= 10
  }
  return v
}

function areaRing(plan: Plan, { west, east }: { west: number; east: number }, edge: number): Point[] {
  const ring: Point[] = []
  const [riverEast, riverWest] = [riverRow(plan, east), riverRow(plan, west)]
  for (let step = 0; step < 4; step++) ring.push(plan.warp(west + ((east - west) * step) / 4, edge))
  for (let step = 0; step < 3; step++) ring.push(plan.warp(east, edge + ((riverEast - edge) * step) / 3))
  const [from] = plan.warp(east, riverEast)
  const [to] = plan.warp(west, riverWest)
  for (let step = 0; step <= 8; step++) {
    const x = from + ((to - from) * step) / 8
    ring.push([x, riverAt(x)])
  }
  for (let step = 1; step < 3; step++) ring.push(plan.warp(west, riverWest + ((edge - riverWest) * step) / 3))
  return ring
}

/** The rings in the order of the contract's list: north from west to east, then south; closed, counter-clockwise. */
export function makeAreaRings(plan: Plan): LngLat[][] {
  return [north, south].flatMap((edge) =>
    columns.map((column) => {
      const ring = areaRing(plan, column, edge)
      return closed(edge === north ? ring.toReversed() : ring).map(toLngLat)
    }),
  )
}

/** A stretch of kerb where vehicles stand side by side, and the direction of the street there. */
export type Kerb = { lng: number; lat: number; headingDeg: number }

/** Kerbs for parked vehicles, well spread over an area. */
export function makeKerbs({
  city,
  ring,
  count,
  seed,
}: {
  city: City
  ring: readonly Point[]
  count: number
  seed: number
}): Kerb[] {
  const random = createRandom(seed)
  const usual = new Set(['secondary', 'tertiary', 'residential'])
  const streets = city.net.streets.filter(
    ({ points, roadClass }) =>
      usual.has(roadClass) && lengthOf(points) > 110 && points.every((point) => inside(point, ring)),
  )
  const chosen: { point: Point; kerb: Kerb }[] = []
  for (let tries = 0; chosen.length < count && tries < 4000; tries++) {
    const street = streets[random.below(streets.length)]
    const [a, b] = [street?.points[1], street?.points[2]]
    if (!a || !b) continue
    const apart = 420 - tries / 10
    const middle = between(a, b, 0.3)
    if (chosen.some(({ point }) => distance(point, middle) < apart)) continue
    const length = distance(a, b)
    const [dx, dy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length]
    const [lng, lat] = toLngLat([middle[0] + dy * 7, middle[1] - dx * 7])
    const headingDeg = Math.round((Math.atan2(dx, dy) * 180) / Math.PI + 360) % 360
    chosen.push({ point: middle, kerb: { lng, lat, headingDeg } })
  }
  return chosen.map(({ kerb }) => kerb)
}
