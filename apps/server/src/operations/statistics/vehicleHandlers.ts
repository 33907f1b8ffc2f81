import { AppError } from '@saddle/contract/errors.ts'
import { vehicleStateSchema } from '@saddle/contract/fleet/vehicles.ts'
import type { stationStatisticsEndpoints } from '@saddle/contract/operations/statistics/stations.ts'
import type { vehicleStatisticsEndpoints } from '@saddle/contract/operations/statistics/vehicles.ts'
import { businessDayOf, dayMs, hourMs } from '@saddle/contract/time.ts'
import type { Handlers } from '#kit/call.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import type { ParkingPlace } from './places.ts'
import { areasOf, spanOf } from './span.ts'
import { stationOf, stationsOf } from './stations.ts'
import { placeOf, rideRow, ridesMax, selectPlaces, selectRides, selectStanding, standingRow } from './stationStore.ts'
import { selectVehicleDays, selectVehicles, vehicleSumOf, type VehicleRow } from './vehicles.ts'

type VehicleCalls = typeof vehicleStatisticsEndpoints & typeof stationStatisticsEndpoints

/** Figures of the vehicles themselves and of the places where they stand. */
export function createVehicleHandlers(kit: Pick<Kit, 'db' | 'clock'>): Handlers<VehicleCalls> {
  return {
    vehicleFigures: async ({ filter }, { scope }) => {
      const nowMs = kit.clock.now()
      const areaIds = areasOf(scope, filter.areaIds)
      const days = [businessDayOf(nowMs - dayMs), businessDayOf(nowMs - 7 * dayMs)]
      const [rows, past] = await Promise.all([
        kit.db.read(scope, (k) => selectVehicles({ areaIds, scope, now: new Date(nowMs) }).compile(k)),
        kit.db.read(scope, (k) => selectVehicleDays({ areaIds, scope, days }).compile(k)),
      ])
      const of = (part: VehicleRow['part']) => rows.filter((row) => row.part === part)
      const [whole] = of('total')
      const then = (day: string | undefined) => {
        const row = past.find((one) => one.day === day)
        return row === undefined ? null : { vehicles: row.vehicles, lowBattery: row.low_battery }
      }
      return {
        suc: true,
        data: {
          at: nowMs,
          total: vehicleSumOf(whole),
          states: of('state').map((row) => ({ state: vehicleStateSchema.parse(row.name), count: row.vehicles })),
          models: of('model').map((row) => Object.assign(vehicleSumOf(row), { name: row.name })),
          areas: of('area').map((row) =>
            Object.assign(vehicleSumOf(row), { name: row.name, company: row.company, areaId: row.area_id ?? 0 }),
          ),
          battery: whole?.battery ?? [],
          batteryLow: whole?.battery_low ?? [],
          idle: whole?.idle_hours ?? [],
          yesterday: then(days[0]),
          lastWeek: then(days[1]),
        },
      }
    },

    stationFigures: async ({ filter: { from, to, areaIds: wanted, hours } }, { scope }) => {
      const areaIds = areasOf(scope, wanted)
      const places = await kit.db.read(scope, (k) => selectPlaces({ areaIds, scope }).compile(k))
      const asked = { scope, areaIds, from, to, places: places.map(placeOf), hoursMax: hours ?? Infinity }
      const made = await readStations(kit, asked)
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

type StationsQuery = {
  readonly scope: Scope
  readonly areaIds: readonly number[]
  readonly from: string
  readonly to: string
  readonly places: readonly ParkingPlace[]
  /** Hours from the beginning of the span that count. */
  readonly hoursMax?: number
}

/** Null where there are more rides than can be looked at. */
async function readStations(kit: Pick<Kit, 'db' | 'clock'>, asked: StationsQuery) {
  const { scope, areaIds, from, to, places, hoursMax = Infinity } = asked
  const span = spanOf({ from, to }, kit.clock.now())
  const start = span.start.getTime()
  const past = Math.floor((Math.min(span.end.getTime(), kit.clock.now()) - start) / hourMs)
  const hours = Math.max(0, Math.min(past, hoursMax))
  const query = { areaIds, scope, start: span.start, end: new Date(start + hours * hourMs) }
  const [rides, standing] = await Promise.all([
    kit.db.read(scope, (k) => selectRides(query).compile(k)),
    kit.db.read(scope, (k) => selectStanding(query).compile(k)),
  ])
  if (rides.length > ridesMax) return null
  const days = stationsOf({
    places,
    start,
    hours,
    rides: rides.map(rideRow.present),
    standing: standing.map(standingRow.present),
  })
  return { start, hours, days }
}
