import { sql } from 'kysely'
import { vehicleTripList, type Trip } from '@saddle/contract/fleet/trips.ts'
import { countRow, rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'

/** Of trips `t` and vehicles `v`. */
export const tripRow = rowsOf(
  rowOf('trip', 't', [
    'id',
    'vehicle_id',
    'area_id',
    'started_at',
    'ended_at',
    'start_lat',
    'start_lng',
    'end_lat',
    'end_lng',
    'distance_m',
    'duration_s',
    'battery_start',
    'battery_end',
  ]),
  rowOf('vehicle', 'v', ['number']),
)
export type TripRow = RowOf<typeof tripRow>

export const vehicleTripRows = tableList(vehicleTripList, {
  table: 'trip',
  alias: 't',
  tenant: 'area',
  columns: tripRow,
  joins: sql`join vehicle v on v.id = t.vehicle_id`,
  sorts: { started: ['started_at', 'instant'] },
  find: ({ vehicleId, ...span }) => ({
    narrowed: [sql`t.vehicle_id = ${vehicleId}`],
    where: spanOf('t.started_at', span),
  }),
})

const placeOf = (lat: number | null, lng: number | null): Trip['start'] =>
  lat === null || lng === null ? null : { lat, lng }

export function tripOf(row: TripRow, nowMs: number): Trip {
  const startedAt = row.started_at.getTime()
  return {
    id: row.id,
    vehicleId: row.vehicle_id,
    number: row.number,
    areaId: row.area_id,
    startedAt,
    endedAt: row.ended_at?.getTime() ?? null,
    start: placeOf(row.start_lat, row.start_lng),
    end: placeOf(row.end_lat, row.end_lng),
    distanceM: row.distance_m,
    durationSeconds: row.duration_s ?? Math.max(0, Math.round((nowMs - startedAt) / 1000)),
    batteryStart: row.battery_start,
    batteryEnd: row.battery_end,
  }
}

/** Running ones first, then the latest ended ones. Each half is read with its own index. */
export function selectLatestTrips({ limit, scope }: { limit: number; scope: Scope }) {
  return tripRow.select`
    from (
      (select *, 0 as part, started_at as turned_at from trip where ended_at is null and ${tenantFilter('trip', scope)}
        order by started_at desc limit ${limit})
      union all
      (select *, 1 as part, ended_at as turned_at from trip where ended_at is not null and ${tenantFilter('trip', scope)}
        order by ended_at desc limit ${limit})
    ) t join vehicle v on v.id = t.vehicle_id
    order by t.part, t.turned_at desc limit ${limit}`
}

/** One vehicle's trips, the newest first. */
export function selectTripsOf(options: { vehicleId: number; before: number | undefined; limit: number; scope: Scope }) {
  const { vehicleId, before, limit, scope } = options
  const earlier = before === undefined ? sql`` : sql`and t.started_at < ${new Date(before)}`
  return tripRow.select`
    from trip t join vehicle v on v.id = t.vehicle_id
    where t.vehicle_id = ${vehicleId} and ${tenantFilter('t', scope)} ${earlier}
    order by t.started_at desc limit ${limit}`
}

export function countRiding({ vehicleId, scope }: { vehicleId: number | undefined; scope: Scope }) {
  const own = vehicleId === undefined ? sql`` : sql`and t.vehicle_id = ${vehicleId}`
  return countRow.select`from trip t where t.ended_at is null and ${tenantFilter('t', scope)} ${own}`
}
