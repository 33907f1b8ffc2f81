import { encodeTrack } from '@saddle/contract/telemetry/track.ts'
import { toLngLat, type Point } from '#sim/city/geometry.ts'
import { placeOnWay, type Ride } from '#sim/life/ride.ts'
import { batteryAt, percentFor, type LifeEvent, type LifeVehicle, type Missed, type Task } from '#sim/life/world.ts'
import { createCopyRows, type CopyRows } from './copyRows.ts'
import { trackOf } from './tracks.ts'

export const dayTables = ['segment', 'trip', 'event', 'alarm', 'task', 'missed'] as const
export type DayTables = Record<(typeof dayTables)[number], CopyRows>

export const createDayTables = (): DayTables => ({
  segment: createCopyRows(),
  trip: createCopyRows(),
  event: createCopyRows(),
  alarm: createCopyRows(),
  task: createCopyRows(),
  missed: createCopyRows(),
})

/** Where a vehicle has been standing since when; null while it moves or is off the street. */
type Stay = { sinceMs: number; point: Point; battery: number } | null

type OpenAlarm = { vehicle: number; kind: string; openedMs: number }

const micro = (degrees: number) => Math.round(degrees * 1e6)

/** Writes events into the tables of the current day; `turnPage` cuts at midnight. */
export type DayBook = {
  note(event: LifeEvent): void
  /** A rider found no vehicle. */
  miss(missed: Missed): void
  /** Ends what goes on at this moment and gives the day's tables; `isLast` writes down what is not over, too. */
  turnPage(atMs: number, isLast: boolean, openTasks: readonly Task[]): DayTables
  /** When each vehicle was ridden last; 0 when never. */
  readonly lastRideMs: Float64Array
}

export function createDayBook(vehicles: readonly LifeVehicle[], startMs: number): DayBook {
  let tables = createDayTables()
  const stays: Stay[] = vehicles.map((vehicle) => ({
    sinceMs: startMs,
    point: vehicle.point,
    battery: batteryAt(vehicle, startMs),
  }))
  /** From when on a ride under way is still to be written. */
  const partFromMs = new Float64Array(vehicles.length)
  const lastRideMs = new Float64Array(vehicles.length)
  const alarms = new Map<string, OpenAlarm>()

  const stay = (vehicle: LifeVehicle, atMs: number) => {
    stays[vehicle.index] = { sinceMs: atMs, point: vehicle.point, battery: batteryAt(vehicle, atMs) }
  }
  const leave = (vehicle: LifeVehicle, atMs: number, battery: number) => {
    const ended = stays[vehicle.index]
    stays[vehicle.index] = null
    if (ended && atMs > ended.sinceMs) writeStay(tables.segment, vehicle.index, ended, atMs, battery)
  }
  const ridePart = (ride: Ride, toMs: number) => {
    writeRide(tables.segment, ride, partFromMs[ride.vehicle] ?? ride.startMs, toMs)
    partFromMs[ride.vehicle] = toMs
  }
  const begin = (vehicle: LifeVehicle, ride: Ride) => {
    leave(vehicle, ride.startMs, ride.startBattery)
    partFromMs[vehicle.index] = ride.startMs
  }
  const end = (vehicle: LifeVehicle, ride: Ride) => {
    ridePart(ride, ride.endMs)
    stay(vehicle, ride.endMs)
  }
  const noteAlarm = (index: number, kind: string, open: boolean, atMs: number) => {
    const key = `${index} ${kind}`
    const known = alarms.get(key)
    if (open) alarms.set(key, { vehicle: index, kind, openedMs: atMs })
    else if (known) {
      writeAlarm(tables.alarm, known, atMs)
      alarms.delete(key)
    }
  }

  return {
    lastRideMs,
    note(event) {
      const { vehicle, atMs } = event
      switch (event.kind) {
        case 'trip_start':
        case 'theft_start':
          return begin(vehicle, event.ride)
        case 'trip_end':
          lastRideMs[vehicle.index] = atMs
          writeTrip(tables.trip, event.ride, true)
          return end(vehicle, event.ride)
        case 'theft_end':
          return end(vehicle, event.ride)
        case 'loaded':
          return leave(vehicle, atMs, batteryAt(vehicle, atMs))
        case 'placed':
          return stay(vehicle, atMs)
        case 'swapped':
          leave(vehicle, atMs, event.before)
          return stay(vehicle, atMs)
        case 'state':
          return writeEvent(tables.event, event)
        case 'alarm':
          return noteAlarm(vehicle.index, event.alarm, event.open, atMs)
        case 'task':
          return event.task.doneAtMs === null ? undefined : writeTask(tables.task, event.task)
        case 'line':
        case 'ride_wanted':
      }
    },
    miss: (missed) => writeMissed(tables.missed, vehicles, missed),
    turnPage(atMs, isLast, openTasks) {
      for (const vehicle of vehicles) {
        const { ride, theft } = vehicle
        if (ride ?? theft) ridePart((ride ?? theft) as Ride, atMs)
        if (ride && isLast) writeTrip(tables.trip, ride, false)
        if (stays[vehicle.index]) {
          leave(vehicle, atMs, batteryAt(vehicle, atMs))
          stay(vehicle, atMs)
        }
      }
      if (isLast) writeOpen(tables, alarms.values(), openTasks)
      const done = tables
      tables = createDayTables()
      return done
    },
  }
}

