import type { Feature, FeatureCollection, Geometry } from 'geojson'
import { useCallback, useMemo } from 'react'
import type { AreaRow } from '@saddle/contract/organisation/areas.ts'
import { GeoLayers, type PartLayer } from '#kit/map/GeoLayers.tsx'
import { useTheme } from '#kit/theme/settings.ts'

interface Props {
  readonly areas: readonly AreaRow[]
  readonly selectedId: number | null
  readonly onPick?: (area: AreaRow) => void
}

/** Boundaries with their names; a stopped area is grey and dashed. */
export function AreaLayer({ areas, selectedId, onPick }: Props) {
  const theme = useTheme().appearance
  const data = useMemo(() => featuresOf(areas, selectedId), [areas, selectedId])
  const layers = useMemo(() => layersOf(theme === 'dark'), [theme])
  const pick = useCallback(
    (properties: Readonly<Record<string, unknown>>) => {
      const area = areas.find(({ id }) => id === properties.id)
      if (area !== undefined) onPick?.(area)
    },
    [areas, onPick],
  )
  return <GeoLayers id="areas" data={data} layers={layers} onPick={pick} />
}

function featuresOf(areas: readonly AreaRow[], selectedId: number | null): FeatureCollection {
  const feature = (area: AreaRow, geometry: Geometry): Feature => ({
    type: 'Feature',
    properties: {
      id: area.id,
      name: area.name,
      enabled: area.state === 'enabled',
      selected: area.id === selectedId,
    },
    geometry,
  })
  return {
    type: 'FeatureCollection',
    features: areas.flatMap((area) => [
      feature(area, { type: 'Polygon', coordinates: [area.ring] }),
      // A name of its own: on the shape it would stand once in every tile.
      feature(area, { type: 'Point', coordinates: [area.centre.lng, area.centre.lat] }),
    ]),
  }
}

const isShape = ['==', ['geometry-type'], 'Polygon'] as never

function layersOf(dark: boolean): readonly PartLayer[] {
  const colour = ['case', ['get', 'enabled'], dark ? '#5c9bff' : '#0958d9', dark ? '#93a1b3' : '#5f6b7a'] as never
  return [
    {
      id: 'area-fill',
      type: 'fill',
      filter: isShape,
      paint: { 'fill-color': colour, 'fill-opacity': ['case', ['get', 'selected'], 0.22, 0.08] },
    },
    {
      id: 'area-line',
      type: 'line',
      filter: isShape,
      paint: { 'line-color': colour, 'line-width': ['case', ['get', 'selected'], 3, 1.6] },
    },
    {
      id: 'area-name',
      type: 'symbol',
      filter: ['==', ['geometry-type'], 'Point'],
      layout: { 'text-field': ['get', 'name'], 'text-size': 12, 'text-max-width': 8 },
      paint: { 'text-color': colour, 'text-halo-color': dark ? '#0d1218' : '#ffffff', 'text-halo-width': 1.6 },
    },
  ]
}
