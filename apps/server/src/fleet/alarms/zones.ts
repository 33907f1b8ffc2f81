import { createCurrentFences, createFenceIndex, nearness, type AreaFences } from '#geography/public.ts'
import type { Clock } from '#kit/clock.ts'
import type { Database, Tx } from '#kit/db/pool.ts'

type Corner = readonly [lng: number, lat: number]
export type Place = { readonly lat: number; readonly lng: number }

/** Beyond the edge of its area a vehicle counts as outside only from here on: a place is not known better than that. */
export const outsideMarginM = 50

/** `edge` is outside, but so little that it may as well be a mistake of the satellites. */
export type Zone = 'inside' | 'edge' | 'beyond'

/** Where a place lies to a service area; null when the area has no ring. */
export type Zones = (areaId: number, place: Place) => Zone | null

type Area = Pick<AreaFences, 'ring' | 'holds'>

export function areaOf(given: readonly Corner[]): Area {
  const [first, last] = [given[0], given.at(-1)]
  const isClosed = first === undefined || (first[0] === last?.[0] && first[1] === last[1])
  const ring = isClosed ? given : [...given, first]
  const index = createFenceIndex([{ ring }])
  return { ring, holds: ({ lat, lng }) => index.holds(0, lng, lat) }
}

/** Asked for every report: nothing is allocated inside, and the distance is measured only outside. */
export function zoneOf({ ring, holds }: Area, place: Place): Zone {
  if (holds(place)) return 'inside'
  return nearness(place, { ring, centre: place, radiusM: null }).distanceM > outsideMarginM ? 'beyond' : 'edge'
}

/** The zones in force; a change takes effect within half a second. */
export function createZones(kit: { readonly db: Database; readonly clock: Clock }) {
  const fences = createCurrentFences(kit)
  return {
    async current(tx: Tx, areaIds: Iterable<number>): Promise<Zones> {
      const areas = await fences.recent([...areaIds], tx)
      return (areaId, place) => {
        const area = areas.get(areaId)
        return area === undefined ? null : zoneOf(area, place)
      }
    },
  }
}
