import { urgencyOf, vehicleStates, type MapAlarm, type VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import type { LiveVehicle } from '@saddle/contract/telemetry/live.ts'

/** A mark on the corner of a symbol; the more urgent one wins. */
export type BadgeName = 'low' | Exclude<MapAlarm, 'low_battery'>
type Badge = BadgeName | 'none'

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
    badge: badgeOf(vehicle, state),
    headingDeg: state === 'on_trip' ? vehicle.headingDeg : null,
  }
}

function badgeOf({ worst, lowBattery }: LiveVehicle, state: VehicleState): Badge {
  const low = lowBattery && state !== 'removed' ? 'low' : 'none'
  // What the mark itself says is not said twice.
  if (worst === null || (worst === 'offline' && (state === 'non_contactable' || state === 'missing'))) return low
  return worst === 'low_battery' ? 'low' : worst
}

/** `missing` and `removed` say more than `offline`; any other vehicle without contact counts as offline. */
export function shownState(vehicle: Pick<LiveVehicle, 'state' | 'offline'>): VehicleState {
  if (!vehicle.offline || vehicle.state === 'missing' || vehicle.state === 'removed') return vehicle.state
  return 'non_contactable'
}

/** A vehicle that needs nobody: at the scale of a city it is a dot. */
export const isQuiet = ({ state, badge }: VehicleSymbol): boolean => state === 'available' && badge === 'none'
export const quietIcon = 'vehicle-quiet'

/** The picture of the ring around a mark: the battery in tenths, and whether its company counts that as low. */
export const batterySteps = 10
export const batteryIcon = ({
  batteryPercent,
  lowBattery,
}: Pick<LiveVehicle, 'batteryPercent' | 'lowBattery'>): string =>
  batteryPercent === null
    ? ''
    : batteryIconAt(Math.round((Math.min(100, Math.max(0, batteryPercent)) / 100) * batterySteps), lowBattery)
export const batteryIconAt = (step: number, isLow: boolean): string => `battery-${isLow ? 'low-' : ''}${step}`

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
  if (badge === 'none') return urgency[state]
  return urgency[state] + (badge === 'low' || urgencyOf(badge) === 'ordinary' ? 10 : 20)
}
