import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import type { taskEndpoints } from '@saddle/contract/operations/tasks.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { assignNew } from './assign.ts'
import { tellAssigned } from './tellTasks.ts'
import { openTasks } from './open.ts'
import { byCaller, nowOf, noteTasks, type TaskParts } from './parts.ts'
import { directRefusal, reopenRefusal, reviewRefusal } from './rules.ts'
import { turnsOf } from './states.ts'
import { readReviews, type LockedTask } from './store.ts'
import { createTogether } from './together.ts'
import { findWorker } from './workers.ts'

type DirectNames = 'createTasks' | 'assignTasks' | 'cancelTasks' | 'reopenTasks' | 'prioritiseTasks' | 'reviewTasks'
type DirectHandlers = Pick<Handlers<typeof taskEndpoints>, DirectNames>

/** What somebody at a desk decides about the work of others, for many tasks at once. */
export function createDirectHandlers(parts: TaskParts): DirectHandlers {
  const { kit, fleet } = parts
  const { forEach, follow } = createTogether(parts)
  const idsOf = (tasks: readonly LockedTask[]): number[] => tasks.map(({ id }) => id)
  const now = (): Date => new Date(kit.clock.now())

  return {
    createTasks: createCreation(parts),

    assignTasks: async ({ ids, operatorId, note }, call) =>
      forEach(call, { ids, refusal: (task) => directRefusal(nowOf(task)) }, async (tx, tasks) => {
        const areaIds = [...new Set(tasks.map((task) => task.area_id))]
        const worker = await findWorker(tx, { scope: call.scope, operatorId, areaIds })
        if (worker === undefined) throw new AppError('worker_unavailable')
        await fleet.turnVehicles(tx, turnsOf('left', tasks))
        await sql`
          update task set state = 'claimed', assignee_id = ${operatorId}, person_name = ${worker.name},
            claimed_at = greatest(${now()}, opened_at), on_site_at = null, outcome = null, outcome_at = null
          where id = any (${idsOf(tasks)}::bigint[])`.execute(tx)
        await tellAssigned(tx, call, { ids: idsOf(tasks), operatorId, at: now() })
        await follow(tx, call, { tasks, step: 'assigned', note: note === '' ? `→ ${worker.name}` : note })
      }),

    cancelTasks: async ({ ids, note }, call) =>
      forEach(call, { ids, refusal: (task) => directRefusal(nowOf(task)) }, async (tx, tasks) => {
        await fleet.turnVehicles(tx, turnsOf('cancelled', tasks))
        await sql`
          insert into task_result (task_id, agent_id, area_id, note)
          select t.id, t.agent_id, t.area_id, ${note}::text from task t where t.id = any (${idsOf(tasks)}::bigint[])
          on conflict (task_id) do update set note = excluded.note`.execute(tx)
        await sql`
          update task set state = 'cancelled', done_at = greatest(${now()}, opened_at), cause_gone_at = null
          where id = any (${idsOf(tasks)}::bigint[])`.execute(tx)
        await follow(tx, call, { tasks, step: 'cancelled', note })
      }),

    reopenTasks: async ({ ids }, call) => {
      const refusal = (task: LockedTask) =>
        reopenRefusal({ ...nowOf(task), doneAt: task.done_at?.getTime() ?? null }, kit.clock.now())
      try {
        return await forEach(call, { ids, refusal }, async (tx, tasks) => {
          await sql`
            update task set state = 'open', done_at = null, assignee_id = null, person_name = null, claimed_at = null,
              on_site_at = null
            where id = any (${idsOf(tasks)}::bigint[])`.execute(tx)
          await sql`update task_result set note = '' where task_id = any (${idsOf(tasks)}::bigint[])`.execute(tx)
          await follow(tx, call, { tasks, step: 'opened', action: 'reopened' })
        })
      } catch (error) {
        // Somebody asked for the same work meanwhile.
        if (isTaken(error)) throw new AppError('task_exists', { cause: error })
        throw error
      }
    },

    prioritiseTasks: async ({ ids, priority, dueAt }, call) =>
      forEach(call, { ids, refusal: (task) => directRefusal(nowOf(task)) }, async (tx, tasks) => {
        const due = dueAt === undefined ? sql`due_at` : sql`${dueAt === null ? null : new Date(dueAt)}::timestamptz`
        await sql`
          update task set priority = coalesce(${priority ?? null}::smallint, priority), due_at = ${due}
          where id = any (${idsOf(tasks)}::bigint[])`.execute(tx)
        await noteTasks(parts, tx, call, { action: 'changed', tasks, after: { priority, dueAt } })
      }),

    reviewTasks: async ({ ids, decision, note }, call) => {
      let reviews = new Map<number, string>()
      const held = async (tx: Tx): Promise<void> => {
        reviews = await readReviews(tx, ids)
      }
      const refusal = ({ id, assignee_id: assigneeId }: LockedTask) =>
        reviewRefusal({ review: reviews.get(id) ?? 'none', assigneeId }, call.caller.operatorId)
      return forEach(call, { ids, held, refusal }, async (tx, tasks) => {
        await sql`
          update task_review set state = ${decision}, reviewed_at = ${now()}, reviewer_id = ${call.caller.operatorId},
            reviewer_name = ${call.caller.name}, note = ${note}
          where task_id = any (${idsOf(tasks)}::bigint[])`.execute(tx)
        if (decision === 'rejected')
          await sql`update task_result set pay_cents = 0 where task_id = any (${idsOf(tasks)}::bigint[])`.execute(tx)
        await follow(tx, call, { tasks, step: decision, note })
      })
    },
  }
}

