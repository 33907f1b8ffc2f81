import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { clientConfig } from '#kit/config.ts'
import { useMap } from './context.ts'
import { MapControls, MapScale } from './MapControls.tsx'
import { MapView } from './MapView.tsx'
import type { MapBounds, MapViewpoint } from './view.ts'
import { useTheme } from '#kit/theme/settings.ts'

interface Props {
  readonly label: string
  /** The map flies there whenever it changes. */
  readonly focus: MapBounds | null
  /** How often a person has asked to be shown something: asked again, the map flies to the same place again. */
  readonly asked?: number
  readonly onView?: (bounds: MapBounds) => void
  readonly children?: ReactNode
}

/** A map that flies to its focus, over the city's own tiles if there are any. */
export default function FocusMap({ label, focus, asked = 0, onView, children }: Props): ReactNode {
  const { city } = clientConfig()
  const theme = useTheme().appearance
  const [initial] = useState<MapViewpoint>(() => ({
    lng: city?.centre.lng ?? 105,
    lat: city?.centre.lat ?? 35,
    zoom: city === null ? 4 : 11,
  }))
  const tell = useCallback((_: MapViewpoint, bounds: MapBounds) => onView?.(bounds), [onView])
  return (
    <MapView label={label} theme={theme} initial={initial} onView={tell}>
      <Focus bounds={focus} asked={asked} />
      {children}
      <MapControls home={city?.bounds ?? null} />
      <footer className="map-foot">
        <MapScale />
      </footer>
    </MapView>
  )
}

export function Focus({ bounds, asked }: { readonly bounds: MapBounds | null; readonly asked: number }): ReactNode {
  const access = useMap()
  const key = bounds === null ? null : [...Object.values(bounds), asked].join(' ')
  const shown = useRef<string | null>(null)
  useEffect(() => {
    if (access === null || bounds === null || shown.current === key) return
    const isFirst = shown.current === null
    shown.current = key
    const { west, south, east, north } = bounds
    access.map.fitBounds([west, south, east, north], { padding: 48, maxZoom: 17, duration: isFirst ? 0 : 350 })
  }, [access, bounds, key])
  return null
}
