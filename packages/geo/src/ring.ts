import { metresPerDegree, metresPerDegreeLng, type Position } from './earth.ts'

/** A closed line: names its first position again at its end. WGS-84. */
export type Ring = readonly Position[]

export const ringFaults = ['few_points', 'outside_world', 'open', 'repeated', 'crossing'] as const
export type RingFault = (typeof ringFaults)[number]

/** The first reason why a line encloses no area; null: it does. */
export function ringFault(ring: Ring): RingFault | null {
  if (ring.length < 4) return 'few_points'
  if (ring.some(([lng, lat]) => !(Math.abs(lng) <= 180) || !(Math.abs(lat) <= 90))) return 'outside_world'
  const [first, last] = [ring[0], ring.at(-1)]
  if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) return 'open'
  if (new Set(ring.slice(1).map(([lng, lat]) => `${lng} ${lat}`)).size < ring.length - 1) return 'repeated'
  return crossesItself(ring) ? 'crossing' : null
}

/** Square kilometres inside, good to a few thousandths over a city. */
export function areaKm2Of(ring: Ring): number {
  const [originLng, originLat] = ring[0] ?? [0, 0]
  const middle = ring.reduce((sum, [, lat]) => sum + lat, 0) / Math.max(1, ring.length)
  const kmEast = metresPerDegreeLng(middle) / 1_000
  const kmNorth = metresPerDegree / 1_000
  let doubled = 0
  for (let index = 1; index < ring.length; index += 1) {
    const [from, to] = [ring[index - 1], ring[index]]
    if (from === undefined || to === undefined) continue
    doubled += (from[0] - originLng) * (to[1] - originLat) - (to[0] - originLng) * (from[1] - originLat)
  }
  return (Math.abs(doubled) / 2) * kmEast * kmNorth
}

interface Edge {
  readonly index: number
  readonly from: Position
  readonly to: Position
  readonly west: number
  readonly east: number
}

function edgesOf(ring: Ring): Edge[] {
  const edges: Edge[] = []
  for (let index = 1; index < ring.length; index += 1) {
    const [from, to] = [ring[index - 1], ring[index]]
    if (from === undefined || to === undefined) continue
    edges.push({ index: index - 1, from, to, west: Math.min(from[0], to[0]), east: Math.max(from[0], to[0]) })
  }
  return edges
}

/** Goes through the edges from west to east, so that only those above one another are held against each other. */
function crossesItself(ring: Ring): boolean {
  const edges = edgesOf(ring).toSorted((a, b) => a.west - b.west)
  const last = edges.length - 1
  return edges.some((edge, at) => {
    for (let next = at + 1; next < edges.length; next += 1) {
      const other = edges[next]
      if (other === undefined || other.west > edge.east) return false
      const apart = Math.abs(edge.index - other.index)
      const isNeighbour = apart === 1 || apart === last
      if (isNeighbour ? foldsBack(edge, other) : touches(edge, other)) return true
    }
    return false
  })
}

/** Twice the signed area of the triangle: which side of a → b the point lies on. */
function side(a: Position, b: Position, point: Position): number {
  return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
}

function liesWithin(edge: Edge, point: Position): boolean {
  const { from, to } = edge
  return (
    point[0] >= edge.west &&
    point[0] <= edge.east &&
    point[1] >= Math.min(from[1], to[1]) &&
    point[1] <= Math.max(from[1], to[1])
  )
}

function touches(one: Edge, other: Edge): boolean {
  if (crosses(one, other)) return true
  return (
    (side(one.from, one.to, other.from) === 0 && liesWithin(one, other.from)) ||
    (side(one.from, one.to, other.to) === 0 && liesWithin(one, other.to)) ||
    (side(other.from, other.to, one.from) === 0 && liesWithin(other, one.from)) ||
    (side(other.from, other.to, one.to) === 0 && liesWithin(other, one.to))
  )
}

