import { vehicleStates, type VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import type { LiveVehicle } from '@saddle/contract/telemetry/live.ts'

/** A mark on the corner of a symbol; the more urgent one wins. */
type Badge = 'alarm' | 'low' | 'none'

export interface VehicleSymbol {
  /** The state to display: a vehicle without contact is offline, whatever it last reported. */
  readonly state: VehicleState
  readonly badge: Badge
  /** Degrees clockwise from north; null draws no nose. */
  readonly headingDeg: number | null
}

/** How a vehicle is drawn. Only a moving one shows where it heads: a parked one's heading says nothing. */
export function symbolOf(vehicle: LiveVehicle): VehicleSymbol {
  const state = shownState(vehicle)
  return {
    state,
    badge: vehicle.alarm ? 'alarm' : vehicle.lowBattery && state !== 'removed' ? 'low' : 'none',
    headingDeg: state === 'on_trip' ? vehicle.headingDeg : null,
  }
}

/** `missing` and `removed` say more than `offline`; any other vehicle without contact counts as offline. */
export function shownState(vehicle: Pick<LiveVehicle, 'state' | 'offline'>): VehicleState {
  if (!vehicle.offline || vehicle.state === 'missing' || vehicle.state === 'removed') return vehicle.state
  return 'non_contactable'
}

export type IconName = `vehicle-${VehicleState}${'' | '-heading'}`

export function iconName({ state, headingDeg }: Pick<VehicleSymbol, 'state' | 'headingDeg'>): IconName {
  return `vehicle-${state}${headingDeg === null ? '' : '-heading'}`
}

export interface IconSpec {
  readonly name: IconName
  readonly state: VehicleState
  readonly heading: boolean
}

/** Every picture that `iconName` can ask for. */
export const iconSpecs: readonly IconSpec[] = vehicleStates.flatMap((state) =>
  (state === 'on_trip' ? [false, true] : [false]).map((heading) => ({
    name: iconName({ state, headingDeg: heading ? 0 : null }),
    state,
    heading,
  })),
)

/** Vehicles that need attention are drawn above the others. */
const urgency: Readonly<Record<VehicleState, number>> = {
  removed: 0,
  available: 1,
  non_contactable: 2,
  elsewhere: 3,
  reserved: 4,
  on_trip: 5,
  non_operational: 6,
  missing: 7,
}

export function drawOrder({ state, badge }: VehicleSymbol): number {
  return urgency[state] + (badge === 'alarm' ? 20 : badge === 'low' ? 10 : 0)
}
