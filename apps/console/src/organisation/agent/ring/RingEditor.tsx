import type { FeatureCollection } from 'geojson'
import type { Map as MapLibre, MapMouseEvent, MapTouchEvent, PointLike } from 'maplibre-gl'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useMap } from '#kit/map/context.ts'
import { GeoLayers, type PartLayer } from '#kit/map/GeoLayers.tsx'
import { inserted, middlesOf, moved, ringOf, type Corner, type Corners } from '#kit/map/draw/corners.ts'

interface Props {
  readonly corners: Corners
  /** Index of the corner that a key or a button would remove. */
  readonly picked: number | null
  readonly isWrong: boolean
  readonly onChange: (next: Corners) => void
  readonly onPick: (index: number | null) => void
}

/** A finger needs more room than a pointer. */
const reachPx = { mouse: 8, touch: 22 } as const

/** The boundary on the map: corners are dragged, the middle of a side is pulled out into a new corner. */
export function RingEditor({ corners, picked, isWrong, onChange, onPick }: Props) {
  const access = useMap()
  /** What is seen while a corner is held; null while none is. */
  const [held, setHeld] = useState<Corners | null>(null)
  const latest = useRef({ corners, onChange, onPick })
  useEffect(() => {
    latest.current = { corners, onChange, onPick }
  })

  useEffect(() => {
    if (access === null) return undefined
    return listen(access.map, {
      corners: () => latest.current.corners,
      onHold: setHeld,
      onPick: (index) => latest.current.onPick(index),
      onDone: (next) => {
        setHeld(null)
        latest.current.onChange(next)
      },
    })
  }, [access])

  const shown = held ?? corners
  const data = useMemo(() => featuresOf(shown, picked), [shown, picked])
  const layers = useMemo(() => layersOf(isWrong), [isWrong])
  return <GeoLayers id="ring" data={data} layers={layers} />
}

interface Hand {
  readonly corners: () => Corners
  readonly onHold: (next: Corners | null) => void
  readonly onPick: (index: number | null) => void
  readonly onDone: (next: Corners) => void
}

function listen(map: MapLibre, hand: Hand): () => void {
  let hold: { readonly index: number; readonly from: Corners; next: Corners | null } | null = null

  const take = (event: MapMouseEvent | MapTouchEvent, reach: number): void => {
    const found = handleAt(map, event.point, reach)
    if (found === null) return
    event.preventDefault()
    const corners = hand.corners()
    const at: Corner = [event.lngLat.lng, event.lngLat.lat]
    const isNew = found.kind === 'middle'
    const from = isNew ? inserted(corners, found.index, at) : corners
    hold = { index: isNew ? found.index + 1 : found.index, from, next: isNew ? from : null }
    hand.onPick(hold.index)
  }
  const drag = (event: MapMouseEvent | MapTouchEvent): void => {
    if (hold === null) {
      map.getCanvas().style.cursor = handleAt(map, event.point, reachPx.mouse) === null ? '' : 'move'
      return
    }
    hold.next = moved(hold.from, hold.index, [event.lngLat.lng, event.lngLat.lat])
    hand.onHold(hold.next)
  }
  const release = (): void => {
    if (hold === null) return
    const { next } = hold
    hold = null
    if (next === null) hand.onHold(null)
    else hand.onDone(next)
  }
  const down = (event: MapMouseEvent): void => {
    if (event.originalEvent.button === 0) take(event, reachPx.mouse)
  }
  const touch = (event: MapTouchEvent): void => {
    if (event.points.length === 1) take(event, reachPx.touch)
  }
  const elsewhere = (event: MapMouseEvent): void => {
    if (handleAt(map, event.point, reachPx.mouse) === null) hand.onPick(null)
  }
  map.on('mousedown', down)
  map.on('touchstart', touch)
  map.on('mousemove', drag)
  map.on('touchmove', drag)
  map.on('click', elsewhere)
  // A corner may be let go outside of the map.
  globalThis.addEventListener('mouseup', release)
  globalThis.addEventListener('touchend', release)
  return () => {
    map.off('mousedown', down)
    map.off('touchstart', touch)
    map.off('mousemove', drag)
    map.off('touchmove', drag)
    map.off('click', elsewhere)
    globalThis.removeEventListener('mouseup', release)
    globalThis.removeEventListener('touchend', release)
    map.getCanvas().style.cursor = ''
  }
}

type Handle = { readonly kind: 'corner' | 'middle'; readonly index: number }

/** The handle under a point; a corner before a middle. */
function handleAt(map: MapLibre, { x, y }: { readonly x: number; readonly y: number }, reach: number): Handle | null {
  if (map.getLayer('ring-corner') === undefined) return null
  const box: [PointLike, PointLike] = [
    [x - reach, y - reach],
    [x + reach, y + reach],
  ]
  for (const kind of ['corner', 'middle'] as const) {
    const [feature] = map.queryRenderedFeatures(box, { layers: [`ring-${kind}`] })
    if (feature !== undefined) return { kind, index: Number(feature.properties.index) }
  }
  return null
}

function featuresOf(corners: Corners, picked: number | null): FeatureCollection {
  const point = (kind: Handle['kind']) => (coordinates: Corner, index: number) => ({
    type: 'Feature' as const,
    properties: { kind, index, picked: kind === 'corner' && index === picked },
    geometry: { type: 'Point' as const, coordinates: [...coordinates] },
  })
  return {
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        properties: { kind: 'area' },
        geometry: { type: 'Polygon', coordinates: [ringOf(corners)] },
      },
      ...middlesOf(corners).map(point('middle')),
      ...corners.map(point('corner')),
    ],
  }
}

function layersOf(isWrong: boolean): readonly PartLayer[] {
  const colour = isWrong ? '#c4232b' : '#0958d9'
  return [
    {
      id: 'ring-fill',
      type: 'fill',
      filter: ['==', ['get', 'kind'], 'area'],
      paint: { 'fill-color': colour, 'fill-opacity': 0.14 },
    },
    {
      id: 'ring-line',
      type: 'line',
      filter: ['==', ['get', 'kind'], 'area'],
      paint: { 'line-color': colour, 'line-width': 2.4 },
    },
    {
      id: 'ring-middle',
      type: 'circle',
      filter: ['==', ['get', 'kind'], 'middle'],
      paint: {
        'circle-radius': 4,
        'circle-color': '#ffffff',
        'circle-opacity': 0.8,
        'circle-stroke-color': colour,
        'circle-stroke-width': 1,
      },
    },
    {
      id: 'ring-corner',
      type: 'circle',
      filter: ['==', ['get', 'kind'], 'corner'],
      paint: {
        'circle-radius': ['case', ['get', 'picked'], 8, 6],
        'circle-color': ['case', ['get', 'picked'], colour, '#ffffff'],
        'circle-stroke-color': colour,
        'circle-stroke-width': 2,
      },
    },
  ]
}
