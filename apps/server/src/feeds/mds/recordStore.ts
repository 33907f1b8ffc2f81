import { mdsPageMax } from '@saddle/contract/feeds/mdsRecords.ts'
import { vehicleStates } from '@saddle/contract/fleet/vehicles.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Box } from '@saddle/geo/earth.ts'
import { sql, type RawBuilder } from 'kysely'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { mdsIdFilter } from './ids.ts'

/** Reports and stretches of a vehicle are looked for so long before a moment. */
const knownMs = 2 * dayMs
/** No trip lasts longer. */
const tripMaxMs = 2 * dayMs
export const stretchesMax = 20_000

/** From one moment to before another. */
export interface Span {
  readonly from: Date
  readonly to: Date
}

const vehicleRow = rowsOf(
  rowOf('vehicle', 'v', ['id', 'number', 'model', 'state', 'state_changed_at']).codes({ state: vehicleStates }),
  rowOf('vehicle_status', 's', [
    'lat',
    'lng',
    'heading_deg',
    'speed_kmh',
    'battery_percent',
    'position_at',
    'heard_at',
  ]).optional(),
)
export type MdsVehicleRow = RowOf<typeof vehicleRow>

export interface VehiclePage {
  readonly after: number
  /** Only the vehicle whose device has this id. */
  readonly deviceId?: { readonly agentId: number; readonly uuid: string } | undefined
}

const isDevice = (deviceId: VehiclePage['deviceId']): RawBuilder<boolean> =>
  deviceId === undefined ? sql`true` : mdsIdFilter('device', { ...deviceId, column: sql`v.id::text` })

/** Vehicles of the scope in the order of their ids, wherever they are. */
export const selectMdsVehicles = (scope: Scope, { after, deviceId }: VehiclePage) => vehicleRow.select`
  from vehicle v left join vehicle_status s on s.vehicle_id = v.id
  where ${tenantFilter('v', scope)} and v.id > ${after} and ${isDevice(deviceId)}
  order by v.id limit ${mdsPageMax + 1}`

export const selectMdsVehiclesById = (scope: Scope, ids: readonly number[]) => vehicleRow.select`
  from vehicle v left join vehicle_status s on s.vehicle_id = v.id
  where v.id = any (${ids}::bigint[]) and ${tenantFilter('v', scope)}
  order by v.id`

const visitRow = rowsOf(
  rowOf('trip', 't', ['vehicle_id', 'start_lat', 'start_lng', 'end_lat', 'end_lng']).filled('start_lat', 'start_lng'),
)
const visitsMax = 50

/** Of each vehicle the latest trips since a time that began or ended in a box. */
export const selectVisits = (
  scope: Scope,
  { vehicleIds, since, box }: { readonly vehicleIds: readonly number[]; readonly since: Date; readonly box: Box },
) => visitRow.select`
  from unnest(${vehicleIds}::bigint[]) as asked (id)
  join lateral (
    select * from trip
    where vehicle_id = asked.id and started_at >= ${since} and ${tenantFilter('trip', scope)} and start_lat is not null
      and (${isIn('start', box)} or ${isIn('end', box)})
    order by started_at desc limit ${visitsMax}
  ) t on true`

const isIn = (side: 'start' | 'end', { west, south, east, north }: Box): RawBuilder<boolean> => {
  const [lat, lng] = [sql.ref(`${side}_lat`), sql.ref(`${side}_lng`)]
  return sql`(${lat} between ${south} and ${north} and ${lng} between ${west} and ${east})`
}

const eventColumns = rowOf('vehicle_event', 'e', [
  'id as event_id',
  'vehicle_id',
  'event',
  'to_state',
  'occurred_at',
  'recorded_at',
]).codes({ to_state: vehicleStates })
const knownColumns = rowOfValues({
  trip_id: computed('bigint?', sql`t.id`),
  trip_lat: computed('double precision?', sql`case when e.event = 'trip_start' then t.start_lat else t.end_lat end`),
  trip_lng: computed('double precision?', sql`case when e.event = 'trip_start' then t.start_lng else t.end_lng end`),
  trip_battery: computed('real?', sql`case when e.event = 'trip_start' then t.battery_start else t.battery_end end`),
  report_at: computed('timestamptz?', sql`r.occurred_at`),
  report_lat: computed('double precision?', sql`r.lat`),
  report_lng: computed('double precision?', sql`r.lng`),
  report_battery: computed('real?', sql`r.battery_percent`),
  stretch_at: computed(
    'timestamptz?',
    sql`case when g.ended_at <= e.occurred_at then g.ended_at else g.started_at end`,
  ),
  stretch_lat: computed(
    'double precision?',
    sql`case when g.ended_at <= e.occurred_at then g.end_lat else g.start_lat end`,
  ),
  stretch_lng: computed(
    'double precision?',
    sql`case when g.ended_at <= e.occurred_at then g.end_lng else g.start_lng end`,
  ),
  stretch_battery: computed(
    'real?',
    sql`case when g.ended_at <= e.occurred_at then g.battery_end else g.battery_start end`,
  ),
})
const eventRow = rowsOf(eventColumns, knownColumns)
export type MdsEventRow = RowOf<typeof eventRow>

