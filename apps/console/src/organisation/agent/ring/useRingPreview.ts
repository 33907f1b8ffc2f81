import { franchiseEndpoints, type RingPreview } from '@saddle/contract/organisation/franchise.ts'
import { areaKm2Of, ringProblem, type RingProblem } from '@saddle/contract/organisation/ring.ts'
import { useMemo } from 'react'
import { useLater } from '#kit/useLater.ts'
import { useEndpoint } from '#kit/query.ts'
import { ringOf, type Corners } from '#kit/map/draw/corners.ts'

export interface RingJudgement {
  readonly problem: RingProblem | null
  readonly areaKm2: number
  /** What only the server knows; null until it has answered for this very boundary. */
  readonly told: RingPreview | null
}

/** What the boundary would mean: faults and size at once, overlaps and vehicles a moment after the hand rests. */
export function useRingPreview(corners: Corners, areaId: number | null): RingJudgement {
  const ring = useMemo(() => ringOf(corners), [corners])
  const problem = useMemo(() => ringProblem(ring), [ring])
  const settled = useLater(ring)
  const { data } = useEndpoint(
    franchiseEndpoints.previewArea,
    { ring: settled, ...(areaId !== null && { id: areaId }) },
    { enabled: problem === null && settled === ring, quiet: true },
  )
  return { problem, areaKm2: areaKm2Of(ring), told: settled === ring ? (data?.data ?? null) : null }
}
