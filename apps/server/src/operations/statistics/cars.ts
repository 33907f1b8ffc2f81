import { sql } from 'kysely'
import { batteryBands, idleBands } from '@saddle/contract/operations/statistics.ts'
import { lowBatteryPercent } from '@saddle/contract/fleet/vehicles.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { ParkingPlace } from './places.ts'

export type Cars = { readonly areaIds: readonly number[]; readonly scope: Scope; readonly now: Date }

export type CarRow = {
  part: 'total' | 'state' | 'model' | 'area'
  name: string
  company: string
  area_id: number | null
  vehicles: number
  available: number
  on_trip: number
  low_battery: number
  offline: number
  out_of_service: number
  idle: number
  in_task: number
  battery_percent: number | null
  battery: number[]
  idle_hours: number[]
}

/** How many of the rows fall into each band, as an array. */
const bands = (column: string, bounds: readonly number[]) =>
  sql`array[${sql.join(bounds.map((_, index) => sql`count(*) filter (where c.${sql.ref(column)} = ${sql.lit(index + 1)})`))}]`

const bandOf = (value: ReturnType<typeof sql>, bounds: readonly number[]) =>
  sql`width_bucket(${value}, array[${sql.join(bounds.map((bound) => sql.lit(bound)))}]::float8[])`

/** Every vehicle once: the whole, and by state, model and area. */
export function selectCars({ areaIds, scope, now }: Cars) {
  return sql<CarRow>`
    select g.*, case g.part when 'area' then sa.name else g.label end as name, coalesce(a.company, '') as company from (
      select case when grouping(c.state) = 0 then 'state' when grouping(c.model) = 0 then 'model'
          when grouping(c.area_id) = 0 then 'area' else 'total' end as part,
        coalesce(c.state, c.model, '') as label, c.area_id,
        count(*) as vehicles, count(*) filter (where c.state = 'available') as available,
        count(*) filter (where c.state = 'on_trip') as on_trip,
        count(*) filter (where c.battery_percent < ${lowBatteryPercent}) as low_battery,
        count(*) filter (where c.state in ('non_contactable', 'missing')) as offline,
        count(*) filter (where c.state = 'non_operational') as out_of_service,
        count(*) filter (where c.idle_seconds >= 86400) as idle, count(*) filter (where c.in_task) as in_task,
        avg(c.battery_percent)::float8 as battery_percent, ${bands('battery_band', batteryBands)}::integer[] as battery,
        ${bands('idle_band', idleBands)}::integer[] as idle_hours
      from (
        select v.*, ${bandOf(sql`v.battery_percent::float8`, batteryBands)} as battery_band,
          ${bandOf(sql`v.idle_seconds / 3600.0`, idleBands)} as idle_band
        from (
          select v.state, v.model, v.area_id, s.battery_percent,
            case when v.state <> 'on_trip' then
              greatest(0, extract(epoch from ${now} - coalesce(v.last_ride_at, v.created_at)))::float8 end as idle_seconds,
            t.vehicle_id is not null as in_task
          from vehicle v join vehicle_status s on s.vehicle_id = v.id
          left join (
            select distinct vehicle_id from task where done_at is null and area_id = any (${areaIds}::bigint[])
          ) t on t.vehicle_id = v.id
          where v.area_id = any (${areaIds}::bigint[]) and v.agent_id = any (${scope.agentIds}::bigint[])
            and v.state <> 'removed'
        ) v
      ) c
      group by grouping sets ((), (c.state), (c.model), (c.area_id))
    ) g left join service_area sa on sa.id = g.area_id left join agent a on a.id = sa.agent_id
    order by g.part, g.vehicles desc, g.label, g.area_id`
}

const carDaysRow = rowOfValues({
  day: computed('text', sql`to_char(f.day, 'YYYY-MM-DD')`),
  vehicles: computed('bigint', sql`sum(f.vehicles)`),
  low_battery: computed('bigint', sql`sum(f.low_battery)`),
})

export function selectCarDays({ areaIds, scope, days }: Pick<Cars, 'areaIds' | 'scope'> & { days: readonly string[] }) {
  return carDaysRow.select`
    from fleet_day f
    where f.day = any (${days}::date[]) and f.area_id = any (${areaIds}::bigint[])
      and f.agent_id = any (${scope.agentIds}::bigint[])
    group by f.day`
}

export const placesMax = 20_000

export function selectPlaces({ areaIds, scope, fenceId }: Pick<Cars, 'areaIds' | 'scope'> & { fenceId?: number }) {
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
type PlaceRow = RowOf<typeof placeRow>

export const placeOf = (row: PlaceRow): ParkingPlace => ({
  fenceId: row.id,
  name: row.name,
  areaId: row.area_id,
  areaName: row.area_name,
  lat: row.centre_lat,
  lng: row.centre_lng,
  capacity: row.capacity,
  ring: row.ring,
  radiusM: row.radius_m,
  west: row.west,
  south: row.south,
  east: row.east,
  north: row.north,
})

/** Rides that one picture is made of. */
export const ridesMax = 300_000

const rideRow = rowOf('trip', 'r', [
  'vehicle_id',
  'area_id',
  'started_at',
  'ended_at',
  'start_lat',
  'start_lng',
  'end_lat',
  'end_lng',
])

type RidesAsked = Pick<Cars, 'areaIds' | 'scope'> & { readonly start: Date; readonly end: Date }

/** Rides that began in the span, vehicle after vehicle, each vehicle’s in the order of time. */
export function selectRides({ areaIds, scope, start, end }: RidesAsked) {
  return rideRow.select`
    from trip r
    where r.area_id = any (${areaIds}::bigint[]) and r.agent_id = any (${scope.agentIds}::bigint[])
      and r.started_at >= ${start} and r.started_at < ${end}
    order by r.vehicle_id, r.started_at limit ${ridesMax + 1}`
}

const vehicleRow = rowsOf(rowOf('vehicle', 'v', ['area_id']), rowOf('vehicle_status', 's', ['lat', 'lng']))

/** Vehicles that nobody rode in the span, where they stand. */
export function selectStanding({ areaIds, scope, start, end }: RidesAsked) {
  return vehicleRow.select`
    from vehicle v join vehicle_status s on s.vehicle_id = v.id
    where v.area_id = any (${areaIds}::bigint[]) and v.agent_id = any (${scope.agentIds}::bigint[])
      and v.state not in ('removed', 'on_trip')
      and not exists (
        select from trip r where r.vehicle_id = v.id and r.started_at >= ${start} and r.started_at < ${end}
      )`
}
