import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { clientConfig } from '#kit/config.ts'
import { boundsAt, type MapBounds, type MapViewpoint } from '#kit/map/view.ts'
import type { MapLinkState } from './useMapLink.ts'
import type { LiveVehicles } from './useLiveVehicles.ts'

const wholeCountry: MapViewpoint = { lng: 105, lat: 35, zoom: 4 }
const cityZoom = 12.4
const linkPauseMs = 400

/** Where the map was left in this page load, for a return without a link. */
let lastView: MapViewpoint | null = null

export function firstView(linked: MapViewpoint | null): MapViewpoint {
  const { city } = clientConfig()
  return linked ?? lastView ?? (city === null ? wholeCountry : { ...city.centre, zoom: cityZoom })
}

interface Options extends Pick<LiveVehicles, 'setLook'>, Pick<MapLinkState, 'change'> {
  readonly initial: MapViewpoint
}

interface MapViewState {
  /** The element that the map will fill. */
  readonly frame: RefObject<HTMLDivElement | null>
  readonly bounds: MapBounds | null
  readonly onView: (view: MapViewpoint, bounds: MapBounds) => void
}

/**
 * What the map shows. The vehicles of the first view are asked for before the map is there: list and counts do not wait for it.
 */
export function useMapView({ initial, setLook, change }: Options): MapViewState {
  const frame = useRef<HTMLDivElement>(null)
  const [bounds, setBounds] = useState<MapBounds | null>(null)
  const isLooking = useRef(false)
  const look = useCallback(
    (view: MapViewpoint, next: MapBounds) => {
      isLooking.current = true
      setLook({ bounds: next, zoom: view.zoom })
      setBounds(next)
    },
    [setLook],
  )
  useEffect(() => {
    if (frame.current === null || isLooking.current) return
    const { clientWidth: width, clientHeight: height } = frame.current
    look(initial, boundsAt(initial, { width, height }))
  }, [initial, look])
  const onView = useCallback(
    (view: MapViewpoint, next: MapBounds) => {
      lastView = view
      look(view, next)
      change({ view }, linkPauseMs)
    },
    [look, change],
  )
  return { frame, bounds, onView }
}
