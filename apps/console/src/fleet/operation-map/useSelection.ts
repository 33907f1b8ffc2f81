import { useCallback, useEffect, useRef, useState } from 'react'
import { vehicleEndpoints, type Vehicle } from '@saddle/contract/fleet/vehicles.ts'
import type { ApiError } from '#kit/api/client.ts'
import { liveSocket } from '#kit/live/socket.ts'
import { useEndpoint } from '#kit/query.ts'
import type { VehicleStore } from './store.ts'
import { throttle } from './throttle.ts'

/** A vehicle is picked on the map by its id, in a link or the search by its number or IMEI. */
export type Picked = { readonly id: number } | { readonly number: string } | { readonly imei: string }

export interface Selection {
  readonly picked: Picked | null
  readonly vehicle: Vehicle | null
  readonly id: number | null
  readonly error: ApiError | null
  readonly pick: (picked: Picked | null) => void
  readonly retry: () => void
}

interface Options {
  readonly store: VehicleStore
  /** What something other than this page asks for by the address; a new object each time. */
  readonly outside: { readonly vehicle: string | null }
  readonly onNumber: (number: string | null) => void
}

const detailEveryMs = 10_000
const detailThrottleMs = 1_500

/**
 * The selected vehicle with all that is known of it. The page's link follows it, and leads only where something else wrote
 * it: a write of our own that is shown late picks nothing.
 */
export function useSelection({ store, outside, onNumber }: Options): Selection {
  const [asked, setAsked] = useState(outside)
  const [picked, setPicked] = useState<Picked | null>(outside.vehicle === null ? null : { number: outside.vehicle })
  if (asked !== outside) {
    setAsked(outside)
    setPicked(outside.vehicle === null ? null : { number: outside.vehicle })
  }
  const detail = useEndpoint(vehicleEndpoints.singleDeviceInfo, picked ?? {}, {
    enabled: picked !== null,
    refetchIntervalMs: detailEveryMs,
    quiet: true,
  })
  const vehicle = picked === null ? null : (detail.data?.data ?? null)
  const id = vehicle?.id ?? (picked !== null && 'id' in picked ? picked.id : null)

  const number = vehicle?.number ?? null
  /** Told once: when a hidden page is shown again, the address may ask for another vehicle already. */
  const told = useRef<string | null>(null)
  useEffect(() => {
    if (number === null || number === told.current) return
    told.current = number
    onNumber(number)
  }, [number, onNumber])

  const pick = useCallback(
    (next: Picked | null) => {
      if (next !== null && 'id' in next && next.id === id) return
      setPicked(next)
      told.current = null
      // Until the vehicle is known the address names none rather than the one before.
      onNumber(next !== null && 'number' in next ? next.number : null)
    },
    [id, onNumber],
  )

  const { refetch } = detail
  useDetailNews({ store, id, refetch })
  return { picked, vehicle, id, error: picked === null ? null : detail.error, pick, retry: () => void refetch() }
}

interface News {
  readonly store: VehicleStore
  readonly id: number | null
  readonly refetch: () => unknown
}

/** Reads the details again when the socket says that something about the vehicle changed. */
function useDetailNews({ store, id, refetch }: News): void {
  useEffect(() => {
    if (id === null) return
    const read = throttle(detailThrottleMs, () => void refetch())
    let last = store.get(id)
    const stopStore = store.subscribe(() => {
      const now = store.get(id)
      if (now !== last) read.run()
      last = now
    })
    const stopEvents = liveSocket.onEvent((event) => {
      if (event.type === 'vehicle' && event.vehicleId === id) read.run()
      if (event.type === 'command' && event.command.vehicleId === id) read.run()
    })
    return () => {
      read.stop()
      stopStore()
      stopEvents()
    }
  }, [store, id, refetch])
}
