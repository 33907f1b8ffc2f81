import {
  taskKindLabels,
  taskPriorityLabels,
  taskReviewLabels,
  taskSourceLabels,
  taskStateLabels,
  taskTriggerLabels,
  type TaskState,
} from '@saddle/contract/operations/taskWords.ts'
import type { Task } from '@saddle/contract/operations/tasks.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { z } from 'zod'
import { yuanOf } from '@saddle/contract/money.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import { businessTime, csvLine } from '#kit/csv.ts'

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

const columns: readonly (readonly [title: string, value: (row: Task) => string | number | null])[] = [
  ['任务编号', (row) => row.id],
  ['类型', (row) => taskKindLabels[row.kind]],
  ['状态', (row) => taskStateLabels[row.state]],
  ['优先级', (row) => taskPriorityLabels[row.priority]],
  ['车辆编号', (row) => row.number],
  ['服务区', (row) => row.areaName],
  ['来源', (row) => taskSourceLabels[row.source]],
  ['触发原因', (row) => (row.trigger === null ? '' : taskTriggerLabels[row.trigger])],
  ['创建时间', (row) => businessTime(row.openedAt)],
  ['期限', (row) => businessTime(row.dueAt)],
  ['领取时间', (row) => businessTime(row.claimedAt)],
  ['结束时间', (row) => businessTime(row.doneAt)],
  ['用时(分钟)', (row) => minutes(row.openedAt, row.doneAt)],
  ['人员', (row) => row.personName],
  ['原电量(%)', (row) => row.batteryBefore],
  ['新电量(%)', (row) => row.batteryAfter],
  ['故障原因', (row) => row.reason],
  ['配件费(元)', (row) => yuanOf(row.partsCents)],
  ['报酬(元)', (row) => yuanOf(row.payCents)],
  ['审核', (row) => taskReviewLabels[row.review]],
  ['备注', (row) => row.doneNote || row.note],
]

export const taskCsvTitles = columns.map(([title]) => title)
export const taskCsvRow = (row: Task): string => csvLine(columns.map(([, value]) => value(row)))
