import type { FeatureCollection } from 'geojson'
import type { Stretch } from '@saddle/contract/fleet/past.ts'
import { fromBase64Url } from '@saddle/contract/wire/bytes.ts'
import { decodeTrack, placeOnTrack, type TrackPlace, type TrackPoint } from '@saddle/contract/telemetry/track.ts'

export interface Leg {
  readonly kind: Stretch['kind']
  readonly startedAt: number
  readonly endedAt: number
  readonly points: readonly TrackPoint[]
  readonly distanceM: number
}

/** A vehicle's track over a time span, ready to be drawn and played. */
export interface Way {
  readonly legs: readonly Leg[]
  readonly from: number
  readonly to: number
}

export function wayOf(list: readonly Stretch[]): Way {
  const legs = list.map((stretch): Leg => ({
    kind: stretch.kind,
    startedAt: stretch.startedAt,
    endedAt: stretch.endedAt,
    distanceM: stretch.distanceM,
    points: stretch.points === '' ? endsOf(stretch) : decodeTrack(fromBase64Url(stretch.points) ?? new Uint8Array(0)),
  }))
  return { legs, from: legs[0]?.startedAt ?? 0, to: legs.at(-1)?.endedAt ?? 0 }
}

function endsOf({ start, end, startedAt, endedAt }: Stretch): TrackPoint[] {
  const rest = { locked: true, unsure: false }
  return [
    { at: startedAt, ...start, ...rest },
    { at: endedAt, ...end, ...rest },
  ]
}

/** The vehicle's position; between two legs it is the end of the first one. */
export function placeAt({ legs }: Way, atMs: number): TrackPlace | null {
  let last: Leg | undefined
  for (const leg of legs) {
    if (leg.startedAt > atMs && last !== undefined) break
    last = leg
    if (leg.endedAt >= atMs) break
  }
  return last === undefined ? null : placeOnTrack(last.points, atMs)
}

export function lineOf({ legs }: Way): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: legs
      .filter((leg) => leg.kind === 'trip' && leg.points.length > 1)
      .map((leg, index) => ({
        type: 'Feature',
        id: index,
        properties: { at: leg.startedAt },
        geometry: { type: 'LineString', coordinates: leg.points.map(({ lng, lat }) => [lng, lat]) },
      })),
  }
}

export function boundsOf({ legs }: Way): [number, number, number, number] | null {
  const points = legs.flatMap((leg) => leg.points)
  if (points.length === 0) return null
  const lngs = points.map(({ lng }) => lng)
  const lats = points.map(({ lat }) => lat)
  const pad = 0.0008
  return [Math.min(...lngs) - pad, Math.min(...lats) - pad, Math.max(...lngs) + pad, Math.max(...lats) + pad]
}
