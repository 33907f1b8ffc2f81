import { sql } from 'kysely'
import type { Clock } from '#kit/clock.ts'
import type { Tx } from '#kit/db/pool.ts'

type Corner = readonly [lng: number, lat: number]
export type Place = { readonly lat: number; readonly lng: number }

/** Beyond the edge of its area a vehicle counts as outside only from here on: a place is not known better than that. */
export const outsideMarginM = 50

/** `edge` is outside, but so little that it may as well be a mistake of the satellites. */
export type Zone = 'inside' | 'edge' | 'beyond'

/** Where a place lies to a service area; null when the area has no ring. */
export type Zones = (areaId: number, place: Place) => Zone | null

type Area = {
  readonly ring: readonly Corner[]
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

const metresPerDegree = 111_195

export function areaOf(ring: readonly Corner[]): Area {
  const lngs = ring.map(([lng]) => lng)
  const lats = ring.map(([, lat]) => lat)
  return {
    ring,
    west: Math.min(...lngs),
    south: Math.min(...lats),
    east: Math.max(...lngs),
    north: Math.max(...lats),
  }
}

/** Asked for every report: nothing is allocated, and the distance is measured only outside. */
export function zoneOf(area: Area, place: Place): Zone {
  if (isInside(area, place)) return 'inside'
  return distanceM(area.ring, place) > outsideMarginM ? 'beyond' : 'edge'
}

function isInside({ ring, west, south, east, north }: Area, { lat, lng }: Place): boolean {
  if (lng < west || lng > east || lat < south || lat > north) return false
  let inside = false
  let before = ring.at(-1)
  for (const corner of ring) {
    if (before !== undefined && before[1] > lat !== corner[1] > lat) {
      const crossing = before[0] + ((lat - before[1]) / (corner[1] - before[1])) * (corner[0] - before[0])
      if (crossing > lng) inside = !inside
    }
    before = corner
  }
  return inside
}

/** Metres to the nearest edge, on a plane that touches the earth at the place. */
function distanceM(ring: readonly Corner[], { lat, lng }: Place): number {
  const perLng = metresPerDegree * Math.cos((lat * Math.PI) / 180)
  let nearest = Number.POSITIVE_INFINITY
  let before = ring.at(-1)
  for (const corner of ring) {
    if (before !== undefined) {
      const [x, y] = [(before[0] - lng) * perLng, (before[1] - lat) * metresPerDegree]
      const dx = (corner[0] - before[0]) * perLng
      const dy = (corner[1] - before[1]) * metresPerDegree
      const length = dx * dx + dy * dy
      const part = length === 0 ? 0 : Math.min(1, Math.max(0, -(x * dx + y * dy) / length))
      nearest = Math.min(nearest, Math.hypot(x + part * dx, y + part * dy))
    }
    before = corner
  }
  return nearest
}

/** A change of a ring is heeded after so long. */
const rememberedForMs = 30_000

type Row = { id: number; ring: Corner[] | null }

/** The rings in force, in memory: read again after a while, and when an area is asked for that nobody knew. */
export function createZones(options: { clock: Clock }) {
  let areas = new Map<number, Area | null>()
  let readAt = Number.NEGATIVE_INFINITY
  const zones: Zones = (areaId, place) => {
    const area = areas.get(areaId)
    return area === undefined || area === null ? null : zoneOf(area, place)
  }
  return {
    async current(tx: Tx, areaIds: Iterable<number>): Promise<Zones> {
      const nowMs = options.clock.now()
      const isStale = nowMs - readAt >= rememberedForMs
      if (isStale || !new Set(areaIds).isSubsetOf(new Set(areas.keys()))) {
        const { rows } = await sql<Row>`select id, ring from service_area`.execute(tx)
        areas = new Map(rows.map(({ id, ring }) => [id, ring === null ? null : areaOf(ring)]))
        readAt = nowMs
      }
      return zones
    },
  }
}
