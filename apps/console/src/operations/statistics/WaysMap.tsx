import type { Feature, FeatureCollection } from 'geojson'
import { useMemo, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import FocusMap from '#kit/map/FocusMap.tsx'
import { GeoLayers, type PartLayer } from '#kit/map/GeoLayers.tsx'
import type { MapTheme } from '#kit/map/palette.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { markStyles } from '#kit/theme/vehicleColours.ts'
import { isDrawn, type DrawnWay, type Way } from './ways.ts'

/** The frequent ways from place to place: the more moves, the wider the line; the arrow says which way. */
export default function WaysMap({ ways }: { readonly ways: readonly Way[] }): ReactNode {
  const theme = useTheme().appearance
  const drawn = useMemo(() => ways.filter(isDrawn), [ways])
  const data = useMemo(() => featuresOf(drawn), [drawn])
  const layers = useMemo(() => layersOf(theme), [theme])
  const focus = useMemo(() => boxOf(drawn), [drawn])
  return (
    <div className="station-map-stage">
      <FocusMap label={t('挪车路线')} focus={focus}>
        <GeoLayers id="ways" data={data} layers={layers} />
      </FocusMap>
    </div>
  )
}

function featuresOf(ways: readonly DrawnWay[]): FeatureCollection {
  const most = Math.max(1, ...ways.map(({ count }) => count))
  const lines = ways.map(({ fromAt, toAt, count }): Feature => ({
    type: 'Feature',
    properties: { width: 1.5 + (4.5 * count) / most, count: String(count) },
    geometry: {
      type: 'LineString',
      coordinates: [
        [fromAt.lng, fromAt.lat],
        [toAt.lng, toAt.lat],
      ],
    },
  }))
  const ends = ways.map(({ to, toAt }): Feature => ({
    type: 'Feature',
    properties: { name: to },
    geometry: { type: 'Point', coordinates: [toAt.lng, toAt.lat] },
  }))
  return { type: 'FeatureCollection', features: [...lines, ...ends] }
}

function layersOf(theme: MapTheme): readonly PartLayer[] {
  const edge = theme === 'dark' ? '#0d1218' : '#ffffff'
  const ink = theme === 'dark' ? '#e6edf5' : '#16202e'
  const line = markStyles.onTrip[theme]
  return [
    {
      id: 'way-line',
      type: 'line',
      filter: ['==', ['geometry-type'], 'LineString'],
      layout: { 'line-cap': 'round' },
      paint: { 'line-color': line, 'line-width': ['get', 'width'], 'line-opacity': 0.55 },
    },
    {
      id: 'way-arrow',
      type: 'symbol',
      filter: ['==', ['geometry-type'], 'LineString'],
      layout: {
        'symbol-placement': 'line-center',
        'text-field': ['concat', ['get', 'count'], ' ▶'],
        'text-size': 11,
        'text-keep-upright': false,
      },
      paint: { 'text-color': ink, 'text-halo-color': edge, 'text-halo-width': 1.5 },
    },
    {
      id: 'way-end',
      type: 'circle',
      filter: ['==', ['geometry-type'], 'Point'],
      paint: { 'circle-radius': 4, 'circle-color': line, 'circle-stroke-color': edge, 'circle-stroke-width': 1 },
    },
    {
      id: 'way-name',
      type: 'symbol',
      filter: ['==', ['geometry-type'], 'Point'],
      layout: { 'text-field': ['get', 'name'], 'text-size': 11, 'text-anchor': 'top', 'text-offset': [0, 0.6] },
      paint: { 'text-color': ink, 'text-halo-color': edge, 'text-halo-width': 1.3 },
    },
  ]
}

function boxOf(ways: readonly DrawnWay[]) {
  const spots = ways.flatMap(({ fromAt, toAt }) => [fromAt, toAt])
  if (spots.length === 0) return null
  const [lngs, lats] = [spots.map(({ lng }) => lng), spots.map(({ lat }) => lat)]
  return { west: Math.min(...lngs), east: Math.max(...lngs), south: Math.min(...lats), north: Math.max(...lats) }
}
