import { taskFields } from '@saddle/contract/operations/taskFields.ts'
import { taskEndpoints, taskList, type Task, type TaskFilter } from '@saddle/contract/operations/tasks.ts'
import {
  taskKindLabels,
  taskOutcomeLabels,
  taskPriorities,
  taskPriorityLabels,
  taskReviewLabels,
  taskSourceLabels,
  taskStateLabels,
} from '@saddle/contract/operations/taskWords.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { areas, days, keyword, many, one } from '#kit/list/filters/specs.tsx'
import type { FilterSpec } from '#kit/list/filters/types.ts'

const { minutes: _minutes, remark: _remark, ...shownFields } = taskFields

export const tasks = listOf({
  list: taskList,
  call: taskEndpoints.searchTasks,
  file: taskEndpoints.exportTasks,
  fields: shownFields,
})

/** Queries that a change of tasks makes stale. */
export const staleTasks = [
  taskEndpoints.searchTasks,
  taskEndpoints.listTasks,
  taskEndpoints.taskDetail,
  taskEndpoints.taskWorkers,
]

export const isOver = ({ state }: Task): boolean => state === 'done' || state === 'cancelled'

export const taskFilters = (): readonly FilterSpec<TaskFilter>[] => [
  keyword(t('车辆编号'), 'keyword'),
  many('kinds', t('类型'), taskKindLabels),
  many('states', t('状态'), taskStateLabels),
  areas('areaIds'),
  many('sources', t('来源'), taskSourceLabels),
  many(
    'priorities',
    t('优先级'),
    taskPriorities.map((value) => ({ value, label: t(taskPriorityLabels[value]) })),
  ),
  many('outcomes', t('现场反馈'), taskOutcomeLabels),
  many('reviews', t('审核'), taskReviewLabels),
  one('overdue', t('时限'), [{ value: true, label: t('只看超时') }]),
  keyword(t('人员姓名'), 'person'),
  days(t('创建日期')),
]
