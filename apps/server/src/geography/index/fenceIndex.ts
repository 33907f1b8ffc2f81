import { metresPerDegree, metresPerDegreeLng } from '@saddle/geo/earth.ts'

type Position = readonly [lng: number, lat: number]
type Ring = readonly Position[]
/** What the index holds: a polygon with holes, or a circle. WGS-84; rings are closed. */
export type IndexedShape =
  | { readonly ring: Ring; readonly holes?: readonly Ring[] }
  | { readonly centre: { readonly lat: number; readonly lng: number }; readonly radiusM: number }

export type FenceIndex = {
  /** Calls `visit` with the number of each shape that holds the place; allocates nothing. */
  visit(lng: number, lat: number, visit: (index: number) => void): void
  /** Whether one shape holds the place. */
  holds(index: number, lng: number, lat: number): boolean
  readonly size: number
}

/** Degrees of the finest cells, about 100 m; each level above has cells four times as wide. */
const finest = 1 / 1_024
const levelsMax = 9
/** A shape lies on the finest level on which it covers at most so many cells each way. */
const cellsAcross = 8
/** Below so many edges, going through all of them is quicker than asking which to go through. */
const bandsFrom = 12
const bandsMax = 4_096

/**
 * Which of many fences hold a place. Shapes lie in cells of the level that fits their size, so that a city's outline does
 * not fill the cells of its parking places; the edges of a polygon lie in bands, so that a place is held only against
 * those at its height. A place on a line lies inside, on the line around a hole too. Never changed, but made anew.
 */
export function createFenceIndex(shapes: readonly IndexedShape[]): FenceIndex {
  const boxes = new Float64Array(shapes.length * 4)
  const circles = new Float64Array(shapes.length * 3)
  /** Rings of shape n stand from firstRing[n] to firstRing[n + 1]; a circle has none. */
  const firstRing = new Int32Array(shapes.length + 1)
  const rings: Ring[] = []
  for (const [index, shape] of shapes.entries()) {
    if ('radiusM' in shape) circles.set([shape.centre.lng, shape.centre.lat, shape.radiusM], index * 3)
    else rings.push(shape.ring, ...(shape.holes ?? []))
    boxes.set(boxOf(shape), index * 4)
    firstRing[index + 1] = rings.length
  }
  const edges = createEdges(rings)
  const levels = createLevels(boxes, shapes.length)

  const holds = (index: number, lng: number, lat: number): boolean => {
    const box = index * 4
    if (lng < (boxes[box] ?? 0) || lat < (boxes[box + 1] ?? 0)) return false
    if (lng > (boxes[box + 2] ?? 0) || lat > (boxes[box + 3] ?? 0)) return false
    const first = firstRing[index] ?? 0
    const end = firstRing[index + 1] ?? 0
    if (first === end) {
      const y = ((circles[index * 3 + 1] ?? 0) - lat) * metresPerDegree
      const x = ((circles[index * 3] ?? 0) - lng) * metresPerDegreeLng(lat)
      const radius = circles[index * 3 + 2] ?? 0
      return x * x + y * y <= radius * radius
    }
    if (edges.sideOf(first, lng, lat) === outside) return false
    for (let hole = first + 1; hole < end; hole += 1) if (edges.sideOf(hole, lng, lat) === inside) return false
    return true
  }
  return {
    size: shapes.length,
    holds,
    visit: (lng, lat, visit) => {
      for (const level of levels) {
        const cell = level.cellOf(Math.floor(lng / level.width), Math.floor(lat / level.width))
        if (cell < 0) continue
        const end = level.starts[cell + 1] ?? 0
        for (let at = level.starts[cell] ?? 0; at < end; at += 1) {
          const index = level.list[at] ?? 0
          if (holds(index, lng, lat)) visit(index)
        }
      }
    },
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
    if (lng < west) west = lng
    if (lat < south) south = lat
    if (lng > east) east = lng
    if (lat > north) north = lat
  }
  return [west, south, east, north]
}

