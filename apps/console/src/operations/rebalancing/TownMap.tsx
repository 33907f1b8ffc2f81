import type { Feature, FeatureCollection } from 'geojson'
import { useMemo, type ReactNode } from 'react'
import type { DemandCell, PlanStop } from '@saddle/contract/operations/rebalancing.ts'
import { t } from '#kit/i18n/index.ts'
import FocusMap from '#kit/map/FocusMap.tsx'
import { GeoLayers, type PartLayer } from '#kit/map/GeoLayers.tsx'
import type { MapTheme } from '#kit/map/palette.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { markStyles } from '#kit/theme/vehicleColours.ts'

const hexagonLayersOf = (theme: MapTheme): readonly PartLayer[] => [
  {
    id: 'demand-fill',
    type: 'fill',
    paint: { 'fill-color': ['case', ['get', 'short'], '#d4380d', '#0958d9'], 'fill-opacity': ['get', 'share'] },
  },
  {
    id: 'demand-line',
    type: 'line',
    paint: { 'line-color': ['case', ['get', 'short'], '#d4380d', '#0958d9'], 'line-width': 1, 'line-opacity': 0.5 },
  },
  {
    id: 'demand-name',
    type: 'symbol',
    minzoom: 12.5,
    layout: { 'text-field': ['get', 'text'], 'text-size': 11 },
    paint: {
      'text-color': theme === 'dark' ? '#e6edf5' : '#16202e',
      'text-halo-color': theme === 'dark' ? '#0d1218' : '#ffffff',
      'text-halo-width': 1.4,
    },
  },
]

const routeLayersOf = (theme: MapTheme): readonly PartLayer[] => [
  {
    id: 'route-line',
    type: 'line',
    filter: ['==', ['geometry-type'], 'LineString'],
    layout: { 'line-join': 'round' },
    paint: { 'line-color': markStyles.onTrip[theme], 'line-width': 2.5, 'line-opacity': 0.85 },
  },
  {
    id: 'route-arrow',
    type: 'symbol',
    filter: ['==', ['geometry-type'], 'LineString'],
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': 70,
      'text-field': '▶',
      'text-size': 13,
      'text-keep-upright': false,
      'text-allow-overlap': true,
    },
    paint: {
      'text-color': markStyles.onTrip[theme],
      'text-halo-color': theme === 'dark' ? '#0d1218' : '#ffffff',
      'text-halo-width': 1.5,
    },
  },
  {
    id: 'route-stop',
    type: 'circle',
    filter: ['==', ['geometry-type'], 'Point'],
    paint: {
      'circle-radius': ['+', 16, ['min', 4, ['get', 'count']]],
      'circle-color': ['case', ['get', 'takes'], '#ad6800', '#237804'],
      'circle-stroke-color': '#ffffff',
      'circle-stroke-width': 1.5,
    },
  },
  {
    id: 'route-text',
    type: 'symbol',
    filter: ['==', ['geometry-type'], 'Point'],
    layout: { 'text-field': ['get', 'text'], 'text-size': 11, 'text-allow-overlap': true },
    paint: { 'text-color': '#ffffff' },
  },
  {
    id: 'route-order',
    type: 'symbol',
    filter: ['==', ['geometry-type'], 'Point'],
    layout: {
      'text-field': ['get', 'order'],
      'text-size': 12,
      'text-anchor': 'bottom',
      'text-offset': [0, -1.5],
      'text-allow-overlap': true,
    },
    paint: {
      'text-color': theme === 'dark' ? '#e6edf5' : '#16202e',
      'text-halo-color': theme === 'dark' ? '#0d1218' : '#ffffff',
      'text-halo-width': 1.6,
    },
  },
]

type Spot = readonly [lng: number, lat: number]

function boxOf(spots: readonly Spot[]) {
  if (spots.length === 0) return null
  const [lngs, lats] = [spots.map(([lng]) => lng), spots.map(([, lat]) => lat)]
  return { west: Math.min(...lngs), east: Math.max(...lngs), south: Math.min(...lats), north: Math.max(...lats) }
}

/** Hexagons by how many riders are expected; those where some found nothing in another colour. */
export function DemandMap({ cells }: { readonly cells: readonly DemandCell[] }): ReactNode {
  const theme = useTheme().appearance
  const layers = useMemo(() => hexagonLayersOf(theme), [theme])
  const most = Math.max(0.5, ...cells.map(({ wanted }) => wanted))
  const data = useMemo(
    (): FeatureCollection => ({
      type: 'FeatureCollection',
      features: cells.map(({ ring, wanted, unmet }) => ({
        type: 'Feature',
        properties: {
          share: 0.08 + 0.6 * Math.sqrt(wanted / most),
          short: unmet >= 0.1,
          text: wanted >= 0.05 ? wanted.toFixed(1) : '',
        },
        geometry: { type: 'Polygon', coordinates: [ring] },
      })),
    }),
    [cells, most],
  )
  const focus = useMemo(() => boxOf(cells.flatMap(({ ring }) => ring)), [cells])
  return (
    <FocusMap label={t('用车需求')} focus={focus}>
      <GeoLayers id="demand" data={data} layers={layers} />
    </FocusMap>
  )
}

/** The van's way from stop to stop: what is taken in one colour, what is left in another. */
export function RouteMap({ stops }: { readonly stops: readonly PlanStop[] }): ReactNode {
  const theme = useTheme().appearance
  const layers = useMemo(() => routeLayersOf(theme), [theme])
  const data = useMemo((): FeatureCollection => {
    const line = stops.map(({ lng, lat }) => [lng, lat])
    const way: Feature[] =
      line.length < 2 ? [] : [{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: line } }]
    const points = stops.map(({ lng, lat, load }, at): Feature => ({
      type: 'Feature',
      properties: {
        order: String(at + 1),
        text: load > 0 ? t('装 {{number}} ↑', { number: load }) : t('卸 {{number}} ↓', { number: -load }),
        takes: load > 0,
        count: Math.abs(load),
      },
      geometry: { type: 'Point', coordinates: [lng, lat] },
    }))
    return { type: 'FeatureCollection', features: [...way, ...points] }
  }, [stops])
  const focus = useMemo(() => boxOf(stops.map(({ lng, lat }) => [lng, lat])), [stops])
  return (
    <FocusMap label={t('调度路线')} focus={focus}>
      <GeoLayers id="route" data={data} layers={layers} />
    </FocusMap>
  )
}
