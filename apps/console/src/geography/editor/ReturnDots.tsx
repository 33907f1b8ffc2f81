import type { FeatureCollection } from 'geojson'
import { useMemo, type ReactNode } from 'react'
import { isFreeReturn, type FenceEffect } from '@saddle/contract/geography/manage.ts'
import { t } from '#kit/i18n/index.ts'
import { GeoLayers, type PartLayer } from '#kit/map/GeoLayers.tsx'
import type { MapTheme } from '#kit/map/palette.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { markStyles } from '#kit/theme/vehicleColours.ts'

type Point = FenceEffect['points'][number]

/** What the change means for a return, by whether it cost a fee and would cost one. */
const outcomes = ['free', 'charged', 'freed', 'same'] as const
type Outcome = (typeof outcomes)[number]

export function outcomeOf({ before, after }: Pick<Point, 'before' | 'after'>): Outcome {
  if (isFreeReturn(after)) return isFreeReturn(before) ? 'free' : 'freed'
  return isFreeReturn(before) ? 'charged' : 'same'
}

const marks: Readonly<Record<Outcome, keyof typeof markStyles>> = {
  free: 'available',
  charged: 'lowBattery',
  freed: 'onTrip',
  same: 'offline',
}

const words = (outcome: Outcome): string =>
  ({ free: t('仍免费'), charged: t('变为收费'), freed: t('变为免费'), same: t('仍收费') })[outcome]

/** Returns of the last days on the map, in the colour of what the change means for them, and the words for the colours. */
export function ReturnDots({ points }: { readonly points: readonly Point[] }): ReactNode {
  const theme = useTheme().appearance
  const data = useMemo(
    (): FeatureCollection => ({
      type: 'FeatureCollection',
      features: points.map((point) => ({
        type: 'Feature',
        properties: { outcome: outcomeOf(point) },
        geometry: { type: 'Point', coordinates: [point.lng, point.lat] },
      })),
    }),
    [points],
  )
  const layers = useMemo(() => layersOf(theme), [theme])
  const shown = outcomes.filter((outcome) => points.some((point) => outcomeOf(point) === outcome))
  if (points.length === 0) return null
  return (
    <>
      <GeoLayers id="returns" data={data} layers={layers} />
      <ul className="fences-legend" aria-label={t('图例')}>
        {shown.map((outcome) => (
          <li key={outcome}>
            <i style={{ background: markStyles[marks[outcome]][theme] }} aria-hidden="true" />
            {words(outcome)}
          </li>
        ))}
      </ul>
    </>
  )
}

function layersOf(theme: MapTheme): readonly PartLayer[] {
  const colours = outcomes.flatMap((outcome) => [outcome, markStyles[marks[outcome]][theme]])
  return [
    {
      id: 'return-point',
      type: 'circle',
      layout: { 'circle-sort-key': ['match', ['get', 'outcome'], ['charged', 'freed'], 1, 0] },
      paint: {
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 12, 2, 17, 5],
        'circle-color': ['match', ['get', 'outcome'], ...colours, '#888888'] as never,
        'circle-opacity': 0.8,
        'circle-stroke-color': theme === 'dark' ? '#0d1218' : '#ffffff',
        'circle-stroke-width': 1,
      },
    },
  ]
}
