import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { taskReviewLabels } from '@saddle/contract/operations/taskWords.ts'
import {
  spreadMinutes,
  workNarrowSchema,
  workStatisticsEndpoints,
  workTaskFields,
  workTaskList,
  type WorkNarrow,
  type WorkPage,
  type WorkTask,
} from '@saddle/contract/operations/statistics/work.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { call } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { keyword, one } from '#kit/list/filters/specs.tsx'
import { ListFilters } from '#kit/list/filters/FilterBar.tsx'
import type { FilterSpec } from '#kit/list/filters/types.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { someConditions } from '#kit/list/useFilters.ts'
import type { List } from '#kit/list/useList.ts'
import { useHasRoomBeside } from '#kit/list/usePhone.ts'
import { PhotoStrip } from '#kit/photos/PhotoStrip.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { listMark } from './question.ts'
import { spreadLabel } from './WorkFigures.tsx'

const listOfPage = (page: WorkPage) =>
  listOf({
    name: `work-${page}`,
    // The page says which work and which days.
    list: { ...workTaskList, filter: workNarrowSchema },
    call: workStatisticsEndpoints.workTasks,
    file: workStatisticsEndpoints.exportWork,
    fields: workTaskFields,
  })

const tableOf = (page: WorkPage) => ({
  list: listOfPage(page),
  columns: () => columnsOf(page),
  /** Beside the figures there is room for what tells one task from another. */
  beside: () => columnsOf(page).filter((column) => narrowKeys.has(typeof column === 'string' ? column : column.key)),
})
const narrowKeys: ReadonlySet<string> = new Set(['number', 'personName', 'doneAt', 'wholeMinutes', 'review'])

/**
 * The tasks behind the figures of each page: every page keeps conditions and columns of its own. Made once, so that rows need
 * not be drawn again at every render.
 */
export const workTables = {
  swap: tableOf('swap'),
  repair: tableOf('repair'),
  inspection: tableOf('inspection'),
  move: tableOf('move'),
} as const satisfies Record<WorkPage, unknown>

interface Props {
  readonly page: WorkPage
  readonly list: List<WorkTask, WorkNarrow>
}

/**
 * The figures, and the tasks behind them by the same question and by conditions of their own. Where there is room, a figure
 * opens its tasks beside the figures; elsewhere they stand below.
 */
export function WorkParts({ page, list, children }: Props & { readonly children: ReactNode }): ReactNode {
  const [params, setParams] = useSearchParams()
  const hasRoom = useHasRoomBeside()
  const isAsked = params.has(listMark)
  const close = () => setParams(withoutMark, { replace: true })
  if (isAsked && hasRoom) {
    return (
      <div className="work-split">
        <div className="work-split-figures">{children}</div>
        <section className="page-card work-beside" aria-label={t('任务明细')}>
          <header>
            <h2>{t('任务明细')}</h2>
            <Button look="quiet" aria-label={t('关闭任务明细')} onClick={close}>
              ×
            </Button>
          </header>
          <WorkList page={page} list={list} columns={workTables[page].beside} />
        </section>
      </div>
    )
  }
  return (
    <>
      {children}
      <section className="work-list" aria-label={t('任务明细')}>
        {isAsked && <Landing />}
        <h2 className="work-heading">{t('任务明细')}</h2>
        <WorkList page={page} list={list} columns={workTables[page].columns} />
      </section>
    </>
  )
}

interface ListProps extends Props {
  readonly columns: () => readonly ColumnSpec<WorkTask>[]
}

function WorkList({ page, list, columns: shown }: ListProps): ReactNode {
  return (
    <>
      <ListFilters list={someConditions(list, ownConditions)} filters={filtersOf(page)} />
      <ListCard list={list} label={t('任务明细')} columns={shown} rowName={({ number }) => number} />
    </>
  )
}

const ownConditions = ['spread', 'hour', 'reason', 'isLate', 'isRejected', 'withPhoto', 'isRepeat', 'keyword'] as const

