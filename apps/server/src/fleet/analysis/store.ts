import { sql } from 'kysely'
import { scopeListMax } from '@saddle/contract/constants.ts'
import { metresPerDegree } from '@saddle/geo/earth.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { countedState, idleSinceCondition } from '../states/counted.ts'
import { tripSums } from './trips.ts'

/** Places that one picture is made of. */
export const placesMax = 400_000

const dayRow = rowsOf(
  rowOf('fleet_day', 'f', [
    'area_id',
    'agent_id',
    'vehicles',
    'ridden',
    'trips',
    'ride_seconds',
    'distance_m',
    'battery_percent',
    'low_battery',
    'made_at',
  ]),
  rowOf('service_area', 'sa', ['name as area_name']),
  rowOf('agent', 'a', ['company']),
  rowOfValues({ day: computed('text', sql`to_char(f.day, 'YYYY-MM-DD')`) }),
)
export type DayRow = RowOf<typeof dayRow>

const inArea = (alias: string, areaId: number | undefined) =>
  areaId === undefined ? sql`` : sql`and ${sql.ref(`${alias}.area_id`)} = ${areaId}`

export function selectDays(options: { from: string; to: string; areaId: number | undefined; scope: Scope }) {
  const { from, to, areaId, scope } = options
  return dayRow.select`
    from fleet_day f join service_area sa on sa.id = f.area_id join agent a on a.id = f.agent_id
    where f.day between ${from}::date and ${to}::date and ${tenantFilter('f', scope)} ${inArea('f', areaId)}
    order by f.day desc, f.area_id`
}

const partRow = (until: Date) => {
  const sums = tripSums({ until, endedBy: until })
  return rowsOf(
    rowOf('trip', 't', ['area_id']),
    rowOfValues({
      trips: computed('bigint', sums.trips),
      ridden: computed('bigint', sums.ridden),
      ride_seconds: computed('bigint', sums.rideSeconds),
      distance_m: computed('double precision', sums.distanceM),
    }),
  )
}
export type PartRow = RowOf<ReturnType<typeof partRow>>

/** Rides of a day's beginning by area, counted as the day's own figures are. */
export function selectPartOfDay(options: { start: Date; until: Date; areaId: number | undefined; scope: Scope }) {
  const { start, until, areaId, scope } = options
  return partRow(until).select`
    from trip t
    where t.started_at >= ${start} and t.started_at < ${until} and ${tenantFilter('t', scope)} ${inArea('t', areaId)}
    group by t.area_id`
}

const hoursRow = rowOfValues({
  weekday: computed('integer', sql`extract(isodow from t.started_at at time zone 'Asia/Shanghai')`),
  hour: computed('integer', sql`extract(hour from t.started_at at time zone 'Asia/Shanghai')`),
  trips: computed('bigint', sql`count(*)`),
})

export function selectHours(options: { from: Date; to: Date; areaId: number | undefined; scope: Scope }) {
  const { from, to, areaId, scope } = options
  return hoursRow.select`
    from trip t
    where t.started_at >= ${from} and t.started_at < ${to} and ${tenantFilter('t', scope)} ${inArea('t', areaId)}
    group by 1, 2 order by 1, 2`
}

const placeRow = rowOf('vehicle_status', 's', ['lat', 'lng']).filled('lat', 'lng')

/** Where rides of a span of time began or ended. */
export function selectHeatPoints(options: {
  isArrival: boolean
  from: Date
  to: Date
  hours: readonly number[] | undefined
  scope: Scope
  limit: number
}) {
  const { isArrival, from, to, hours, scope, limit } = options
  const [at, lat, lng] = isArrival
    ? [sql`t.ended_at`, sql`t.end_lat`, sql`t.end_lng`]
    : [sql`t.started_at`, sql`t.start_lat`, sql`t.start_lng`]
  const within24 =
    hours === undefined
      ? sql``
      : sql`and extract(hour from ${at} at time zone 'Asia/Shanghai')::integer = any (${hours}::integer[])`
  return rowOfValues({ lat: computed('double precision', lat), lng: computed('double precision', lng) }).select`
    from trip t
    where ${at} >= ${from} and ${at} < ${to} and ${lat} is not null and ${tenantFilter('t', scope)} ${within24}
    limit ${limit}`
}

/** Positions of vehicles that were not ridden since then. */
export function selectIdlePlaces({ before, scope, limit }: { before: Date; scope: Scope; limit: number }) {
  return placeRow.select`
    from vehicle v join vehicle_status s on s.vehicle_id = v.id
    where ${tenantFilter('v', scope)} and v.state <> 'removed' and s.lat is not null
      and ${idleSinceCondition(before)}
    limit ${limit}`
}

const todayRow = rowOfValues({
  trips: computed('bigint', sql`t.trips`),
  riding: computed('bigint', sql`t.riding`),
  distance_m: computed('double precision', sql`t.distance_m`),
  ride_seconds: computed('bigint', sql`t.ride_seconds`),
  ridden: computed('bigint', sql`t.ridden`),
  alarms_opened: computed('bigint', sql`a.alarms_opened`),
  tasks_open: computed('bigint', sql`k.tasks_open`),
  tasks_done: computed('bigint', sql`k.tasks_done`),
})
export type TodayRow = RowOf<typeof todayRow>

