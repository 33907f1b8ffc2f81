import { AppError } from '@saddle/contract/errors.ts'
import { vehicleStateSchema } from '@saddle/contract/fleet/vehicles.ts'
import type { CarSum, statisticsEndpoints } from '@saddle/contract/operations/statistics.ts'
import { businessDayOf, dayMs, hourMs } from '@saddle/contract/time.ts'
import type { Handlers } from '#kit/call.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import {
  placeOf,
  ridesMax,
  selectCarDays,
  selectCars,
  selectPlaces,
  selectRides,
  selectStanding,
  type CarRow,
} from './cars.ts'
import type { ParkingPlace } from './places.ts'
import { areasOf, spanOf } from './rules.ts'
import { stationOf, stationsOf } from './stations.ts'

type CarCalls = Pick<typeof statisticsEndpoints, 'carFigures' | 'stationFigures' | 'stationHours'>

/** Figures of the vehicles themselves and of the places where they stand. */
export function createCarHandlers(kit: Pick<Kit, 'db' | 'clock'>): Handlers<CarCalls> {
  return {
    carFigures: async ({ areaIds: wanted }, { scope }) => {
      const nowMs = kit.clock.now()
      const areaIds = areasOf(scope, wanted)
      const days = [businessDayOf(nowMs - dayMs), businessDayOf(nowMs - 7 * dayMs)]
      const [rows, past] = await Promise.all([
        kit.db.read(scope, (k) => selectCars({ areaIds, scope, now: new Date(nowMs) }).compile(k)),
        kit.db.read(scope, (k) => selectCarDays({ areaIds, scope, days }).compile(k)),
      ])
      const of = (part: CarRow['part']) => rows.filter((row) => row.part === part)
      const [whole] = of('total')
      const then = (day: string | undefined) => {
        const row = past.find((one) => one.day === day)
        return row === undefined ? null : { vehicles: row.vehicles, lowBattery: row.low_battery }
      }
      return {
        suc: true,
        data: {
          at: nowMs,
          total: carSumOf(whole),
          states: of('state').map((row) => ({ state: vehicleStateSchema.parse(row.name), count: row.vehicles })),
          models: of('model').map((row) => Object.assign(carSumOf(row), { name: row.name })),
          areas: of('area').map((row) =>
            Object.assign(carSumOf(row), { name: row.name, company: row.company, areaId: row.area_id ?? 0 }),
          ),
          battery: whole?.battery ?? [],
          idle: whole?.idle_hours ?? [],
          yesterday: then(days[0]),
          lastWeek: then(days[1]),
        },
      }
    },

    stationFigures: async ({ from, to, areaIds: wanted }, { scope }) => {
      const areaIds = areasOf(scope, wanted)
      const places = await kit.db.read(scope, (k) => selectPlaces({ areaIds, scope }).compile(k))
      const made = await readStations(kit, { scope, areaIds, from, to, places: places.map(placeOf) })
      if (made === null) return { suc: true, data: { hours: 0, list: [], isTooMuch: true } }
      return { suc: true, data: { hours: made.hours, list: made.days.map(stationOf), isTooMuch: false } }
    },

    stationHours: async ({ fenceId, from, to }, { scope }) => {
      const { areaIds: all } = scope
      const [row] = await kit.db.read(scope, (k) => selectPlaces({ areaIds: all, scope, fenceId }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      const place = placeOf(row)
      const made = await readStations(kit, { scope, areaIds: [place.areaId], from, to, places: [place] })
      const [day] = made?.days ?? []
      const hours = Array.from(day?.stock ?? [], (stock, index) => ({
        at: (made?.start ?? 0) + (index + 1) * hourMs,
        stock,
        inflow: day?.inflow[index] ?? 0,
        outflow: day?.outflow[index] ?? 0,
      }))
      return { suc: true, data: { hours } }
    },
  }
}

type StationsAsked = {
  readonly scope: Scope
  readonly areaIds: readonly number[]
  readonly from: string
  readonly to: string
  readonly places: readonly ParkingPlace[]
}

/** Null where there are more rides than can be looked at. */
async function readStations(kit: Pick<Kit, 'db' | 'clock'>, { scope, areaIds, from, to, places }: StationsAsked) {
  const span = spanOf({ from, to }, kit.clock.now())
  const start = span.start.getTime()
  const hours = Math.max(0, Math.floor((Math.min(span.end.getTime(), kit.clock.now()) - start) / hourMs))
  const asked = { areaIds, scope, start: span.start, end: new Date(start + hours * hourMs) }
  const [rides, standing] = await Promise.all([
    kit.db.read(scope, (k) => selectRides(asked).compile(k)),
    kit.db.read(scope, (k) => selectStanding(asked).compile(k)),
  ])
  if (rides.length > ridesMax) return null
  const days = stationsOf({
    places,
    start,
    hours,
    rides: rides.map((row) => ({
      vehicleId: row.vehicle_id,
      areaId: row.area_id,
      startedAt: row.started_at.getTime(),
      endedAt: row.ended_at?.getTime() ?? null,
      startLat: row.start_lat,
      startLng: row.start_lng,
      endLat: row.end_lat,
      endLng: row.end_lng,
    })),
    standing: standing.map((row) => ({ areaId: row.area_id, lat: row.lat, lng: row.lng })),
  })
  return { start, hours, days }
}

/** Without a row there are no vehicles. */
const carSumOf = (row: CarRow | undefined): CarSum => ({
  vehicles: row?.vehicles ?? 0,
  available: row?.available ?? 0,
  onTrip: row?.on_trip ?? 0,
  lowBattery: row?.low_battery ?? 0,
  offline: row?.offline ?? 0,
  outOfService: row?.out_of_service ?? 0,
  idle: row?.idle ?? 0,
  inTask: row?.in_task ?? 0,
  batteryPercent: row?.battery_percent ?? null,
})
