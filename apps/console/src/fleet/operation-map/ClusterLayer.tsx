import type { FeatureCollection } from 'geojson'
import { useCallback, useMemo } from 'react'
import { useMap } from '#kit/map/context.ts'
import { GeoLayers, type PartLayer } from '#kit/map/GeoLayers.tsx'
import type { MapTheme } from '#kit/map/palette.ts'
import { badgeColour, quietColour } from './shapes.ts'
import type { VehicleStore } from './store.ts'
import { useVehicleVersion } from './useLiveVehicles.ts'

const closer = 1.8

/** At low zoom, clusters show a count and, by colour, whether vehicles need attention. A click zooms in. */
export function ClusterLayer({ store, theme }: { store: VehicleStore; theme: MapTheme }) {
  const access = useMap()
  const version = useVehicleVersion(store)
  const data = useMemo(() => featuresAt(store, version), [store, version])
  const layers = useMemo(() => layersOf(theme), [theme])
  const onPick = useCallback(
    ({ lng, lat }: Readonly<Record<string, unknown>>) =>
      access?.map.easeTo({ center: [Number(lng), Number(lat)], zoom: access.map.getZoom() + closer }),
    [access],
  )
  return <GeoLayers id="clusters" data={data} layers={layers} onPick={onPick} />
}

/** `version` changes when the clusters change. */
function featuresAt(store: VehicleStore, _version: number): FeatureCollection {
  // The same object as before: giving it to the map again would draw the map again.
  if (store.clusters().size === 0) return none
  return {
    type: 'FeatureCollection',
    features: [...store.clusters().values()].map((cluster) => ({
      type: 'Feature',
      id: cluster.key,
      properties: {
        count: cluster.count,
        lng: cluster.lng,
        lat: cluster.lat,
        size: 14 + 5 * Math.log10(cluster.count),
        trouble: cluster.alarms > 0 ? 'alarm' : cluster.lowBattery / cluster.count > 0.2 ? 'low' : 'none',
      },
      geometry: { type: 'Point', coordinates: [cluster.lng, cluster.lat] },
    })),
  }
}

const none: FeatureCollection = { type: 'FeatureCollection', features: [] }

function layersOf(theme: MapTheme): readonly PartLayer[] {
  const edge = theme === 'dark' ? '#0d1218' : '#ffffff'
  return [
    {
      id: 'cluster-circle',
      type: 'circle',
      paint: {
        'circle-radius': ['get', 'size'],
        'circle-color': quietColour[theme],
        'circle-opacity': 0.92,
        'circle-stroke-width': 3,
        'circle-stroke-color': [
          'match',
          ['get', 'trouble'],
          'alarm',
          badgeColour('other', theme),
          'low',
          badgeColour('low', theme),
          edge,
        ],
      },
    },
    {
      id: 'cluster-count',
      type: 'symbol',
      layout: { 'text-field': ['to-string', ['get', 'count']], 'text-size': 12, 'text-allow-overlap': true },
      paint: { 'text-color': edge },
    },
  ]
}
