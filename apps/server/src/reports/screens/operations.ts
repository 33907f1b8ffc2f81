import {
  operationsMetrics,
  screenAlarmsMax,
  screenAreasMax,
  screenCellDegrees,
  type OperationsScreen,
} from '@saddle/contract/reports/screens.ts'
import { taskKinds } from '@saddle/contract/operations/taskWords.ts'
import type { Run } from '#reports/figures/read.ts'
import { selectAreaNames } from '#reports/figures/store.ts'
import { readCompared, readHours, readScreenFigures, weekBefore, type ScreenReach } from './figures.ts'
import type { ScreenNow } from './now.ts'
import { selectCells, selectFlows, selectFleet, selectLatestAlarms, selectOpenAlarms, selectWork } from './store.ts'

/** All that the operations screen shows of a reach, at one moment. */
export async function readOperations(run: Run, reach: ScreenReach, now: ScreenNow): Promise<OperationsScreen> {
  const { at, day, until, hoursBegun, dayStart, company } = now
  const nowMs = at.getTime()
  const [figures, hours, fleet, areas, alarms, work, map] = await Promise.all([
    readCompared(run, reach, { metrics: operationsMetrics, day, until }),
    readHours(run, reach, { metric: 'rides', day, hoursBegun }),
    run(selectFleet(reach, nowMs)),
    readAreas(run, reach, now),
    readAlarms(run, reach),
    run(selectWork(reach, { since: dayStart, now: at })),
    readMap(run, reach, nowMs),
  ])
  return {
    at: nowMs,
    day,
    company,
    areaCount: reach.areaIds.length,
    figures,
    hours,
    fleet: fleetOf(fleet),
    areas: rankAreas(areas, fleet),
    alarms,
    work: taskKinds.flatMap((kind) => work.filter((row) => row.kind === kind)),
    map,
  }
}

type FleetRows = readonly {
  readonly areaId: number
  readonly state: string
  readonly total: number
  readonly lowBattery: number
}[]

const countIn = (rows: FleetRows, ...states: readonly string[]): number =>
  rows.reduce((sum, { state, total }) => sum + (states.length === 0 || states.includes(state) ? total : 0), 0)

const fleetOf = (rows: FleetRows): OperationsScreen['fleet'] => ({
  total: countIn(rows),
  available: countIn(rows, 'available'),
  onTrip: countIn(rows, 'on_trip'),
  reserved: countIn(rows, 'reserved'),
  outOfService: countIn(rows, 'non_operational', 'elsewhere'),
  offline: countIn(rows, 'non_contactable'),
  missing: countIn(rows, 'missing'),
  lowBattery: rows.reduce((sum, { lowBattery }) => sum + lowBattery, 0),
})

type AreaRides = ReadonlyMap<
  number,
  Pick<OperationsScreen['areas'][number], 'name' | 'rides' | 'ridesUntil' | 'lastWeekUntil'>
>

async function readAreas(run: Run, reach: ScreenReach, { day, until, weekUntil }: ScreenNow): Promise<AreaRides> {
  const before = weekBefore(day)
  const of = { metrics: ['rides'], by: 'area' } as const
  const today = { from: day, to: day }
  const [now, nowUntil, lastWeek, names] = await Promise.all([
    readScreenFigures(run, reach, { ...of, span: today }),
    readScreenFigures(run, reach, { ...of, span: today, until }),
    readScreenFigures(run, reach, { ...of, span: { from: before, to: before }, until: weekUntil }),
    run(selectAreaNames(reach.areaIds, reach.agentIds)),
  ])
  return new Map(
    names.map(({ id, name }) => {
      const ridesIn = (figures: typeof now): number => figures.get(String(id))?.rides ?? 0
      return [id, { name, rides: ridesIn(now), ridesUntil: ridesIn(nowUntil), lastWeekUntil: ridesIn(lastWeek) }]
    }),
  )
}

function rankAreas(rides: AreaRides, fleet: FleetRows): OperationsScreen['areas'] {
  const byArea = Map.groupBy(fleet, ({ areaId }) => areaId)
  return [...rides]
    .map(([id, row]) => {
      const own = byArea.get(id) ?? []
      const counts = { vehicles: countIn(own), available: countIn(own, 'available'), onTrip: countIn(own, 'on_trip') }
      return Object.assign({}, row, counts)
    })
    .toSorted((a, b) => b.rides - a.rides || b.vehicles - a.vehicles || (a.name < b.name ? -1 : 1))
    .slice(0, screenAreasMax)
}

async function readAlarms(run: Run, reach: ScreenReach): Promise<OperationsScreen['alarms']> {
  const [kinds, latest] = await Promise.all([run(selectOpenAlarms(reach)), run(selectLatestAlarms(reach))])
  return {
    open: kinds.reduce((sum, { open }) => sum + open, 0),
    kinds: kinds.slice(0, screenAlarmsMax),
    latest: latest.map(({ kind, area, openedAt }) => ({ kind, area, at: openedAt.getTime() })),
  }
}

async function readMap(run: Run, reach: ScreenReach, nowMs: number): Promise<OperationsScreen['map']> {
  const [cells, flows] = await Promise.all([run(selectCells(reach)), run(selectFlows(reach, nowMs))])
  return {
    bounds: boundsOf(cells),
    cells,
    flows: flows.map(({ fromLng, fromLat, toLng, toLat, rides }) => ({
      from: { lng: fromLng, lat: fromLat },
      to: { lng: toLng, lat: toLat },
      rides,
    })),
  }
}

type Cell = OperationsScreen['map']['cells'][number]

/** Where nearly all vehicles are: a lost one far away does not make the map small. */
function boundsOf(cells: readonly Cell[]): OperationsScreen['map']['bounds'] {
  if (cells.length === 0) return null
  const [west, east] = middleOf(cells, 'lng')
  const [south, north] = middleOf(cells, 'lat')
  const half = screenCellDegrees / 2
  return { west: west - half, south: south - half, east: east + half, north: north + half }
}

const leftOut = 0.01

/** Between which degrees all vehicles are but one in a hundred at each end. */
function middleOf(cells: readonly Cell[], axis: 'lng' | 'lat'): [number, number] {
  const all = cells.reduce((sum, { vehicles }) => sum + vehicles, 0)
  const ordered = cells.toSorted((a, b) => a[axis] - b[axis])
  const at = (share: number): number => {
    let passed = 0
    return (ordered.find(({ vehicles }) => (passed += vehicles) > share * all) ?? ordered.at(-1))?.[axis] ?? 0
  }
  return [at(leftOut), at(1 - leftOut)]
}
