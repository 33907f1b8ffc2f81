import { sql } from 'kysely'
import { pastVehiclesMax } from '@saddle/contract/fleet/past.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'

const segmentRow = rowOf('track_segment', 'g', [
  'vehicle_id',
  'kind',
  'started_at',
  'ended_at',
  'start_lat',
  'start_lng',
  'end_lat',
  'end_lng',
  'distance_m',
  'battery_start',
  'battery_end',
  'points',
])
export type SegmentRow = RowOf<typeof segmentRow>

/** A stretch ends at midnight UTC at the latest, so one that covers a time began within the day before it. */
const stretchMaxMs = dayMs

/** One vehicle's stretches that touch a span of time, in their order. */
export function selectSegmentsOf(options: { vehicleId: number; from: Date; to: Date; scope: Scope; limit: number }) {
  const { vehicleId, from, to, scope, limit } = options
  return segmentRow.select`
    from track_segment g
    where g.vehicle_id = ${vehicleId} and g.started_at < ${to} and g.started_at >= ${new Date(+from - stretchMaxMs)}
      and g.ended_at > ${from} and ${tenantFilter('g', scope)}
    order by g.started_at limit ${limit}`
}

/** The stretches of all vehicles that began within a span of time. */
export function selectSegmentsBegun(options: { from: Date; to: Date; scope: Scope; limit: number }) {
  const { from, to, scope, limit } = options
  return segmentRow.select`
    from track_segment g
    where g.started_at >= ${from} and g.started_at < ${to} and ${tenantFilter('g', scope)}
    order by g.started_at limit ${limit}`
}

const pointRow = rowOf('device_report', 'r', [
  'vehicle_id',
  'occurred_at',
  'lat',
  'lng',
  'fix',
  'battery_percent',
  'locked',
]).filled('lat', 'lng')
export type PointRow = RowOf<typeof pointRow>

/** What devices themselves told of where they were: for times that have not been put together into stretches yet. */
export function selectPoints(options: {
  vehicleIds: readonly number[]
  from: Date
  to: Date
  scope: Scope
  limit: number
}) {
  const { vehicleIds, from, to, scope, limit } = options
  return pointRow.select`
    from device_report r
    where r.vehicle_id = any (${vehicleIds}::bigint[]) and r.occurred_at >= ${from} and r.occurred_at <= ${to}
      and r.lat is not null and ${tenantFilter('r', scope)}
    order by r.vehicle_id, r.occurred_at limit ${limit}`
}

const momentRow = rowsOf(
  rowOf('vehicle', 'v', ['id']),
  rowOfValues({
    state: computed('text?', sql`e.to_state`),
    g_started_at: computed('timestamptz?', sql`g.started_at`),
    g_ended_at: computed('timestamptz?', sql`g.ended_at`),
    g_end_lat: computed('double precision?', sql`g.end_lat`),
    g_end_lng: computed('double precision?', sql`g.end_lng`),
    g_battery_end: computed('double precision?', sql`g.battery_end`),
    g_points: computed('bytea?', sql`g.points`),
    r_at: computed('timestamptz?', sql`r.occurred_at`),
    r_lat: computed('double precision?', sql`r.lat`),
    r_lng: computed('double precision?', sql`r.lng`),
    r_battery: computed('double precision?', sql`r.battery_percent`),
  }),
)
export type MomentRow = RowOf<typeof momentRow>

/** How long before a moment a vehicle's own word is looked for. */
const wordMaxMs = dayMs

/** For every vehicle of the scope what was known last at a moment: a few index look-ups each, whatever the history holds. */
export function selectMoment({ at, scope }: { at: Date; scope: Scope }) {
  const day = new Date(+at - wordMaxMs)
  return momentRow.select`
    from vehicle v
    left join lateral (
      select to_state from vehicle_event where vehicle_id = v.id and occurred_at <= ${at}
      order by occurred_at desc, id desc limit 1
    ) e on true
    left join lateral (
      select started_at, ended_at, end_lat, end_lng, battery_end,
        case when ended_at > ${at} then points else '\\x'::bytea end as points
      from track_segment
      where vehicle_id = v.id and started_at <= ${at} and started_at > ${new Date(+at - 2 * stretchMaxMs)}
      order by started_at desc limit 1
    ) g on true
    left join lateral (
      select occurred_at, lat, lng, battery_percent from device_report
      where vehicle_id = v.id and occurred_at <= ${at} and occurred_at > ${day} and lat is not null
      order by occurred_at desc limit 1
    ) r on true
    where ${tenantFilter('v', scope)} and (g.started_at is not null or r.occurred_at is not null)
    limit ${pastVehiclesMax + 1}`
}

const openTripRow = rowOf('trip', 't', ['vehicle_id', 'started_at', 'ended_at'])
export type OpenTripRow = RowOf<typeof openTripRow>

/** Trips of a span of time that are not stretches yet, of one vehicle or of all. */
export function selectOpenTrips(options: {
  vehicleId: number | undefined
  from: Date
  to: Date
  scope: Scope
  limit: number
}) {
  const { vehicleId, from, to, scope, limit } = options
  const ofVehicle = vehicleId === undefined ? sql`` : sql`t.vehicle_id = ${vehicleId} and`
  return openTripRow.select`
    from trip t
    where ${ofVehicle} t.started_at < ${to} and coalesce(t.ended_at, 'infinity') > ${from} and t.distance_m is null
      and t.started_at >= ${new Date(+from - stretchMaxMs)} and ${tenantFilter('t', scope)}
    order by t.started_at limit ${limit}`
}

const tripRow = rowOf('trip', 't', ['started_at', 'ended_at'])

export function selectTrip({ tripId, vehicleId, scope }: { tripId: number; vehicleId: number; scope: Scope }) {
  return tripRow.select`
    from trip t
    where t.id = ${tripId} and t.vehicle_id = ${vehicleId} and ${tenantFilter('t', scope)}`
}
