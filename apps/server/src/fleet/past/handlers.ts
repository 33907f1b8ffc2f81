import { pastVehiclesMax, type pastEndpoints, type Stretch } from '@saddle/contract/fleet/past.ts'
import { encodeMoment, encodeStretches, type PastStretch, type PastVehicle } from '@saddle/contract/telemetry/past.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { hourMs } from '@saddle/contract/time.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { selectIdentity } from '../vehicles/store.ts'
import { coded, lengthM, momentOf, pointsOf } from './rules.ts'
import {
  selectMoment,
  selectOpenTrips,
  selectPoints,
  selectSegmentsBegun,
  selectSegmentsOf,
  selectTrip,
  type OpenTripRow,
  type PointRow,
  type SegmentRow,
} from './store.ts'

const stretchesMax = 60_000
const stretchesOfOneMax = 5_000
const pointsMax = 200_000
const openTripsMax = 5_000

/** Where vehicles were: one of them over a while, all of them at a moment, all of them as they moved. */
export function createPastHandlers(kit: Pick<Kit, 'db' | 'clock'>): Handlers<typeof pastEndpoints> {
  const moment = async ({ scope }: SessionCall, atMs: number): Promise<{ vehicles: PastVehicle[]; isCut: boolean }> => {
    const rows = await kit.db.read(scope, (k) => selectMoment({ at: new Date(atMs), scope }).compile(k))
    const vehicles = rows.slice(0, pastVehiclesMax).flatMap((row) => momentOf(row, atMs) ?? [])
    // How much other companies have may change the order in which the database finds them.
    vehicles.sort((one, other) => one.id - other.id)
    return { vehicles, isCut: rows.length > pastVehiclesMax }
  }
  const openTripsOf = (vehicleId: number | undefined, { scope }: SessionCall, from: Date, to: Date) =>
    kit.db.read(scope, (k) => selectOpenTrips({ vehicleId, from, to, scope, limit: openTripsMax }).compile(k))
  /** Trips that were not assembled yet, from the devices' reports. */
  const openStretches = async (call: SessionCall, from: Date, to: Date): Promise<PastStretch[]> => {
    const trips = await openTripsOf(undefined, call, from, to)
    if (trips.length === 0) return []
    const vehicleIds = [...new Set(trips.map((trip) => trip.vehicle_id))]
    const since = new Date(Math.min(...trips.map((trip) => trip.started_at.getTime())))
    const points = await kit.db.read(call.scope, (k) =>
      selectPoints({ vehicleIds, from: since, to, scope: call.scope, limit: pointsMax }).compile(k),
    )
    const byVehicle = Map.groupBy(points, (point) => point.vehicle_id)
    return trips.flatMap((trip) => {
      const own = (byVehicle.get(trip.vehicle_id) ?? []).filter(
        (point) =>
          point.occurred_at >= trip.started_at && (trip.ended_at === null || point.occurred_at <= trip.ended_at),
      )
      return stretchOf(trip.vehicle_id, own)
    })
  }
  return {
    itinerary: async ({ vehicleId, tripId, from, to }, call) => {
      const { scope } = call
      const [known] = await kit.db.read(scope, (k) => selectIdentity(k, { by: { id: vehicleId }, scope }).compile())
      if (known === undefined) throw new AppError('vehicle_not_found')
      const nowMs = kit.clock.now()
      let span = { from: from ?? 0, to: to ?? nowMs }
      if (tripId !== undefined) {
        const [trip] = await kit.db.read(scope, (k) => selectTrip({ tripId, vehicleId, scope }).compile(k))
        if (trip === undefined) throw new AppError('not_found')
        span = { from: trip.started_at.getTime(), to: trip.ended_at?.getTime() ?? nowMs }
      }
      const [start, end] = [new Date(span.from), new Date(span.to)]
      const rows = await kit.db.read(scope, (k) =>
        selectSegmentsOf({ vehicleId, from: start, to: end, scope, limit: stretchesOfOneMax }).compile(k),
      )
      const wanted = tripId === undefined ? rows : rows.filter((row) => row.kind === 'trip')
      const list = wanted.map(stretchOfRow)
      const knownTo = rows.at(-1)?.ended_at ?? start
      if (knownTo < end) {
        const points = await kit.db.read(scope, (k) =>
          selectPoints({
            vehicleIds: [vehicleId],
            from: rows.length === 0 ? start : new Date(knownTo.getTime() + 1),
            to: end,
            scope,
            limit: pointsMax,
          }).compile(k),
        )
        // Not every device tells with its place whether the lock is open: what lies within a trip is a ride.
        list.push(
          ...(tripId === undefined ? tailOf(points, await openTripsOf(vehicleId, call, start, end)) : rideOf(points)),
        )
      }
      return { suc: true, data: { list } }
    },

    fleetAt: async ({ at }, call) => {
      const atMs = Math.min(at, kit.clock.now())
      const { vehicles, isCut } = await moment(call, atMs)
      return { suc: true, data: { at: atMs, bytes: base64(encodeMoment(vehicles)), count: vehicles.length, isCut } }
    },

    replayPart: async ({ from, to, isFirst }, call) => {
      const { scope } = call
      const [start, end] = [new Date(from), new Date(to)]
      const [rows, open, standing] = await Promise.all([
        kit.db.read(scope, (k) =>
          selectSegmentsBegun({ from: start, to: end, scope, limit: stretchesMax + 1 }).compile(k),
        ),
        openStretches(call, start, end),
        isFirst ? moment(call, from) : null,
      ])
      const moving = isFirst ? await underWay(kit.db, scope, start) : []
      const begun = [...moving, ...standingBeside(moving, standing?.vehicles ?? [], from)]
      const stretches = [...begun, ...rows.slice(0, stretchesMax).map(pastOf), ...open]
      return {
        suc: true,
        data: {
          bytes: base64(encodeStretches(stretches)),
          count: stretches.length,
          isCut: rows.length > stretchesMax,
        },
      }
    },
  }
}