function writePlace(rows: CopyRows, point: Point): void {
  const [lng, lat] = toLngLat(point)
  rows.int4(micro(lat))
  rows.int4(micro(lng))
}

const nothing = new Uint8Array(0)

function writeStay(rows: CopyRows, vehicle: number, stay: NonNullable<Stay>, endMs: number, battery: number): void {
  rows.row(13)
  rows.int4(vehicle)
  rows.bool(false)
  rows.time(stay.sinceMs)
  rows.time(endMs)
  writePlace(rows, stay.point)
  writePlace(rows, stay.point)
  rows.float4(0)
  rows.float4(stay.battery)
  rows.float4(battery)
  rows.int4(0)
  rows.bytes(nothing)
}

/** The part of a ride between two moments. */
function writeRide(rows: CopyRows, ride: Ride, fromMs: number, toMs: number): void {
  if (toMs <= fromMs) return
  const [start, end] = [fromMs, toMs].map((ms) => placeOnWay(ride.way, (ms - ride.startMs) / 1000))
  if (!start || !end) return
  const batteryAfter = (metres: number) => Math.max(0, ride.startBattery - percentFor(metres))
  const points = trackOf(ride, fromMs, toMs)
  rows.row(13)
  rows.int4(ride.vehicle)
  rows.bool(true)
  rows.time(fromMs)
  rows.time(toMs)
  writePlace(rows, start.point)
  writePlace(rows, end.point)
  rows.float4(end.movedM - start.movedM)
  rows.float4(batteryAfter(start.movedM))
  rows.float4(batteryAfter(end.movedM))
  rows.int4(points.length)
  rows.bytes(encodeTrack(points))
}

function writeTrip(rows: CopyRows, ride: Ride, isOver: boolean): void {
  const { way } = ride
  rows.row(11)
  rows.int4(ride.vehicle)
  rows.time(ride.startMs)
  if (isOver) rows.time(ride.endMs)
  else rows.nothing()
  writePlace(rows, [way.x[0] ?? 0, way.y[0] ?? 0])
  if (isOver) {
    writePlace(rows, [way.x.at(-1) ?? 0, way.y.at(-1) ?? 0])
    rows.float4(ride.lengthM)
    rows.float4(ride.startBattery)
    rows.float4(ride.endBattery)
  } else {
    rows.nothing()
    rows.nothing()
    rows.nothing()
    rows.float4(ride.startBattery)
    rows.nothing()
  }
  rows.int4(ride.rider ?? 0)
}

function writeEvent(rows: CopyRows, event: Extract<LifeEvent, { kind: 'state' }>): void {
  rows.row(6)
  rows.int4(event.vehicle.index)
  rows.text(event.event)
  rows.text(event.from)
  rows.text(event.to)
  rows.text(event.cause)
  rows.time(event.atMs)
}

function writeAlarm(
  rows: CopyRows,
  alarm: { vehicle: number; kind: string; openedMs: number },
  closedMs: number | null,
): void {
  rows.row(4)
  rows.int4(alarm.vehicle)
  rows.text(alarm.kind)
  rows.time(alarm.openedMs)
  if (closedMs === null) rows.nothing()
  else rows.time(closedMs)
}

function writeTask(rows: CopyRows, task: Task): void {
  const maybe = (ms: number | null) => (ms === null ? rows.nothing() : rows.time(ms))
  rows.row(8)
  rows.int4(task.vehicle)
  rows.text(task.kind)
  rows.text(task.state)
  rows.text(task.source)
  rows.time(task.openedAtMs)
  maybe(task.claimedAtMs)
  maybe(task.doneAtMs)
  if (task.personName === null) rows.nothing()
  else rows.text(task.personName)
}

/** What is not over at the end. */
function writeOpen(tables: DayTables, alarms: Iterable<OpenAlarm>, tasks: readonly Task[]): void {
  for (const alarm of alarms) writeAlarm(tables.alarm, alarm, null)
  for (const task of tasks) writeTask(tables.task, task)
}

function writeMissed(rows: CopyRows, vehicles: readonly LifeVehicle[], { atMs, areaIndex, point }: Missed): void {
  const any = vehicles.find((vehicle) => vehicle.areaIndex === areaIndex)
  if (any === undefined) return
  const [lng, lat] = toLngLat(point)
  rows.row(4)
  rows.int4(any.index)
  rows.time(atMs)
  rows.int4(micro(lat))
  rows.int4(micro(lng))
}
