type Position = readonly [lng: number, lat: number]
type Ring = readonly Position[]
/** What the index holds: a polygon with holes, or a circle. WGS-84; rings are closed. */
export type IndexedShape =
  | { readonly ring: Ring; readonly holes?: readonly Ring[] }
  | { readonly centre: { readonly lat: number; readonly lng: number }; readonly radiusM: number }

export type FenceIndex = {
  /** Calls `visit` with the number of each shape that holds the place, as often as there are such; allocates nothing. */
  visit(lng: number, lat: number, visit: (index: number) => void): void
  /** Whether one shape holds the place. */
  holds(index: number, lng: number, lat: number): boolean
  readonly size: number
}

const metresPerDegree = 111_195
/** Degrees of the finest cells, about 200 m; each level above has cells four times as wide. */
const finest = 1 / 512
const levelsMax = 8
/** A shape lies on the finest level on which it covers at most so many cells each way. */
const cellsAcross = 4
/** Below so many edges, going through all of them is quicker than asking which to go through. */
const bandsFrom = 12

/** Edges as x1, y1, x2, y2, by the bands of height that they cross. */
type Edges = {
  readonly at: Float64Array
  readonly south: number
  readonly perBand: number
  /** Edges of band b stand in `list` from starts[b] to starts[b + 1]. */
  readonly starts: Int32Array
  readonly list: Int32Array
}

type Level = { readonly cell: number; readonly cells: Map<number, number[]> }

/**
 * Which of many fences hold a place. Shapes lie in cells of the level that fits their size, so that a city's outline does
 * not fill the cells of its parking places; the edges of a polygon lie in bands, so that a place is held only against
 * those at its height. A place on a line lies inside, on the line around a hole too. Never changed, but made anew.
 */
export function createFenceIndex(shapes: readonly IndexedShape[]): FenceIndex {
  const boxes = new Float64Array(shapes.length * 4)
  const polygons = shapes.map((shape) => ('ring' in shape ? [shape.ring, ...(shape.holes ?? [])].map(edgesOf) : null))
  const circles = new Float64Array(shapes.length * 3)
  const levels: (Level | undefined)[] = []
  for (const [index, shape] of shapes.entries()) {
    if ('radiusM' in shape) circles.set([shape.centre.lng, shape.centre.lat, shape.radiusM], index * 3)
    const box = boxOf(shape)
    boxes.set(box, index * 4)
    place(levels, box, index)
  }
  const used = levels.filter((level) => level !== undefined)

  const holds = (index: number, lng: number, lat: number): boolean => {
    const at = index * 4
    if (lng < (boxes[at] ?? 0) || lat < (boxes[at + 1] ?? 0)) return false
    if (lng > (boxes[at + 2] ?? 0) || lat > (boxes[at + 3] ?? 0)) return false
    const rings = polygons[index]
    if (rings === undefined) return false
    if (rings === null) {
      const y = ((circles[index * 3 + 1] ?? 0) - lat) * metresPerDegree
      const x = ((circles[index * 3] ?? 0) - lng) * metresPerDegree * Math.cos((lat * Math.PI) / 180)
      const radius = circles[index * 3 + 2] ?? 0
      return x * x + y * y <= radius * radius
    }
    for (let at = 0; at < rings.length; at += 1) {
      const ring = rings[at]
      if (ring === undefined) continue
      const side = sideOf(ring, lng, lat)
      if (at === 0 ? side === outside : side === inside) return false
    }
    return true
  }
  return {
    size: shapes.length,
    holds,
    visit: (lng, lat, visit) => {
      for (const { cell, cells } of used) {
        const found = cells.get(keyOf(Math.floor(lng / cell), Math.floor(lat / cell)))
        if (found === undefined) continue
        for (const index of found) if (holds(index, lng, lat)) visit(index)
      }
    },
  }
}

/** Columns and rows of the finest level are below 2^18 from the middle. */
const keyOf = (column: number, row: number): number => (column + 262_144) * 524_288 + row + 262_144

