import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import { businessOffsetMs, hourMs } from '@saddle/contract/time.ts'
import type { Geography } from '#geography/public.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { LatLng } from '@saddle/geo/earth.ts'
import type { Kit } from '#kit/kit.ts'
import { gather } from '../demand/cells.ts'
import { hourOfWeek, hoursOfWeek } from '../demand/forecast.ts'
import { nearestOf } from '../demand/nearest.ts'
import { type AreaSeen } from '../demand/seen.ts'
import { expectedLosses } from './losses.ts'
import type { Place } from './moves.ts'

/** A vehicle this far from a parking place still counts as standing there; a ride this far away as one from there. */
const standingM = 120
const ridingM = 300

export type TownParts = {
  readonly kit: Pick<Kit, 'db' | 'clock'>
  readonly geography: Pick<Geography, 'current'>
  readonly seen: (scope: Scope, areaId: number) => Promise<AreaSeen>
}

/** A parking place with the vehicles that may be taken from it, those that nobody rode for longest first. */
export type TownPlace = Place & { readonly name: string; readonly idle: readonly number[] }
export type AreaTown = {
  readonly id: number
  readonly agentId: number
  readonly name: string
  readonly centre: LatLng
  readonly places: readonly TownPlace[]
}

const vehicleRow = rowsOf(
  rowOf('vehicle', 'v', ['id']),
  rowOf('vehicle_status', 's', ['lat', 'lng']),
  rowOfValues({
    is_free: computed('boolean', sql`not exists (select from task t where t.vehicle_id = v.id and t.done_at is null)`),
  }),
).filled('lat', 'lng')
type VehicleRow = RowOf<typeof vehicleRow>
const areaRow = rowOf('service_area', ['id', 'agent_id', 'name', 'centre_lat', 'centre_lng'])
type AreaRow = RowOf<typeof areaRow>

export async function findArea(kit: Pick<Kit, 'db'>, scope: Scope, areaId: number): Promise<AreaRow> {
  const [area] = await kit.db.read(scope, (k) =>
    areaRow.select`
      from service_area
      where id = ${areaId} and agent_id = any (${scope.agentIds}::bigint[]) and id = any (${scope.areaIds}::bigint[])`.compile(
      k,
    ),
  )
  if (area === undefined) throw new AppError('not_found')
  return area
}

/** An area's places as they are now, and what the next hours are expected to take from each. */
export async function readTown(
  parts: TownParts,
  scope: Scope,
  asked: { areaId: number; hours: number },
): Promise<AreaTown> {
  const { kit, geography } = parts
  const { areaId, hours } = asked
  const area = await findArea(kit, scope, areaId)
  const [vehicles, fences, seen] = await Promise.all([
    readVehicles(kit, scope, areaId),
    geography.current.of([areaId]),
    parts.seen(scope, areaId),
  ])
  const parking = fences.get(areaId)?.parking ?? []
  const spots = parking.map(({ centre }) => centre)
  const near = nearestOf(spots, ridingM)
  const rates = gather(seen, spots.length, near)
  const standing = standingAt(vehicles, spots)
  const now = kit.clock.now()
  const places = parking.map((fence, index): TownPlace => {
    const own = standing[index] ?? []
    const idle = own.flatMap(({ id, is_free: isFree }) => (isFree ? [id] : []))
    const ahead = Array.from({ length: hours }, (_, later) => {
      const at = index * hoursOfWeek + hourOfWeek(now + later * hourMs, businessOffsetMs)
      return { wanted: rates.wanted[at] ?? 0, arrived: rates.arrived[at] ?? 0 }
    })
    return {
      id: fence.id,
      name: fence.name,
      lat: fence.centre.lat,
      lng: fence.centre.lng,
      stock: own.length,
      movable: idle.length,
      idle,
      room: fence.capacity === null ? null : Math.max(0, fence.capacity - own.length),
      losses: expectedLosses(ahead),
    }
  })
  const centre = { lat: area.centre_lat, lng: area.centre_lng }
  return { id: area.id, agentId: area.agent_id, name: area.name, centre, places }
}

function standingAt(vehicles: readonly VehicleRow[], spots: readonly LatLng[]): VehicleRow[][] {
  const standing = spots.map((): VehicleRow[] => [])
  const find = nearestOf(spots, standingM)
  for (const vehicle of vehicles) standing[find(vehicle)]?.push(vehicle)
  return standing
}

const readVehicles = async (kit: Pick<Kit, 'db'>, scope: Scope, areaId: number): Promise<VehicleRow[]> =>
  kit.db.read(scope, (k) =>
    vehicleRow.select`
      from vehicle v join vehicle_status s on s.vehicle_id = v.id
      where v.area_id = ${areaId} and v.agent_id = any (${scope.agentIds}::bigint[])
        and v.area_id = any (${scope.areaIds}::bigint[]) and v.state = 'available' and s.lat is not null
      order by coalesce(v.last_ride_at, v.created_at), v.id`.compile(k),
  )
