import { fenceOverlapsMax, type FenceCheck, type PlannedFences } from '@saddle/contract/geography/manage.ts'
import { shapeProblem } from '@saddle/contract/geography/shape.ts'
import type { Fence } from '@saddle/contract/geography/fences.ts'
import { boundaryProblem } from '@saddle/contract/organisation/boundary.ts'
import type { Box } from '@saddle/geo/earth.ts'
import type { Ring } from '@saddle/geo/ring.ts'
import { boxOf, boxesMeet, outsideOf, shapesOverlap, type Shape } from '@saddle/geo/shape.ts'
import { shapeOf } from '../fences/rows.ts'

type Standing = {
  readonly lineId: number | null
  readonly kind: Fence['kind']
  readonly name: string
  readonly shape: Shape
  readonly box: Box
  /** Of a shape that crosses itself nobody can say what it overlaps. Asked for when a box is met, and once. */
  readonly isSound: () => boolean
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
    .map((fence) => standing(fence, shapeOf(fence)))
  const planned = drafts.map((draft) => standing({ ...draft, kind }, draft.shape))
  const all = [...staying, ...planned]
  return planned.map((one): FenceCheck => {
    const nameTaken = all.some((other) => other !== one && other.kind === kind && other.name === one.name)
    const problem = shapeProblem(one.shape) ?? areaProblem(kind, one.shape)
    if (problem !== null || kind === 'service_area') return { problem, nameTaken: false, outside: 'none', overlaps: [] }
    return { problem, nameTaken, outside: outsideOf(one.shape, area), overlaps: overlapsOf(one, all) }
  })
}

function standing({ lineId, kind, name }: Pick<Standing, 'lineId' | 'kind' | 'name'>, shape: Shape): Standing {
  let isSound: boolean | null = null
  return { lineId, kind, name, shape, box: boxOf(shape), isSound: () => (isSound ??= shapeProblem(shape) === null) }
}

/** The first few that it overlaps: thousands of fences are met by their boxes alone. */
function overlapsOf(one: Standing, all: readonly Standing[]): FenceCheck['overlaps'] {
  const found: FenceCheck['overlaps'] = []
  for (const other of all) {
    if (other === one || !boxesMeet(one.box, other.box) || !other.isSound()) continue
    if (!shapesOverlap(one.shape, other.shape)) continue
    found.push({ lineId: other.lineId, kind: other.kind, name: other.name })
    if (found.length === fenceOverlapsMax) break
  }
  return found
}

/** A service area is larger than a parking place. */
const areaProblem = (kind: Fence['kind'], shape: Shape) =>
  kind === 'service_area' && 'ring' in shape ? boundaryProblem(shape.ring) : null
