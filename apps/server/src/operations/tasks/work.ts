import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import type { taskEndpoints } from '@saddle/contract/operations/tasks.ts'
import type { TaskStep } from '@saddle/contract/operations/taskWords.ts'
import { type LatLng } from '@saddle/geo/earth.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { finishTask } from './finish.ts'
import { createReport, keepPhotos } from './report.ts'
import { byCaller, lockTask, nowOf, noteTasks, readTask, type TaskParts } from './parts.ts'
import { claimRefusal, doneTime, workRefusal } from './rules.ts'
import { turnsOf } from './states.ts'
import { insertSteps, type LockedTask } from './store.ts'
import { findWorker, isForOthers } from './workers.ts'

type WorkNames = 'claimTask' | 'releaseTask' | 'transferTask' | 'startTask' | 'completeTask' | 'reportTask'
type WorkHandlers = Pick<Handlers<typeof taskEndpoints>, WorkNames>

/** Who may hand out the work of others may also take it back. */
const directCode = '090901'

/** What somebody on the street does with one task. */
export function createWorkHandlers(parts: TaskParts): WorkHandlers {
  const { kit, fleet } = parts
  const step = async (
    tx: Tx,
    call: SessionCall,
    taken: { task: LockedTask; step: TaskStep; place?: LatLng | undefined; note?: string },
  ): Promise<void> => {
    const { task, step: name, place, note = '' } = taken
    await insertSteps(tx, [{ task, step: name, at: kit.clock.now(), by: byCaller(call), place, note }])
    await noteTasks(parts, tx, call, { action: name, tasks: [task], after: { note } })
  }
  const claimed = (tx: Tx, task: LockedTask, by: { operatorId: number; name: string }) =>
    sql`
    update task set state = 'claimed', assignee_id = ${by.operatorId}, person_name = ${by.name},
      claimed_at = greatest(${new Date(kit.clock.now())}, opened_at), on_site_at = null
    where id = ${task.id}`.execute(tx)
  return {
    reportTask: createReport(parts),

    claimTask: async ({ id, place }, call) =>
      kit.db.withScope(call.scope, async (tx) => {
        const task = await lockTask(tx, call.scope, id)
        const refusal = claimRefusal(nowOf(task), call.caller.operatorId)
        if (refusal !== null) throw refusal
        if (task.state === 'open') {
          const isDirector = call.caller.permissions.has(directCode)
          if (!isDirector && (await isForOthers(tx, { task, operatorId: call.caller.operatorId })))
            throw new AppError('task_for_named')
          await claimed(tx, task, byCaller(call))
          await step(tx, call, { task, step: 'claimed', place })
        }
        return { suc: true, data: await readTask(tx, call.scope, id) }
      }),

    releaseTask: async ({ id, note }, call) =>
      kit.db.withScope(call.scope, async (tx) => {
        const task = await lockTask(tx, call.scope, id)
        const isDirector = call.caller.permissions.has(directCode) && task.state !== 'open'
        const refusal = workRefusal(nowOf(task), isDirector ? (task.assignee_id ?? 0) : call.caller.operatorId)
        if (refusal !== null) throw refusal
        await fleet.turnVehicles(tx, turnsOf('left', [task]))
        await sql`
          update task set state = 'open', assignee_id = null, person_name = null, claimed_at = null, on_site_at = null
          where id = ${id}`.execute(tx)
        await step(tx, call, { task, step: 'released', note })
        return { suc: true, data: await readTask(tx, call.scope, id) }
      }),

    transferTask: async ({ id, operatorId, note }, call) =>
      kit.db.withScope(call.scope, async (tx) => {
        const task = await lockTask(tx, call.scope, id)
        const refusal = workRefusal(nowOf(task), call.caller.operatorId)
        if (refusal !== null) throw refusal
        const worker = await findWorker(tx, { scope: call.scope, operatorId, areaIds: [task.area_id] })
        if (worker === undefined) throw new AppError('worker_unavailable')
        await fleet.turnVehicles(tx, turnsOf('left', [task]))
        await claimed(tx, task, worker)
        await step(tx, call, { task, step: 'transferred', note: note === '' ? `→ ${worker.name}` : note })
        return { suc: true, data: await readTask(tx, call.scope, id) }
      }),

    startTask: async ({ id, place }, call) =>
      kit.db.withScope(call.scope, async (tx) => {
        const task = await lockTask(tx, call.scope, id)
        const refusal = workRefusal(nowOf(task), call.caller.operatorId)
        if (refusal !== null) throw refusal
        if (task.state === 'claimed') {
          await fleet.turnVehicles(tx, turnsOf('begun', [task]))
          await sql`
            update task set state = 'on_site', on_site_at = greatest(${new Date(kit.clock.now())}, claimed_at)
            where id = ${id}`.execute(tx)
          await noteBattery(tx, task)
          await step(tx, call, { task, step: 'started', place })
        }
        return { suc: true, data: await readTask(tx, call.scope, id) }
      }),

    completeTask: async ({ id, photos: files, scannedNumber, doneAt, ...brought }, call) =>
      kit.db.withScope(call.scope, async (tx) => {
        const task = await lockTask(tx, call.scope, id)
        const refusal = workRefusal(nowOf(task), call.caller.operatorId)
        if (refusal !== null) throw refusal
        const number = scannedNumber?.toUpperCase()
        if (number !== undefined && number !== task.number)
          throw new AppError('task_other_vehicle', { values: { number } })
        const photoIds = await keepPhotos(parts, tx, { task, files })
        const nowMs = kit.clock.now()
        const at = doneTime({ said: doneAt, claimedAt: task.claimed_at?.getTime() ?? nowMs, nowMs })
        await finishTask(parts, tx, call, { ...brought, task, at, photoIds, scannedNumber: number })
        await noteTasks(parts, tx, call, { action: 'done', tasks: [task], after: { note: brought.note } })
        return { suc: true, data: await readTask(tx, call.scope, id) }
      }),
  }
}

/** The level on arrival, before anybody changes the battery. */
async function noteBattery(tx: Tx, task: LockedTask): Promise<void> {
  await sql`
    insert into task_result (task_id, agent_id, area_id, battery_before)
    values (${task.id}, ${task.agent_id}, ${task.area_id}, ${task.battery})
    on conflict (task_id) do update set battery_before = excluded.battery_before`.execute(tx)
}