function filtersOf(page: WorkPage): readonly FilterSpec<WorkNarrow>[] {
  const spread = Array.from({ length: spreadMinutes.length + 1 }, (_, index) => ({
    value: index,
    label: spreadLabel(index),
  }))
  const hours = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: t('{{hour}} 点', { hour }) }))
  const yes = (label: string) => [{ value: true, label }]
  return [
    keyword<WorkNarrow>(t('车辆编号'), 'keyword'),
    one<WorkNarrow>('spread', t('用时'), spread),
    one<WorkNarrow>('hour', t('完成的钟点'), hours),
    one<WorkNarrow>('isLate', t('期限'), yes(t('超时完成'))),
    one<WorkNarrow>('isRejected', t('审核'), yes(t('审核未通过'))),
    one<WorkNarrow>('withPhoto', t('现场照片'), [
      { value: true, label: t('有照片') },
      { value: false, label: t('没有照片') },
    ]),
    ...(page === 'repair' ? [one<WorkNarrow>('isRepeat', t('返修'), yes(t('7 天内返修')))] : []),
    ...(page === 'repair' || page === 'inspection' ? [keyword<WorkNarrow>(t('原因'), 'reason')] : []),
  ]
}

function withoutMark(old: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(old)
  next.delete(listMark)
  return next
}

/** A figure opens the list behind it, which stands far below. */
function Landing() {
  const mark = useRef<HTMLSpanElement>(null)
  const [, setParams] = useSearchParams()
  const land = useEffectEvent(() => {
    mark.current?.scrollIntoView({ block: 'start' })
    // The next figure asks anew.
    setParams(withoutMark, { replace: true })
  })
  useEffect(() => land(), [])
  return <span ref={mark} className="work-landing" />
}

const minutes = (from: number | null, to: number): string =>
  from === null ? '--' : ((to - from) / minuteMs).toFixed(0)
const percent = (value: number | null): string => value?.toFixed(0) ?? '--'

function columnsOf(page: WorkPage): readonly ColumnSpec<WorkTask>[] {
  return [
    {
      key: 'number',
      card: 'head',
      render: ({ number }) => <Link to={`/vehicle-info?vehicle=${number}`}>{number}</Link>,
    },
    ...(page === 'move' ? (['kind'] as const) : []),
    { key: 'personName', card: 'head' },
    'areaName',
    { key: 'doneAt', sort: 'done' },
    {
      key: 'wholeMinutes',
      title: t('用时'),
      numeric: true,
      render: ({ dueAt, doneAt, openedAt }) => (
        <span data-tone={dueAt !== null && doneAt > dueAt ? 'bad' : undefined}>{minutes(openedAt, doneAt)}</span>
      ),
    },
    { key: 'workMinutes', title: t('作业'), render: ({ claimedAt, doneAt }) => minutes(claimedAt, doneAt) },
    { key: 'source', card: 'none' },
    ...ownColumns(page),
    {
      key: 'review',
      render: ({ review }) => (
        <span data-tone={review === 'rejected' ? 'bad' : undefined}>{t(taskReviewLabels[review])}</span>
      ),
    },
    'payCents',
    { key: 'openedAt', isOptional: true },
    { key: 'dueAt', isOptional: true },
  ]
}

function ownColumns(page: WorkPage): readonly ColumnSpec<WorkTask>[] {
  const photos: ColumnSpec<WorkTask> = {
    key: 'photos',
    numeric: false,
    render: (row) =>
      row.photos === 0 ? (
        '--'
      ) : (
        <PhotoStrip
          of={['work', row.id]}
          count={row.photos}
          label={t('{{number}} 的现场照片', { number: row.number })}
          load={async (signal) =>
            (await call(workStatisticsEndpoints.workPhotos, { page, id: row.id }, { signal })).data.photos
          }
        />
      ),
  }
  if (page === 'swap') {
    return [
      { key: 'batteryBefore', render: (row) => percent(row.batteryBefore) },
      { key: 'batteryAfter', render: (row) => percent(row.batteryAfter) },
    ]
  }
  if (page === 'repair') return ['reason', 'partsCents']
  return page === 'move' ? ['toName'] : ['reason', 'note', photos]
}