/** Events that begin, end or cross the line on a trip: they name it. */
const tripEvents = ['trip_start', 'trip_end', 'trip_cancel', 'trip_enter_jurisdiction', 'trip_leave_jurisdiction']

/** What is known of the time of an event `e`: the trip that it belongs to, and where the vehicle was. */
const known = (scope: Scope) => sql`
  left join lateral (
    select id, start_lat, start_lng, end_lat, end_lng, battery_start, battery_end from trip
    where vehicle_id = e.vehicle_id and ${tenantFilter('trip', scope)} and started_at <= e.occurred_at
      and started_at > e.occurred_at - ${`${tripMaxMs} milliseconds`}::interval
      and (ended_at is null or ended_at >= e.occurred_at)
    order by (e.event <> 'trip_start' and ended_at is not distinct from e.occurred_at) desc, started_at desc limit 1
  ) t on e.event = any (${tripEvents}::text[])
  left join lateral (
    select occurred_at, lat, lng, battery_percent from device_report
    where vehicle_id = e.vehicle_id and occurred_at <= e.occurred_at
      and occurred_at > e.occurred_at - ${`${knownMs} milliseconds`}::interval and lat is not null
    order by occurred_at desc limit 1
  ) r on true
  left join lateral (
    select started_at, ended_at, start_lat, start_lng, end_lat, end_lng, battery_start, battery_end from track_segment
    where vehicle_id = e.vehicle_id and started_at <= e.occurred_at
      and started_at > e.occurred_at - ${`${knownMs} milliseconds`}::interval
    order by started_at desc limit 1
  ) g on true`

/** The events of a span in their order; `after`: those behind that one. */
export const selectMdsEvents = (
  scope: Scope,
  { from, to, after, limit }: Span & { readonly after: number; readonly limit: number },
) => eventRow.select`
  from (
    select * from vehicle_event
    where ${tenantFilter('vehicle_event', scope)} and occurred_at >= ${from} and occurred_at < ${to}
      and (occurred_at, id) > (${from}, ${after}::bigint)
    order by occurred_at, id limit ${limit}
  ) e
  ${known(scope)}
  order by e.occurred_at, e.id`

/** Events by their ids, as an outbox names them. */
export const selectMdsEventsById = (scope: Scope, ids: readonly number[]) => eventRow.select`
  from vehicle_event e
  ${known(scope)}
  where e.id = any (${ids}::bigint[]) and ${tenantFilter('e', scope)}
  order by e.id`

/** The latest event of each of these vehicles. */
export const selectLastEvents = (scope: Scope, vehicleIds: readonly number[]) => eventRow.select`
  from unnest(${vehicleIds}::bigint[]) as asked (id)
  join lateral (
    select * from vehicle_event where vehicle_id = asked.id and ${tenantFilter('vehicle_event', scope)}
    order by occurred_at desc, id desc limit 1
  ) e on true
  ${known(scope)}`

const tripRow = rowsOf(
  rowOf('trip', 't', [
    'id',
    'vehicle_id',
    'started_at',
    'ended_at',
    'start_lat',
    'start_lng',
    'end_lat',
    'end_lng',
    'distance_m',
  ]).filled('ended_at', 'start_lat', 'start_lng', 'end_lat', 'end_lng'),
  rowOf('ride_order', 'o', ['charged_cents']).filled('charged_cents'),
)
export type MdsTripRow = RowOf<typeof tripRow>

const ridden = sql`
  join ride_order o on o.trip_id = t.id and o.charged_cents is not null`

/** The trips of riders that ended in a span. */
export const selectMdsTrips = (scope: Scope, { from, to }: Span) => tripRow.select`
  from trip t ${ridden}
  where ${tenantFilter('t', scope)} and t.ended_at >= ${from} and t.ended_at < ${to}
    and t.start_lat is not null and t.end_lat is not null
  order by t.ended_at, t.id`

export const selectMdsTripsById = (scope: Scope, ids: readonly number[]) => tripRow.select`
  from trip t ${ridden}
  where t.id = any (${ids}::bigint[]) and ${tenantFilter('t', scope)} and t.ended_at is not null
    and t.start_lat is not null and t.end_lat is not null
  order by t.id`

