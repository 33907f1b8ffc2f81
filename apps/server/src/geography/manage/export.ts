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

interface Part {
  readonly rows: readonly ManagedFence[]
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** One part of a file for maps; the parts in turn are one document. */
export function mapFilePart(format: 'geojson' | 'kml', { rows, isFirst, isLast }: Part): string {
  const features = rows.map((fence) => featureOf({ ...fence, shape: shapeOf(fence) }))
  if (format === 'kml') {
    return `${isFirst ? kmlFrame.head : ''}${features.map(kmlOf).join('')}${isLast ? kmlFrame.tail : ''}`
  }
  const start = isFirst ? geoJsonFrame.head : ',\n'
  return `${start}${features.map(geoJsonOf).join(',\n')}${isLast ? geoJsonFrame.tail : ''}`
}
