import type { ReactNode } from 'react'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { taskBatchMax, taskEndpoints } from '@saddle/contract/operations/tasks.ts'
import {
  taskKindLabels,
  taskKinds,
  taskPriorities,
  taskPriorityLabels,
  type TaskKind,
} from '@saddle/contract/operations/taskWords.ts'
import { choice, select } from '#kit/form/choiceFields.tsx'
import type { Field } from '#kit/form/field.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { longText, text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { useEndpoint } from '#kit/query.ts'
import { staleTasks } from './list.ts'

export interface NewTasksProps {
  readonly onClose: () => void
  /** Vehicles that were chosen elsewhere, and their areas; without them their numbers are asked for. */
  readonly chosen?: {
    readonly vehicleIds: readonly number[]
    readonly title: string
    readonly areaIds: readonly number[]
  }
  readonly kind?: TaskKind
  /** What else is read again afterwards. */
  readonly stale?: readonly Endpoint[]
}

const noMore: readonly Endpoint[] = []

/** Tasks for vehicles that were chosen, or by their numbers, as they are pasted or typed. */
export default function NewTasksDialog({
  onClose,
  chosen,
  kind = 'inspect',
  stale = noMore,
}: NewTasksProps): ReactNode {
  const { data } = useEndpoint(taskEndpoints.taskWorkers, { areaIds: [...(chosen?.areaIds ?? [])] }, { quiet: true })
  const vehicleIds = chosen?.vehicleIds.slice(0, taskBatchMax)
  return (
    <FormDialog
      title={chosen === undefined ? t('新建任务') : t('派任务：{{title}}', { title: chosen.title })}
      call={taskEndpoints.createTasks}
      about={vehicleIds === undefined ? 'new' : `${vehicleIds.length} ${vehicleIds[0]}`}
      adjust={() => ({ numbers: { isHidden: vehicleIds !== undefined } })}
      fields={{
        numbers: numbersField(),
        kind: select<TaskKind>({
          label: t('类型'),
          initial: kind,
          options: taskKinds.map((value) => ({ value, label: t(taskKindLabels[value]) })),
        }),
        priority: choice({
          label: t('优先级'),
          initial: 2,
          options: taskPriorities.map((value) => ({ value, label: t(taskPriorityLabels[value]) })),
        }),
        assigneeId: select({
          label: t('派给'),
          isOptional: true,
          isLoading: data === undefined,
          options: (data?.data.list ?? []).map(({ operatorId, name, unfinished }) => ({
            value: operatorId,
            label: t('{{name}}（手上 {{count}} 个）', { name, count: unfinished }),
          })),
        }),
        note: text({ label: t('说明'), isOptional: true }),
      }}
      input={({ assigneeId, numbers, note = '', ...rest }) => ({
        ...rest,
        ...(vehicleIds === undefined ? { numbers } : { vehicleIds }),
        note,
        ...(assigneeId !== undefined && { assigneeId }),
      })}
      submit={({ numbers }) => t('为 {{count}} 辆车创建任务', { count: vehicleIds?.length ?? numbers?.length ?? 0 })}
      stale={[...staleTasks, ...stale]}
      undo={({ data: { created } }) => (created.length === 0 ? null : { ids: created, note: t('撤销刚创建的任务') })}
      undone={({ data: { done } }) => t('已取消 {{count}} 个任务', { count: done.length })}
      done={({ data: { created } }) =>
        created.length === 0 ? null : t('已创建 {{count}} 个任务', { count: created.length })
      }
      onDone={({ data: { refused } }) => {
        const [first] = refused
        if (first === undefined) return
        const title = t('{{count}} 辆车没有创建', { count: refused.length })
        notify.error({ title, text: `${first.vehicle}：${first.promot}` })
      }}
      onClose={onClose}
    >
      {(chosen?.vehicleIds.length ?? 0) > taskBatchMax && (
        <p role="alert">{t('一次最多 {{count}} 辆，其余的请分批进行', { count: taskBatchMax })}</p>
      )}
    </FormDialog>
  )
}

/** Numbers between any separators, each once. */
function numbersField(): Field<string, string[]> {
  const field = longText({ label: t('车辆编号，每行一个'), rows: 4 })
  return {
    ...field,
    at: 'numbers',
    read: (value, limits) => {
      const numbers = [...new Set(value.split(/[\s,，;；]+/).filter((one) => one !== ''))]
      if (numbers.length === 0) return { fault: t('请填写{{label}}', { label: t('车辆编号') }) }
      const max = limits.maxItems ?? numbers.length
      return numbers.length > max ? { fault: t('一次最多 {{count}} 辆', { count: max }) } : { value: numbers }
    },
  }
}
