import { mapAlarms, vehicleStates, type MapAlarm, type VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import type { LiveVehicle } from '@saddle/contract/telemetry/live.ts'
import { shownState } from './symbol.ts'

export const flags = ['low', 'alarm'] as const
export type Flag = (typeof flags)[number]

/** Which vehicles the legend filter shows. */
export interface Filter {
  /** Empty: every state. */
  readonly states: readonly VehicleState[]
  /** Null: with or without. */
  readonly flag: Flag | null
  /** By the most urgent open alarm; empty: with or without. */
  readonly alarms: readonly MapAlarm[]
}

export const everything: Filter = { states: [], flag: null, alarms: [] }

export function passes(vehicle: LiveVehicle, { states, flag, alarms }: Filter): boolean {
  if (alarms.length > 0 && (vehicle.worst === null || !alarms.includes(vehicle.worst))) return false
  if (states.length > 0 && !states.includes(shownState(vehicle))) return false
  if (flag === 'low') return vehicle.lowBattery
  if (flag === 'alarm') return vehicle.alarm
  return true
}

/** A click on a state shows only it, further clicks add or take away others; the last one taken away shows all. */
export function toggleState(filter: Filter, state: VehicleState): Filter {
  const states = filter.states.includes(state)
    ? filter.states.filter((each) => each !== state)
    : vehicleStates.filter((each) => each === state || filter.states.includes(each))
  return { ...filter, states: states.length === vehicleStates.length ? [] : states }
}

export function toggleFlag(filter: Filter, flag: Flag): Filter {
  return { ...filter, flag: filter.flag === flag ? null : flag }
}

export function toggleAlarm(filter: Filter, alarm: MapAlarm): Filter {
  const alarms = mapAlarms.filter((each) => (each === alarm) !== filter.alarms.includes(each))
  return { ...filter, alarms }
}

export const isFiltering = ({ states, flag, alarms }: Filter): boolean =>
  states.length > 0 || flag !== null || alarms.length > 0
