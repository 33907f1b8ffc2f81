import { vehicleFilterSchema, vehicleSortSchema, type VehicleFilter } from '@saddle/contract/fleet/search.ts'
import type { z } from 'zod'

/**
 * A question about vehicles in an address: `?filter={"states":["available"],"batteryTo":20}&sort=battery.asc`. The JSON is
 * the contract's own filter, so that every page can lead to the list behind its figures.
 */
export type VehicleSortBy = z.output<typeof vehicleSortSchema>
export const usualSort: VehicleSortBy = { by: 'number', direction: 'asc' }

/** Parts that make no sense are left out rather than refused: an old link still opens. */
export function readFilter(params: URLSearchParams): VehicleFilter {
  const text = params.get('filter')
  if (text === null) return {}
  try {
    return vehicleFilterSchema.parse(JSON.parse(text))
  } catch {
    return {}
  }
}

export function readSort(params: URLSearchParams): VehicleSortBy {
  const [by, direction] = (params.get('sort') ?? '').split('.')
  const parsed = vehicleSortSchema.safeParse({ by, direction })
  return parsed.success ? parsed.data : usualSort
}

export function writeQuestion(
  params: URLSearchParams,
  change: { readonly filter?: VehicleFilter; readonly sort?: VehicleSortBy },
): URLSearchParams {
  const next = new URLSearchParams(params)
  if (change.filter !== undefined) {
    const kept = tidy(change.filter)
    if (Object.keys(kept).length === 0) next.delete('filter')
    else next.set('filter', JSON.stringify(kept))
  }
  if (change.sort !== undefined) {
    const { by, direction } = change.sort
    if (by === usualSort.by && direction === usualSort.direction) next.delete('sort')
    else next.set('sort', `${by}.${direction}`)
  }
  return next
}

/** The address of the list of vehicles that meet the conditions. */
export function listLink(filter: VehicleFilter): string {
  return `/vehicle/vehicle-query?${writeQuestion(new URLSearchParams(), { filter }).toString()}`
}

/** Without conditions that ask for nothing. */
export function tidy(filter: VehicleFilter): VehicleFilter {
  return Object.fromEntries(
    Object.entries(filter).filter(([name, value]) => {
      if (value === undefined || value === '') return false
      return !(Array.isArray(value) && value.length === 0 && name !== 'alarms' && name !== 'tasks')
    }),
  )
}

export const conditionCount = (filter: VehicleFilter): number => Object.keys(tidy(filter)).length
