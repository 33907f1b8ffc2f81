import { areaKm2Of, ringsOverlap, type Ring } from '@saddle/geo/ring.ts'
import { liesIn, type Shape } from '@saddle/geo/shape.ts'
import { boundaryProblem, boundaryProblemLabels, type BoundaryProblem } from '#contract/organisation/boundary.ts'

/** A parking place for one vehicle. */
export const shapeMinM2 = 2
export const radiusLimitsM = { min: 3, max: 5_000 } as const

export type ShapeProblem = BoundaryProblem | 'hole_wrong' | 'hole_outside' | 'holes_meet' | 'radius'
export const shapeProblemLabels: Readonly<Record<ShapeProblem, string>> = {
  ...boundaryProblemLabels,
  hole_wrong: '挖空部分的边界有误',
  hole_outside: '挖空部分超出了围栏',
  holes_meet: '挖空部分互相重叠',
  radius: '半径须在 3 至 5000 米之间',
}

/** The first thing that is wrong with a shape; null: it can be a fence. */
export function shapeProblem(shape: Shape): ShapeProblem | null {
  if ('radiusM' in shape) {
    const { centre, radiusM } = shape
    if (!(Math.abs(centre.lng) <= 180) || !(Math.abs(centre.lat) <= 89)) return 'outside_world'
    return radiusM >= radiusLimitsM.min && radiusM <= radiusLimitsM.max ? null : 'radius'
  }
  const own = problemOfRing(shape.ring)
  if (own !== null) return own
  for (const [index, hole] of shape.holes.entries()) {
    if (problemOfRing(hole) !== null) return 'hole_wrong'
    if (!liesIn(hole, shape.ring)) return 'hole_outside'
    if (shape.holes.some((other, at) => at < index && ringsOverlap(other, hole))) return 'holes_meet'
  }
  return null
}

/** As of an area, but down to the size of a parking place. */
function problemOfRing(ring: Ring): BoundaryProblem | null {
  const problem = boundaryProblem(ring)
  if (problem !== 'small') return problem
  return areaKm2Of(ring) * 1e6 < shapeMinM2 ? 'small' : null
}
