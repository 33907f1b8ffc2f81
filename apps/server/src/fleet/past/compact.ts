import { sql } from 'kysely'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import { coded, lengthM, pointsOf } from './rules.ts'
import type { PointRow } from './store.ts'
import type { TrackPoint } from '@saddle/contract/telemetry/track.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { greatCircleM } from '@saddle/geo/earth.ts'

/** Trips assembled in one run of the job. */
const tripsATurn = 200
/** Reports that are late have arrived after this. */
const settledAfterMs = 45_000
const pointsOfTripMax = 20_000
/** A vehicle that begins a ride so far from where it ended the last was carried there. */
const carriedM = 100

const endedTripRow = rowOf('trip', ['id', 'vehicle_id', 'agent_id', 'area_id', 'started_at', 'ended_at']).filled(
  'ended_at',
)
type EndedTrip = RowOf<typeof endedTripRow>

/**
 * Puts trips that have ended together: their reports become one stretch for each day, and the trip learns its length.
 * Of several workers each takes other trips. Resolves to the number of trips.
 */
export function compactTrips(kit: Pick<Kit, 'db' | 'clock'>): Promise<number> {
  return kit.db.system(async (tx) => {
    const settled = new Date(kit.clock.now() - settledAfterMs)
    const { rows: trips } = await endedTripRow.select`
      from trip
      where ended_at is not null and distance_m is null and ended_at < ${settled}
      order by ended_at limit ${tripsATurn} for update skip locked`.execute(tx)
    for (const trip of trips) await compactTrip(tx, trip)
    return trips.length
  })
}

async function compactTrip(tx: Tx, trip: EndedTrip): Promise<void> {
  const { rows } = await sql<PointRow>`
    select vehicle_id, occurred_at, lat, lng, fix, battery_percent, locked from device_report
    where vehicle_id = ${trip.vehicle_id} and occurred_at >= ${trip.started_at} and occurred_at <= ${trip.ended_at}
      and lat is not null
    order by occurred_at limit ${pointsOfTripMax}`.execute(tx)
  const points = pointsOf(rows)
  const sure = points.filter((point) => !point.unsure)
  await sql`update trip set distance_m = ${lengthM(sure)} where id = ${trip.id}`.execute(tx)
  const first = points[0]
  if (first === undefined) return
  const dayOf = (at: number): Date => new Date(Math.floor(at / dayMs) * dayMs)
  await sql`select ensure_track_segment_days(${dayOf(trip.started_at.getTime())}::date, ${dayOf(trip.ended_at.getTime())}::date)`.execute(
    tx,
  )
  await noteCarried(tx, trip, first)
  for (const part of Map.groupBy(points, (point) => Math.floor(point.at / dayMs)).values()) {
    await insertSegment(tx, { trip, kind: 'trip', points: part })
  }
}

const trackSegmentRow = rowOf('track_segment', ['ended_at', 'end_lat', 'end_lng'])

/** Between two rides somebody else moved it: from then on it stood where the next ride begins. */
async function noteCarried(tx: Tx, trip: EndedTrip, first: TrackPoint): Promise<void> {
  const { rows } = await trackSegmentRow.select`
    from track_segment
    where vehicle_id = ${trip.vehicle_id} and started_at < ${trip.started_at}
      and started_at > ${new Date(trip.started_at.getTime() - 2 * dayMs)}
    order by started_at desc limit 1`.execute(tx)
  const [before] = rows
  if (before === undefined || greatCircleM({ lat: before.end_lat, lng: before.end_lng }, first) < carriedM) return
  const { rows: stood } = await sql<PointRow>`
    select vehicle_id, occurred_at, lat, lng, fix, battery_percent, locked from device_report
    where vehicle_id = ${trip.vehicle_id} and occurred_at > ${before.ended_at} and occurred_at < ${trip.started_at}
      and lat is not null
    order by occurred_at limit ${pointsOfTripMax}`.execute(tx)
  const arrived = stood.filter((row) => greatCircleM(row, first) < carriedM)
  const day = Math.floor(trip.started_at.getTime() / dayMs)
  const points = pointsOf(arrived).filter((point) => Math.floor(point.at / dayMs) === day)
  await insertSegment(tx, { trip, kind: 'stay', points })
}

async function insertSegment(
  tx: Tx,
  options: { trip: EndedTrip; kind: 'trip' | 'stay'; points: readonly TrackPoint[] },
): Promise<void> {
  const { trip, kind, points } = options
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return
  const track = kind === 'trip' ? coded(points) : new Uint8Array(0)
  await sql`
    insert into track_segment (
      vehicle_id, agent_id, area_id, kind, started_at, ended_at, start_lat, start_lng, end_lat, end_lng, distance_m,
      battery_start, battery_end, point_count, points)
    values (
      ${trip.vehicle_id}, ${trip.agent_id}, ${trip.area_id}, ${kind}, ${new Date(first.at)}, ${new Date(last.at)},
      ${first.lat}, ${first.lng}, ${last.lat}, ${last.lng}, ${kind === 'trip' ? lengthM(points) : 0},
      ${first.batteryPercent}, ${last.batteryPercent}, ${kind === 'trip' ? points.length : 0}, ${Buffer.from(track)})
    on conflict do nothing`.execute(tx)
}
