import {
  explainedVehiclesMax,
  overviewMetrics,
  type AreaChange,
  type Overview,
  type Pair,
} from '@saddle/contract/reports/overview.ts'
import type { Measure } from '@saddle/contract/reports/measures.ts'
import { figureOf, measuresOf, metricOf, type Dimension, type MetricName } from '@saddle/contract/reports/metrics.ts'
import { vehicleStates, type VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import { addDays, dayMs, hourMs } from '@saddle/contract/time.ts'
import { codeOf } from '#kit/codes.ts'
import type { Scope } from '#kit/db/scope.ts'
import { sumMeasures, type Run } from '../figures/read.ts'
import { measuresOfAll } from '../figures/rules.ts'
import { selectAreaNames, selectDayStarts, type Sums } from '../figures/store.ts'
import { factorsOf, strongestAreas, strongestHours, sumOf } from './rules.ts'
import { selectFirstHour, selectRiddenVehicles, selectSnapshots, type Part, type SnapshotRow } from './store.ts'

/** Vehicles of the area that changed most that are looked at. */
const vehiclesMax = 20_000
const measures = measuresOfAll([...overviewMetrics, 'availableHours'])
const hourMeasures = measuresOfAll(['rides', 'netCents'])

export interface OverviewParams {
  readonly run: Run
  readonly scope: Scope
  /** Whose calendar says when a day begins. */
  readonly agentId: number
  readonly day: string
  readonly basis: 'day' | 'week'
  /** The last full hour of a day that is not over. */
  readonly until: Date | null
  readonly nowMs: number
}

interface DayPart {
  readonly day: string
  readonly before: Date | undefined
}

async function sumsOf(
  { run, scope }: OverviewParams,
  { day, before }: DayPart,
  { by, of }: { readonly by: Dimension; readonly of: readonly Measure[] },
): Promise<Sums> {
  const none = { models: undefined, channels: undefined, cardKind: undefined }
  const reach = { agentIds: scope.agentIds, areaIds: scope.areaIds, hasOfCompany: false }
  const all = { ...reach, ...none, by, from: day, to: day, grain: 'day' as const, level: 'areas' as const }
  return sumMeasures(run, { measures: of, all, by, until: before })
}

const valueIn = (sums: Sums, key: string, name: MetricName): number =>
  figureOf(metricOf(name), sums.get(key) ?? {}) ?? 0

function totalOf(sums: Sums): Partial<Record<Measure, number>> {
  const total: Partial<Record<Measure, number>> = {}
  for (const row of sums.values())
    for (const [name, value] of Object.entries(row)) total[name as Measure] = (total[name as Measure] ?? 0) + value
  return total
}

/** How a day, or its part until now, differs from another one, and what made the difference. */
export async function readOverview(params: OverviewParams): Promise<Overview> {
  const { run, scope, agentId, day, basis, until, nowMs } = params
  const daysBack = { day: 1, week: 7 } as const
  const partOf = (back: number): DayPart => ({
    day: addDays(day, -back),
    before: until === null ? undefined : new Date(until.getTime() - back * dayMs),
  })
  const back = daysBack[basis]
  const basisDay = addDays(day, -back)
  const byArea = { by: 'area', of: measures } as const
  const byHour = { by: 'hour', of: hourMeasures } as const
  const lastHour = nowMs - (nowMs % hourMs)
  const shots = [lastHour, lastHour - hourMs].flatMap((at) => [new Date(at), new Date(at - back * dayMs)])
  const days = [day, addDays(day, 1), basisDay, addDays(basisDay, 1)]
  const [now, dayBefore, weekBefore, hoursNow, hoursThen, snapshots, names, starts, [begin]] = await Promise.all([
    sumsOf(params, partOf(0), byArea),
    sumsOf(params, partOf(1), byArea),
    sumsOf(params, partOf(7), byArea),
    sumsOf(params, partOf(0), byHour),
    sumsOf(params, { day: basisDay, before: undefined }, byHour),
    run(selectSnapshots({ hours: shots, scope })),
    run(selectAreaNames(scope.areaIds, scope.agentIds)),
    run(selectDayStarts({ agentId, days })),
    run(selectFirstHour(agentId)),
  ])
  const before = basis === 'day' ? dayBefore : weekBefore
  const nameOf = new Map(names.map(({ id, name }) => [id, name]))
  const startOf = new Map(starts.map(({ day: one, at }) => [one, at]))
  const at = (one: string): Date => startOf.get(one) ?? new Date(0)
  const own: Part = { from: at(day), to: until ?? at(addDays(day, 1)) }
  const other: Part = {
    from: at(basisDay),
    to: until === null ? at(addDays(basisDay, 1)) : new Date(until.getTime() - back * dayMs),
  }
  const areasBy = (name: MetricName): AreaChange[] =>
    [...new Set([...now.keys(), ...before.keys()])]
      .filter((key) => key !== '')
      .map((key) => ({
        areaId: Number(key),
        name: nameOf.get(Number(key)) ?? '',
        now: valueIn(now, key, name),
        before: valueIn(before, key, name),
      }))
  const hours = hoursOf({
    now: hoursNow,
    before: hoursThen,
    first: begin?.hour ?? 0,
    ended: Math.round((own.to.getTime() - own.from.getTime()) / hourMs),
  })
  const changeBy = (name: 'rides' | 'netCents') => {
    const areas = areasBy(name)
    const counted = hours.flatMap((row) => {
      const { now: value, before } = row[name]
      return value === null ? [] : [{ hour: row.hour, now: value, before }]
    })
    return { ...sumOf(areas), ...strongestAreas(areas), hours: strongestHours(counted) }
  }
  const totals = { now: totalOf(now), dayBefore: totalOf(dayBefore), weekBefore: totalOf(weekBefore) }
  const pairOf = (measure: Measure): Pair => ({ now: totals.now[measure] ?? 0, before: totalOf(before)[measure] ?? 0 })
  const rides = changeBy('rides')
  const netCents = changeBy('netCents')
  return {
    day,
    basis: basisDay,
    until: until?.getTime() ?? null,
    fromAt: own.from.getTime(),
    toAt: own.to.getTime(),
    basisFromAt: other.from.getTime(),
    basisToAt: other.to.getTime(),
    figures: overviewMetrics.map((name) => ({
      now: known(name, totals.now),
      dayBefore: known(name, totals.dayBefore),
      weekBefore: known(name, totals.weekBefore),
    })),
    hours,
    rides: { ...rides, factors: factorsOf(rides, pairOf('availableHours')) },
    netCents: { ...netCents, factors: factorsOf(netCents, rides) },
    available: availableOf({ snapshots, hours: shots, nameOf }),
    vehicles: await vehiclesOf(params, { areas: areasBy('rides'), own, other }),
  }
}

/** A figure of vehicles that nobody has counted is not nothing. */
function known(name: MetricName, sums: Partial<Record<Measure, number>>): number | null {
  const needs = measuresOf(metricOf(name))
  return needs.includes('serviceHours') && (sums.serviceHours ?? 0) === 0 ? null : figureOf(metricOf(name), sums)
}

interface HoursOptions {
  readonly now: Sums
  readonly before: Sums
  /** The hour at which the day begins, and how many of it have ended. */
  readonly first: number
  readonly ended: number
}

/** The hours of a day in its order; those that have not ended have nothing yet. */
function hoursOf({ now, before, first, ended }: HoursOptions): Overview['hours'] {
  return Array.from({ length: 24 }, (_, index) => {
    const hour = String((first + index) % 24).padStart(2, '0')
    const pair = (name: 'rides' | 'netCents') => ({
      now: index < ended ? valueIn(now, hour, name) : null,
      before: valueIn(before, hour, name),
    })
    return { hour, rides: pair('rides'), netCents: pair('netCents') }
  })
}

interface SnapshotOptions {
  readonly snapshots: readonly SnapshotRow[]
  /** The latest hour and what it is compared with, and the hour before it. */
  readonly hours: readonly Date[]
  readonly nameOf: ReadonlyMap<number, string>
}

/** The latest hour that was counted, beside the same hour of the other day. */
function availableOf({ snapshots, hours, nameOf }: SnapshotOptions): Overview['available'] {
  const of = (hour: Date | undefined): readonly SnapshotRow[] =>
    snapshots.filter((row) => row.hour.getTime() === hour?.getTime())
  const latest = of(hours[0]).length > 0 ? 0 : 2
  const [now, before] = [of(hours[latest]), of(hours[latest + 1])]
  if (now.length === 0 || before.length === 0) return null
  const pairBy = (value: (row: SnapshotRow) => number): Pair => ({
    now: now.reduce((sum, row) => sum + value(row), 0),
    before: before.reduce((sum, row) => sum + value(row), 0),
  })
  const ids = [...new Set([...now, ...before].map(({ area_id: areaId }) => areaId))]
  const availableIn = (rows: readonly SnapshotRow[], areaId: number): number =>
    rows.find((row) => row.area_id === areaId)?.available ?? 0
  const areas = ids.map((areaId) => ({
    areaId,
    name: nameOf.get(areaId) ?? '',
    now: availableIn(now, areaId),
    before: availableIn(before, areaId),
  }))
  return {
    ...pairBy((row) => row.available),
    at: hours[latest]?.getTime() ?? 0,
    ...strongestAreas(areas),
    inService: pairBy((row) => row.vehicles),
    onTrip: pairBy((row) => row.on_trip),
    outOfService: pairBy((row) => row.non_operational),
    offline: pairBy((row) => row.non_contactable),
    other: pairBy((row) => row.vehicles - row.available - row.on_trip - row.non_operational - row.non_contactable),
  }
}

interface VehiclesOptions {
  readonly areas: readonly AreaChange[]
  readonly own: Part
  readonly other: Part
}

/** Which vehicles the area that changed most has lost or won, by their rides. */
async function vehiclesOf(
  { run, scope, nowMs }: OverviewParams,
  { areas, own, other }: VehiclesOptions,
): Promise<Overview['vehicles']> {
  const { now, before } = sumOf(areas)
  const sign = Math.sign(now - before)
  const [area] = areas.toSorted((a, b) => sign * (b.now - b.before - (a.now - a.before)) || a.areaId - b.areaId)
  if (sign === 0 || area === undefined) return null
  const rows = await run(
    selectRiddenVehicles({ areaId: area.areaId, now: own, before: other, nowMs, limit: vehiclesMax, scope }),
  )
  const isLess = sign < 0
  const found = rows.filter((row) => (isLess ? row.now === 0 : row.before === 0))
  const counts = new Map<VehicleState, number>()
  for (const row of found) {
    const state = vehicleState(row.state)
    counts.set(state, (counts.get(state) ?? 0) + 1)
  }
  return {
    areaId: area.areaId,
    name: area.name,
    isLess,
    count: found.length,
    rides: found.reduce((sum, row) => sum + row.now + row.before, 0),
    states: vehicleStates.flatMap((state) => {
      const count = counts.get(state)
      return count === undefined ? [] : [{ state, count }]
    }),
    vehicleIds: found.slice(0, explainedVehiclesMax).map((row) => row.vehicle_id),
  }
}

const vehicleState = (text: string): VehicleState => codeOf(vehicleStates, text)
