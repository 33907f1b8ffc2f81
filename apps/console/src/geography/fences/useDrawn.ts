import { useMemo } from 'react'
import { pageSizeMax } from '@saddle/contract/constants.ts'
import { fenceEndpoints, type Fence } from '@saddle/contract/geography/fences.ts'
import { fenceManageEndpoints, type ManagedFence } from '@saddle/contract/geography/manage.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { widen, type MapBounds } from '#kit/map/view.ts'
import { useEndpoint } from '#kit/query.ts'
import { useLater } from '#kit/useLater.ts'

const options = { staleMs: minuteMs, keepPrevious: true, quiet: true } as const
const none: readonly Fence[] = []
/** So that a short drag shows fences at once. */
const marginShare = 0.25

/** The fences in force: all of the scope or, where one answer does not hold them, those of the view. */
export function useDrawn(view: MapBounds | null): { readonly drawn: readonly Fence[]; readonly isCut: boolean } {
  const whole = useEndpoint(fenceEndpoints.listFences, {}, options).data?.data
  const isMuch = whole?.isCut === true
  const seen = useLater(view)
  const bounds = seen === null ? {} : { bounds: widen(seen, marginShare) }
  const part = useEndpoint(fenceEndpoints.listFences, bounds, { ...options, enabled: isMuch && seen !== null })
  const answer = isMuch ? (part.data?.data ?? whole) : whole
  return { drawn: answer?.list ?? none, isCut: answer?.isCut === true }
}

/** Those with the most vehicles; a place beyond them is drawn without its fill. */
const filledPlaces = { filter: { kind: 'parking' }, sort: 'standing', pageSize: pageSizeMax } as const

/** Vehicles in parking places, by the number of the line: of the page that is listed, and of the fullest places. */
export function useParked(
  rows: readonly ManagedFence[] | undefined,
  isAsked: boolean,
): ReadonlyMap<number, number> | null {
  const { data } = useEndpoint(fenceManageEndpoints.listElectricFences, filledPlaces, { ...options, enabled: isAsked })
  const fullest = data?.data.list
  return useMemo(() => {
    if (!isAsked) return null
    return new Map(
      [...(fullest ?? []), ...(rows ?? [])].flatMap(({ lineId, standing }) =>
        standing === null ? [] : [[lineId, standing] as const],
      ),
    )
  }, [isAsked, fullest, rows])
}
