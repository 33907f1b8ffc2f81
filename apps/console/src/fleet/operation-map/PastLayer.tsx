import type { FeatureCollection } from 'geojson'
import { useMemo } from 'react'
import { useMapPart } from '#kit/map/context.ts'
import { GeoLayers, type PartLayer } from '#kit/map/GeoLayers.tsx'
import type { MapPart } from '#kit/map/parts.ts'
import type { MapTheme } from '#kit/map/palette.ts'
import { addVehicleIcons } from './icons.ts'
import type { PastPlace } from './replay.ts'
import { drawOrder, iconName } from './symbol.ts'

/** The fleet as it was. */
export function PastLayer({ places, theme }: { places: readonly PastPlace[]; theme: MapTheme }) {
  useMapPart(
    useMemo(
      (): MapPart => ({ id: 'past-icons', add: (map) => addVehicleIcons(map, theme), remove: () => undefined }),
      [theme],
    ),
  )
  const data = useMemo(
    (): FeatureCollection => ({
      type: 'FeatureCollection',
      features: places.map(({ id, lat, lng, state }) => ({
        type: 'Feature',
        id,
        properties: {
          icon: iconName({ state, headingDeg: null }),
          order: drawOrder({ state, badge: 'none', headingDeg: null }),
        },
        geometry: { type: 'Point', coordinates: [lng, lat] },
      })),
    }),
    [places],
  )
  return <GeoLayers id="past" data={data} layers={layers} />
}

const layers: readonly PartLayer[] = [
  {
    id: 'past-symbol',
    type: 'symbol',
    layout: {
      'icon-image': ['get', 'icon'],
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
      'icon-size': ['interpolate', ['linear'], ['zoom'], 9, 0.38, 12, 0.6, 14, 0.78, 16, 0.95],
      'symbol-sort-key': ['get', 'order'],
    },
  },
]