/** Rides that were under way when a replay begins. */
async function underWay(db: Kit['db'], scope: Scope, at: Date): Promise<PastStretch[]> {
  const before = new Date(at.getTime() - 2 * hourMs)
  const rows = await db.read(scope, (k) =>
    selectSegmentsBegun({ from: before, to: at, scope, limit: stretchesMax }).compile(k),
  )
  return rows.filter((row) => row.kind === 'trip' && row.ended_at > at).map(pastOf)
}

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url')

const kindOf = (text: string): Stretch['kind'] => (text === 'trip' ? 'trip' : 'stay')

function placesOf(row: SegmentRow) {
  return {
    start: { lat: row.start_lat, lng: row.start_lng, batteryPercent: row.battery_start },
    end: { lat: row.end_lat, lng: row.end_lng, batteryPercent: row.battery_end },
  }
}

function pastOf(row: SegmentRow): PastStretch {
  return {
    vehicleId: row.vehicle_id,
    kind: kindOf(row.kind),
    startedAt: row.started_at.getTime(),
    endedAt: row.ended_at.getTime(),
    ...placesOf(row),
    points: row.points,
  }
}

function stretchOfRow(row: SegmentRow): Stretch {
  return {
    kind: kindOf(row.kind),
    startedAt: row.started_at.getTime(),
    endedAt: row.ended_at.getTime(),
    ...placesOf(row),
    distanceM: row.distance_m,
    open: false,
    points: base64(row.points),
  }
}

/** The idle vehicles when a replay begins: all that are not on a ride. */
function standingBeside(moving: readonly PastStretch[], all: readonly PastVehicle[], atMs: number): PastStretch[] {
  const riders = new Set(moving.map((one) => one.vehicleId))
  return all.filter((vehicle) => !riders.has(vehicle.id)).map((vehicle) => standingStretch(vehicle, atMs))
}

function standingStretch(vehicle: PastVehicle, atMs: number): PastStretch {
  const place = { lat: vehicle.lat, lng: vehicle.lng, batteryPercent: vehicle.batteryPercent }
  return {
    vehicleId: vehicle.id,
    kind: 'stay',
    startedAt: atMs,
    endedAt: atMs,
    start: place,
    end: place,
    points: new Uint8Array(0),
  }
}

function stretchOf(vehicleId: number, rows: readonly PointRow[]): PastStretch[] {
  const points = pointsOf(rows)
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return []
  const place = ({ lat, lng, batteryPercent }: typeof first) => ({ lat, lng, batteryPercent })
  return [
    {
      vehicleId,
      kind: 'trip',
      startedAt: first.at,
      endedAt: last.at,
      start: place(first),
      end: place(last),
      points: coded(points),
    },
  ]
}

/** Runs of points within trips are rides, the others stays. */
function tailOf(rows: readonly PointRow[], trips: readonly OpenTripRow[]): Stretch[] {
  const tripAt = (at: Date): OpenTripRow | undefined =>
    trips.find((trip) => trip.started_at <= at && (trip.ended_at === null || at <= trip.ended_at))
  const runs: { trip: OpenTripRow | undefined; rows: PointRow[] }[] = []
  for (const row of rows) {
    const trip = tripAt(row.occurred_at)
    const run = runs.at(-1)
    if (run !== undefined && run.trip === trip) run.rows.push(row)
    else runs.push({ trip, rows: [row] })
  }
  return runs.flatMap((run, index) => {
    const isLast = index === runs.length - 1
    if (run.trip === undefined) return stayOf(run.rows, isLast)
    return rideOf(run.rows, isLast && run.trip.ended_at === null)
  })
}

const rideOf = (rows: readonly PointRow[], open = false): Stretch[] =>
  stretchOf(0, rows).map((one) => ({
    kind: 'trip',
    startedAt: one.startedAt,
    endedAt: one.endedAt,
    start: one.start,
    end: one.end,
    distanceM: Math.round(lengthM(rows)),
    open,
    points: base64(one.points),
  }))

const stayOf = (rows: readonly PointRow[], open: boolean): Stretch[] =>
  stretchOf(0, rows).map((one) => ({
    kind: 'stay',
    startedAt: one.startedAt,
    endedAt: one.endedAt,
    start: one.start,
    end: one.end,
    distanceM: 0,
    open,
    points: '',
  }))
