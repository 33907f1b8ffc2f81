import { areaKm2Of, ringFault, ringFaults, type Ring } from '@saddle/geo/ring.ts'

/**
 * The boundary of a service area, judged by one code on both sides: the editor says at once what the server would
 * refuse.
 */

/** From a square with sides of a hundred metres to the largest municipality. */
export const boundaryKm2 = { min: 0.01, max: 100_000 } as const

export const boundaryProblems = [...ringFaults, 'small', 'large'] as const
export type BoundaryProblem = (typeof boundaryProblems)[number]
export const boundaryProblemLabels: Readonly<Record<BoundaryProblem, string>> = {
  few_points: '边界至少需要三个顶点',
  outside_world: '边界含有不存在的坐标',
  open: '边界没有闭合',
  repeated: '边界有重复的顶点',
  crossing: '边界自相交叉',
  small: '边界围成的面积太小',
  large: '边界围成的面积太大',
}

/** The first thing that is wrong with a boundary; null: it can be one. */
export function boundaryProblem(ring: Ring): BoundaryProblem | null {
  const fault = ringFault(ring)
  if (fault !== null) return fault
  const km2 = areaKm2Of(ring)
  if (km2 < boundaryKm2.min) return 'small'
  return km2 > boundaryKm2.max ? 'large' : null
}
