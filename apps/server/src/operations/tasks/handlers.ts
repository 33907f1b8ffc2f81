import { AppError } from '@saddle/contract/errors.ts'
import { taskFields } from '@saddle/contract/operations/taskFields.ts'
import {
  taskList,
  tasksMapMax,
  taskShownPhotosMax,
  tasksNearMax,
  type Task,
  type taskEndpoints,
  type TaskFilter,
} from '@saddle/contract/operations/tasks.ts'
import { taskStates, type TaskState } from '@saddle/contract/operations/taskWords.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { forceCustomPlan } from '#kit/db/forceCustomPlan.ts'
import { serveList } from '#kit/list/serveList.ts'
import { createDirectHandlers } from './direct.ts'
import type { TaskParts } from './parts.ts'
import { stepOf, taskOf } from './present.ts'
import { filedOf, readCursor, writeCursor, type TaskCursor } from './rules.ts'
import {
  countTasks,
  selectNearTasks,
  selectSteps,
  selectTask,
  selectTasks,
  selectUsedParts,
  taskRows,
  type TaskSearch,
} from './store.ts'
import { createWorkHandlers } from './work.ts'
import { selectWorkers } from './workers.ts'

/** Tasks of the scope: found, done by people on the street, directed from a desk, taken out as a file. */
export function createTaskHandlers(parts: TaskParts): Handlers<typeof taskEndpoints> {
  const { kit, photos } = parts
  const searchOf = ({ scope, caller }: SessionCall, filter: TaskFilter): TaskSearch => ({
    scope,
    filter,
    operatorId: caller.operatorId,
    now: new Date(kit.clock.now()),
  })
  const page = async (
    search: TaskSearch,
    { after, limit, sort }: { after: TaskCursor | null; limit: number; sort: TaskCursor['sort'] },
  ): Promise<{ list: Task[]; nextCursor: string | null }> => {
    const asked = { after, sort, limit: limit + 1 }
    const rows = await kit.db.read(search.scope, (k) => forceCustomPlan(selectTasks(search, asked).compile(k)))
    const list = rows.slice(0, limit).map(taskOf)
    const last = rows.length > limit ? list.at(-1) : undefined
    return { list, nextCursor: last === undefined ? null : writeCursor(sort, last) }
  }
  const one = async ({ scope }: SessionCall, id: number): Promise<Task> => {
    const [row] = await kit.db.read(scope, (k) => selectTask(scope, id).compile(k))
    if (row === undefined) throw new AppError('not_found')
    return taskOf(row)
  }
  const list = serveList(parts, taskList, {
    name: 'tasks',
    prepare: (_, { caller }) => ({ operatorId: caller.operatorId, now: new Date(kit.clock.now()) }),
    rows: taskRows,
    present: taskOf,
    file: { action: 'task.export', fields: taskFields, present: (row) => filedOf(taskOf(row)) },
  })
  return {
    searchTasks: list.page,
    exportTasks: list.file,
    ...createWorkHandlers(parts),
    ...createDirectHandlers(parts),

    listTasks: async ({ filter, sort, near, cursor, pageSize }, call) => {
      const search = searchOf(call, filter)
      const after = cursor === undefined ? null : readCursor(cursor)
      const counting = after === null ? readCounts(parts, search) : null
      if (sort === 'near' && near !== undefined) {
        const limit = Math.min(pageSize, tasksNearMax)
        const rows = await kit.db.read(call.scope, (k) => selectNearTasks(search, { near, limit }).compile(k))
        return { suc: true, data: { list: rows.map(taskOf), nextCursor: null, counts: await counting } }
      }
      const order = sort === 'due' ? 'due' : 'newest'
      if (after !== null && after.sort !== order) throw new AppError('bad_request', { values: { detail: 'cursor' } })
      const [found, counts] = await Promise.all([page(search, { after, limit: pageSize, sort: order }), counting])
      return { suc: true, data: { ...found, counts } }
    },

    mapTasks: async ({ filter }, call) => {
      const search = searchOf(call, filter)
      const asked = { after: null, sort: 'due', limit: tasksMapMax + 1 } as const
      const rows = await kit.db.read(call.scope, (k) => forceCustomPlan(selectTasks(search, asked).compile(k)))
      return {
        suc: true,
        data: { list: rows.slice(0, tasksMapMax).map(taskOf), isCut: rows.length > tasksMapMax },
      }
    },

    taskDetail: async ({ id }, call) => {
      const { scope } = call
      const task = await one(call, id)
      const [steps, used] = await Promise.all([
        kit.db.read(scope, (k) => selectSteps(scope, id).compile(k)),
        kit.db.read(scope, (k) => selectUsedParts(scope, id).compile(k)),
      ])
      const isMine = task.assigneeId === call.caller.operatorId
      return { suc: true, data: { task, isMine, steps: steps.map(stepOf), parts: used } }
    },

    taskPhotos: async ({ id }, call) => {
      const { photoIds } = await one(call, id)
      const steps = await kit.db.read(call.scope, (k) => selectSteps(call.scope, id).compile(k))
      const ids = [...steps.flatMap((step) => step.photo_ids), ...photoIds].slice(-taskShownPhotosMax)
      return { suc: true, data: { photos: await photos.read(call.scope, { purpose: 'task', ids }) } }
    },

    taskWorkers: async ({ areaIds }, { scope }) => {
      const rows = await kit.db.read(scope, (k) => selectWorkers(scope, areaIds).compile(k))
      const list = rows.map((row) => ({
        operatorId: row.id,
        name: row.name,
        agentId: row.agent_id,
        unfinished: row.unfinished,
      }))
      return { suc: true, data: { list } }
    },
  }
}

async function readCounts({ kit }: TaskParts, search: TaskSearch): Promise<Record<TaskState, number>> {
  const rows = await kit.db.read(search.scope, (k) => forceCustomPlan(countTasks(search).compile(k)))
  const counts = new Map(rows.map((row) => [row.state, row.count]))
  const entries = taskStates.map((state): [TaskState, number] => [state, counts.get(state) ?? 0])
  return Object.fromEntries(entries) as Record<TaskState, number>
}
