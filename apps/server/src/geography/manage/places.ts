import { shapeProblem, shapeProblemLabels } from '@saddle/contract/geography/shape.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { SessionCall } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Clock } from '#kit/clock.ts'
import { findAreas, insertVersions } from './store.ts'

export type NewPlace = {
  readonly areaId: number
  readonly name: string
  readonly centre: { readonly lat: number; readonly lng: number }
  readonly radiusM: number
  readonly capacity: number
  readonly note: string
  /** Kept already, for a place. */
  readonly photoIds: readonly string[]
}

/**
 * Puts a parking place into force in the caller's transaction, for whoever decides about applications for them; the
 * caller has checked who may, and writes the line. Returns the fence's id.
 */
export async function addPlace(
  kit: { readonly clock: Clock },
  tx: Tx,
  { scope, caller }: Pick<SessionCall, 'scope' | 'caller'>,
  { areaId, name, centre, radiusM, capacity, note, photoIds }: NewPlace,
): Promise<number> {
  const area = (await findAreas(tx, scope, [areaId])).get(areaId)
  if (area === undefined) throw new AppError('foreign_scope')
  const shape = { centre, radiusM }
  const problem = shapeProblem(shape)
  if (problem !== null) {
    throw new AppError('boundary_invalid', { values: { detail: `${name}：${shapeProblemLabels[problem]}` } })
  }
  try {
    const [made] = await insertVersions(
      tx,
      [
        {
          lineId: null,
          agentId: area.agent_id,
          areaId,
          kind: 'parking',
          draft: { name, capacity, hours: null, shape },
          photoIds,
          version: 1,
          restoredFrom: null,
          validFrom: new Date(kit.clock.now()),
        },
      ],
      { by: caller.name, note },
    )
    if (made === undefined) throw new Error('the inserted fence is answered')
    return made.id
  } catch (error) {
    if (isTaken(error)) throw new AppError('fence_name_taken', { values: { name: `“${name}”` }, cause: error })
    throw error
  }
}
