import { areaFencesOf, isOpenAt, type Geography } from '#geography/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Zones } from './judge.ts'

type Asked = { readonly areaId: number; readonly at: number }

/**
 * The fences and the outline by which a return into an area is judged now; a parking place that is closed is none. `tx`:
 * the transaction that the caller is in.
 */
export async function zonesOf(
  { geography }: { readonly geography: Pick<Geography, 'current'> },
  { areaId, at }: Asked,
  tx?: Tx,
): Promise<Zones> {
  const area = (await geography.current.of([areaId], tx)).get(areaId)
  if (area === undefined) throw new Error(`service area ${areaId} is gone`)
  return openAt(area, at)
}

type Timed = { readonly timed: Zones['parking']; readonly open: Map<string, Zones> }
/** Of each area's fences those with hours, and what is left of all of them when some are closed. */
const timedAreas = new WeakMap<Zones, Timed>()
/** Places of an area open and close at a few times of the day. */
const openSetsMax = 32

/** The fences of an area that are open at a moment; each set of open places is put together once. */
export function openAt(area: Zones, at: number): Zones {
  const known = timedAreas.get(area) ?? { timed: area.parking.filter(({ hours }) => hours !== null), open: new Map() }
  timedAreas.set(area, known)
  const closed = known.timed.filter(({ hours }) => !isOpenAt(hours, at))
  if (closed.length === 0) return area
  const key = closed.map(({ id }) => id).join(' ')
  const found = known.open.get(key)
  if (found !== undefined) return found
  const gone = new Set(closed)
  const zones = areaFencesOf([...area.parking.filter((place) => !gone.has(place)), ...area.noStop], area.ring)
  if (known.open.size >= openSetsMax) known.open.clear()
  known.open.set(key, zones)
  return zones
}
