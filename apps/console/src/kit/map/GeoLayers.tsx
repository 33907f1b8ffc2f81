import type { FeatureCollection } from 'geojson'
import type { AddLayerObject, GeoJSONSource, MapMouseEvent } from 'maplibre-gl'
import { useEffect, useMemo, useRef } from 'react'
import { useMap, useMapPart } from './context.ts'
import type { MapPart } from './parts.ts'

/** A layer of the part's own source. */
export type PartLayer = AddLayerObject extends infer L
  ? L extends { source?: unknown }
    ? Omit<L, 'source'>
    : never
  : never

interface Props {
  readonly id: string
  readonly data: FeatureCollection
  /** Must be stable; a new list adds the layers again. */
  readonly layers: readonly PartLayer[]
  /** The layers are inserted below the first existing layer with this name. */
  readonly below?: string
  /** A click on a feature of the first layer. */
  readonly onPick?: (properties: Readonly<Record<string, unknown>>) => void
}

/** Features with their layers on the map; renders nothing itself. */
export function GeoLayers({ id, data, layers, below, onPick }: Props) {
  const access = useMap()
  const latest = useRef(data)
  const part = useMemo(
    (): MapPart => ({
      id,
      add(map) {
        if (map.getSource(id) === undefined) map.addSource(id, { type: 'geojson', data: latest.current })
        for (const layer of layers) {
          if (map.getLayer(layer.id) !== undefined) continue
          const before = below !== undefined && map.getLayer(below) !== undefined ? below : undefined
          map.addLayer({ ...layer, source: id } as AddLayerObject, before)
        }
      },
      remove(map) {
        for (const layer of layers) if (map.getLayer(layer.id) !== undefined) map.removeLayer(layer.id)
        if (map.getSource(id) !== undefined) map.removeSource(id)
      },
    }),
    [id, layers, below],
  )
  useMapPart(part)
  useEffect(() => {
    latest.current = data
    void access?.map.getSource<GeoJSONSource>(id)?.setData(data)
  }, [access, data, id])

  const first = layers[0]?.id
  useEffect(() => {
    if (access === null || onPick === undefined || first === undefined) return
    const { map } = access
    const click = (event: MapMouseEvent) => {
      if (map.getLayer(first) === undefined) return
      const [feature] = map.queryRenderedFeatures(event.point, { layers: [first] })
      if (feature !== undefined) onPick(feature.properties)
    }
    map.on('click', click)
    return () => void map.off('click', click)
  }, [access, onPick, first])
  return null
}
