import { AppError } from '@saddle/contract/errors.ts'
import type { Task } from '@saddle/contract/operations/tasks.ts'
import { taskStates, type TaskStep } from '@saddle/contract/operations/taskWords.ts'
import { byArea, type Audit } from '#audit/public.ts'
import type { Fleet } from '#fleet/public.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { codeOf } from '#kit/codes.ts'
import type { Photos } from '#photos/public.ts'
import { taskOf } from './present.ts'
import type { TaskNow } from './rules.ts'
import { lockTasks, selectTask, type LockedTask } from './store.ts'

export type TaskParts = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random' | 'bus'>
  readonly audit: Audit
  readonly fleet: Pick<Fleet, 'closeAlarms' | 'turnVehicles'>
  readonly photos: Pick<Photos, 'keep' | 'read'>
}

export const nowOf = (row: Pick<LockedTask, 'state' | 'assignee_id' | 'person_name'>): TaskNow => ({
  state: codeOf(taskStates, row.state),
  assigneeId: row.assignee_id,
  personName: row.person_name,
})

export const byCaller = ({ caller }: SessionCall) => ({ operatorId: caller.operatorId, name: caller.name })

/** The task of the scope, held until the commit. Throws not_found. */
export async function lockTask(tx: Tx, scope: Scope, id: number): Promise<LockedTask> {
  const [task] = await lockTasks(tx, { ids: [id], scope })
  if (task === undefined) throw new AppError('not_found')
  return task
}

export async function readTask(tx: Tx, scope: Scope, id: number): Promise<Task> {
  const { rows } = await selectTask(scope, id).execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return taskOf(row)
}

/** A line in the log for each area that the tasks belong to. */
export async function noteTasks(
  { audit }: Pick<TaskParts, 'audit'>,
  tx: Tx,
  call: SessionCall,
  act: {
    readonly action: TaskStep | 'changed' | 'reopened'
    readonly tasks: readonly Pick<LockedTask, 'id' | 'agent_id' | 'area_id' | 'vehicle_id'>[]
    readonly after?: Readonly<Record<string, unknown>>
  },
): Promise<void> {
  for (const { agentId, areaId, rows } of byArea(act.tasks)) {
    await audit.act(tx, call, {
      agentId,
      areaId,
      action: `task.${act.action}`,
      subjectKind: 'task',
      subjectId: rows.length === 1 ? String(rows[0]?.id) : '',
      about: rows.flatMap((row) => [
        { kind: 'task', id: row.id },
        { kind: 'vehicle', id: row.vehicle_id },
      ]),
      after: {
        // Tasks have numbers only: their vehicles say more.
        vehicleIds: [...new Set(rows.map((row) => row.vehicle_id))],
        ...act.after,
        // A single task is the subject itself.
        ...(rows.length > 1 && { taskIds: rows.map(({ id }) => id) }),
      },
    })
  }
}
