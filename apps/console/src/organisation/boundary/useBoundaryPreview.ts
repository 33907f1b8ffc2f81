import { type BoundaryPreview, areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { boundaryProblem, type BoundaryProblem } from '@saddle/contract/organisation/boundary.ts'
import { areaKm2Of } from '@saddle/geo/ring.ts'
import { useMemo } from 'react'
import { useLater } from '#kit/useLater.ts'
import { useEndpoint } from '#kit/query.ts'

export interface BoundaryFindings {
  readonly problem: BoundaryProblem | null
  readonly areaKm2: number
  /** What only the server knows; null until it has answered for this boundary. */
  readonly preview: BoundaryPreview | null
}

/** What saving the boundary would change: faults and size at once, overlaps and vehicles when dragging pauses. */
export function useBoundaryPreview(ring: [number, number][], areaId: number | null): BoundaryFindings {
  const problem = useMemo(() => boundaryProblem(ring), [ring])
  const settled = useLater(ring)
  const { data } = useEndpoint(
    areaEndpoints.previewArea,
    { ring: settled, ...(areaId !== null && { id: areaId }) },
    { enabled: problem === null && settled === ring, quiet: true },
  )
  return { problem, areaKm2: areaKm2Of(ring), preview: settled === ring ? (data?.data ?? null) : null }
}
