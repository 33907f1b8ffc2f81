import {
  mdsHourOf,
  mdsLeftMs,
  mdsPageMax,
  mdsPath,
  mdsRecentMs,
  mdsTtlMs,
  mdsVehicleMs,
  mdsVersion,
} from '@saddle/contract/feeds/mdsRecords.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { decodeTrack } from '@saddle/contract/telemetry/track.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import type { MdsReader } from './access.ts'
import { boundariesOf, type Boundaries } from './boundary.ts'
import { badParameter, hourState, ownerOf, type MdsAnswer, type MdsDeps } from './common.ts'
import { mdsId } from './ids.ts'
import { eventOf, placeOfEvent, telemetryOf, toldOf, tripOf, vehicleOf, type MdsOwner } from './records.ts'
import {
  selectLastEvents,
  selectMdsEvents,
  selectMdsTrips,
  selectMdsVehicles,
  selectStretches,
  selectTripsDuring,
  selectVisits,
  type MdsEventRow,
  type MdsTripRow,
  type MdsVehicleRow,
  type Span,
} from './recordStore.ts'
import { createStops, type StopsAnswer } from './stops.ts'
import { createTelemetry, type TelemetryAnswer } from './telemetry.ts'
import { createMonthReport, type MonthReport } from './monthReport.ts'

type Query = Readonly<Record<string, string>>

export interface MdsProvider extends StopsAnswer, TelemetryAnswer, MonthReport {
  vehicles(reader: MdsReader, query: Query, deviceId?: string): Promise<MdsAnswer>
  vehiclesStatus(reader: MdsReader, query: Query, deviceId?: string): Promise<MdsAnswer>
  trips(reader: MdsReader, query: Query): Promise<MdsAnswer>
  eventsHistorical(reader: MdsReader, query: Query): Promise<MdsAnswer>
  eventsRecent(reader: MdsReader, query: Query): Promise<MdsAnswer>
}

/** The records of a company within a boundary, as MDS has them. Each answer is made when it is asked for. */
export function createMdsProvider(deps: MdsDeps): MdsProvider {
  return {
    ...createVehicleAnswers(deps),
    ...createHourAnswers(deps),
    ...createRecent(deps),
    ...createStops(deps),
    ...createTelemetry(deps),
    ...createMonthReport(deps),
  }
}

/** The states of vehicles that are not in the streets. */
const left: ReadonlySet<string> = new Set(['elsewhere', 'removed', 'missing'])

function createVehicleAnswers({ kit, base }: MdsDeps): Pick<MdsProvider, 'vehicles' | 'vehiclesStatus'> {
  const { db, clock } = kit
  const cursorOf = (query: Query): number | null => {
    const text = query['page[after]'] ?? '0'
    return /^\d{1,15}$/.test(text) ? Number(text) : null
  }
  const pageOf = async ({ scope, agentId }: MdsReader, after: number, uuid: string | undefined) => {
    const deviceId = uuid === undefined ? undefined : { agentId, uuid }
    const rows = await db.read(scope, (k) => selectMdsVehicles(scope, { after, deviceId }).compile(k))
    const found =
      uuid === undefined ? rows : rows.filter(({ id }) => mdsId(agentId, 'device', id) === uuid.toLowerCase())
    const page = found.slice(0, mdsPageMax)
    return { page, next: found.length > mdsPageMax ? (page.at(-1)?.id ?? null) : null }
  }
  const linksOf = (path: string, next: number | null) => ({
    first: `${base()}${mdsPath}${path}`,
    next: next === null ? null : `${base()}${mdsPath}${path}?page[after]=${next}`,
  })
  return {
    vehicles: async (reader, query, deviceId) => {
      const after = cursorOf(query)
      if (after === null) return badParameter('page[after]')
      const bounds = boundariesOf(reader.boundary)
      const { page, next } = await pageOf(reader, after, deviceId)
      // One that is asked for by its id is found however long ago it was there.
      const since = new Date(deviceId === undefined ? clock.now() - mdsVehicleMs : 0)
      const there = await seenThere({ kit, reader, bounds, rows: page, since })
      if (deviceId !== undefined && there.length === 0) return { status: 404 }
      const owner = await ownerOf(kit, reader)
      const vehicles = there.map((row) => vehicleOf(owner, row))
      return { status: 200, body: { version: mdsVersion, vehicles, links: linksOf('/vehicles', next) } }
    },

    vehiclesStatus: async (reader, query, deviceId) => {
      const after = cursorOf(query)
      if (after === null) return badParameter('page[after]')
      const { scope } = reader
      const bounds = boundariesOf(reader.boundary)
      const now = clock.now()
      const { page, next } = await pageOf(reader, after, deviceId)
      const there = page.filter(
        (row) => isThere(bounds, row) && !(left.has(row.state) && row.state_changed_at.getTime() <= now - mdsLeftMs),
      )
      if (deviceId !== undefined && there.length === 0) return { status: 404 }
      const ids = there.map(({ id }) => id)
      const events = await db.read(scope, (k) => selectLastEvents(scope, ids).compile(k))
      const span = { from: new Date(now), to: new Date(now + 1) }
      const trips = await db.read(scope, (k) => selectTripsDuring(scope, span).compile(k))
      const eventOfVehicle = new Map(events.map((event) => [event.vehicle_id, event]))
      const tripOfVehicle = new Map(
        trips.filter((trip) => trip.ended_at === null).map((trip) => [trip.vehicle_id, trip.id]),
      )
      const owner = await ownerOf(kit, reader)
      const statuses = there.flatMap((row) => {
        const event = eventOfVehicle.get(row.id)
        const told = toldOf(row)
        if (event === undefined || told === null) return []
        const telemetry = telemetryOf(owner, told, { tripId: tripOfVehicle.get(row.id) ?? null })
        const place = placeOfEvent(event) ?? { lat: told.lat, lng: told.lng, battery: told.batteryPercent }
        const { provider_id, device_id } = telemetry
        return [{ provider_id, device_id, last_event: eventOf(owner, event, place), last_telemetry: telemetry }]
      })
      const head = { version: mdsVersion, last_updated: now, ttl: mdsTtlMs }
      const links = linksOf('/vehicles/status', next)
      return { status: 200, body: { ...head, vehicles_status: statuses, links } }
    },
  }
}

