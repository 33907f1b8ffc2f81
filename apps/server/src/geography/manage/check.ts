import { fenceOverlapsMax, type FenceCheck, type PlannedFences } from '@saddle/contract/geography/manage.ts'
import { outsideOf, shapeProblem, shapesOverlap, type Shape } from '@saddle/contract/geography/shape.ts'
import type { Fence } from '@saddle/contract/geography/fences.ts'
import { ringProblem, type Ring } from '@saddle/contract/organisation/ring.ts'
import { shapeOf } from '../fences/rows.ts'

type Standing = {
  readonly lineId: number | null
  readonly kind: Fence['kind']
  readonly name: string
  readonly shape: Shape
}

/**
 * What is wrong with planned fences, held against those in force and against each other. A no-stop zone over a parking
 * place is worth a look as well: the place wins.
 */
export function checkPlan(
  { kind, drafts, removes }: Pick<PlannedFences, 'kind' | 'drafts' | 'removes'>,
  { inForce, area }: { readonly inForce: readonly Fence[]; readonly area: Ring },
): FenceCheck[] {
  const gone = new Set([...removes, ...drafts.flatMap(({ lineId }) => (lineId === null ? [] : [lineId]))])
  const staying = inForce
    .filter((fence) => fence.kind !== 'service_area' && !gone.has(fence.lineId))
    .map((fence): Standing => ({ lineId: fence.lineId, kind: fence.kind, name: fence.name, shape: shapeOf(fence) }))
  const planned = drafts.map(({ lineId, name, shape }): Standing => ({ lineId, kind, name, shape }))
  return planned.map((one, index): FenceCheck => {
    const others = [...staying, ...planned.filter((_, at) => at !== index)]
    const nameTaken = others.some((other) => other.kind === kind && other.name === one.name)
    const problem = shapeProblem(one.shape) ?? areaProblem(kind, one.shape)
    if (problem !== null || kind === 'service_area') return { problem, nameTaken: false, outside: 'none', overlaps: [] }
    const overlaps = others
      .filter((other) => isSound(other.shape) && shapesOverlap(one.shape, other.shape))
      .slice(0, fenceOverlapsMax)
      .map(({ lineId, kind: of, name }) => ({ lineId, kind: of, name }))
    return { problem, nameTaken, outside: outsideOf(one.shape, area), overlaps }
  })
}

/** A service area is larger than a parking place. */
const areaProblem = (kind: Fence['kind'], shape: Shape) =>
  kind === 'service_area' && 'ring' in shape ? ringProblem(shape.ring) : null

const isSound = (shape: Shape): boolean => shapeProblem(shape) === null