export function selectToday({ from, now, scope }: { from: Date; now: Date; scope: Scope }) {
  const sums = tripSums({ until: now })
  return todayRow.select`
    from (
      select ${sums.trips} as trips, count(*) filter (where t.ended_at is null) as riding, ${sums.distanceM} as distance_m,
        ${sums.ridden} as ridden, ${sums.rideSeconds} as ride_seconds
      from trip t where t.started_at >= ${from} and ${tenantFilter('t', scope)}
    ) t cross join (
      select count(*) as alarms_opened from vehicle_alarm
      where opened_at >= ${from} and ${tenantFilter('vehicle_alarm', scope)}
    ) a cross join (
      select (select count(*) from task where done_at is null and ${tenantFilter('task', scope)}) as tasks_open,
        (select count(*) from task where state = 'done' and done_at >= ${from} and ${tenantFilter('task', scope)}) as tasks_done
    ) k`
}

export function selectRegulatorAreas({ from, scope }: { from: Date; scope: Scope }) {
  const { trips } = tripSums({ until: from })
  return rowsOf(
    rowOf('service_area', 'sa', ['id as area_id', 'name as area_name']),
    rowOf('agent', 'a', ['company']),
    rowOfValues({
      trips: computed('bigint', sql`(select ${trips} from trip t where t.area_id = sa.id and t.started_at >= ${from})`),
    }),
  ).select`
    from service_area sa join agent a on a.id = sa.agent_id
    where ${tenantFilter('sa', scope)} order by a.id, sa.id limit ${scopeListMax}`
}

/** Rings and circles by PostgreSQL's own geometry, good to a few metres in the size of a city. */
const ringOf = (alias: string) =>
  sql`(select string_agg('(' || (p->>0) || ',' || (p->>1) || ')', ',' order by n)::polygon
    from jsonb_array_elements(${sql.ref(`${alias}.ring`)}) with ordinality as e (p, n))`

const standingRow = (nowMs: number) =>
  rowsOf(
    rowOf('vehicle', 'v', ['area_id']),
    rowOf('vehicle_status', 's', ['lat', 'lng']),
    rowOfValues({
      state: computed('text', countedState(nowMs)),
      is_outside: computed(
        'boolean',
        sql`s.lat is not null and v.state <> 'removed' and area.ring is not null
        and not (area.ring @> point(s.lng, s.lat))`,
      ),
      in_no_stop: computed(
        'boolean',
        sql`s.lat is not null and v.state not in ('on_trip', 'removed') and exists (
        select from zone z
        where z.area_id = v.area_id and s.lng between z.west and z.east and s.lat between z.south and z.north
          and case when z.is_circle then
            point((s.lng - z.centre_lng) * cosd(z.centre_lat), s.lat - z.centre_lat) <-> point(0, 0)
              <= z.radius_m / ${metresPerDegree}::float8
          else z.ring @> point(s.lng, s.lat) end
      )`,
      ),
    }),
  )

/** Every vehicle with what its place means, those taken off the street without one; which it is is not told. */
export function selectStanding({ scope, limit, nowMs }: { scope: Scope; limit: number; nowMs: number }) {
  return standingRow(nowMs).query(
    (list) => sql`
    with area as materialized (
      select sa.id, ${ringOf('sa')} as ring from service_area sa where ${tenantFilter('sa', scope)}
    ), zone as materialized (
      select f.area_id, f.west, f.south, f.east, f.north, f.ring is null as is_circle, ${ringOf('f')} as ring,
        f.centre_lat, f.centre_lng, f.radius_m
      from fence f where f.kind = 'no_stop' and f.valid_to is null and ${tenantFilter('f', scope)}
    )
    select ${list}
    from vehicle v join vehicle_status s on s.vehicle_id = v.id left join area on area.id = v.area_id
    where ${tenantFilter('v', scope)}
    limit ${limit}`,
  )
}

const parkingMax = 5_000

const fenceRow = rowsOf(
  rowOf('fence', 'f', ['id', 'name', 'capacity']),
  rowOfValues({ parked: computed('bigint', sql`count(s.vehicle_id)`) }),
)

/** How full the parking places are. */
export function selectParking({ scope }: { scope: Scope }) {
  return fenceRow.select`
    from (
      select f.*, ${ringOf('f')} as shape from fence f
      where f.kind = 'parking' and f.valid_to is null and ${tenantFilter('f', scope)}
      order by f.id limit ${parkingMax}
    ) f
    left join (
      select s.vehicle_id, s.lat, s.lng, v.area_id from vehicle_status s join vehicle v on v.id = s.vehicle_id
      where s.lat is not null and v.state not in ('on_trip', 'removed') and ${tenantFilter('v', scope)}
    ) s on s.area_id = f.area_id and s.lng between f.west and f.east and s.lat between f.south and f.north
      and case when f.ring is null then
        point((s.lng - f.centre_lng) * cosd(f.centre_lat), s.lat - f.centre_lat) <-> point(0, 0) <= f.radius_m / ${metresPerDegree}::float8
      else f.shape @> point(s.lng, s.lat) end
    group by f.id, f.name, f.capacity order by f.name`
}
