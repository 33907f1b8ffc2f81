import { workGroupsMax } from '@saddle/contract/operations/statistics/span.ts'
import type { WorkPage } from '@saddle/contract/operations/statistics/work.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { planeM } from '@saddle/geo/earth.ts'
import type { Kit } from '#kit/kit.ts'
import { placeOf, selectPlaces } from './stationStore.ts'
import { placeFinder } from './places.ts'
import {
  selectFaults,
  selectHours,
  selectMoves,
  selectParts,
  selectReasons,
  selectRepairsFound,
  selectRepeats,
  type MoveRow,
  type Work,
} from './store.ts'

/** What the work of a page says beyond its sums. Each page asks only for what it shows. */
export async function readFindings(
  kit: Pick<Kit, 'db' | 'clock'>,
  { page, work }: { readonly page: WorkPage; readonly work: Work },
) {
  const { scope } = work
  const isRepair = page === 'repair'
  const isInspection = page === 'inspection'
  const [hours, reasons, parts, repeats, faults, repairs, moves] = await Promise.all([
    kit.db.read(scope, (k) => selectHours(work).compile(k)),
    isRepair ? kit.db.read(scope, (k) => selectReasons(work).compile(k)) : [],
    isRepair ? kit.db.read(scope, (k) => selectParts(work).compile(k)) : [],
    isRepair ? kit.db.read(scope, (k) => selectRepeats(work).compile(k)) : null,
    isInspection ? kit.db.read(scope, (k) => selectFaults(work).compile(k)) : [],
    isInspection ? kit.db.read(scope, (k) => selectRepairsFound(work).compile(k)) : null,
    page === 'move' ? readMoves(kit, work) : null,
  ])
  const byHour = Array.from({ length: 24 }, (_, hour) => hours.find((row) => row.hour === hour)?.count ?? 0)
  return {
    hours: byHour,
    reasons,
    parts,
    repeats: repeats === null ? null : (repeats[0]?.count ?? 0),
    faults,
    repairs: repairs === null ? null : (repairs[0]?.count ?? 0),
    moves,
  }
}

async function readMoves(kit: Pick<Kit, 'db' | 'clock'>, work: Work) {
  const settledBefore = kit.clock.now() - dayMs
  const [rows, places] = await Promise.all([
    kit.db.read(work.scope, (k) => selectMoves(work).compile(k)),
    kit.db.read(work.scope, (k) => selectPlaces(work).compile(k)),
  ])
  const find = placeFinder(places.map(placeOf))
  const ways = new Map<string, Way>()
  let metres = 0
  for (const row of rows) {
    const { area_id: areaId } = row
    const from = find({ areaId, lat: row.from_lat, lng: row.from_lng })?.name ?? ''
    const to = row.to_name === '' ? (find({ areaId, lat: row.to_lat, lng: row.to_lng })?.name ?? '') : row.to_name
    const key = JSON.stringify([from, to])
    const way = ways.get(key) ?? { from, to, count: 0, begins: noSpots, ends: noSpots }
    ways.set(key, {
      from,
      to,
      count: way.count + 1,
      begins: withSpot(way.begins, row.from_lat, row.from_lng),
      ends: withSpot(way.ends, row.to_lat, row.to_lng),
    })
    metres += metresOf(row)
  }
  const settled = rows.filter((row) => row.done_at.getTime() <= settledBefore)
  return {
    ways: [...ways.values()]
      .toSorted((a, b) => b.count - a.count)
      .slice(0, workGroupsMax)
      .map(({ from, to, count, begins, ends }) => ({
        from,
        to,
        count,
        // Outside of parking places they are all over the town.
        fromAt: from === '' ? null : middleOf(begins),
        toAt: to === '' ? null : middleOf(ends),
      })),
    metres,
    settled: settled.length,
    ridden: settled.filter((row) => row.rides > 0).length,
    rides: settled.reduce((sum, row) => sum + row.rides, 0),
  }
}

/** Points added up. */
interface Spots {
  readonly count: number
  readonly lat: number
  readonly lng: number
}
const noSpots: Spots = { count: 0, lat: 0, lng: 0 }

/** Moves between the same two places. */
interface Way {
  readonly from: string
  readonly to: string
  readonly count: number
  readonly begins: Spots
  readonly ends: Spots
}

const withSpot = (spots: Spots, lat: number | null, lng: number | null): Spots =>
  lat === null || lng === null ? spots : { count: spots.count + 1, lat: spots.lat + lat, lng: spots.lng + lng }

const middleOf = ({ count, lat, lng }: Spots) => (count === 0 ? null : { lat: lat / count, lng: lng / count })

/** As the crow flies. */
function metresOf({ from_lat, from_lng, to_lat, to_lng }: MoveRow): number {
  if (from_lat === null || from_lng === null || to_lat === null || to_lng === null) return 0
  return planeM({ lat: from_lat, lng: from_lng }, { lat: to_lat, lng: to_lng })
}
