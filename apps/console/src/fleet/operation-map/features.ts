import type { LiveVehicle } from '@saddle/contract/telemetry/live.ts'
import { passes, type Filter } from './filter.ts'
import type { VehicleStore } from './store.ts'
import { batteryIcon, drawOrder, iconName, isQuiet, quietIcon, symbolOf } from './symbol.ts'

export interface VehicleFeature {
  readonly type: 'Feature'
  readonly id: number
  readonly geometry: { readonly type: 'Point'; readonly coordinates: [number, number] }
  readonly properties: {
    readonly id: number
    readonly icon: string
    /** The same vehicle at the scale of a city. */
    readonly far: string
    readonly battery: string
    readonly rotate: number
    readonly order: number
    readonly badge: string
    readonly selected: boolean
  }
}

export interface FeatureOptions {
  readonly store: VehicleStore
  readonly filter: Filter
  readonly selectedId: number | null
  readonly nowMs: number
}

/** What the map draws at this moment. The selected vehicle is drawn even when the filter would hide it. */
export function featuresOf({ store, filter, selectedId, nowMs }: FeatureOptions): VehicleFeature[] {
  const features: VehicleFeature[] = []
  for (const vehicle of store.all().values()) {
    if (vehicle.id !== selectedId && !passes(vehicle, filter)) continue
    features.push(featureOf({ store, vehicle, selected: vehicle.id === selectedId, nowMs }))
  }
  return features
}

function featureOf({ store, vehicle, selected, nowMs }: FeaturePart): VehicleFeature {
  const symbol = symbolOf(vehicle)
  const { lng, lat } = store.drawnAt(vehicle, nowMs)
  return {
    type: 'Feature',
    id: vehicle.id,
    geometry: { type: 'Point', coordinates: [lng, lat] },
    properties: {
      id: vehicle.id,
      icon: iconName(symbol),
      far: isQuiet(symbol) && !selected ? quietIcon : iconName(symbol),
      battery: batteryIcon(vehicle),
      rotate: symbol.headingDeg ?? 0,
      order: selected ? 100 : drawOrder(symbol),
      badge: symbol.badge === 'none' ? '' : `badge-${symbol.badge}`,
      selected,
    },
  }
}

interface FeaturePart {
  readonly store: VehicleStore
  readonly vehicle: LiveVehicle
  readonly selected: boolean
  readonly nowMs: number
}

/** Many vehicles are redrawn less often: nobody follows a thousand of them at once. */
export function drawIntervalMs(count: number): number {
  if (count <= 300) return 60
  return count <= 3_000 ? 200 : 500
}
