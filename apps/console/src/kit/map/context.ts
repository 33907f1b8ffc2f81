import type { Map as MapLibre } from 'maplibre-gl'
import { createContext, useContext, useEffect } from 'react'
import type { MapHolder } from './holder.ts'
import type { MapPart } from './parts.ts'

export interface MapAccess {
  readonly holder: MapHolder
  readonly map: MapLibre
}

export const MapContext = createContext<MapAccess | null>(null)

/** The map around the component; null until it exists. */
export function useMap(): MapAccess | null {
  return useContext(MapContext)
}

/** Keeps a part on the map while the component is mounted; `part` must be stable. */
export function useMapPart(part: MapPart): void {
  const access = useMap()
  useEffect(() => {
    if (access === null) return
    access.holder.install(part)
    return () => access.holder.release(part.id)
  }, [access, part])
}
