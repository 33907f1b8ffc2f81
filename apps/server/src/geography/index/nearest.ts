import type { Fence } from '@saddle/contract/geography/fences.ts'
import { metresPerDegree, metresPerDegreeLng, type LatLng } from '@saddle/geo/earth.ts'
import { nearness } from '../fences/rules.ts'

export type Nearest = { readonly fence: Fence; readonly distanceM: number }

/** A degree of longitude is shorter elsewhere: corners may be a little farther away than they look from their centre. */
const slack = 1.1

/**
 * Which of some fences is nearest to a place, and how far its edge is. Each is first met by its centre: the way to its
 * edge is measured only where it could be the shortest, which of thousands are a few.
 */
export function nearestOf(fences: readonly Fence[]): (place: LatLng) => Nearest | null {
  const [lats, lngs] = [fences.map(({ centre }) => centre.lat), fences.map(({ centre }) => centre.lng)]
  const reaches = fences.map(reachOf)
  return (place) => {
    const perLng = metresPerDegreeLng(place.lat)
    let found: Nearest | null = null
    for (const [index, fence] of fences.entries()) {
      const y = ((lats[index] ?? 0) - place.lat) * metresPerDegree
      const x = ((lngs[index] ?? 0) - place.lng) * perLng
      const atLeast = Math.sqrt(x * x + y * y) - (reaches[index] ?? 0)
      if (found !== null && atLeast >= found.distanceM) continue
      const { distanceM } = nearness(place, fence)
      if (found === null || distanceM < found.distanceM) found = { fence, distanceM }
    }
    return found
  }
}

/** No part of the fence is farther than this from its centre. */
function reachOf({ centre, ring, radiusM }: Fence): number {
  if (ring === null) return radiusM ?? 0
  const perLng = metresPerDegreeLng(centre.lat)
  const corners = ring.map(([lng, lat]) =>
    Math.hypot((lng - centre.lng) * perLng, (lat - centre.lat) * metresPerDegree),
  )
  return Math.max(...corners) * slack + 1
}
