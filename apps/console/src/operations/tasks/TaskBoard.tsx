import type { ReactNode } from 'react'
import { taskEndpoints, type Task, type TaskFilter } from '@saddle/contract/operations/tasks.ts'
import {
  taskKindLabels,
  taskPriorityLabels,
  taskStateLabels,
  type TaskState,
} from '@saddle/contract/operations/taskWords.ts'
import { startOfDay, dayOf } from '#kit/day.ts'
import { serverNow } from '#kit/clock.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { causeText } from '../parts/words.ts'
import { Due } from './Due.tsx'

const columns = ['open', 'claimed', 'on_site', 'done'] as const satisfies readonly TaskState[]
const perColumn = 30
const refreshEveryMs = 20_000

/** What waits, what somebody has, and what was done today, beside each other. */
export function TaskBoard({
  filter,
  onShow,
}: {
  readonly filter: TaskFilter
  readonly onShow: (id: number) => void
}): ReactNode {
  return (
    <div className="work-board">
      {columns.map((state) => (
        <BoardColumn key={state} state={state} filter={filter} onShow={onShow} />
      ))}
    </div>
  )
}

interface ColumnProps {
  readonly state: (typeof columns)[number]
  readonly filter: TaskFilter
  readonly onShow: (id: number) => void
}

function BoardColumn({ state, filter, onShow }: ColumnProps) {
  const today = startOfDay(dayOf(serverNow()))
  const asked =
    state === 'done' && filter.doneFrom === undefined && today !== undefined ? { ...filter, doneFrom: today } : filter
  const { data, error, refetch } = useEndpoint(
    taskEndpoints.listTasks,
    { filter: { ...asked, states: [state] }, sort: state === 'done' ? 'newest' : 'due', pageSize: perColumn },
    { keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  const list = data?.data.list
  const count = data?.data.counts?.[state]
  return (
    <section className="work-column">
      <h2>
        {state === 'done' ? t('今天完成') : t(taskStateLabels[state])} <small>{count ?? ''}</small>
      </h2>
      {list === undefined && error === null && <Loading />}
      {list === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {list?.length === 0 && <Empty title={t('没有任务')} />}
      {list?.map((task) => (
        <BoardCard key={task.id} task={task} onShow={onShow} />
      ))}
      {list !== undefined && count !== undefined && count > list.length && (
        <small className="work-note">{t('另有 {{count}} 个，见列表', { count: count - list.length })}</small>
      )}
    </section>
  )
}

function BoardCard({ task, onShow }: { readonly task: Task; readonly onShow: (id: number) => void }) {
  return (
    <button type="button" className="work-card" onClick={() => onShow(task.id)}>
      <span>
        <strong>{t(taskKindLabels[task.kind])}</strong>
        {task.number}
        {task.priority === 1 && (
          <em className="work-chip" data-tone="bad">
            {t(taskPriorityLabels[1])}
          </em>
        )}
        {task.causeGoneAt !== null && task.doneAt === null && <em className="work-chip">{t('原因已消失')}</em>}
      </span>
      <span>
        <small>
          {[task.areaName, causeText(task), task.personName ?? ''].filter((part) => part !== '').join(' · ')}
        </small>
      </span>
      <small>
        <Due task={task} />
      </small>
    </button>
  )
}
