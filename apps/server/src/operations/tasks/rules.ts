import type { TaskState } from '@saddle/contract/operations/taskWords.ts'
import type { FiledTask } from '@saddle/contract/operations/taskFields.ts'
import type { Task } from '@saddle/contract/operations/tasks.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { z } from 'zod'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'

/** A cancelled task may be taken up again for so long: afterwards the rules and people ask anew. */
export const reopenWithinMs = hourMs

/** What a step needs to know of the task that it is taken on. */
export type TaskNow = {
  readonly state: TaskState
  readonly assigneeId: number | null
  readonly personName: string | null
}

const isOver = ({ state }: TaskNow): boolean => state === 'done' || state === 'cancelled'

/** Why nobody may claim it now; null when the caller may. Whoever has it may say so once more. */
export function claimRefusal(task: TaskNow, operatorId: number): AppError | null {
  if (isOver(task)) return new AppError('task_over')
  if (task.state === 'open' || task.assigneeId === operatorId) return null
  return new AppError('task_taken', { values: { name: task.personName ?? '' } })
}

/** Why the caller may not go on with it; null when the caller has it. */
export function workRefusal(task: TaskNow, operatorId: number): AppError | null {
  if (isOver(task)) return new AppError('task_over')
  return task.assigneeId === operatorId ? null : new AppError('task_not_yours')
}

/** Why it may not be handed out, cancelled or put off any more. */
export const directRefusal = (task: TaskNow): AppError | null => (isOver(task) ? new AppError('task_over') : null)

export function reopenRefusal(task: TaskNow & { readonly doneAt: number | null }, nowMs: number): AppError | null {
  const isFresh = task.state === 'cancelled' && task.doneAt !== null && nowMs - task.doneAt <= reopenWithinMs
  return isFresh ? null : new AppError('task_over')
}

export function reviewRefusal(
  task: { readonly review: string; readonly assigneeId: number | null },
  operatorId: number,
): AppError | null {
  if (task.review !== 'waiting') return new AppError('task_not_waiting')
  return task.assigneeId === operatorId ? new AppError('task_review_own') : null
}

/** When it was done, by the word of a phone that may have been without a network: after the claim, and not yet to come. */
export function doneTime(options: { said: number | undefined; claimedAt: number; nowMs: number }): number {
  const { said, claimedAt, nowMs } = options
  return Math.max(claimedAt, Math.min(said ?? nowMs, nowMs))
}

/** Where a page ended: by id, or by urgency, time and id. */
export type TaskCursor =
  | { readonly sort: 'newest'; readonly id: number }
  | { readonly sort: 'due'; readonly priority: number; readonly dueAt: number | null; readonly id: number }

const cursorSchema = z.union([
  z.tuple([z.literal('newest'), z.int().positive()]),
  z.tuple([z.literal('due'), z.int(), z.int().nullable(), z.int().positive()]),
])

export const writeCursor = (sort: TaskCursor['sort'], { id, priority, dueAt }: Task): string =>
  Buffer.from(JSON.stringify(sort === 'newest' ? [sort, id] : [sort, priority, dueAt, id])).toString('base64url')

/** Throws bad_request on a cursor that this platform did not write. */
export function readCursor(text: string): TaskCursor {
  try {
    const read = cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    if (read[0] === 'newest') return { sort: 'newest', id: read[1] }
    return { sort: 'due', priority: read[1], dueAt: read[2], id: read[3] }
  } catch (cause) {
    throw new AppError('bad_request', { values: { detail: 'cursor' }, cause })
  }
}

const minutes = (from: number | null, to: number | null): number | null =>
  from === null || to === null ? null : Math.round((to - from) / minuteMs)

/** What a file tells of a task beside its columns. */
export const filedOf = (task: Task): FiledTask => ({
  ...task,
  minutes: minutes(task.openedAt, task.doneAt),
  remark: task.doneNote || task.note,
})