function place(levels: (Level | undefined)[], box: readonly [number, number, number, number], index: number): void {
  const [west, south, east, north] = box
  let level = 0
  const widest = Math.max(east - west, north - south)
  while (level < levelsMax && widest > finest * 4 ** level * cellsAcross) level += 1
  const { cell, cells } = (levels[level] ??= { cell: finest * 4 ** level, cells: new Map() })
  for (let column = Math.floor(west / cell); column <= Math.floor(east / cell); column += 1) {
    for (let row = Math.floor(south / cell); row <= Math.floor(north / cell); row += 1) {
      const key = keyOf(column, row)
      const found = cells.get(key)
      if (found === undefined) cells.set(key, [index])
      else found.push(index)
    }
  }
}

function boxOf(shape: IndexedShape): [number, number, number, number] {
  if ('radiusM' in shape) {
    // A little more than the circle: a place is measured by the width of a degree where it lies itself.
    const lat = (shape.radiusM / metresPerDegree) * 1.001
    const lng = (lat / Math.max(0.001, Math.cos(((Math.abs(shape.centre.lat) + lat) * Math.PI) / 180))) * 1.001
    const { centre } = shape
    return [centre.lng - lng, centre.lat - lat, centre.lng + lng, centre.lat + lat]
  }
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [lng, lat] of shape.ring) {
    west = Math.min(west, lng)
    south = Math.min(south, lat)
    east = Math.max(east, lng)
    north = Math.max(north, lat)
  }
  return [west, south, east, north]
}

function edgesOf(ring: Ring): Edges {
  const count = Math.max(0, ring.length - 1)
  const at = new Float64Array(count * 4)
  let [south, north] = [Infinity, -Infinity]
  for (let edge = 0; edge < count; edge += 1) {
    const [from, to] = [ring[edge], ring[edge + 1]]
    if (from === undefined || to === undefined) continue
    at.set([from[0], from[1], to[0], to[1]], edge * 4)
    south = Math.min(south, from[1], to[1])
    north = Math.max(north, from[1], to[1])
  }
  const bands = count < bandsFrom || north <= south ? 1 : Math.min(4_096, count)
  const perBand = bands === 1 ? Infinity : (north - south) / bands
  const of: number[][] = Array.from({ length: bands }, () => [])
  const bandOf = (lat: number): number => Math.min(bands - 1, Math.max(0, Math.floor((lat - south) / perBand)))
  for (let edge = 0; edge < count; edge += 1) {
    const [one, other] = [at[edge * 4 + 1] ?? 0, at[edge * 4 + 3] ?? 0]
    // One band more each way: rounding must not part an edge from a place on it.
    const [first, last] = [
      Math.max(0, bandOf(Math.min(one, other)) - 1),
      Math.min(bands - 1, bandOf(Math.max(one, other)) + 1),
    ]
    for (let band = first; band <= last; band += 1) of[band]?.push(edge)
  }
  const starts = new Int32Array(bands + 1)
  for (const [band, edges] of of.entries()) starts[band + 1] = (starts[band] ?? 0) + edges.length
  return { at, south, perBand, starts, list: Int32Array.from(of.flat()) }
}

const outside = 0
const inside = 1
const onLine = 2

function sideOf({ at, south, perBand, starts, list }: Edges, x: number, y: number): number {
  const bands = starts.length - 1
  const asked = perBand === Infinity ? 0 : Math.floor((y - south) / perBand)
  const band = asked < 0 ? 0 : asked >= bands ? bands - 1 : asked
  let isIn = false
  const end = starts[band + 1] ?? 0
  for (let next = starts[band] ?? 0; next < end; next += 1) {
    const edge = (list[next] ?? 0) * 4
    const y1 = at[edge + 1] ?? 0
    const y2 = at[edge + 3] ?? 0
    if (y1 > y && y2 > y) continue
    if (y1 < y && y2 < y) continue
    const x1 = at[edge] ?? 0
    const x2 = at[edge + 2] ?? 0
    const turn = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
    if (turn === 0) {
      if ((x1 <= x && x <= x2) || (x2 <= x && x <= x1)) return onLine
      continue
    }
    // The edge crosses the ray to the east where the place lies to its left, seen upwards.
    if (y1 > y !== y2 > y && turn > 0 === y2 > y1) isIn = !isIn
  }
  return isIn ? inside : outside
}
