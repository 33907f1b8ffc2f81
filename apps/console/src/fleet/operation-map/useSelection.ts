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
  /** The number in the page's link. */
  readonly linked: string | null
  readonly onNumber: (number: string | null) => void
}

const detailEveryMs = 10_000
const detailThrottleMs = 1_500

/** The selected vehicle with all that is known of it; the page's link follows, and leads when it changes elsewhere. */
export function useSelection({ store, linked, onNumber }: Options): Selection {
  const [picked, setPicked] = useState<Picked | null>(linked === null ? null : { number: linked })
  const detail = useEndpoint(vehicleEndpoints.singleDeviceInfo, picked ?? {}, {
    enabled: picked !== null,
    refetchIntervalMs: detailEveryMs,
    quiet: true,
  })
  const vehicle = picked === null ? null : (detail.data?.data ?? null)
  const id = vehicle?.id ?? (picked !== null && 'id' in picked ? picked.id : null)

  /** The number last written to the link, so that only changes from elsewhere change the selection. */
  const told = useRef<string | null>(null)
  const number = vehicle?.number ?? null
  useEffect(() => {
    if (number === null || number === told.current) return
    told.current = number
    if (number !== linked) onNumber(number)
  }, [number, linked, onNumber])

  useEffect(() => {
    if (linked !== told.current) setPicked(linked === null ? null : { number: linked })
  }, [linked])

  const pick = useCallback(
    (next: Picked | null) => {
      if (next !== null && 'id' in next && next.id === id) return
      setPicked(next)
      if (next !== null) return
      told.current = null
      onNumber(null)
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
