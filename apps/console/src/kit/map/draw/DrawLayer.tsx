import type { Feature, FeatureCollection } from 'geojson'
import { useEffect, useMemo, useRef, useState } from 'react'
import { outlineOf } from '@saddle/geo/shape.ts'
import { useMap } from '#kit/map/context.ts'
import { GeoLayers } from '#kit/map/GeoLayers.tsx'
import { middlesOf, ringOf, type Corner, type Corners } from './corners.ts'
import { drawLayers } from './layers.ts'
import { bindPointer, type PointerInput } from './pointer.ts'
import { centreOf, rimOf, shapeOf, type Picked, type Polygon, type Sketch } from './sketch.ts'
import { snapped, type Lines } from './snap.ts'
import type { Tool } from './useDrawing.ts'

export interface DrawLayerProps {
  readonly sketch: Sketch | null
  /** Pieces that were cut off, each a separate fence. */
  readonly others: readonly Polygon[]
  readonly tool: Tool
  readonly draft: Corners
  readonly picked: Picked | null
  readonly isWrong: boolean
  /** Lines that corners snap to; null: none. */
  readonly targets: Lines | null
  readonly onChange: (next: Sketch) => void
  readonly onPlace: (corner: Corner) => void
  readonly onPick: (picked: Picked | null) => void
  /** The unfinished line is finished. */
  readonly onFinish: () => void
}

/** The drawing with its handles, above the existing fences. */
export function DrawLayer(props: DrawLayerProps) {
  const { sketch, others, tool, draft, picked, isWrong } = props
  const access = useMap()
  /** Preview while a handle is dragged or the pointer moves; it takes effect only on release. */
  const [held, setHeld] = useState<Sketch | null>(null)
  const [pointer, setPointer] = useState<Corner | null>(null)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    if (access === null) return undefined
    const { map } = access
    const input: PointerInput = {
      now: () => latest.current,
      snap: (event) => {
        const at: Corner = [event.lngLat.lng, event.lngLat.lat]
        const { targets } = latest.current
        if (targets === null || event.originalEvent.altKey) return at
        const beside = map.unproject([event.point.x + snapPx, event.point.y + snapPx])
        return snapped(at, targets, { lng: Math.abs(beside.lng - at[0]), lat: Math.abs(beside.lat - at[1]) })
      },
      onHold: setHeld,
      onPointer: setPointer,
    }
    return bindPointer(map, input)
  }, [access])
  useEffect(() => {
    if (access === null) return undefined
    const { doubleClickZoom, keyboard } = access.map
    // A double click finishes a line, and arrow keys move the picked corner.
    doubleClickZoom.disable()
    if (picked === null) keyboard.enable()
    else keyboard.disable()
    return () => {
      doubleClickZoom.enable()
      keyboard.enable()
    }
  }, [access, picked])

  const shown = held ?? sketch
  const trail = useMemo(
    () => (tool === 'edit' || tool === 'circle' || pointer === null ? draft : [...draft, pointer]),
    [draft, pointer, tool],
  )
  const data = useMemo(
    () => featuresOf({ shown, others, trail, tool, picked, placed: draft.length }),
    [shown, others, trail, tool, picked, draft.length],
  )
  const layers = useMemo(() => drawLayers(isWrong), [isWrong])
  return <GeoLayers id="draw" data={data} layers={layers} />
}

const snapPx = 10

interface Shown {
  readonly shown: Sketch | null
  readonly others: readonly Polygon[]
  readonly trail: Corners
  readonly tool: Tool
  readonly picked: Picked | null
  readonly placed: number
}

function featuresOf({ shown, others, trail, tool, picked, placed }: Shown): FeatureCollection {
  const features: Feature[] = []
  for (const [index, other] of others.entries()) features.push(area(other, { kind: 'other', name: String(index + 2) }))
  if (shown !== null) features.push(area(shown, { kind: 'area', name: others.length > 0 ? '1' : '' }))
  if (trail.length > 1) {
    const coordinates = trail.map((corner) => [...corner])
    features.push({ type: 'Feature', properties: { kind: 'draft' }, geometry: { type: 'LineString', coordinates } })
  }
  for (const [index, corner] of trail.slice(0, placed).entries()) {
    features.push(point(corner, { kind: index === 0 ? 'first' : 'placed' }))
  }
  if (shown !== null && tool === 'edit') features.push(...handlesOf(shown, picked))
  return { type: 'FeatureCollection', features }
}

function area(sketch: Sketch, properties: Feature['properties']): Feature {
  const rings = sketch.kind === 'circle' ? [outlineOf(shapeOf(sketch))] : sketch.lines.map(ringOf)
  const coordinates = rings.map((ring) => ring.map(([lng, lat]) => [lng, lat]))
  return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates } }
}

const point = (corner: Corner, properties: Feature['properties']): Feature => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates: [...corner] },
})

function handlesOf(sketch: Sketch, picked: Picked | null): Feature[] {
  const centre = point(centreOf(sketch), { kind: 'centre' })
  if (sketch.kind === 'circle') return [centre, point(rimOf(sketch), { kind: 'rim' })]
  const lines = sketch.lines.flatMap((corners, line) => [
    ...middlesOf(corners).map((corner, index) => point(corner, { kind: 'middle', line, index })),
    ...corners.map((corner, index) =>
      point(corner, { kind: 'corner', line, index, picked: picked?.line === line && picked.index === index }),
    ),
  ])
  return [centre, ...lines]
}
