import { mdsHourOf, mdsVersion, type MdsTelemetry } from '@saddle/contract/feeds/mdsRecords.ts'
import { decodeTrack } from '@saddle/contract/telemetry/track.ts'
import { hourMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import type { MdsReader } from './access.ts'
import { boundariesOf, type Boundaries } from './boundary.ts'
import { hourState, ownerOf, type MdsAnswer, type MdsDeps } from './common.ts'
import { telemetryOf, type MdsOwner, type Told } from './records.ts'
import {
  selectMdsReports,
  selectStretches,
  selectTripsDuring,
  selectVehicleIds,
  type Span,
  type SpentRow,
} from './recordStore.ts'

export interface TelemetryAnswer {
  /** The telemetry of an hour, piece by piece: an hour of a large fleet is not held in memory. */
  telemetry(
    reader: MdsReader,
    hour: string,
  ): Promise<{ readonly status: 200; readonly pieces: AsyncIterable<string> } | Exclude<MdsAnswer, { status: 200 }>>
}

const vehiclesAtOnce = 200

/** What devices told within an hour: reports where they are kept, else the points of the trips. */
export function createTelemetry({ kit }: Pick<MdsDeps, 'kit'>): TelemetryAnswer {
  return {
    telemetry: async (reader, hour) => {
      const fromMs = mdsHourOf(hour)
      if (fromMs === null) return { status: 400, details: ['telemetry_time'] }
      const status = await hourState(kit, reader.scope, fromMs)
      if (status !== 200) return { status }
      return { status, pieces: pieces(reader, { from: new Date(fromMs), to: new Date(fromMs + hourMs) }) }
    },
  }

  async function* pieces(reader: MdsReader, span: Span): AsyncGenerator<string> {
    yield `{"version":"${mdsVersion}","telemetry":[`
    let isFirst = true
    for await (const { told } of telemetryOfSpan(kit, { reader, span, after: 0 })) {
      if (told.length === 0) continue
      yield (isFirst ? '' : ',') + told.map(({ record }) => JSON.stringify(record)).join(',')
      isFirst = false
    }
    yield ']}'
  }
}

interface Asked {
  readonly reader: MdsReader
  readonly span: Span
  /** Vehicles behind this one. */
  readonly after: number
}

interface Piece {
  /** The last vehicle of the piece. */
  readonly lastId: number
  readonly told: readonly { readonly vehicleId: number; readonly record: MdsTelemetry }[]
}

/** The telemetry of a span in the order of the vehicles, some vehicles at a time. */
export async function* telemetryOfSpan(
  { db }: Pick<Kit, 'db'>,
  { reader, span, after: first }: Asked,
): AsyncGenerator<Piece> {
  const { scope, boundary } = reader
  const bounds = boundariesOf(boundary)
  const owner = await ownerOf({ db }, reader)
  const trips = await db.read(scope, (k) => selectTripsDuring(scope, span).compile(k))
  const ofVehicle = Map.groupBy(trips, (trip) => trip.vehicle_id)
  let after = first
  for (;;) {
    const ids = await db.read(scope, (k) => selectVehicleIds(scope, after, vehiclesAtOnce).compile(k))
    const last = ids.at(-1)
    if (last === undefined) return
    const told = await toldBy(
      reader,
      ids.map(({ id }) => id),
      span,
    )
    yield {
      lastId: last.id,
      told: told.flatMap((one) =>
        recordOf(owner, bounds, one, ofVehicle.get(one.vehicleId) ?? []).map((record) => ({
          vehicleId: one.vehicleId,
          record,
        })),
      ),
    }
    after = last.id
  }

  async function toldBy(of: MdsReader, vehicleIds: readonly number[], { from, to }: Span): Promise<Told[]> {
    const asked = { vehicleIds, from, to }
    const reports = await db.read(of.scope, (k) => selectMdsReports(of.scope, asked).compile(k))
    const heard = new Set(reports.map((row) => row.vehicle_id))
    const silent = { vehicleIds: vehicleIds.filter((id) => !heard.has(id)), from, to }
    const stretches = await db.read(of.scope, (k) => selectStretches(of.scope, silent).compile(k))
    return [
      ...reports.map((row) => ({
        vehicleId: row.vehicle_id,
        at: row.occurred_at.getTime(),
        lat: row.lat,
        lng: row.lng,
        speedKmh: row.speed_kmh,
        headingDeg: row.heading_deg,
        batteryPercent: row.battery_percent,
      })),
      ...stretches.flatMap((row) =>
        decodeTrack(row.points)
          .filter(({ at }) => at >= +from && at < +to)
          .map(({ at, lat, lng, batteryPercent }) => ({
            vehicleId: row.vehicle_id,
            at,
            lat,
            lng,
            speedKmh: null,
            headingDeg: null,
            batteryPercent,
          })),
      ),
    ]
  }
}

/** A word that lies within the boundary, or on a trip that began or ended there. */
function recordOf(owner: MdsOwner, bounds: Boundaries, told: Told, trips: readonly SpentRow[]) {
  const trip = trips.find((one) => +one.started_at <= told.at && (one.ended_at === null || +one.ended_at >= told.at))
  const isThere = bounds.contains(told) || (trip !== undefined && isBegunOrEndedThere(bounds, trip))
  return isThere ? [telemetryOf(owner, told, { tripId: trip?.id ?? null })] : []
}

const isBegunOrEndedThere = (bounds: Boundaries, trip: SpentRow): boolean =>
  (trip.start_lat !== null &&
    trip.start_lng !== null &&
    bounds.contains({ lat: trip.start_lat, lng: trip.start_lng })) ||
  (trip.end_lat !== null && trip.end_lng !== null && bounds.contains({ lat: trip.end_lat, lng: trip.end_lng }))