const wantedRow = rowOf('vehicle', 'v', ['id', 'number'])
type Wanted = RowOf<typeof wantedRow>

function createCreation(parts: TaskParts): DirectHandlers['createTasks'] {
  const { kit } = parts
  return async ({ vehicleIds, numbers, kind, priority, dueAt, note, toFenceId, assigneeId }, call) =>
    kit.db.withScope(call.scope, async (tx) => {
      const { scope } = call
      const at = kit.clock.now()
      const upper = numbers.map((number) => number.toUpperCase())
      const { rows: vehicles } = await wantedRow.select`
        from vehicle v
        where (v.id = any (${vehicleIds}::bigint[]) or v.number = any (${upper}::text[])) and ${tenantFilter('v', scope)}
        order by v.id`.execute(tx)
      const to = toFenceId === undefined ? undefined : await findPlace(tx, call, toFenceId)
      const tasks = vehicles.map(({ id }) =>
        Object.assign({ vehicleId: id, kind, priority, dueAt, note }, to === undefined ? {} : { to }),
      )
      const opened = await openTasks(tx, { at, source: 'manual', by: byCaller(call), tasks })
      const rows = opened.map((one) => ({
        id: one.id,
        agent_id: one.agentId,
        area_id: one.areaId,
        vehicle_id: one.vehicleId,
      }))
      if (rows.length > 0)
        await noteTasks(parts, tx, call, { action: 'opened', tasks: rows, after: { taskKind: kind, note } })
      if (assigneeId !== undefined && rows.length > 0) await assignNew(tx, call, { rows, assigneeId, at })
      const refused = refusedOf({ vehicleIds, upper, vehicles, opened: new Set(opened.map((one) => one.vehicleId)) })
      if (opened.length === 0 && refused.length === 1 && refused[0] !== undefined) throw refused[0].error
      const told = refused.map(({ vehicle, error }) => ({ vehicle, promot: error.message }))
      return { suc: true, data: { created: opened.map(({ id }) => id), refused: told } }
    })
}

function refusedOf(options: {
  vehicleIds: readonly number[]
  upper: readonly string[]
  vehicles: readonly Wanted[]
  opened: ReadonlySet<number>
}): { vehicle: string; error: AppError }[] {
  const { vehicleIds, upper, vehicles, opened } = options
  const ids = new Set(vehicles.map(({ id }) => id))
  const numbers = new Set(vehicles.map(({ number }) => number))
  const missing = [
    ...vehicleIds.filter((id) => !ids.has(id)).map(String),
    ...upper.filter((number) => !numbers.has(number)),
  ]
  return [
    ...missing.map((vehicle) => ({ vehicle, error: new AppError('vehicle_not_found') })),
    ...vehicles
      .filter(({ id }) => !opened.has(id))
      .map(({ number }) => ({ vehicle: number, error: new AppError('task_exists') })),
  ]
}

const fenceRow = rowOf('fence', 'f', ['id', 'name', 'centre_lat', 'centre_lng'])

async function findPlace(tx: Tx, { scope }: SessionCall, fenceId: number) {
  const { rows } = await fenceRow.select`
    from fence f
    where f.id = ${fenceId} and f.kind = 'parking' and f.valid_to is null and ${tenantFilter('f', scope)}`.execute(tx)
  const [found] = rows
  if (found === undefined) throw new AppError('not_found')
  return { lat: found.centre_lat, lng: found.centre_lng, fenceId: found.id, name: found.name }
}
