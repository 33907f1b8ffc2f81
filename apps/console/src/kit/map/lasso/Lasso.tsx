import type { FeatureCollection } from 'geojson'
import type { MapMouseEvent } from 'maplibre-gl'
import { useEffect, useMemo } from 'react'
import { useMap } from '#kit/map/context.ts'
import { GeoLayers, type PartLayer } from '#kit/map/GeoLayers.tsx'
import type { MapTheme } from '#kit/map/palette.ts'
import { markStyles } from '#kit/theme/vehicleColours.ts'
import type { Corner } from './polygon.ts'

interface Props {
  readonly corners: readonly Corner[]
  readonly drawing: boolean
  readonly theme: MapTheme
  readonly onCorner: (corner: Corner) => void
}

/** A shape that is drawn corner by corner, by clicks or taps. */
export function Lasso({ corners, drawing, theme, onCorner }: Props) {
  const access = useMap()
  useEffect(() => {
    if (access === null || !drawing) return
    const { map } = access
    const click = ({ lngLat }: MapMouseEvent) => onCorner([lngLat.lng, lngLat.lat])
    map.on('click', click)
    map.doubleClickZoom.disable()
    map.getCanvas().style.cursor = 'crosshair'
    return () => {
      map.off('click', click)
      map.doubleClickZoom.enable()
      map.getCanvas().style.cursor = ''
    }
  }, [access, drawing, onCorner])
  const data = useMemo(() => shapeOf(corners), [corners])
  const layers = useMemo(() => layersOf(theme), [theme])
  return <GeoLayers id="lasso" data={data} layers={layers} />
}

function shapeOf(corners: readonly Corner[]): FeatureCollection {
  const positions = corners.map(([lng, lat]) => [lng, lat])
  const [first] = positions
  return {
    type: 'FeatureCollection',
    features: [
      ...(first !== undefined && positions.length > 1
        ? [
            {
              type: 'Feature' as const,
              properties: {},
              geometry: { type: 'Polygon' as const, coordinates: [[...positions, first]] },
            },
          ]
        : []),
      ...positions.map((coordinates) => ({
        type: 'Feature' as const,
        properties: {},
        geometry: { type: 'Point' as const, coordinates },
      })),
    ],
  }
}

function layersOf(theme: MapTheme): readonly PartLayer[] {
  const colour = markStyles.onTrip[theme]
  return [
    {
      id: 'lasso-fill',
      type: 'fill',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': colour, 'fill-opacity': 0.14 },
    },
    {
      id: 'lasso-line',
      type: 'line',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'line-color': colour, 'line-width': 2 },
    },
    {
      id: 'lasso-corner',
      type: 'circle',
      filter: ['==', ['geometry-type'], 'Point'],
      paint: { 'circle-radius': 5, 'circle-color': '#ffffff', 'circle-stroke-color': colour, 'circle-stroke-width': 2 },
    },
  ]
}
