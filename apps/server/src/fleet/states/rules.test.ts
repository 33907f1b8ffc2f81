import { expect, it } from 'vitest'
import { vehicleStates, type VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import { contactableStates, stateAfter, transitions, vehicleEvents } from './rules.ts'

/** Written down apart from the table: every (from, event, to) of MDS 2.0 that has one outcome only. */
const sureSteps: Record<string, Partial<Record<VehicleState, VehicleState>>> = {
  agency_drop_off: { removed: 'available', non_contactable: 'available', missing: 'available' },
  provider_drop_off: { removed: 'available', non_contactable: 'available', missing: 'available' },
  agency_pick_up: {
    available: 'removed',
    non_operational: 'removed',
    elsewhere: 'removed',
    non_contactable: 'removed',
    missing: 'removed',
  },
  decommissioned: {
    available: 'removed',
    non_operational: 'removed',
    elsewhere: 'removed',
    non_contactable: 'removed',
    missing: 'removed',
  },
  compliance_pick_up: { available: 'removed', non_operational: 'removed', elsewhere: 'removed' },
  maintenance_pick_up: { available: 'removed', non_operational: 'removed', elsewhere: 'removed' },
  rebalance_pick_up: { available: 'removed', non_operational: 'removed', elsewhere: 'removed' },
  battery_low: { available: 'non_operational' },
  battery_charged: { non_operational: 'available' },
  off_hours: { available: 'non_operational' },
  on_hours: { non_operational: 'available' },
  system_suspend: { available: 'non_operational' },
  system_resume: { non_operational: 'available' },
  maintenance: { available: 'non_operational', non_operational: 'available' },
  reservation_start: { available: 'reserved' },
  reservation_cancel: { reserved: 'available' },
  trip_start: { available: 'on_trip', reserved: 'on_trip' },
  trip_end: { on_trip: 'available' },
  trip_cancel: { on_trip: 'available' },
  trip_leave_jurisdiction: { on_trip: 'elsewhere' },
  trip_enter_jurisdiction: { elsewhere: 'on_trip' },
  changed_geographies: { on_trip: 'on_trip' },
  comms_lost: Object.fromEntries(contactableStates.map((state) => [state, 'non_contactable'])),
  not_located: { non_contactable: 'missing' },
}

it('knows every transition with one outcome and refuses all others', () => {
  for (const event of vehicleEvents) {
    for (const from of vehicleStates) {
      expect(stateAfter({ from, event }), `${event} from ${from}`).toBe(
        // These three lead to several states from everywhere they are allowed, or need to be told which.
        ['comms_restored', 'located'].includes(event) ? null : (sureSteps[event]?.[from] ?? unspecified(event, from)),
      )
    }
  }
})

function unspecified(event: string, from: VehicleState): VehicleState | null {
  if (event !== 'unspecified') return null
  return from === 'on_trip' || from === 'reserved' || from === 'removed' ? 'non_contactable' : null
}

it('brings a silent or lost vehicle back to any state that is named, and to no other', () => {
  for (const to of vehicleStates) {
    const isContactable = contactableStates.some((state) => state === to)
    expect(stateAfter({ from: 'non_contactable', event: 'comms_restored', to })).toBe(isContactable ? to : null)
    expect(stateAfter({ from: 'missing', event: 'located', to })).toBe(isContactable ? to : null)
    expect(stateAfter({ from: 'available', event: 'comms_restored', to })).toBeNull()
    expect(stateAfter({ from: 'missing', event: 'comms_restored', to })).toBeNull()
  }
})

it('counts 85 transitions, as the table of MDS does', () => {
  const steps = transitions.flatMap(({ event, from, to }) => from.map((state) => `${state} ${event} ${to}`))
  expect(new Set(steps).size).toBe(steps.length)
  expect(steps.length).toBe(85)
})
