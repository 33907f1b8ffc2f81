import { fenceEndpoints, type Fence } from '@saddle/contract/geography/fences.ts'
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