const spentRow = rowOf('trip', 't', [
  'id',
  'vehicle_id',
  'started_at',
  'ended_at',
  'start_lat',
  'start_lng',
  'end_lat',
  'end_lng',
])
export type SpentRow = RowOf<typeof spentRow>

/** Trips that were under way within a span. */
export const selectTripsDuring = (scope: Scope, { from, to }: Span) => spentRow.select`
  from trip t
  where ${tenantFilter('t', scope)} and t.started_at < ${to} and t.started_at > ${new Date(+from - tripMaxMs)}
    and (t.ended_at is null or t.ended_at >= ${from})`

const stretchRow = rowOf('track_segment', 'g', ['vehicle_id', 'started_at', 'ended_at', 'points'])

/** The stretches of trips that touch a span. */
export const selectStretches = (
  scope: Scope,
  { vehicleIds, from, to }: Span & { readonly vehicleIds: readonly number[] },
) => stretchRow.select`
  from track_segment g
  where g.vehicle_id = any (${vehicleIds}::bigint[]) and g.kind = 'trip' and ${tenantFilter('g', scope)}
    and g.started_at < ${to} and g.started_at > ${new Date(+from - dayMs)} and g.ended_at >= ${from}
  order by g.vehicle_id, g.started_at limit ${stretchesMax}`

const reportRow = rowOf('device_report', 'r', [
  'vehicle_id',
  'occurred_at',
  'lat',
  'lng',
  'speed_kmh',
  'heading_deg',
  'battery_percent',
]).filled('lat', 'lng')

/** What the devices of a few vehicles have told of where they were. */
export const selectMdsReports = (
  scope: Scope,
  { vehicleIds, from, to }: Span & { readonly vehicleIds: readonly number[] },
) => reportRow.select`
  from device_report r
  where r.vehicle_id = any (${vehicleIds}::bigint[]) and ${tenantFilter('r', scope)}
    and r.occurred_at >= ${from} and r.occurred_at < ${to} and r.lat is not null
  order by r.vehicle_id, r.occurred_at`

const vehicleIdRow = rowOf('vehicle', 'v', ['id'])

export const selectVehicleIds = (scope: Scope, after: number, limit: number) => vehicleIdRow.select`
  from vehicle v where ${tenantFilter('v', scope)} and v.id > ${after} order by v.id limit ${limit}`

const readinessRow = rowOfValues({ is_pending: computed('boolean', sql`p.is_pending`) })

const running = ['unlocking', 'riding', 'paused', 'returning']

/** Whether a trip of a span has no length yet, or its ride no price. */
export const selectPending = (scope: Scope, { from, to }: Span) => readinessRow.select`
  from (select exists (
    select from trip t
    where ${tenantFilter('t', scope)} and t.ended_at >= ${from} and t.ended_at < ${to}
      and (t.distance_m is null or exists (
        select from ride_order o
        where o.vehicle_id = t.vehicle_id and o.state = any (${running}::text[]) and o.started_at <= t.ended_at))
  ) as is_pending) p`

const beginRow = rowOfValues({ begun_at: computed('timestamptz?', sql`least(v.at, t.at)`) })

/** Since when a company operates: the first of its vehicles and trips. */
export const selectBegin = (scope: Scope) => beginRow.select`
  from (select min(created_at) as at from vehicle where ${tenantFilter('vehicle', scope)}) v
  cross join (
    select min(first.started_at) as at
    from unnest(${scope.areaIds}::bigint[]) as area (id)
    join lateral (
      select started_at from trip
      where area_id = area.id and ${tenantFilter('trip', scope)} order by started_at limit 1
    ) first on true
  ) t`

const startRow = rowsOf(
  rowOf('trip', 't', ['start_lat', 'start_lng']).filled('start_lat', 'start_lng'),
  rowOf('vehicle', 'v', ['model']),
  rowOf('ride_order', 'o', ['rider_id']),
)

/** Where the trips of riders began in a span, by which model and which rider. */
export const selectStarts = (scope: Scope, { from, to }: Span) => startRow.select`
  from trip t ${ridden}
  join vehicle v on v.id = t.vehicle_id
  where ${tenantFilter('t', scope)} and t.started_at >= ${from} and t.started_at < ${to} and t.start_lat is not null
    and t.ended_at is not null`

const modelRow = rowOf('vehicle', 'v', ['model'])

export const selectVehicleModels = (scope: Scope) => modelRow.select`
  from vehicle v where ${tenantFilter('v', scope)} group by v.model order by v.model`
