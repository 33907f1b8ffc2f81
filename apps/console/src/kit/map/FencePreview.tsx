import type { FeatureCollection } from 'geojson'
import { useMemo } from 'react'
import { outlineOf, type Shape } from '@saddle/geo/shape.ts'
import { GeoLayers, type PartLayer } from './GeoLayers.tsx'

type Ring = readonly (readonly [lng: number, lat: number])[]
/** Fences in their stored form. */
interface Previewed {
  readonly name: string
  readonly ring: Ring | null
  readonly holes: readonly Ring[]
  readonly centre: { readonly lat: number; readonly lng: number }
  readonly radiusM: number | null
  /** Invalid or omitted fences are drawn differently. */
  readonly isOff?: boolean
}

/** Fences that are not in force: of the past, or yet to come. */
export function FencePreview({ id, list }: { readonly id: string; readonly list: readonly Previewed[] }) {
  const data = useMemo(
    (): FeatureCollection => ({
      type: 'FeatureCollection',
      features: list.map(({ name, ring, holes, centre, radiusM, isOff }) => {
        const shape: Shape = ring === null ? { centre, radiusM: radiusM ?? 0 } : { ring, holes }
        const rings = [outlineOf(shape), ...(ring === null ? [] : holes)]
        const coordinates = rings.map((line) => line.map(([lng, lat]) => [lng, lat]))
        return {
          type: 'Feature',
          properties: { name, off: isOff === true },
          geometry: { type: 'Polygon', coordinates },
        }
      }),
    }),
    [list],
  )
  const layers = useMemo(() => layersOf(id), [id])
  return <GeoLayers id={id} data={data} layers={layers} />
}

function layersOf(id: string): readonly PartLayer[] {
  const colour = ['case', ['get', 'off'], '#7a8494', '#8a3ffc'] as never
  return [
    { id: `${id}-fill`, type: 'fill', paint: { 'fill-color': colour, 'fill-opacity': 0.25 } },
    {
      id: `${id}-line`,
      type: 'line',
      paint: { 'line-color': colour, 'line-width': 2, 'line-dasharray': [2, 1.5] },
    },
    {
      id: `${id}-name`,
      type: 'symbol',
      minzoom: 14,
      layout: { 'text-field': ['get', 'name'], 'text-size': 11 },
      paint: { 'text-color': colour, 'text-halo-color': '#ffffff', 'text-halo-width': 1.4 },
    },
  ]
}
