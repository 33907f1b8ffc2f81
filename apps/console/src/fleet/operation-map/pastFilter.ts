import { isLowBattery, type VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import { hourMs } from '@saddle/contract/time.ts'
import type { Filter } from './filter.ts'
import type { MapMode } from './mode.ts'
import type { PastPlace } from './replay.ts'

export interface PastAsk {
  readonly filter: Filter
  readonly mode: Pick<MapMode, 'batteryTo' | 'idleHours'>
  /** Vehicles of the wanted areas and models, as they are registered now; null: all. */
  readonly ids: ReadonlySet<number> | null
  readonly atMs: number
}

/** Whether a vehicle of the past meets the conditions of the map. Alarms of the past are not kept on the map. */
export function passesPast(place: PastPlace, { filter, mode, ids, atMs }: PastAsk): boolean {
  const { state, batteryPercent, since, id } = place
  if (ids !== null && !ids.has(id)) return false
  if (filter.states.length > 0 && !filter.states.includes(state)) return false
  if (filter.flag === 'low' && !isLowBattery({ batteryPercent, state })) return false
  if (mode.batteryTo !== null && (batteryPercent === null || batteryPercent > mode.batteryTo)) return false
  if (mode.idleHours === null) return true
  return since !== null && atMs - since >= mode.idleHours * hourMs
}

/** How many vehicles were in each state. */
export function statesOf(places: readonly PastPlace[]): Partial<Record<VehicleState, number>> {
  const counts: Partial<Record<VehicleState, number>> = {}
  for (const { state } of places) counts[state] = (counts[state] ?? 0) + 1
  return counts
}
