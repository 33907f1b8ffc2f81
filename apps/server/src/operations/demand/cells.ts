import { cellToBoundary, latLngToCell } from 'h3-js'
import { demandCellsMax, type DemandCell } from '@saddle/contract/operations/rebalancing.ts'
import { forecastOf, hoursOfWeek, type Forecast } from './forecast.ts'
import type { AreaSeen } from './seen.ts'

/** Hexagons of about 350 m across: what somebody walks for a vehicle. */
const resolution = 9

type Week = { readonly wanted: number; readonly arrived: number; readonly unmet: number }[]

/** What was seen, gathered by the thing that `indexOf` says a square belongs to; squares of -1 are left out. */
export function gather(
  { weeks, squares }: AreaSeen,
  places: number,
  indexOf: (square: AreaSeen['squares'][number]) => number,
): Forecast & { readonly unmet: Float64Array } {
  const cells = places * hoursOfWeek
  const [wanted, arrived, unmet] = [new Float64Array(cells), new Float64Array(cells), new Float64Array(cells)]
  const add = (list: Float64Array, at: number, count: number): void => void (list[at] = (list[at] ?? 0) + count)
  for (const square of squares) {
    const index = indexOf(square)
    if (index < 0) continue
    const at = index * hoursOfWeek + square.hour
    add(wanted, at, square.rides + square.unmet)
    add(arrived, at, square.arrived)
    add(unmet, at, square.unmet)
  }
  const { wanted: rates, arrived: arrivals } = forecastOf({ places, weeks, wanted, arrived })
  return { wanted: rates, arrived: arrivals, unmet: unmet.map((count) => count / weeks) }
}

/** The hexagons of an hour, the busiest first, and the whole area by the hour of the week. */
export function demandOf(seen: AreaSeen, hour: number): { cells: DemandCell[]; week: Week } {
  const numbers = new Map<string, number>()
  const cellOf = seen.squares.map(({ lat, lng }) => {
    const cell = latLngToCell(lat, lng, resolution)
    const number = numbers.get(cell) ?? numbers.size
    numbers.set(cell, number)
    return number
  })
  const byReference = new Map(seen.squares.map((square, index) => [square, cellOf[index] ?? -1]))
  const { wanted, arrived, unmet } = gather(seen, numbers.size, (square) => byReference.get(square) ?? -1)
  const cells = Array.from(numbers, ([cell, number]) => {
    const at = number * hoursOfWeek + hour
    return { cell, wanted: wanted[at] ?? 0, arrived: arrived[at] ?? 0, unmet: unmet[at] ?? 0 }
  })
  const busiest = cells
    .filter((one) => one.wanted + one.arrived + one.unmet >= 0.01)
    .toSorted((a, b) => b.wanted + b.unmet - (a.wanted + a.unmet))
    .slice(0, demandCellsMax)
  const week = Array.from({ length: hoursOfWeek }, (_, of) => {
    const sum = (list: Float64Array): number =>
      list.reduce((all, one, at) => (at % hoursOfWeek === of ? all + one : all), 0)
    return { wanted: sum(wanted), arrived: sum(arrived), unmet: sum(unmet) }
  })
  return {
    cells: busiest.map(({ cell, ...rates }) => Object.assign(rates, { cell, ring: ringOf(cell) })),
    week,
  }
}

const ringOf = (cell: string): [number, number][] => cellToBoundary(cell, true).map(([lng, lat]) => [lng, lat])
