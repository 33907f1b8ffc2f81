import { difference, intersection, union } from 'polyclip-ts'
import { areaM2Of } from '@saddle/geo/shape.ts'
import { ringOf, type Corner, type Corners } from './corners.ts'
import { asPolygon, shapeOf, type Polygon, type Sketch } from './sketch.ts'

type Geometry = [number, number][][]

const geometryOf = (sketch: Sketch): Geometry => asPolygon(sketch).lines.map(ringOf)
/** Maximum size of the slivers that rounding leaves along a cut. */
const sliverM2 = 1

function sketchesOf(parts: readonly (readonly (readonly (readonly number[])[])[])[]): Polygon[] {
  return parts
    .map((rings): Polygon => ({ kind: 'polygon', lines: rings.map(cornersIn).filter((line) => line.length >= 3) }))
    .filter((polygon) => polygon.lines.length > 0 && areaM2Of(shapeOf(polygon)) >= sliverM2)
    .toSorted((a, b) => areaM2Of(shapeOf(b)) - areaM2Of(shapeOf(a)))
}

const decimals = 1e6

/** Rounds like all drawn corners and removes corners that are equal after rounding. */
function cornersIn(ring: readonly (readonly number[])[]): Corners {
  const corners: Corner[] = []
  for (const [lng = 0, lat = 0] of ring) {
    const corner: Corner = [Math.round(lng * decimals) / decimals, Math.round(lat * decimals) / decimals]
    if (!corners.some((known) => known[0] === corner[0] && known[1] === corner[1])) corners.push(corner)
  }
  return corners
}

/** Merges two shapes; null if they do not touch. */
export function merged(one: Sketch, other: Sketch): Polygon | null {
  const [first, second] = sketchesOf(union(geometryOf(one), geometryOf(other)))
  return first === undefined || second !== undefined ? null : first
}

/**
 * The pieces on both sides of a line across a shape, the largest first; one piece if the line does not
 * cross it. The line is extended at both ends, so it need not be drawn beyond the edge exactly.
 */
export function splitBy(sketch: Sketch, line: Corners): Polygon[] {
  const geometry = geometryOf(sketch)
  const side = halfPlane(line)
  if (side === null) return [asPolygon(sketch)]
  return sketchesOf([...intersection(geometry, side), ...difference(geometry, side)])
}

/** The area on the left of a line, larger than any fence. */
function halfPlane(line: Corners): Geometry | null {
  const [first, second] = line
  const [before, last] = [line.at(-2), line.at(-1)]
  if (first === undefined || second === undefined || before === undefined || last === undefined) return null
  const far = 5
  const start = beyond(second, first, far)
  const end = beyond(before, last, far)
  if (start === null || end === null) return null
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]]
  const length = Math.hypot(dx, dy)
  if (length === 0) return null
  const [left, up] = [(-dy / length) * far, (dx / length) * far]
  const ring: [number, number][] = [start, ...line, end].map(([lng, lat]) => [lng, lat])
  return [[...ring, [end[0] + left, end[1] + up], [start[0] + left, start[1] + up], [start[0], start[1]]]]
}

function beyond(from: Corner, to: Corner, by: number): Corner | null {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const length = Math.hypot(dx, dy)
  return length === 0 ? null : [to[0] + (dx / length) * by, to[1] + (dy / length) * by]
}
