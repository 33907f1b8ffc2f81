import type { Map as MapLibre } from 'maplibre-gl'
import { createContext, useContext, useEffect } from 'react'
import type { MapHolder } from './holder.ts'
import type { MapPart } from './parts.ts'

export interface MapAccess {
  readonly holder: MapHolder
  readonly map: MapLibre
}

export const MapContext = createContext<MapAccess | null>(null)

/** The map that the component stands in; null until it is there. */
export function useMap(): MapAccess | null {
  return useContext(MapContext)
}

/** Keeps a part on the map as long as the component lives; `part` must be stable. */
export function useMapPart(part: MapPart): void {
  const access = useMap()
  useEffect(() => {
    if (access === null) return
    access.holder.install(part)
    return () => access.holder.release(part.id)
  }, [access, part])
}
