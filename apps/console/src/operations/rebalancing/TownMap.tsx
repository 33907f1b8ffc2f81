import type { Feature, FeatureCollection } from 'geojson'
import { useMemo, type ReactNode } from 'react'
import type { DemandCell, PlanStop } from '@saddle/contract/operations/rebalancing.ts'
import { t } from '#kit/i18n/index.ts'
import FocusMap from '#kit/map/FocusMap.tsx'
import { GeoLayers, type PartLayer } from '#kit/map/GeoLayers.tsx'

const hexagonLayers: readonly PartLayer[] = [
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
    paint: { 'text-color': '#16202e', 'text-halo-color': '#ffffff', 'text-halo-width': 1.4 },
  },
]

const routeLayers: readonly PartLayer[] = [
  {
    id: 'route-line',
    type: 'line',
    filter: ['==', ['geometry-type'], 'LineString'],
    layout: { 'line-join': 'round' },
    paint: { 'line-color': '#0958d9', 'line-width': 2.5, 'line-opacity': 0.75 },
  },
  {
    id: 'route-stop',
    type: 'circle',
    filter: ['==', ['geometry-type'], 'Point'],
    paint: {
      'circle-radius': ['+', 12, ['min', 6, ['get', 'count']]],
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
]

type Spot = readonly [lng: number, lat: number]

function boxOf(spots: readonly Spot[]) {
  if (spots.length === 0) return null
  const [lngs, lats] = [spots.map(([lng]) => lng), spots.map(([, lat]) => lat)]
  return { west: Math.min(...lngs), east: Math.max(...lngs), south: Math.min(...lats), north: Math.max(...lats) }
}

/** Hexagons by how many riders are expected; those where some found nothing in another colour. */
export function DemandMap({ cells }: { readonly cells: readonly DemandCell[] }): ReactNode {
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
      <GeoLayers id="demand" data={data} layers={hexagonLayers} />
    </FocusMap>
  )
}

/** The van's way from stop to stop: what is taken in one colour, what is left in another. */
export function RouteMap({ stops }: { readonly stops: readonly PlanStop[] }): ReactNode {
  const data = useMemo((): FeatureCollection => {
    const line = stops.map(({ lng, lat }) => [lng, lat])
    const way: Feature[] =
      line.length < 2 ? [] : [{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: line } }]
    const points = stops.map(({ lng, lat, load }): Feature => ({
      type: 'Feature',
      properties: {
        text: load > 0 ? t('装 {{number}}', { number: load }) : t('卸 {{number}}', { number: -load }),
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
      <GeoLayers id="route" data={data} layers={routeLayers} />
    </FocusMap>
  )
}