/** Each passes through the inside of the other; a common point alone does not count. */
function crosses(one: Edge, other: Edge): boolean {
  const [a, b] = [side(one.from, one.to, other.from), side(one.from, one.to, other.to)]
  const [c, d] = [side(other.from, other.to, one.from), side(other.from, other.to, one.to)]
  return a * b < 0 && c * d < 0
}

/** Neighbours share a point; the far end of one must not lie on the other. */
function foldsBack(one: Edge, other: Edge): boolean {
  const [first, second] = samePlace(one.to, other.from) ? [one, other] : [other, one]
  if (side(first.from, first.to, second.to) !== 0) return false
  return liesWithin(first, second.to) || liesWithin(second, first.from)
}

const samePlace = (a: Position, b: Position): boolean => a[0] === b[0] && a[1] === b[1]

/** Whether a place lies inside a ring; on the line itself either answer may come. */
export function isInRing(ring: Ring, [lng, lat]: Position): boolean {
  let isInside = false
  for (const { from, to } of edgesOf(ring)) {
    if (from[1] > lat === to[1] > lat) continue
    if (lng < from[0] + ((lat - from[1]) / (to[1] - from[1])) * (to[0] - from[0])) isInside = !isInside
  }
  return isInside
}

/** Whether two boundaries have an inside in common. Neighbours that share a line do not overlap. */
export function ringsOverlap(one: Ring, other: Ring): boolean {
  const [left, right] = [edgesOf(one).toSorted((a, b) => a.west - b.west), edgesOf(other)]
  for (const edge of right) {
    for (const against of left) {
      if (against.west > edge.east) break
      if (against.east >= edge.west && crosses(against, edge)) return true
    }
  }
  if (goesThrough(left, other) || goesThrough(right, one)) return true
  // All of one line lies on the other: the same area, or two that fill each other's gaps.
  const inOne = placeInside(one)
  return inOne !== null && isInRing(other, inOne)
}

/** Whether a piece of some edge, from corner to corner of the other ring, lies inside that ring. */
function goesThrough(edges: readonly Edge[], ring: Ring): boolean {
  const around = edgesOf(ring)
  return edges.some((edge) => {
    const stops = [edge.from, edge.to, ...ring.filter((corner) => liesOn(edge, corner))].toSorted(
      (a, b) => a[0] - b[0] || a[1] - b[1],
    )
    return stops.some((stop, index) => {
      const next = stops[index + 1]
      if (next === undefined || samePlace(stop, next)) return false
      const middle: Position = [(stop[0] + next[0]) / 2, (stop[1] + next[1]) / 2]
      return isInRing(ring, middle) && !around.some((line) => isAlong(line, stop, next))
    })
  })
}

const liesOn = (edge: Edge, point: Position): boolean =>
  liesWithin(edge, point) && side(edge.from, edge.to, point) === 0

/** Whether the piece runs along the edge: both its ends are on it. */
const isAlong = (edge: Edge, from: Position, to: Position): boolean => liesOn(edge, from) && liesOn(edge, to)

/** A place inside, away from the line: the middle of the widest stretch at half the height. */
function placeInside(ring: Ring): Position | null {
  const lats = [...new Set(ring.map(([, lat]) => lat))].toSorted((a, b) => a - b)
  const [below, above] = [lats[Math.floor((lats.length - 1) / 2)], lats[Math.floor((lats.length - 1) / 2) + 1]]
  if (below === undefined || above === undefined) return null
  // Between two heights of corners, so that the line of sight meets no corner.
  const lat = (below + above) / 2
  const meets = edgesOf(ring)
    .filter(({ from, to }) => from[1] > lat !== to[1] > lat)
    .map(({ from, to }) => from[0] + ((lat - from[1]) / (to[1] - from[1])) * (to[0] - from[0]))
    .toSorted((a, b) => a - b)
  let widest = 0
  let found: Position | null = null
  for (let index = 1; index < meets.length; index += 2) {
    const [west, east] = [meets[index - 1] ?? 0, meets[index] ?? 0]
    if (east - west <= widest) continue
    widest = east - west
    found = [(west + east) / 2, lat]
  }
  return found
}
