import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { byCaller } from './parts.ts'
import { insertSteps } from './store.ts'
import { tellAssigned } from './tellTasks.ts'
import { findWorker } from './workers.ts'

/** Gives tasks that were just opened to a person who may work in each of their areas. */
export async function assignNew(
  tx: Tx,
  call: SessionCall,
  options: { rows: { id: number; agent_id: number; area_id: number }[]; assigneeId: number; at: number },
): Promise<{ operatorId: number; name: string }> {
  const { rows, assigneeId, at } = options
  const areaIds = [...new Set(rows.map((row) => row.area_id))]
  const worker = await findWorker(tx, { scope: call.scope, operatorId: assigneeId, areaIds })
  if (worker === undefined) throw new AppError('worker_unavailable')
  await sql`
    update task set state = 'claimed', assignee_id = ${worker.operatorId}, person_name = ${worker.name},
      claimed_at = ${new Date(at)}
    where id = any (${rows.map(({ id }) => id)}::bigint[])`.execute(tx)
  await tellAssigned(tx, call, { ids: rows.map(({ id }) => id), operatorId: worker.operatorId, at: new Date(at) })
  await insertSteps(
    tx,
    rows.map((task) => ({ task, step: 'assigned', at, by: byCaller(call), note: `→ ${worker.name}` })),
  )
  return worker
}