/** Whether a vehicle was within the boundary when it told last. */
export const isThere = (bounds: Boundaries, { lat, lng }: MdsVehicleRow): boolean =>
  lat !== null && lng !== null && bounds.contains({ lat, lng })

/** Of some vehicles those that are within the boundary, or began or ended a trip there since a time. */
async function seenThere(options: {
  readonly kit: Pick<Kit, 'db'>
  readonly reader: MdsReader
  readonly bounds: Boundaries
  readonly rows: readonly MdsVehicleRow[]
  readonly since: Date
}): Promise<MdsVehicleRow[]> {
  const { kit, reader, bounds, rows, since } = options
  const isNow = (row: MdsVehicleRow): boolean =>
    isThere(bounds, row) && !(left.has(row.state) && row.state_changed_at < since)
  const others = rows.filter((row) => !isNow(row)).map(({ id }) => id)
  const asked = { vehicleIds: others, since, box: bounds.box }
  const visits =
    others.length === 0 ? [] : await kit.db.read(reader.scope, (k) => selectVisits(reader.scope, asked).compile(k))
  const visitors = new Set(
    visits
      .filter(
        ({ start_lat: lat, start_lng: lng, end_lat: endLat, end_lng: endLng }) =>
          bounds.contains({ lat, lng }) ||
          (endLat !== null && endLng !== null && bounds.contains({ lat: endLat, lng: endLng })),
      )
      .map((visit) => visit.vehicle_id),
  )
  return rows.filter((row) => isNow(row) || visitors.has(row.id))
}

function createHourAnswers({ kit }: MdsDeps): Pick<MdsProvider, 'trips' | 'eventsHistorical'> {
  const { db } = kit
  return {
    trips: async (reader, { end_time: hour = '' }) => {
      const fromMs = mdsHourOf(hour)
      if (fromMs === null) return badParameter('end_time')
      const { scope } = reader
      const status = await hourState(kit, scope, fromMs)
      if (status !== 200) return { status }
      const span = { from: new Date(fromMs), to: new Date(fromMs + hourMs) }
      const rows = await db.read(scope, (k) => selectMdsTrips(scope, span).compile(k))
      const there = await tripsThere(kit, reader, rows)
      const owner = await ownerOf(kit, reader)
      return { status, body: { version: mdsVersion, trips: there.map((row) => tripOf(owner, row)) } }
    },

    eventsHistorical: async (reader, { event_time: hour = '' }) => {
      const fromMs = mdsHourOf(hour)
      if (fromMs === null) return badParameter('event_time')
      const { scope } = reader
      const status = await hourState(kit, scope, fromMs)
      if (status !== 200) return { status }
      const bounds = boundariesOf(reader.boundary)
      const owner = await ownerOf(kit, reader)
      const span = { from: new Date(fromMs), to: new Date(fromMs + hourMs) }
      const rows = await eventsOf({ kit, scope, span })
      return { status, body: { version: mdsVersion, events: rows.flatMap((row) => eventThere(owner, bounds, row)) } }
    },
  }
}

