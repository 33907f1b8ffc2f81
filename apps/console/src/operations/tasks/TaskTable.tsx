import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { taskCountMax, taskEndpoints, type Task, type TaskFilter } from '@saddle/contract/operations/tasks.ts'
import {
  taskKindLabels,
  taskPriorityLabels,
  taskReviewLabels,
  taskSourceLabels,
  taskStateLabels,
  taskStates,
} from '@saddle/contract/operations/taskWords.ts'
import { call } from '#kit/api/client.ts'
import { serverNow } from '#kit/clock.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { changeFilter } from '#kit/list/addressFilter.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { useExport } from '#kit/list/useExport.ts'
import { usePages } from '#kit/list/usePages.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { Empty } from '#kit/ui/states.tsx'
import { causeText, spanText, stateTones } from '../parts/words.ts'
import { BulkBar } from './BulkBar.tsx'

const pageSize = 50
const refreshEveryMs = 30_000

interface Props {
  readonly filter: TaskFilter
  readonly onShow: (id: number) => void
  readonly onFilter: (filter: TaskFilter) => void
}

/** The tasks that the question asks for, and what can be done with many of them at once. */
export function TaskTable({ filter, onShow, onFilter }: Props): ReactNode {
  const { scopeKey } = useScope()
  const [sort, setSort] = useState<'newest' | 'due'>('newest')
  const question = JSON.stringify([filter, sort, scopeKey])
  const pages = usePages(question)
  const [chosen, setChosen] = useState<{ of: string; tasks: readonly Task[] }>({ of: question, tasks: [] })
  const tasks = chosen.of === question ? chosen.tasks : []
  const input = { filter, sort, pageSize, ...(pages.cursor !== undefined && { cursor: pages.cursor }) }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(taskEndpoints.listTasks, input, {
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  const exporting = useExport()
  const page = data?.data
  const select = (keys: (number | string)[]) => {
    const known = [...tasks, ...(page?.list ?? [])]
    const found = new Map(known.map((task) => [task.id, task]))
    setChosen({ of: question, tasks: keys.flatMap((key) => found.get(Number(key)) ?? []) })
  }
  return (
    <section className="page-card">
      <div className="work-bar">
        <Counts counts={page?.counts ?? null} filter={filter} onFilter={onFilter} />
        <Button look="quiet" onClick={() => setSort(sort === 'newest' ? 'due' : 'newest')}>
          {sort === 'newest' ? t('新的在前') : t('紧急的在前')}
        </Button>
        <Button
          busy={exporting.rows !== null}
          onClick={() =>
            void exporting.start((at, signal) =>
              call(taskEndpoints.exportTasks, { filter, ...at }, { signal }).then((answer) => answer.data),
            )
          }
        >
          {exporting.rows === null ? t('导出') : t('已导出 {{count}} 行', { count: exporting.rows })}
        </Button>
      </div>
      <BulkBar tasks={tasks} onDone={() => setChosen({ of: question, tasks: [] })} />
      <DataTable<Task>
        label={t('运维任务')}
        columns={columnsOf(onShow)}
        rows={page?.list}
        rowKey={(row) => row.id}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        selected={tasks.map(({ id }) => id)}
        onSelect={select}
        onOpen={(row) => onShow(row.id)}
        cardHead={(row) => headOf(row, onShow)}
        empty={<Empty title={t('没有符合条件的任务')} text={t('换一个条件，或新建任务')} />}
      />
      <Pager
        page={pages.page}
        hasNext={page !== undefined && page.nextCursor !== null}
        count={null}
        busy={isPlaceholderData}
        onPrevious={pages.previous}
        onNext={() => pages.next(page?.nextCursor ?? null)}
      />
    </section>
  )
}

type CountsProps = Pick<Props, 'filter' | 'onFilter'> & { readonly counts: Readonly<Record<string, number>> | null }

/** How many of each state; kept from the first page while others are looked at. */
function Counts({ counts, filter, onFilter }: CountsProps) {
  const [kept, setKept] = useState(counts)
  if (counts !== null && counts !== kept) setKept(counts)
  const shown = counts ?? kept
  const { states } = filter
  return (
    <nav className="work-tabs" aria-label={t('状态')}>
      {taskStates.map((state) => (
        <button
          key={state}
          type="button"
          aria-current={states?.length === 1 && states[0] === state ? 'page' : undefined}
          onClick={() =>
            onFilter(
              changeFilter(filter, { states: states?.length === 1 && states[0] === state ? undefined : [state] }),
            )
          }
        >
          {t(taskStateLabels[state])}
          <b>{countText(shown?.[state])}</b>
        </button>
      ))}
    </nav>
  )
}

/** A count that was not counted to its end says so. */
const countText = (count: number | undefined): string =>
  count === undefined ? '' : count >= taskCountMax ? `${taskCountMax}+` : String(count)

function headOf(row: Task, onShow: (id: number) => void): ReactNode {
  return (
    <button type="button" className="work-inline" onClick={() => onShow(row.id)}>
      {t(taskKindLabels[row.kind])} {row.number}
    </button>
  )
}

/** When it is to be done, and whether it is late. */
export function Due({ task }: { readonly task: Task }): ReactNode {
  const { dueAt, doneAt } = task
  if (dueAt === null) return '--'
  const at = doneAt ?? serverNow()
  if (at <= dueAt) return doneAt === null ? t('剩余 {{span}}', { span: spanText(dueAt - at) }) : t('按时')
  return <span className="work-late">{t('超时 {{span}}', { span: spanText(at - dueAt) })}</span>
}

function columnsOf(onShow: (id: number) => void): readonly Column<Task>[] {
  return [
    {
      key: 'kind',
      title: t('类型'),
      inHead: true,
      render: (row) => (
        <button type="button" className="work-inline" onClick={() => onShow(row.id)}>
          {t(taskKindLabels[row.kind])}
        </button>
      ),
    },
    {
      key: 'number',
      title: t('车辆编号'),
      inHead: true,
      render: (row) => <Link to={`/vehicle/operation-map?vehicle=${row.number}`}>{row.number}</Link>,
    },
    {
      key: 'state',
      title: t('状态'),
      render: (row) => (
        <span className="work-chip" data-tone={stateTones[row.state]}>
          {t(taskStateLabels[row.state])}
        </span>
      ),
    },
    {
      key: 'priority',
      title: t('优先级'),
      render: (row) => (
        <span className={row.priority === 1 ? 'work-late' : undefined}>{t(taskPriorityLabels[row.priority])}</span>
      ),
    },
    { key: 'due', title: t('时限'), render: (row) => <Due task={row} /> },
    { key: 'cause', title: t('原因'), render: (row) => causeText(row) || t(taskSourceLabels[row.source]) },
    { key: 'person', title: t('人员'), render: (row) => row.personName ?? '--' },
    {
      key: 'battery',
      title: t('电量'),
      unit: '%',
      numeric: true,
      render: (row) => (row.vehicle.batteryPercent === null ? '--' : Math.round(row.vehicle.batteryPercent)),
    },
    { key: 'area', title: t('服务区'), render: (row) => row.areaName },
    { key: 'opened', title: t('创建时间'), render: (row) => <time>{dateTime(row.openedAt)}</time> },
    { key: 'done', title: t('结束时间'), render: (row) => <time>{dateTime(row.doneAt)}</time> },
    {
      key: 'review',
      title: t('审核'),
      render: (row) => (row.review === 'none' ? '--' : t(taskReviewLabels[row.review])),
    },
  ]
}
