import type { FenceDraft } from '@saddle/contract/geography/manage.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { applyPlanIn, asRefusal, type ManageDeps } from './change.ts'
import { lockLast } from './store.ts'

/** No-stop zones that another domain makes of its own, and takes back. */
export interface NewZones {
  readonly areaId: number
  readonly zones: readonly Pick<FenceDraft, 'name' | 'shape'>[]
  readonly note: string
}

export async function addZones(deps: ManageDeps, tx: Tx, call: SessionCall, asked: NewZones): Promise<number[]> {
  const { areaId, zones, note } = asked
  const fences = zones.map(({ name, shape }) => ({ name, shape, capacity: null, hours: null }))
  const plan = { changes: [], adds: { areaId, kind: 'no_stop' as const, fences }, removes: [], note }
  const list = await applyPlanIn(deps, tx, call, plan).catch(asRefusal(plan))
  return list.map(({ lineId }) => lineId)
}

export async function removeZones(
  deps: ManageDeps,
  tx: Tx,
  call: SessionCall,
  { lineIds, note }: { readonly lineIds: readonly number[]; readonly note: string },
): Promise<number> {
  const last = await lockLast(tx, call.scope, lineIds)
  const removes = [...last.values()].filter(({ validTo }) => validTo === null)
  if (removes.length > 0) await applyPlanIn(deps, tx, call, { changes: [], adds: undefined, removes, note })
  return removes.length
}

export interface EndedZones {
  readonly agentId: number
  readonly lineIds: readonly number[]
  /** Who has removed them, and why. */
  readonly by: string
  readonly note: string
}

const endedRow = rowOf('fence', ['line_id', 'area_id', 'name', 'version'])

export async function endZones(
  { kit, audit }: ManageDeps,
  tx: Tx,
  { agentId, lineIds, by, note }: EndedZones,
): Promise<number> {
  const at = new Date(kit.clock.now())
  const { rows } = await endedRow.returning`
    update fence set valid_to = greatest(${at}, valid_from + interval '1 millisecond'), removed_by = ${by}, removed_note = ${note}
    where line_id = any (${lineIds}::bigint[]) and agent_id = ${agentId} and kind = 'no_stop' and valid_to is null `.execute(
    tx,
  )
  for (const { line_id: lineId, area_id: areaId, name, version } of rows)
    await audit.write(tx, {
      agentId,
      areaId,
      operatorId: null,
      action: 'fence.remove',
      subjectKind: 'fence',
      subjectId: lineId,
      after: { name, version, note },
    })
  return rows.length
}
