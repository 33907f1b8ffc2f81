import type { Feature, FeatureCollection, Position } from 'geojson'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Fence } from '@saddle/contract/geography/fences.ts'
import { cornersOfCircle } from '@saddle/geo/earth.ts'
import { GeoLayers, type PartLayer } from './GeoLayers.tsx'
import type { MapTheme } from './palette.ts'

interface Props {
  readonly list: readonly Fence[]
  readonly theme: MapTheme
  /** Drawn under this layer. */
  readonly below?: string
  /** The highlighted fence. */
  readonly selectedId?: number | null
  /** Vehicles in parking places, by the number of the line: their name says how many, their colour how full they are. */
  readonly parked?: ReadonlyMap<number, number> | null
  /** A click on a fence, by the number of its line. */
  readonly onPick?: (lineId: number) => void
}

/** Service areas, parking places and zones where nobody may park, as shapes on a map. */
export function FenceShapes({ list, theme, below, selectedId = null, parked = null, onPick }: Props) {
  const features = useMemo(
    (): FeatureCollection => ({
      type: 'FeatureCollection',
      features: list.map((fence) => featureOf(fence, fence.lineId === selectedId, parked?.get(fence.lineId))),
    }),
    [list, selectedId, parked],
  )
  const layers = useMemo(() => layersOf(theme), [theme])
  const latest = useRef(onPick)
  useEffect(() => {
    latest.current = onPick
  }, [onPick])
  const [pick] = useState(() => (properties: Readonly<Record<string, unknown>>) => {
    latest.current?.(Number(properties['line']))
  })
  return (
    <GeoLayers
      id="fences"
      data={features}
      layers={layers}
      {...(below !== undefined && { below })}
      {...(onPick !== undefined && { onPick: pick })}
    />
  )
}

/** Empty, holding more than it is meant for, or neither. */
function fillOf(count: number | undefined, capacity: number | null): string {
  if (count === undefined) return 'unknown'
  if (count === 0) return 'empty'
  return capacity !== null && count > capacity ? 'over' : 'some'
}

function featureOf(fence: Fence, isSelected: boolean, count: number | undefined): Feature {
  const ring: Position[] = fence.ring === null ? circle(fence) : fence.ring.map(([lng, lat]) => [lng, lat])
  const holes = fence.holes.map((hole): Position[] => hole.map(([lng, lat]) => [lng, lat]))
  return {
    type: 'Feature',
    id: fence.id,
    properties: {
      line: fence.lineId,
      kind: fence.kind,
      name: count === undefined ? fence.name : `${fence.name}\n${count}/${fence.capacity ?? '–'}`,
      fill: fillOf(count, fence.capacity),
      capacity: fence.capacity,
      selected: isSelected,
    },
    geometry: { type: 'Polygon', coordinates: [ring, ...holes] },
  }
}

const corners = 32

function circle({ centre, radiusM }: Fence): Position[] {
  const ring = cornersOfCircle(centre, radiusM ?? 0, corners).map(([lng, lat]): Position => [lng, lat])
  return ring.concat(ring.slice(0, 1))
}

function layersOf(theme: MapTheme): readonly PartLayer[] {
  const dark = theme === 'dark'
  const bad = dark ? '#ff6b70' : '#c4232b'
  const kind = [
    'match',
    ['get', 'kind'],
    'parking',
    dark ? '#3ecf9a' : '#12805c',
    'no_stop',
    bad,
    dark ? '#5b8ff0' : '#3b6fd4',
  ]
  const colour = ['match', ['get', 'fill'], 'empty', bad, 'over', bad, kind] as never
  return [
    {
      id: 'fence-fill',
      type: 'fill',
      paint: {
        'fill-color': colour,
        'fill-opacity': [
          'case',
          ['get', 'selected'],
          0.4,
          ['==', ['get', 'kind'], 'service_area'],
          0.04,
          ['==', ['get', 'fill'], 'empty'],
          0.02,
          ['==', ['get', 'fill'], 'over'],
          0.55,
          0.22,
        ],
      },
    },
    {
      id: 'fence-line',
      type: 'line',
      paint: { 'line-color': colour, 'line-width': ['case', ['get', 'selected'], 3.2, 1.6], 'line-dasharray': [3, 2] },
    },
    {
      id: 'fence-name',
      type: 'symbol',
      minzoom: 15,
      filter: ['!=', ['get', 'kind'], 'service_area'],
      layout: { 'text-field': ['get', 'name'], 'text-size': 11, 'text-anchor': 'top', 'text-offset': [0, 0.6] },
      paint: { 'text-color': colour, 'text-halo-color': dark ? '#0d1218' : '#ffffff', 'text-halo-width': 1.4 },
    },
  ]
}