type Level = {
  /** Degrees. */
  readonly width: number
  /** The number of a cell; -1 where nothing lies in it. */
  readonly cellOf: (column: number, row: number) => number
  /** Shapes of cell c stand in `list` from starts[c] to starts[c + 1]. */
  readonly starts: Int32Array
  readonly list: Int32Array
}

function createLevels(boxes: Float64Array, count: number): Level[] {
  const members: number[][] = Array.from({ length: levelsMax }, () => [])
  for (let index = 0; index < count; index += 1) {
    const [west = 0, south = 0, east = 0, north = 0] = boxes.subarray(index * 4, index * 4 + 4)
    const widest = Math.max(east - west, north - south)
    let level = 0
    while (level < levelsMax - 1 && widest > finest * 4 ** level * cellsAcross) level += 1
    members[level]?.push(index)
  }
  return members.flatMap((own, level) => (own.length === 0 ? [] : [createLevel(boxes, own, finest * 4 ** level)]))
}

/** No place lies further out, in whatever direction and however often the world is drawn. */
const worldDegrees = 540

/** First and last cell between two degrees. What reaches beyond the world is asked for by nobody and has no cells there. */
function cellsOf(from: number, to: number, width: number): [number, number] {
  return [Math.floor(Math.max(from, -worldDegrees) / width), Math.floor(Math.min(to, worldDegrees) / width)]
}

function createLevel(boxes: Float64Array, members: readonly number[], width: number): Level {
  let entries = 0
  const each = (take: (index: number, column: number, row: number) => void): void => {
    for (const index of members) {
      const [west = 0, south = 0, east = 0, north = 0] = boxes.subarray(index * 4, index * 4 + 4)
      const [firstColumn, lastColumn] = cellsOf(west, east, width)
      const [firstRow, lastRow] = cellsOf(south, north, width)
      for (let column = firstColumn; column <= lastColumn; column += 1) {
        for (let row = firstRow; row <= lastRow; row += 1) take(index, column, row)
      }
    }
  }
  each(() => (entries += 1))
  const slots = 2 ** Math.ceil(Math.log2(entries * 2 + 2))
  const { cellOf, take, cells } = createCells(slots)
  const counts = new Int32Array(entries + 1)
  each((_, column, row) => {
    const cell = take(column, row)
    counts[cell + 1] = (counts[cell + 1] ?? 0) + 1
  })
  const starts = counts.slice(0, cells() + 1)
  for (let cell = 1; cell < starts.length; cell += 1) starts[cell] = (starts[cell] ?? 0) + (starts[cell - 1] ?? 0)
  const next = starts.slice()
  const list = new Int32Array(entries)
  each((index, column, row) => {
    const cell = cellOf(column, row)
    const at = next[cell] ?? 0
    list[at] = index
    next[cell] = at + 1
  })
  return { width, cellOf, starts, list }
}

/** Columns and rows to numbers of cells, by open addressing: whole numbers beyond 32 bits are slow keys of a Map. */
function createCells(slots: number) {
  const mask = slots - 1
  const columns = new Int32Array(slots)
  const rows = new Int32Array(slots)
  const numbers = new Int32Array(slots).fill(-1)
  let count = 0
  const slotOf = (column: number, row: number): number => {
    let slot = (Math.imul(column, 0x9e37_79b1) ^ Math.imul(row, 0x85eb_ca6b)) >>> 0
    slot = (slot ^ (slot >>> 15)) & mask
    while (numbers[slot] !== -1 && (columns[slot] !== column || rows[slot] !== row)) slot = (slot + 1) & mask
    return slot
  }
  return {
    cells: () => count,
    cellOf: (column: number, row: number): number => numbers[slotOf(column, row)] ?? -1,
    take: (column: number, row: number): number => {
      const slot = slotOf(column, row)
      const known = numbers[slot] ?? -1
      if (known !== -1) return known
      columns[slot] = column
      rows[slot] = row
      numbers[slot] = count
      count += 1
      return count - 1
    },
  }
}

