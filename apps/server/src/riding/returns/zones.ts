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

function openAt(area: Zones, at: number): Zones {
  const isClosed = ({ hours }: Zones['parking'][number]): boolean => !isOpenAt(hours, at)
  if (!area.parking.some(isClosed)) return area
  const open = [...area.parking.filter((fence) => !isClosed(fence)), ...area.noStop]
  return areaFencesOf(open, area.ring)
}
