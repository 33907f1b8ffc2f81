import type { VehicleState } from '@saddle/contract/fleet/vehicles.ts'

/** Events of MDS 2.0, micromobility, that move a vehicle from one state to another. */
export const vehicleEvents = [
  'agency_drop_off',
  'agency_pick_up',
  'battery_charged',
  'battery_low',
  'changed_geographies',
  'comms_lost',
  'comms_restored',
  'compliance_pick_up',
  'decommissioned',
  'located',
  'maintenance',
  'maintenance_pick_up',
  'not_located',
  'off_hours',
  'on_hours',
  'provider_drop_off',
  'rebalance_pick_up',
  'reservation_cancel',
  'reservation_start',
  'system_resume',
  'system_suspend',
  'trip_cancel',
  'trip_end',
  'trip_enter_jurisdiction',
  'trip_leave_jurisdiction',
  'trip_start',
  'unspecified',
] as const
export type VehicleEvent = (typeof vehicleEvents)[number]

type Transition = { readonly event: VehicleEvent; readonly from: readonly VehicleState[]; readonly to: VehicleState }

/** States in which the operator knows where the vehicle is and what it does. */
export const contactableStates = [
  'available',
  'elsewhere',
  'non_operational',
  'on_trip',
  'removed',
  'reserved',
] as const
export type ContactableState = (typeof contactableStates)[number]

const lost = ['non_contactable', 'missing'] as const
const parked = ['available', 'non_operational', 'elsewhere'] as const

/** The table "Vehicle State Events" of MDS 2.0, modes/micromobility.md, row by row. */
export const transitions: readonly Transition[] = [
  { event: 'battery_low', from: ['available'], to: 'non_operational' },
  { event: 'maintenance', from: ['available'], to: 'non_operational' },
  { event: 'off_hours', from: ['available'], to: 'non_operational' },
  { event: 'system_suspend', from: ['available'], to: 'non_operational' },
  { event: 'unspecified', from: ['available', ...lost], to: 'non_operational' },
  { event: 'battery_charged', from: ['non_operational'], to: 'available' },
  { event: 'maintenance', from: ['non_operational'], to: 'available' },
  { event: 'on_hours', from: ['non_operational'], to: 'available' },
  { event: 'system_resume', from: ['non_operational'], to: 'available' },
  { event: 'unspecified', from: ['non_operational', ...lost], to: 'available' },

  { event: 'reservation_start', from: ['available'], to: 'reserved' },
  { event: 'reservation_cancel', from: ['reserved'], to: 'available' },
  { event: 'trip_start', from: ['available', 'reserved'], to: 'on_trip' },
  { event: 'trip_end', from: ['on_trip'], to: 'available' },
  { event: 'trip_cancel', from: ['on_trip'], to: 'available' },
  { event: 'trip_leave_jurisdiction', from: ['on_trip'], to: 'elsewhere' },
  { event: 'trip_enter_jurisdiction', from: ['elsewhere'], to: 'on_trip' },
  { event: 'changed_geographies', from: ['on_trip'], to: 'on_trip' },
  { event: 'unspecified', from: lost, to: 'on_trip' },
  { event: 'unspecified', from: lost, to: 'reserved' },
  { event: 'unspecified', from: lost, to: 'elsewhere' },

  { event: 'compliance_pick_up', from: parked, to: 'removed' },
  { event: 'maintenance_pick_up', from: parked, to: 'removed' },
  { event: 'rebalance_pick_up', from: parked, to: 'removed' },
  { event: 'agency_pick_up', from: [...parked, ...lost], to: 'removed' },
  { event: 'decommissioned', from: [...parked, ...lost], to: 'removed' },
  { event: 'unspecified', from: [...parked, ...lost], to: 'removed' },
  { event: 'agency_drop_off', from: ['removed', ...lost], to: 'available' },
  { event: 'provider_drop_off', from: ['removed', ...lost], to: 'available' },

  { event: 'comms_lost', from: contactableStates, to: 'non_contactable' },
  { event: 'unspecified', from: contactableStates, to: 'non_contactable' },
  { event: 'not_located', from: ['non_contactable'], to: 'missing' },
  { event: 'unspecified', from: ['non_contactable'], to: 'missing' },
  ...contactableStates.flatMap((to): Transition[] => [
    { event: 'comms_restored', from: ['non_contactable'], to },
    { event: 'located', from: ['missing'], to },
  ]),
]

export function isContactable(state: VehicleState): state is ContactableState {
  return contactableStates.some((known) => known === state)
}

/**
 * The state after `event`; null when MDS has no such transition. `to` is needed where one event leads to several
 * states: after `comms_restored`, `located` and `unspecified` the vehicle is what it was, or what somebody says it is.
 */
export function stateAfter(step: { from: VehicleState; event: VehicleEvent; to?: VehicleState }): VehicleState | null {
  const possible = transitions.filter((row) => row.event === step.event && row.from.includes(step.from))
  if (step.to !== undefined) return possible.some((row) => row.to === step.to) ? step.to : null
  const [only, ...others] = possible
  return only !== undefined && others.length === 0 ? only.to : null
}