const outside = 0
const inside = 1
const onLine = 2

/** All edges of all rings in one place, as x1, y1, x2, y2, with the bands of height that they cross. */
function createEdges(rings: readonly Ring[]) {
  const total = rings.reduce((sum, ring) => sum + Math.max(0, ring.length - 1), 0)
  const at = new Float64Array(total * 4)
  const souths = new Float64Array(rings.length)
  const perBand = new Float64Array(rings.length)
  /** Bands of ring r stand in `starts` from firstBand[r] on, one more than there are. */
  const firstBand = new Int32Array(rings.length + 1)
  const starts: number[] = []
  const list: number[] = []
  let first = 0
  for (const [index, ring] of rings.entries()) {
    const count = Math.max(0, ring.length - 1)
    let [south, north] = [Infinity, -Infinity]
    for (let edge = 0; edge < count; edge += 1) {
      const [from, to] = [ring[edge], ring[edge + 1]]
      if (from === undefined || to === undefined) continue
      const own = (first + edge) * 4
      at[own] = from[0]
      at[own + 1] = from[1]
      at[own + 2] = to[0]
      at[own + 3] = to[1]
      if (from[1] < south) south = from[1]
      if (from[1] > north) north = from[1]
    }
    const bands = count < bandsFrom || north <= south ? 1 : Math.min(bandsMax, count)
    souths[index] = south
    perBand[index] = bands === 1 ? Infinity : (north - south) / bands
    firstBand[index] = starts.length
    for (const band of bandsOf({ at, first, count, bands, south, height: (north - south) / bands })) {
      starts.push(list.length)
      for (const edge of band) list.push(edge)
    }
    starts.push(list.length)
    first += count
  }
  firstBand[rings.length] = starts.length
  const bandStarts = Int32Array.from(starts)
  const bandEdges = Int32Array.from(list)

  const sideOf = (ring: number, x: number, y: number): number => {
    const height = perBand[ring] ?? Infinity
    const base = firstBand[ring] ?? 0
    const last = (firstBand[ring + 1] ?? 0) - base - 2
    const asked = height === Infinity ? 0 : Math.floor((y - (souths[ring] ?? 0)) / height)
    const band = base + (asked < 0 ? 0 : asked > last ? last : asked)
    const end = bandStarts[band + 1] ?? 0
    let isIn = false
    for (let next = bandStarts[band] ?? 0; next < end; next += 1) {
      const edge = (bandEdges[next] ?? 0) * 4
      const y1 = at[edge + 1] ?? 0
      const y2 = at[edge + 3] ?? 0
      if ((y1 > y && y2 > y) || (y1 < y && y2 < y)) continue
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
  return { sideOf }
}

type Banded = {
  readonly at: Float64Array
  readonly first: number
  readonly count: number
  readonly bands: number
  readonly south: number
  readonly height: number
}

function bandsOf({ at, first, count, bands, south, height }: Banded): number[][] {
  const found: number[][] = Array.from({ length: bands }, () => [])
  const bandOf = (lat: number): number => Math.min(bands - 1, Math.max(0, Math.floor((lat - south) / height)))
  for (let edge = first; edge < first + count; edge += 1) {
    const [one, other] = [at[edge * 4 + 1] ?? 0, at[edge * 4 + 3] ?? 0]
    // One band more each way: rounding must not part an edge from a place on it.
    const lowest = bands === 1 ? 0 : Math.max(0, bandOf(Math.min(one, other)) - 1)
    const highest = bands === 1 ? 0 : Math.min(bands - 1, bandOf(Math.max(one, other)) + 1)
    for (let band = lowest; band <= highest; band += 1) found[band]?.push(edge)
  }
  return found
}
