import type { FenceFileRow, ManagedFence } from '@saddle/contract/geography/manage.ts'
import { clockOf, featureOf } from '@saddle/contract/geography/exchange.ts'
import { geoJsonFrame, geoJsonOf, kmlFrame, kmlOf } from '@saddle/geo/features.ts'
import { shapeOf } from '../fences/rows.ts'

const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

export const fileRowOf = (fence: ManagedFence): FenceFileRow => ({
  name: fence.name,
  areaName: fence.areaName,
  lng: rounded(fence.centre.lng),
  lat: rounded(fence.centre.lat),
  radiusM: fence.radiusM,
  capacity: fence.capacity,
  opens: fence.hours === null ? null : clockOf(fence.hours.opensMinute),
  closes: fence.hours === null ? null : clockOf(fence.hours.closesMinute),
  areaM2: fence.areaM2,
  standing: fence.standing,
  returns: fence.returns,
  version: fence.version,
  validFrom: fence.validFrom,
  authorName: fence.authorName,
})

/** A file for maps. */
export function mapFile(format: 'geojson' | 'kml', fences: readonly ManagedFence[]): string {
  const features = fences.map((fence) => featureOf({ ...fence, shape: shapeOf(fence) }))
  if (format === 'kml') return kmlFrame.head + features.map(kmlOf).join('') + kmlFrame.tail
  return geoJsonFrame.head + features.map(geoJsonOf).join(',\n') + geoJsonFrame.tail
}
