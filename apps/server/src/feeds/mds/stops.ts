import { mdsTtlMs, mdsVersion } from '@saddle/contract/feeds/mdsRecords.ts'
import type { Fence } from '@saddle/contract/geography/fences.ts'
import type { Shape } from '@saddle/geo/shape.ts'
import { createFenceIndex } from '#geography/public.ts'
import type { MdsReader } from './access.ts'
import { boundariesOf } from './boundary.ts'
import { mdsId } from './ids.ts'
import { ownerOf, type MdsAnswer, type MdsDeps } from './common.ts'
import { stopOf } from './records.ts'
import { selectMdsVehicles, type MdsVehicleRow } from './recordStore.ts'

export interface StopsAnswer {
  stops(reader: MdsReader, stopId?: string): Promise<MdsAnswer>
}

const shapeOf = ({ ring, holes, centre, radiusM }: Fence): Shape =>
  ring === null ? { centre, radiusM: radiusM ?? 0 } : { ring, holes }

/** Parking places within the boundary, with the vehicles that stand in them. */
export function createStops({ kit, geography }: MdsDeps): StopsAnswer {
  const { db, clock } = kit
  const allVehicles = async ({ scope }: MdsReader): Promise<MdsVehicleRow[]> => {
    const found: MdsVehicleRow[] = []
    let after = 0
    for (;;) {
      const rows = await db.read(scope, (k) => selectMdsVehicles(scope, { after }).compile(k))
      const last = rows.at(-1)
      if (last === undefined) return found
      found.push(...rows)
      after = last.id
    }
  }
  return {
    stops: async (reader, stopId) => {
      const { scope, agentId, boundary } = reader
      const at = clock.now()
      const bounds = boundariesOf(boundary)
      const fences: Fence[] = []
      for (const areaId of scope.areaIds) fences.push(...(await geography.inForce(scope, { areaId, at })))
      const places = fences.filter(
        ({ kind, centre, lineId }) =>
          kind === 'parking' &&
          bounds.contains(centre) &&
          (stopId === undefined || mdsId(agentId, 'stop', lineId) === stopId.toLowerCase()),
      )
      if (stopId !== undefined && places.length === 0) return { status: 404 }
      const standing = standingIn(places, await allVehicles(reader))
      const owner = await ownerOf(kit, reader)
      const stops = places.map((fence, index) => stopOf(owner, fence, { standing: standing.get(index) ?? [], at }))
      return { status: 200, body: { version: mdsVersion, last_updated: at, ttl: mdsTtlMs, stops } }
    },
  }
}

/** Vehicles by the first place that they stand in. */
function standingIn(places: readonly Fence[], rows: readonly MdsVehicleRow[]): Map<number, MdsVehicleRow[]> {
  const index = createFenceIndex(places.map((fence) => shapeOf(fence)))
  const standing = new Map<number, MdsVehicleRow[]>()
  for (const row of rows) {
    if (row.lat === null || row.lng === null || row.state === 'on_trip' || row.state === 'removed') continue
    let isPlaced = false
    index.visit(row.lng, row.lat, (found) => {
      if (isPlaced) return
      isPlaced = true
      const known = standing.get(found)
      if (known === undefined) standing.set(found, [row])
      else known.push(row)
    })
  }
  return standing
}
