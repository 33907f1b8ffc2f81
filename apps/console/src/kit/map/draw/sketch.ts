import { cornersOfCircle, metresPerDegreeLng, planeM } from '@saddle/geo/earth.ts'
import { areaM2Of, type Shape } from '@saddle/geo/shape.ts'
import { cornersMin, cornersOf, inserted, moved, removed, ringOf, type Corner, type Corners } from './corners.ts'

/** A polygon during drawing: its outline, then its holes, each without repeating the first corner. */
export interface Polygon {
  readonly kind: 'polygon'
  readonly lines: readonly Corners[]
}
export interface Circle {
  readonly kind: 'circle'
  readonly centre: Corner
  readonly radiusM: number
}
export type Sketch = Polygon | Circle

/** The handles that can be dragged. */
export type Handle =
  | { readonly kind: 'corner' | 'middle'; readonly line: number; readonly index: number }
  | { readonly kind: 'centre' }
  | { readonly kind: 'rim' }
/** A corner that a key moves or removes. */
export interface Picked {
  readonly line: number
  readonly index: number
}

const decimals = 1e6
export const radiusMinM = 3
/** Radius of a circle that was only tapped. */
export const radiusUsualM = 20

const rounded = ([lng, lat]: Corner): Corner => [
  Math.round(lng * decimals) / decimals,
  Math.round(lat * decimals) / decimals,
]

export function metresBetween([lng, lat]: Corner, [toLng, toLat]: Corner): number {
  return planeM({ lat, lng }, { lat: toLat, lng: toLng })
}

export function shapeOf(sketch: Sketch): Shape {
  if (sketch.kind === 'circle') {
    return { centre: { lng: sketch.centre[0], lat: sketch.centre[1] }, radiusM: sketch.radiusM }
  }
  const [ring = [], ...holes] = sketch.lines.map(ringOf)
  return { ring, holes }
}

export function sketchOf(shape: Shape): Sketch {
  if ('radiusM' in shape) {
    return { kind: 'circle', centre: [shape.centre.lng, shape.centre.lat], radiusM: shape.radiusM }
  }
  return { kind: 'polygon', lines: [shape.ring, ...shape.holes].map(cornersOf) }
}

export const areaOf = (sketch: Sketch): number => areaM2Of(shapeOf(sketch))

/** The position of the radius handle. */
export function rimOf({ centre, radiusM }: Circle): Corner {
  return [centre[0] + radiusM / metresPerDegreeLng(centre[1]), centre[1]]
}

export function circleTo(centre: Corner, rim: Corner): Circle {
  const radiusM = Math.round(metresBetween(centre, rim) * 10) / 10
  return { kind: 'circle', centre: rounded(centre), radiusM: Math.max(radiusMinM, radiusM) }
}

/** The centre of the drawing, whose handle moves all of it. */
export function centreOf(sketch: Sketch): Corner {
  if (sketch.kind === 'circle') return sketch.centre
  const corners = sketch.lines[0] ?? []
  const mean = (axis: 0 | 1): number =>
    corners.reduce((sum, corner) => sum + corner[axis], 0) / Math.max(1, corners.length)
  return [mean(0), mean(1)]
}

/** Moves a handle; a moved middle becomes a corner. */
export function dragged(sketch: Sketch, handle: Handle, to: Corner): Sketch {
  if (handle.kind === 'centre') return shifted(sketch, to)
  if (sketch.kind === 'circle') return circleTo(sketch.centre, to)
  if (handle.kind === 'rim') return sketch
  const line = sketch.lines[handle.line]
  if (line === undefined) return sketch
  const next = handle.kind === 'middle' ? inserted(line, handle.index, to) : moved(line, handle.index, to)
  return { ...sketch, lines: sketch.lines.with(handle.line, next) }
}

function shifted(sketch: Sketch, to: Corner): Sketch {
  if (sketch.kind === 'circle') return { ...sketch, centre: rounded(to) }
  const [lng, lat] = centreOf(sketch)
  const by = (corner: Corner): Corner => rounded([corner[0] + to[0] - lng, corner[1] + to[1] - lat])
  return { ...sketch, lines: sketch.lines.map((line) => line.map(by)) }
}

/** Removes a corner; a hole left with two corners is removed, the outline keeps at least three. */
export function withoutCorner(sketch: Polygon, { line, index }: Picked): Polygon {
  const corners = sketch.lines[line]
  if (corners === undefined) return sketch
  if (line > 0 && corners.length <= cornersMin) return { ...sketch, lines: sketch.lines.toSpliced(line, 1) }
  return { ...sketch, lines: sketch.lines.with(line, removed(corners, index)) }
}

export function withHole(sketch: Polygon, hole: Corners): Polygon {
  return { ...sketch, lines: [...sketch.lines, hole.map(rounded)] }
}

export const polygonOf = (corners: Corners): Polygon => ({ kind: 'polygon', lines: [corners.map(rounded)] })

/** A circle as a polygon: cutting needs corners. */
export function asPolygon(sketch: Sketch): Polygon {
  if (sketch.kind === 'polygon') return sketch
  const [lng, lat] = sketch.centre
  return polygonOf(cornersOfCircle({ lat, lng }, sketch.radiusM, 32))
}
