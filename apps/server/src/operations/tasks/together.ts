import { AppError } from '@saddle/contract/errors.ts'
import type { TaskStep } from '@saddle/contract/operations/taskWords.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { byCaller, noteTasks, type TaskParts } from './parts.ts'
import { insertSteps, lockTasks, type LockedTask } from './store.ts'

type Answer = { done: number[]; refused: { id: number; promot: string }[] }

/** What acts on many tasks have in common. */
export function createTogether(parts: TaskParts) {
  const { kit } = parts
  /** Does it for those tasks that allow it and says of each other why not. Of one task the refusal is the answer. */
  const forEach = async (
    call: SessionCall,
    asked: {
      ids: readonly number[]
      /** Runs once the tasks are held, before any refusal is asked for. */
      held?: (tx: Tx) => Promise<void>
      refusal: (task: LockedTask) => AppError | null
    },
    work: (tx: Tx, tasks: LockedTask[]) => Promise<void>,
  ): Promise<{ suc: true; data: Answer }> =>
    kit.db.withScope(call.scope, async (tx) => {
      const ids = [...new Set(asked.ids)]
      const found = new Map((await lockTasks(tx, { ids, scope: call.scope })).map((task) => [task.id, task]))
      await asked.held?.(tx)
      const ready: LockedTask[] = []
      const refused: Answer['refused'] = []
      for (const id of ids) {
        const task = found.get(id)
        const refusal = task === undefined ? new AppError('not_found') : asked.refusal(task)
        if (refusal !== null && ids.length === 1) throw refusal
        if (refusal !== null) refused.push({ id, promot: refusal.message })
        else if (task !== undefined) ready.push(task)
      }
      if (ready.length > 0) await work(tx, ready)
      return { suc: true, data: { done: ready.map(({ id }) => id), refused } }
    })
  const follow = async (
    tx: Tx,
    call: SessionCall,
    act: { tasks: LockedTask[]; step: TaskStep; action?: 'reopened'; note?: string },
  ): Promise<void> => {
    const { tasks, step, note = '' } = act
    const at = kit.clock.now()
    await insertSteps(
      tx,
      tasks.map((task) => ({ task, step, at, by: byCaller(call), note })),
    )
    await noteTasks(parts, tx, call, { action: act.action ?? step, tasks, after: { note } })
  }
  return { forEach, follow }
}
