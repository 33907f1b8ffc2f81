import type { FeatureCollection } from 'geojson'
import { useCallback, useMemo } from 'react'
import { useMapPart } from '#kit/map/context.ts'
import { GeoLayers, type PartLayer } from '#kit/map/GeoLayers.tsx'
import type { MapPart } from '#kit/map/parts.ts'
import type { MapTheme } from '#kit/map/palette.ts'
import { addVehicleIcons } from './icons.ts'
import type { PastPlace } from './replay.ts'
import { stateColour } from './shapes.ts'
import { drawOrder, iconName } from './symbol.ts'

interface Props {
  readonly places: readonly PastPlace[]
  readonly theme: MapTheme
  readonly selectedId: number | null
  readonly onPick: (id: number) => void
}

/** The fleet as it was; each vehicle can be picked. */
export function PastLayer({ places, theme, selectedId, onPick }: Props) {
  const pick = useCallback(
    (properties: Readonly<Record<string, unknown>>) => onPick(Number(properties['id'])),
    [onPick],
  )
  const shown = useMemo(() => layersOf(theme), [theme])
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
          id,
          selected: id === selectedId,
          icon: iconName({ state, headingDeg: null }),
          order: drawOrder({ state, badge: 'none' as const, headingDeg: null }),
        },
        geometry: { type: 'Point', coordinates: [lng, lat] },
      })),
    }),
    [places, selectedId],
  )
  return <GeoLayers id="past" data={data} layers={shown} onPick={pick} />
}

const layersOf = (theme: MapTheme): readonly PartLayer[] => [
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
  {
    id: 'past-halo',
    type: 'circle',
    filter: ['get', 'selected'],
    paint: {
      'circle-radius': 21,
      'circle-opacity': 0,
      'circle-stroke-color': stateColour('on_trip', theme),
      'circle-stroke-width': 2.5,
    },
  },
]
