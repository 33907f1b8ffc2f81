import { useEffect, useRef, type ReactNode } from 'react'
import { Link } from 'react-router'
import { emptyText } from '@saddle/contract/constants.ts'
import {
  taskBatchMax,
  taskCountMax,
  taskEndpoints,
  type Task,
  type TaskFilter,
} from '@saddle/contract/operations/tasks.ts'
import {
  taskKindLabels,
  taskOutcomeLabels,
  taskPriorityLabels,
  taskReviewLabels,
  taskSourceLabels,
  taskStateLabels,
} from '@saddle/contract/operations/taskWords.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { ListPage } from '#kit/list/ListPage.tsx'
import { StateCounts } from '#kit/list/StateCounts.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList, type List } from '#kit/list/useList.ts'
import { useEndpoint } from '#kit/query.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { causeText, stateTones } from '../parts/words.ts'
import { DirectBar } from './DirectBar.tsx'
import { Due } from './Due.tsx'
import { taskFilters, tasks } from './list.ts'
import { TaskPanel } from './TaskPanel.tsx'

const refreshEveryMs = 30_000

interface Props {
  readonly actions: ReactNode
  /** A task was opened beside the list. */
  readonly onShown: (id: number) => void
}

/** The tasks that the filter asks for, and what can be done with many of them at once. */
export function TaskListView({ actions, onShown }: Props): ReactNode {
  const list = useList(tasks, { refreshEveryMs })
  return (
    <ListPage<Task, TaskFilter>
      list={list}
      title={t('运维任务')}
      actions={actions}
      above={<Counts list={list} />}
      filters={taskFilters()}
      columns={() => columns(list.filter)}
      rowName={(row) => `${t(taskKindLabels[row.kind])} ${row.number}`}
      empty={t('还没有任务')}
      selectable
      renderTools={(rows, done) => <DirectBar tasks={rows.slice(0, taskBatchMax)} onDone={done} />}
      isWaiting={({ review }) => review === 'waiting'}
      renderPanel={(row, { goOn }) => <Beside key={row.id} id={row.id} onDecided={goOn} onShown={onShown} />}
    />
  )
}

interface BesideProps {
  readonly id: number
  readonly onDecided: () => void
  readonly onShown: (id: number) => void
}

function Beside({ id, onDecided, onShown }: BesideProps) {
  const tell = useRef(onShown)
  useEffect(() => {
    tell.current = onShown
  })
  useEffect(() => {
    // Only set, never removed on unmount: that would pull back a user who is leaving for another page.
    tell.current(id)
  }, [id])
  return <TaskPanel id={id} onDecided={onDecided} />
}

/** How many of each state meet the other conditions. */
function Counts({ list }: { readonly list: List<Task, TaskFilter> }) {
  const { data } = useEndpoint(
    taskEndpoints.listTasks,
    { filter: { ...list.filter, states: undefined }, pageSize: 1 },
    { quiet: true, keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  const counts = data?.data.counts ?? undefined
  return (
    <StateCounts list={list} name="states" labels={taskStateLabels} counts={counts} countMax={taskCountMax}>
      <Overdue list={list} />
    </StateCounts>
  )
}

/** How many of all that meet the other conditions are late: what the list is opened for. */
function Overdue({ list }: { readonly list: List<Task, TaskFilter> }) {
  const { data } = useEndpoint(
    taskEndpoints.listTasks,
    { filter: { ...list.filter, states: undefined, overdue: true }, pageSize: 1 },
    { quiet: true, keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  const counts = data?.data.counts
  const isOn = list.filter.overdue === true
  const count =
    counts === undefined || counts === null ? undefined : Object.values(counts).reduce((sum, one) => sum + one, 0)
  return (
    <button
      type="button"
      aria-pressed={isOn}
      data-tone={count !== undefined && count > 0 ? 'bad' : undefined}
      onClick={() => list.change({ overdue: isOn ? undefined : true })}
    >
      {t('已超时')}
      <b>{count === undefined ? '' : number(count)}</b>
    </button>
  )
}

/** When and how a task ended is a column where the list is asked for such tasks. */
const columns = ({ states = [], reviews = [], outcomes = [] }: TaskFilter): readonly ColumnSpec<Task>[] => [
  { key: 'kind', card: 'head' },
  {
    key: 'number',
    card: 'head',
    render: ({ number }) => <Link to={`/vehicle/operation-map?vehicle=${number}`}>{number}</Link>,
  },
  {
    key: 'state',
    card: 'head',
    render: ({ state }) => <Mark tone={stateTones[state]}>{t(taskStateLabels[state])}</Mark>,
  },
  {
    key: 'priority',
    card: 'none',
    render: ({ priority }) => (
      <span className={priority === 1 ? 'work-late' : undefined}>{t(taskPriorityLabels[priority])}</span>
    ),
  },
  { key: 'dueAt', sort: 'due', render: (row) => <Due task={row} /> },
  {
    key: 'trigger',
    card: 'wide',
    render: (row) => {
      const cause = causeText(row) || t(taskSourceLabels[row.source])
      return (
        <span className="work-cause" title={cause}>
          {cause}
        </span>
      )
    },
  },
  {
    key: 'outcome',
    card: 'none',
    isOptional: outcomes.length === 0,
    render: ({ outcome }) => (outcome === null ? emptyText : <Mark tone="warn">{t(taskOutcomeLabels[outcome])}</Mark>),
  },
  { key: 'to', title: t('目的地'), card: 'none', render: ({ to }) => to?.name || emptyText },
  'personName',
  {
    key: 'battery',
    title: t('电量'),
    unit: '%',
    numeric: true,
    card: 'none',
    render: ({ vehicle: { batteryPercent } }) => (batteryPercent === null ? emptyText : Math.round(batteryPercent)),
  },
  'areaName',
  { key: 'openedAt', card: 'none' },
  { key: 'doneAt', card: 'none', isOptional: !states.some((state) => state === 'done' || state === 'cancelled') },
  {
    key: 'review',
    card: 'none',
    isOptional: reviews.length === 0 && !states.includes('done'),
    render: ({ review }) => (review === 'none' ? emptyText : t(taskReviewLabels[review])),
  },
  { key: 'source', isOptional: true },
  { key: 'claimedAt', isOptional: true },
  { key: 'reason', isOptional: true },
  { key: 'payCents', isOptional: true },
  { key: 'partsCents', isOptional: true },
  { key: 'id', isOptional: true },
]
