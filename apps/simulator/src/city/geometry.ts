/** Metres east and north of the city's centre. */
export type Point = readonly [x: number, y: number]
/** Degrees, WGS-84, in GeoJSON's order. */
export type LngLat = [lng: number, lat: number]

export const cityCentre: Readonly<{ lng: number; lat: number }> = { lng: 120.72, lat: 31.26 }

const metresPerDegreeLat = 110_860
const metresPerDegreeLng = 111_320 * Math.cos((cityCentre.lat * Math.PI) / 180)

/** The city is small enough for a flat projection: its error at the edge is below a metre. */
export const toLngLat = ([x, y]: Point): LngLat => [
  Math.round((cityCentre.lng + x / metresPerDegreeLng) * 1e6) / 1e6,
  Math.round((cityCentre.lat + y / metresPerDegreeLat) * 1e6) / 1e6,
]

export const toPoint = ({ lng, lat }: { lng: number; lat: number }): Point => [
  (lng - cityCentre.lng) * metresPerDegreeLng,
  (lat - cityCentre.lat) * metresPerDegreeLat,
]

export const distance = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1])

export const between = (a: Point, b: Point, share: number): Point => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
]

export function lengthOf(line: readonly Point[]): number {
  let sum = 0
  let last = line[0]
  for (const point of line) {
    if (last) sum += distance(last, point)
    last = point
  }
  return sum
}

/** Even–odd rule; the ring may be open or closed. */
export function inside(point: Point, ring: readonly Point[]): boolean {
  const [x, y] = point
  let within = false
  let previous = ring.at(-1)
  for (const corner of ring) {
    if (previous && corner[1] > y !== previous[1] > y) {
      const crossing = ((previous[0] - corner[0]) * (y - corner[1])) / (previous[1] - corner[1]) + corner[0]
      if (x < crossing) within = !within
    }
    previous = corner
  }
  return within
}

/** The same for many points: those outside the ring's box are dismissed without walking around the ring. */
export function insideOf(ring: readonly Point[]): (point: Point) => boolean {
  const xs = ring.map(([x]) => x)
  const ys = ring.map(([, y]) => y)
  const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  return (point) =>
    point[0] >= west && point[0] <= east && point[1] >= south && point[1] <= north && inside(point, ring)
}

/** Shares along a–b and c–d where the two segments cross; null when they do not. */
export function crossing(a: Point, b: Point, c: Point, d: Point): { first: number; second: number } | null {
  const rx = b[0] - a[0]
  const ry = b[1] - a[1]
  const sx = d[0] - c[0]
  const sy = d[1] - c[1]
  const cross = rx * sy - ry * sx
  if (Math.abs(cross) < 1e-9) return null
  const first = ((c[0] - a[0]) * sy - (c[1] - a[1]) * sx) / cross
  const second = ((c[0] - a[0]) * ry - (c[1] - a[1]) * rx) / cross
  return first < 0 || first > 1 || second < 0 || second > 1 ? null : { first, second }
}

/** Shortest distance from a point to a line. */
export function distanceTo(point: Point, line: readonly Point[]): number {
  let best = Infinity
  let last: Point | undefined
  for (const corner of line) {
    if (last) {
      const length = distance(last, corner)
      const along =
        length === 0
          ? 0
          : ((point[0] - last[0]) * (corner[0] - last[0]) + (point[1] - last[1]) * (corner[1] - last[1])) / length ** 2
      best = Math.min(best, distance(point, between(last, corner, Math.max(0, Math.min(1, along)))))
    }
    last = corner
  }
  return best
}

/** A ribbon around a line; `halfWidth` may change along it. */
export function ribbon(line: readonly Point[], halfWidth: (point: Point) => number): Point[] {
  const left: Point[] = []
  const right: Point[] = []
  for (const [index, point] of line.entries()) {
    const before = line[Math.max(0, index - 1)] ?? point
    const after = line[Math.min(line.length - 1, index + 1)] ?? point
    const length = distance(before, after) || 1
    const nx = -(after[1] - before[1]) / length
    const ny = (after[0] - before[0]) / length
    const half = halfWidth(point)
    left.push([point[0] + nx * half, point[1] + ny * half])
    right.push([point[0] - nx * half, point[1] - ny * half])
  }
  return closed([...left, ...right.toReversed()])
}

export function closed(ring: readonly Point[]): Point[] {
  const first = ring[0]
  return first ? [...ring, first] : []
}

/** A closed curve around a centre: radius as a function of the angle. */
export function blob(centre: Point, corners: number, radius: (angle: number) => Point): Point[] {
  const ring: Point[] = []
  for (let corner = 0; corner < corners; corner++) {
    const [rx, ry] = radius((corner / corners) * 2 * Math.PI)
    ring.push([centre[0] + rx, centre[1] + ry])
  }
  return closed(ring)
}
