import { sql } from 'kysely'
import { rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { ParkingPlace } from './places.ts'

type AreasQuery = { readonly areaIds: readonly number[]; readonly scope: Scope }

export const placesMax = 20_000

export function selectPlaces({ areaIds, scope, fenceId }: AreasQuery & { readonly fenceId?: number }) {
  const one = fenceId === undefined ? sql`` : sql`and f.id = ${fenceId}`
  return placeRow.select`
    from fence f join service_area sa on sa.id = f.area_id
    where f.kind = 'parking' and f.valid_to is null and f.area_id = any (${areaIds}::bigint[])
      and f.agent_id = any (${scope.agentIds}::bigint[]) ${one}
    order by f.id limit ${placesMax}`
}

const placeRow = rowsOf(
  rowOf('fence', 'f', [
    'id',
    'name',
    'area_id',
    'centre_lat',
    'centre_lng',
    'capacity',
    'ring',
    'radius_m',
    'west',
    'south',
    'east',
    'north',
  ]),
  rowOf('service_area', 'sa', ['name as area_name']),
).json<{ ring: [number, number][] | null }>()

export function placeOf(row: RowOf<typeof placeRow>): ParkingPlace {
  const { id, centreLat, centreLng, ...place } = placeRow.present(row)
  return { ...place, fenceId: id, lat: centreLat, lng: centreLng }
}

/** Rides that one picture is made of. */
export const ridesMax = 300_000

export const rideRow = rowOf('trip', 'r', [
  'vehicle_id',
  'area_id',
  'started_at',
  'ended_at',
  'start_lat',
  'start_lng',
  'end_lat',
  'end_lng',
])

type RidesQuery = AreasQuery & { readonly start: Date; readonly end: Date }

/** Rides that began in the span, vehicle after vehicle, each vehicle’s in the order of time. */
export function selectRides({ areaIds, scope, start, end }: RidesQuery) {
  return rideRow.select`
    from trip r
    where r.area_id = any (${areaIds}::bigint[]) and r.agent_id = any (${scope.agentIds}::bigint[])
      and r.started_at >= ${start} and r.started_at < ${end}
    order by r.vehicle_id, r.started_at limit ${ridesMax + 1}`
}

export const standingRow = rowsOf(rowOf('vehicle', 'v', ['area_id']), rowOf('vehicle_status', 's', ['lat', 'lng']))

/** Vehicles that nobody rode in the span, where they stand. */
export function selectStanding({ areaIds, scope, start, end }: RidesQuery) {
  return standingRow.select`
    from vehicle v join vehicle_status s on s.vehicle_id = v.id
    where v.area_id = any (${areaIds}::bigint[]) and v.agent_id = any (${scope.agentIds}::bigint[])
      and v.state not in ('removed', 'on_trip')
      and not exists (
        select from trip r where r.vehicle_id = v.id and r.started_at >= ${start} and r.started_at < ${end}
      )`
}
