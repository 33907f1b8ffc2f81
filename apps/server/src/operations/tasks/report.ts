import { AppError } from '@saddle/contract/errors.ts'
import type { taskEndpoints } from '@saddle/contract/operations/tasks.ts'
import { sql } from 'kysely'
import type { Handlers } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { byCaller, lockTask, noteTasks, nowOf, readTask, type TaskParts } from './parts.ts'
import { doneTime, workRefusal } from './rules.ts'
import { turnsOf } from './states.ts'
import { insertSteps, type LockedTask } from './store.ts'
import { tellAssigned, tellReported } from './tellTasks.ts'
import { findWorker } from './workers.ts'

/**
 * What kept somebody from finishing their task. A vehicle that is not there or cannot be reached waits for the next person,
 * unless one is named; who needs help keeps the task until somebody takes it over.
 */
export function createReport(parts: TaskParts): Handlers<typeof taskEndpoints>['reportTask'] {
  const { kit, fleet } = parts
  return async ({ id, outcome, place, photos: files, note, operatorId, seenAt }, call) =>
    kit.db.withScope(call.scope, async (tx) => {
      const task = await lockTask(tx, call.scope, id)
      const refusal = workRefusal(nowOf(task), call.caller.operatorId)
      if (refusal !== null) throw refusal
      const worker =
        operatorId === undefined
          ? null
          : ((await findWorker(tx, { scope: call.scope, operatorId, areaIds: [task.area_id] })) ?? null)
      if (operatorId !== undefined && worker === null) throw new AppError('worker_unavailable')
      const nowMs = kit.clock.now()
      const at = doneTime({ said: seenAt, claimedAt: task.claimed_at?.getTime() ?? nowMs, nowMs })
      const photoIds = await keepPhotos(parts, tx, { task, files })
      const isKept = worker === null && outcome === 'needs_help'
      if (!isKept) await fleet.turnVehicles(tx, turnsOf('left', [task]))
      const now = new Date(nowMs)
      await sql`
        update task set outcome = ${outcome}, outcome_at = ${new Date(at)}
        where id = ${id}`.execute(tx)
      if (!isKept)
        await sql`
          update task set state = ${worker === null ? 'open' : 'claimed'}::text,
            assignee_id = ${worker?.operatorId ?? null}::bigint, person_name = ${worker?.name ?? null}::text,
            claimed_at = ${worker === null ? null : now}::timestamptz, on_site_at = null
          where id = ${id}`.execute(tx)
      const by = byCaller(call)
      await insertSteps(tx, [{ task, step: outcome, at, by, place, note, photoIds }])
      if (worker !== null) {
        await insertSteps(tx, [{ task, step: 'transferred', at: nowMs, by, note: `→ ${worker.name}` }])
        await tellAssigned(tx, call, { ids: [id], operatorId: worker.operatorId, at: now })
      }
      await tellReported(tx, call, { id, outcome, note, at: now })
      await noteTasks(parts, tx, call, { action: outcome, tasks: [task], after: { note } })
      return { suc: true, data: await readTask(tx, call.scope, id) }
    })
}

/** Keeps photos that somebody took at the vehicle of a task. */
export async function keepPhotos(
  { photos }: Pick<TaskParts, 'photos'>,
  tx: Tx,
  { task, files }: { readonly task: LockedTask; readonly files: readonly string[] },
): Promise<string[]> {
  const owner = { agentId: task.agent_id, areaId: task.area_id, purpose: 'task' as const }
  const ids: string[] = []
  for (const file of files) ids.push(await photos.keep(tx, { ...owner, file }))
  return ids
}
