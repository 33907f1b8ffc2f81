import type { FeatureCollection } from 'geojson'
import { useMemo } from 'react'
import { GeoLayers, type PartLayer } from '#kit/map/GeoLayers.tsx'
import type { MapTheme } from '#kit/map/palette.ts'
import { hexColours } from './hexColours.ts'

interface Cell {
  readonly cell: string
  readonly count: number
  readonly ring: readonly (readonly [number, number])[]
}

/** Hexagons, stronger in colour the fuller they are; counts are shown when there is room. */
export function HexLayer({ cells, theme, below }: { cells: readonly Cell[]; theme: MapTheme; below?: string }) {
  const data = useMemo((): FeatureCollection => {
    const most = Math.max(1, ...cells.map((cell) => cell.count))
    return {
      type: 'FeatureCollection',
      features: cells.map(({ count, ring }) => ({
        type: 'Feature',
        // The root keeps the many small ones apart from each other beside the one great one.
        properties: { count, share: Math.sqrt(count / most) },
        geometry: { type: 'Polygon', coordinates: [ring.map(([lng, lat]) => [lng, lat])] },
      })),
    }
  }, [cells])
  const layers = useMemo(() => layersOf(theme), [theme])
  return <GeoLayers id="hexagons" data={data} layers={layers} {...(below !== undefined && { below })} />
}

function layersOf(theme: MapTheme): readonly PartLayer[] {
  const steps = hexColours(theme)
  return [
    {
      id: 'hexagon-fill',
      type: 'fill',
      paint: {
        'fill-color': [
          'interpolate',
          ['linear'],
          ['get', 'share'],
          ...steps.flatMap((colour, index) => [index / (steps.length - 1), colour]),
        ] as never,
        'fill-opacity': 0.62,
      },
    },
    {
      id: 'hexagon-count',
      type: 'symbol',
      minzoom: 13.5,
      layout: { 'text-field': ['to-string', ['get', 'count']], 'text-size': 11 },
      paint: {
        'text-color': theme === 'dark' ? '#ffffff' : '#2b1205',
        'text-halo-color': theme === 'dark' ? '#000000' : '#ffffff',
        'text-halo-width': 1.2,
      },
    },
  ]
}
