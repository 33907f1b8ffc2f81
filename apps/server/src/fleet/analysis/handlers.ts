import { type analysisEndpoints, type FleetDay } from '@saddle/contract/fleet/analysis.ts'
import { figureOf, metricOf, type MetricName } from '@saddle/contract/reports/metrics.ts'
import { businessDayOf, businessDayStart, hourMs } from '@saddle/contract/time.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { hexagons } from './hexagons.ts'
import { regulatorView } from './regulator.ts'
import {
  placesMax,
  selectDays,
  selectHeatPoints,
  selectHours,
  selectIdlePlaces,
  selectPartOfDay,
  selectToday,
  type DayRow,
  type PartRow,
} from './store.ts'

const daySeconds = 86_400

export function createAnalysisHandlers(kit: Pick<Kit, 'db' | 'clock'>): Handlers<typeof analysisEndpoints> {
  const today = (): { day: string; from: Date } => {
    const day = businessDayOf(kit.clock.now())
    return { day, from: new Date(businessDayStart(day)) }
  }
  return {
    analyseOperation: async ({ from, to, areaId, until }, { scope }) => {
      const isCut = until !== undefined && businessDayOf(until) === to
      const span = isCut ? { start: new Date(businessDayStart(to)), until: new Date(until) } : null
      const [whole, cut] = await Promise.all([
        kit.db.read(scope, (k) => selectDays({ from, to, areaId, scope }).compile(k)),
        span === null ? [] : kit.db.read(scope, (k) => selectPartOfDay({ ...span, areaId, scope }).compile(k)),
      ])
      const rows = span === null ? whole : whole.map((row) => (row.day === to ? partOf(row, cut) : row))
      const own = today().day
      const madeAt = rows.filter((row) => row.day === own).map((row) => row.made_at.getTime())
      const nowMs = kit.clock.now()
      const list = rows.map((row) => dayOf(row, secondsOf(row.day, isCut && row.day === to ? until : nowMs)))
      return { suc: true, data: { list, madeAt: madeAt.length === 0 ? null : Math.max(...madeAt) } }
    },

    tripsByHour: async ({ from, to, areaId }, { scope }) => {
      const span = { from: new Date(businessDayStart(from)), to: new Date(businessDayStart(to) + daySeconds * 1000) }
      const rows = await kit.db.read(scope, (k) => selectHours({ ...span, areaId, scope }).compile(k))
      return { suc: true, data: { list: rows } }
    },

    heatMap: async ({ kind, from, to, hours, idleHours, resolution }, { scope }) => {
      const places =
        kind === 'idle'
          ? selectIdlePlaces({ before: new Date(kit.clock.now() - idleHours * hourMs), scope, limit: placesMax })
          : selectHeatPoints({
              isArrival: kind === 'arrival',
              from: new Date(from ?? 0),
              to: new Date(to ?? 0),
              hours,
              scope,
              limit: placesMax,
            })
      const rows = await kit.db.read(scope, (k) => places.compile(k))
      const cells = hexagons(rows, resolution)
      return { suc: true, data: { total: rows.length, max: cells[0]?.count ?? 0, cells } }
    },

    todayCounters: async (_, { scope }) => {
      const [row] = await kit.db.read(scope, (k) =>
        selectToday({ from: today().from, now: new Date(kit.clock.now()), scope }).compile(k),
      )
      return {
        suc: true,
        data: {
          trips: row?.trips ?? 0,
          riding: row?.riding ?? 0,
          distanceM: row?.distance_m ?? 0,
          rideSeconds: row?.ride_seconds ?? 0,
          riddenVehicles: row?.ridden ?? 0,
          alarmsOpened: row?.alarms_opened ?? 0,
          tasksOpen: row?.tasks_open ?? 0,
          tasksDone: row?.tasks_done ?? 0,
        },
      }
    },

    regulatorView: async ({ resolution }, { scope }) => ({
      suc: true,
      data: await regulatorView(kit, { scope, resolution }),
    }),
  }
}

/** A day of an area with the rides of its beginning alone; vehicles and batteries are those of the whole day. */
function partOf(row: DayRow, cut: readonly PartRow[]): DayRow {
  const part = cut.find(({ area_id: areaId }) => areaId === row.area_id)
  const nothing = { trips: 0, ridden: 0, ride_seconds: 0, distance_m: 0 }
  return { ...row, ...nothing, ...part }
}

/** Seconds of a business day until a time. */
const secondsOf = (day: string, nowMs: number): number =>
  Math.max(1, Math.min(daySeconds, (nowMs - businessDayStart(day)) / 1000))

function dayOf(row: DayRow, seconds: number): FleetDay {
  const { vehicles: vehicleDays, ridden: riddenVehicleDays, trips } = row
  const dayShare = seconds / daySeconds
  const measures = { vehicleDays, riddenVehicleDays, trips, tripSeconds: row.ride_seconds }
  const figure = (name: MetricName, of: object = {}): number => figureOf(metricOf(name), { ...measures, ...of }) ?? 0
  return {
    day: row.day,
    areaId: row.area_id,
    areaName: row.area_name,
    agentId: row.agent_id,
    company: row.company,
    vehicles: row.vehicles,
    ridden: row.ridden,
    trips: row.trips,
    rideSeconds: row.ride_seconds,
    distanceM: row.distance_m,
    turnover: figure('tripsPerVehicleDay'),
    dayShare,
    utilisation: figure('utilisationPercent', { vehicleDays: vehicleDays * dayShare }) / 100,
    idleShare: Math.max(0, figure('idlePercent') / 100),
    batteryPercent: row.battery_percent,
    lowBattery: row.low_battery,
  }
}
