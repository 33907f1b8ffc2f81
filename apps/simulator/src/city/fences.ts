import type { City } from './city.ts'
import type { Kerb } from './areas.ts'
import { closed, distance, distanceTo, inside, toLngLat, toPoint, type LngLat, type Point } from './geometry.ts'

/** How many parking places every service area has. */
export const parkingPerArea = 30

/** A parking place is called after its street; the second on the same street of an area gets a number. */
export function nameParking(city: Pick<City, 'net'>, kerbs: readonly Kerb[]): string[] {
  const seen = new Map<string, number>()
  return kerbs.map((kerb) => {
    const street = streetAt(city, toPoint(kerb))
    const count = (seen.get(street) ?? 0) + 1
    seen.set(street, count)
    return count === 1 ? `${street}停车点` : `${street}停车点${count}`
  })
}

function streetAt(city: Pick<City, 'net'>, point: Point): string {
  let best = { name: '', metres: Infinity }
  for (const { name, points } of city.net.streets) {
    const metres = distanceTo(point, points)
    if (metres < best.metres) best = { name, metres }
  }
  return best.name
}

export type NoStopZone = { name: string; areaIndex: number; ring: LngLat[] }

function square([x, y]: Point, halfM: number): LngLat[] {
  const corners: Point[] = [
    [x - halfM, y - halfM],
    [x + halfM, y - halfM],
    [x + halfM, y + halfM],
    [x - halfM, y + halfM],
  ]
  return closed(corners).map(toLngLat)
}

const centreOf = (ring: readonly Point[]): Point => {
  const xs = ring.map(([x]) => x)
  const ys = ring.map(([, y]) => y)
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2]
}

/** Where nobody may leave a vehicle: in front of stations, in parks and schoolyards, at a hospital's gate. */
export function makeNoStopZones(city: City, areas: readonly (readonly Point[])[]): NoStopZone[] {
  const within = (point: Point) => areas.findIndex((ring) => inside(point, ring))
  const wanted: { name: string; at: Point; halfM: number }[] = [
    ...city.stations.map(({ name, kind, at }) => ({
      name: kind === 'railway' ? `${name}站前广场` : `${name}站出入口`,
      at,
      halfM: 70,
    })),
    ...city.campuses.map(({ name, ring }) => ({ name: `${name}教学区`, at: centreOf(ring), halfM: 130 })),
    ...city.parks
      .filter(({ name }) => name === '镜湖公园' || name === '东郊公园' || name === '体育公园')
      .map(({ name, ring }) => ({ name: `${name}步行区`, at: centreOf(ring), halfM: 150 })),
  ]
  const zones = wanted
    .map(({ name, at, halfM }) => ({ name, areaIndex: within(at), ring: square(at, halfM) }))
    .filter(({ areaIndex }) => areaIndex >= 0)
  const gates = [
    '市第一医院急救通道',
    '实验小学校门',
    '市第二医院急救通道',
    '城南小学校门',
    '妇幼医院急救通道',
    '湖东小学校门',
  ]
  for (const [areaIndex, ring] of areas.entries()) {
    const middle = centreOf(ring)
    const [nearest] = city.net.nodes
      .filter((node) => inside(node, ring) && distance(node, middle) > 350)
      .toSorted((a, b) => distance(a, middle) - distance(b, middle))
    if (nearest) zones.push({ name: gates[areaIndex] ?? '禁停区', areaIndex, ring: square(nearest, 45) })
  }
  return zones
}