/** The record of an event; none where it did not happen within the boundary. */
export function eventThere(owner: MdsOwner, bounds: Boundaries, row: MdsEventRow) {
  const place = placeOfEvent(row)
  return place === null || !bounds.contains(place) ? [] : [eventOf(owner, row, place)]
}

const eventsAtOnce = 20_000

async function eventsOf(options: { kit: Pick<Kit, 'db'>; scope: Scope; span: Span }): Promise<MdsEventRow[]> {
  const { kit, scope, span } = options
  const found: MdsEventRow[] = []
  let [from, after] = [span.from, 0]
  for (;;) {
    const asked = { from, to: span.to, after, limit: eventsAtOnce }
    const rows = await kit.db.read(scope, (k) => selectMdsEvents(scope, asked).compile(k))
    found.push(...rows)
    const last = rows.at(-1)
    if (rows.length < eventsAtOnce || last === undefined) return found
    ;[from, after] = [last.occurred_at, last.event_id]
  }
}

/** Of ended trips those whose way touches the boundary. */
export async function tripsThere(
  { db }: Pick<Kit, 'db'>,
  { scope, boundary }: MdsReader,
  rows: readonly MdsTripRow[],
): Promise<MdsTripRow[]> {
  const bounds = boundariesOf(boundary)
  const there = new Set<number>()
  const unsure: MdsTripRow[] = []
  for (const row of rows) {
    const ends = [
      { lat: row.start_lat, lng: row.start_lng },
      { lat: row.end_lat, lng: row.end_lng },
    ]
    if (ends.some(bounds.contains)) there.add(row.id)
    else unsure.push(row)
  }
  const [first, last] = [
    Math.min(...unsure.map((row) => +row.started_at)),
    Math.max(...unsure.map((row) => +row.ended_at)),
  ]
  if (unsure.length > 0) {
    const asked = { vehicleIds: unsure.map((row) => row.vehicle_id), from: new Date(first), to: new Date(last + 1) }
    const stretches = await db.read(scope, (k) => selectStretches(scope, asked).compile(k))
    const ofVehicle = Map.groupBy(stretches, (stretch) => stretch.vehicle_id)
    for (const row of unsure) {
      const way = (ofVehicle.get(row.vehicle_id) ?? [])
        .filter((stretch) => stretch.started_at <= row.ended_at && stretch.ended_at >= row.started_at)
        .flatMap((stretch) => decodeTrack(stretch.points))
      if (bounds.isTouchedBy(way)) there.add(row.id)
    }
  }
  return rows.filter((row) => there.has(row.id))
}

/** A page is looked for in windows, so that none sorts the events of two weeks. */
const windowMs = 6 * hourMs

function createRecent({ kit, base }: MdsDeps): Pick<MdsProvider, 'eventsRecent'> {
  const { db, clock } = kit
  return {
    eventsRecent: async (reader, query) => {
      const now = clock.now()
      const [start, end] = [instantOf(query['start_time']), instantOf(query['end_time'])]
      const cursor = /^(\d{1,15})-(\d{1,15})$/.exec(query['page[after]'] ?? `${start ?? 0}-0`)
      const wrong = [
        ...(start === null || start < now - mdsRecentMs ? ['start_time'] : []),
        ...(end === null || end < now - mdsRecentMs ? ['end_time'] : []),
        ...(cursor === null ? ['page[after]'] : []),
      ]
      if (start === null || end === null || cursor === null || wrong.length > 0) return { status: 400, details: wrong }
      const { scope } = reader
      const until = Math.min(end, now)
      let [from, after] = [Math.max(start, Number(cursor[1])), Number(cursor[2])]
      const rows: MdsEventRow[] = []
      while (from < until && rows.length <= mdsPageMax) {
        const to = Math.min(until, from + windowMs)
        const asked = { from: new Date(from), to: new Date(to), after, limit: mdsPageMax + 1 - rows.length }
        rows.push(...(await db.read(scope, (k) => selectMdsEvents(scope, asked).compile(k))))
        ;[from, after] = [to, 0]
      }
      const page = rows.slice(0, mdsPageMax)
      const last = rows.length > mdsPageMax ? page.at(-1) : undefined
      const bounds = boundariesOf(reader.boundary)
      const owner = await ownerOf(kit, reader)
      const first = `${base()}${mdsPath}/events/recent?start_time=${start}&end_time=${end}`
      const next = last === undefined ? null : `${first}&page[after]=${+last.occurred_at}-${last.event_id}`
      const head = { version: mdsVersion, last_updated: now, ttl: mdsTtlMs }
      const events = page.flatMap((row) => eventThere(owner, bounds, row))
      return { status: 200, body: { ...head, events, links: { first, next } } }
    },
  }
}

const instantOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null
