import type { GeoJSONSource, Map as MapLibre, MapMouseEvent } from 'maplibre-gl'
import { useEffect, useMemo, useRef } from 'react'
import { useMap, useMapPart } from '#kit/map/context.ts'
import type { MapPart } from '#kit/map/parts.ts'
import type { MapTheme } from '#kit/map/palette.ts'
import { drawIntervalMs, featuresOf } from './features.ts'
import type { Filter } from './filter.ts'
import { addVehicleIcons } from './icons.ts'
import { stateColour } from './shapes.ts'
import type { VehicleStore } from './store.ts'

interface Props {
  readonly store: VehicleStore
  readonly filter: Filter
  readonly selectedId: number | null
  readonly theme: MapTheme
  readonly onPick: (id: number | null) => void
}

const source = 'vehicles'
/** Below this a vehicle that needs nobody is a dot. */
const quietBelowZoom = 13.5
/** From here on there is room for the battery around a mark. */
const batteryFromZoom = 15
const pointer = { fine: 10, coarse: 22 } as const

/** Vehicles as symbols that glide to their reported positions; renders nothing itself. */
export function VehicleLayer({ store, filter, selectedId, theme, onPick }: Props) {
  useMapPart(useMemo(() => vehiclePart(theme), [theme]))
  useDrawing({ store, filter, selectedId })
  usePicking(onPick)
  return null
}

function vehiclePart(theme: MapTheme): MapPart {
  return {
    id: source,
    add(map) {
      addVehicleIcons(map, theme)
      if (map.getSource(source) !== undefined) return
      map.addSource(source, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
      addLayers(map, theme)
    },
    remove(map) {
      for (const layer of ['vehicle-badge', 'vehicle-symbol', 'vehicle-battery', 'vehicle-halo']) {
        if (map.getLayer(layer) !== undefined) map.removeLayer(layer)
      }
      if (map.getSource(source) !== undefined) map.removeSource(source)
    },
  }
}

function addLayers(map: MapLibre, theme: MapTheme): void {
  map.addLayer({
    id: 'vehicle-halo',
    type: 'circle',
    source,
    filter: ['get', 'selected'],
    paint: {
      'circle-radius': 21,
      'circle-color': stateColour('on_trip', theme),
      'circle-opacity': 0.22,
      'circle-stroke-color': stateColour('on_trip', theme),
      'circle-stroke-width': 2,
    },
  })
  map.addLayer({
    id: 'vehicle-battery',
    type: 'symbol',
    source,
    minzoom: batteryFromZoom,
    filter: ['!=', ['get', 'battery'], ''],
    layout: {
      'icon-image': ['get', 'battery'],
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
      'icon-size': ['interpolate', ['linear'], ['zoom'], batteryFromZoom, 0.72, 16, 0.9],
    },
  })
  map.addLayer({
    id: 'vehicle-symbol',
    type: 'symbol',
    source,
    layout: {
      'icon-image': ['step', ['zoom'], ['get', 'far'], quietBelowZoom, ['get', 'icon']],
      'icon-rotate': ['get', 'rotate'],
      'icon-rotation-alignment': 'map',
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
      'icon-size': ['interpolate', ['linear'], ['zoom'], 9, 0.38, 12, 0.6, 14, 0.78, 16, 0.95],
      'symbol-sort-key': ['get', 'order'],
    },
  })
  map.addLayer({
    id: 'vehicle-badge',
    type: 'symbol',
    source,
    minzoom: 11,
    filter: ['!=', ['get', 'badge'], ''],
    layout: {
      'icon-image': ['get', 'badge'],
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
      'icon-size': ['interpolate', ['linear'], ['zoom'], 11, 0.6, 14, 0.8, 16, 0.95],
      'icon-offset': [11, -11],
    },
  })
}

type Drawn = Pick<Props, 'store' | 'filter' | 'selectedId'>

/** Draws when something changed or is on its way, never more often than the eye needs. */
function useDrawing({ store, filter, selectedId }: Drawn): void {
  const access = useMap()
  const wanted = useRef({ filter, selectedId })
  const dirty = useRef(true)
  useEffect(() => {
    wanted.current = { filter, selectedId }
    dirty.current = true
  }, [filter, selectedId])

  useEffect(() => {
    if (access === null) return
    const { map } = access
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    let frame = 0
    let drawnAt = 0
    let version = -1
    const markDirty = () => {
      dirty.current = true
    }
    const draw = (nowMs: number) => {
      frame = requestAnimationFrame(draw)
      const moving = !calm && store.gliding(Date.now())
      if (!dirty.current && version === store.version() && !moving) return
      if (nowMs - drawnAt < drawIntervalMs(store.all().size)) return
      const target = map.getSource<GeoJSONSource>(source)
      if (target === undefined) return
      const at = calm ? Number.POSITIVE_INFINITY : Date.now()
      void target.setData({ type: 'FeatureCollection', features: featuresOf({ store, ...wanted.current, nowMs: at }) })
      const { dataset } = map.getContainer()
      dataset['selected'] = wanted.current.selectedId === null ? '' : String(wanted.current.selectedId)
      // A last time after the glide ends, so that every vehicle stands where it was reported.
      dirty.current = moving
      drawnAt = nowMs
      version = store.version()
    }
    map.on('style.load', markDirty)
    frame = requestAnimationFrame(draw)
    return () => {
      cancelAnimationFrame(frame)
      map.off('style.load', markDirty)
    }
  }, [access, store])
}

/** A tap near a vehicle picks the nearest one; a tap on the open map picks none. */
function usePicking(onPick: (id: number | null) => void): void {
  const access = useMap()
  useEffect(() => {
    if (access === null) return
    const { map } = access
    const reach = matchMedia('(pointer: coarse)').matches ? pointer.coarse : pointer.fine
    const click = (event: MapMouseEvent) => onPick(vehicleAt(map, event, reach))
    const move = (event: MapMouseEvent) => {
      map.getCanvas().style.cursor = vehicleAt(map, event, 4) === null ? '' : 'pointer'
    }
    map.on('click', click)
    map.on('mousemove', move)
    return () => {
      map.off('click', click)
      map.off('mousemove', move)
    }
  }, [access, onPick])
}

function vehicleAt(map: MapLibre, { point }: MapMouseEvent, reach: number): number | null {
  if (map.getLayer('vehicle-symbol') === undefined) return null
  const found = map.queryRenderedFeatures(
    [
      [point.x - reach, point.y - reach],
      [point.x + reach, point.y + reach],
    ],
    { layers: ['vehicle-symbol'] },
  )
  let nearest: number | null = null
  let shortest = Number.POSITIVE_INFINITY
  for (const { geometry, properties } of found) {
    if (geometry.type !== 'Point') continue
    const [lng = 0, lat = 0] = geometry.coordinates
    const at = map.project([lng, lat])
    const distance = Math.hypot(at.x - point.x, at.y - point.y)
    if (distance >= shortest) continue
    shortest = distance
    nearest = Number(properties['id'])
  }
  return nearest
}
