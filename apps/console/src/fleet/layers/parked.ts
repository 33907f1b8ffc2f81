import type { Fence } from '@saddle/contract/geography/fences.ts'
import type { LiveVehicle } from '@saddle/contract/telemetry/live.ts'
import { metresPerDegree, metresPerDegreeLng } from '@saddle/geo/earth.ts'
import { isInside } from '#kit/map/lasso/polygon.ts'
import type { MapBounds } from '#kit/map/view.ts'

interface Box {
  readonly west: number
  readonly east: number
  readonly south: number
  readonly north: number
}

function boxOf({ ring, centre, radiusM }: Fence): Box {
  if (ring === null) {
    const [lat, lng] = [(radiusM ?? 0) / metresPerDegree, (radiusM ?? 0) / metresPerDegreeLng(centre.lat)]
    return { west: centre.lng - lng, east: centre.lng + lng, south: centre.lat - lat, north: centre.lat + lat }
  }
  const [lngs, lats] = [ring.map(([lng]) => lng), ring.map(([, lat]) => lat)]
  return { west: Math.min(...lngs), east: Math.max(...lngs), south: Math.min(...lats), north: Math.max(...lats) }
}

function holds({ ring, holes, centre, radiusM }: Fence, at: { readonly lat: number; readonly lng: number }): boolean {
  if (ring !== null) return isInside(ring, at) && !holes.some((hole) => isInside(hole, at))
  const x = (at.lng - centre.lng) * metresPerDegreeLng(centre.lat)
  const y = (at.lat - centre.lat) * metresPerDegree
  return Math.hypot(x, y) <= (radiusM ?? 0)
}

/**
 * How many vehicles stand in each parking spot that lies wholly in the view, by the spot's line; ridden ones only pass by.
 * The map knows the vehicles of its view alone, so it says nothing of a spot at the edge.
 */
export function parkedIn(
  fences: readonly Fence[],
  { vehicles, bounds }: { readonly vehicles: Iterable<LiveVehicle>; readonly bounds: MapBounds },
): ReadonlyMap<number, number> {
  const spots = fences
    .filter(({ kind }) => kind === 'parking')
    .map((fence) => ({ fence, box: boxOf(fence), count: 0 }))
    .filter(
      ({ box }) =>
        box.west >= bounds.west && box.east <= bounds.east && box.south >= bounds.south && box.north <= bounds.north,
    )
  for (const vehicle of vehicles) {
    if (vehicle.state === 'on_trip' || vehicle.state === 'removed') continue
    for (const spot of spots) {
      const { west, east, south, north } = spot.box
      if (vehicle.lng < west || vehicle.lng > east || vehicle.lat < south || vehicle.lat > north) continue
      if (holds(spot.fence, vehicle)) spot.count += 1
    }
  }
  return new Map(spots.map(({ fence, count }) => [fence.lineId, count]))
}
