import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { vehicleEndpoints } from '@saddle/contract/fleet/vehicles.ts'
import type { LiveFilter } from '@saddle/contract/telemetry/live.ts'
import { liveSocket } from '#kit/live/socket.ts'
import { isSameView, widen, type MapBounds } from '#kit/map/view.ts'
import { endpointKey, queryClient } from '#kit/query.ts'
import { createVehicleStore, type VehicleStore } from './store.ts'
import { throttle } from './throttle.ts'

/** Share of the view that is asked for beyond each edge. */
const viewMargin = 0.25
const viewThrottleMs = 300
const figuresThrottleMs = 2_000

export interface Look {
  readonly bounds: MapBounds
  readonly zoom: number
}

export interface LiveVehicles {
  readonly store: VehicleStore
  readonly setLook: (look: Look) => void
}

/**
 * The vehicles around the view that pass `filter` (which must be stable), kept by the live socket while the page is shown. The
 * first view is asked for at once, later ones when the map stands still.
 */
export function useLiveVehicles(filter: LiveFilter | undefined): LiveVehicles {
  const [store] = useState(createVehicleStore)
  const [look, setAsked] = useState<Look | null>(null)
  // The map tells its first view once more when it is there; the same vehicles are not asked for twice.
  const setLook = useCallback((next: Look) => {
    setAsked((asked) => (asked?.zoom === next.zoom && isSameView(asked.bounds, next.bounds) ? asked : next))
  }, [])
  const isAsked = useRef(false)

  useEffect(() => {
    const figures = throttle(figuresThrottleMs, () => {
      void queryClient.invalidateQueries({ queryKey: endpointKey(vehicleEndpoints.aggregateByType) })
    })
    const stopFrames = liveSocket.onFrame((frame) => {
      if (store.apply(frame, Date.now()).statesChanged) figures.run()
    })
    const stopStatus = liveSocket.status.subscribe(() => {
      if (liveSocket.status.get().state !== 'open') store.disconnected()
    })
    liveSocket.connect()
    return () => {
      stopFrames()
      stopStatus()
      figures.stop()
      // A hidden page costs the server nothing; what is known stays for the return.
      liveSocket.setView(null)
      isAsked.current = false
      store.disconnected()
    }
  }, [store])

  useEffect(() => {
    if (look === null) return
    const { bounds, zoom } = look
    const ask = () => {
      isAsked.current = true
      liveSocket.setView({ bounds: widen(bounds, viewMargin), zoom, ...(filter !== undefined && { filter }) })
    }
    if (!isAsked.current) return ask()
    const timer = setTimeout(ask, viewThrottleMs)
    return () => clearTimeout(timer)
  }, [look, filter])

  return { store, setLook }
}

/** Renders anew with each change of the vehicles; returns the store's version. */
export function useVehicleVersion(store: VehicleStore): number {
  return useSyncExternalStore(store.subscribe, store.version)
}
