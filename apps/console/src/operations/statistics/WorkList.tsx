import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import {
  statisticsEndpoints,
  workCountMax,
  type WorkPage,
  type WorkTask,
} from '@saddle/contract/operations/statistics.ts'
import { taskKindLabels, taskReviewLabels, taskSourceLabels } from '@saddle/contract/operations/taskWords.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { call } from '#kit/api/client.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { ExportButton } from '#kit/list/ExportButton.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { useTotal } from '#kit/list/useTotal.ts'
import { PhotoStrip } from '#kit/photos/PhotoStrip.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { Empty } from '#kit/ui/states.tsx'
import { listMark, type Question } from './question.ts'

interface Props {
  readonly page: WorkPage
  readonly question: Question
  readonly onClear: () => void
}

const pageSize = 20

/** The tasks behind the figures, by the same question. */
export function WorkList({ page, question: { span, narrow }, onClear }: Props): ReactNode {
  const { scopeKey } = useScope()
  const filter = { page, ...span, ...narrow }
  const key = JSON.stringify([filter, scopeKey])
  const pages = usePages(key)
  const input = { filter, pageSize, ...(pages.cursor !== undefined && { cursor: pages.cursor }) }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(statisticsEndpoints.workTasks, input, {
    keepPrevious: true,
  })
  const shown = data?.data
  const count = useTotal(key, shown, isPlaceholderData)?.count ?? null
  const chips = chipsOf(narrow)
  const [params] = useSearchParams()
  return (
    <section className="page-card" aria-label={t('任务明细')}>
      {params.has(listMark) && <Landing />}
      <header className="work-head">
        <h2>{t('任务明细')}</h2>
        {chips.map((chip) => (
          <span key={chip} className="work-chip">
            {chip}
          </span>
        ))}
        {chips.length > 0 && (
          <Button look="quiet" onClick={onClear}>
            {t('看全部任务')}
          </Button>
        )}
        <ExportButton
          onExport={async (at, signal) =>
            (await call(statisticsEndpoints.exportWork, { filter, ...at }, { signal })).data
          }
        />
      </header>
      <DataTable<WorkTask>
        label={t('任务明细')}
        columns={columnsOf(page)}
        rows={shown?.list}
        rowKey={(row) => row.id}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        cardHead={vehicle}
        empty={<Empty title={t('没有符合条件的任务')} action={<Button onClick={onClear}>{t('看全部任务')}</Button>} />}
      />
      <Pager
        page={pages.page}
        hasNext={shown !== undefined && shown.nextCursor !== null}
        count={count}
        isCountCut={count !== null && count >= workCountMax}
        busy={isPlaceholderData}
        onPrevious={pages.previous}
        onNext={() => pages.next(shown?.nextCursor ?? null)}
      />
    </section>
  )
}

/** What narrows the list alone, in words. */
function chipsOf({ spread, reason, isLate, isRejected, withPhoto, isRepeat }: Question['narrow']): string[] {
  return [
    ...(spread === undefined ? [] : [t('用时分布第 {{number}} 档', { number: spread + 1 })]),
    ...(reason === undefined ? [] : [t('原因：{{reason}}', { reason })]),
    ...(isLate === true ? [t('超时完成')] : []),
    ...(isRejected === true ? [t('审核未通过')] : []),
    ...(withPhoto === undefined ? [] : [withPhoto ? t('有照片') : t('没有照片')]),
    ...(isRepeat === true ? [t('7 天内返修')] : []),
  ]
}

/** Whoever opens a figure wants to see what is behind it, and the list is far below. */
function Landing() {
  const mark = useRef<HTMLSpanElement>(null)
  const [, setParams] = useSearchParams()
  const land = useEffectEvent(() => {
    mark.current?.scrollIntoView({ block: 'start' })
    // The next figure asks anew.
    const landed = (old: URLSearchParams) => {
      const next = new URLSearchParams(old)
      next.delete(listMark)
      return next
    }
    setParams(landed, { replace: true })
  })
  useEffect(() => land(), [])
  return <span ref={mark} />
}

const vehicle = ({ number }: WorkTask): ReactNode => <Link to={`/vehicle-info?vehicle=${number}`}>{number}</Link>

const minutes = (from: number | null, to: number): string =>
  from === null ? '--' : ((to - from) / minuteMs).toFixed(0)
const percent = (value: number | null): string => (value === null ? '--' : value.toFixed(0))

function columnsOf(page: WorkPage): readonly Column<WorkTask>[] {
  return [
    { key: 'vehicle', title: t('车辆编号'), inHead: true, render: vehicle },
    ...(page === 'move'
      ? [{ key: 'kind', title: t('类型'), render: (row: WorkTask) => t(taskKindLabels[row.kind]) }]
      : []),
    { key: 'person', title: t('人员'), render: (row) => row.personName ?? '--' },
    { key: 'area', title: t('服务区'), render: (row) => row.areaName },
    { key: 'done', title: t('完成时间'), render: (row) => <time>{dateTime(row.doneAt)}</time> },
    {
      key: 'whole',
      title: t('用时'),
      unit: t('分钟'),
      numeric: true,
      render: (row) => (
        <span data-tone={row.dueAt !== null && row.doneAt > row.dueAt ? 'bad' : undefined}>
          {minutes(row.openedAt, row.doneAt)}
        </span>
      ),
    },
    {
      key: 'work',
      title: t('作业'),
      unit: t('分钟'),
      numeric: true,
      render: (row) => minutes(row.claimedAt, row.doneAt),
    },
    { key: 'source', title: t('来源'), render: (row) => t(taskSourceLabels[row.source]) },
    ...ownColumns(page),
    {
      key: 'review',
      title: t('审核'),
      render: (row) => (
        <span data-tone={row.review === 'rejected' ? 'bad' : undefined}>{t(taskReviewLabels[row.review])}</span>
      ),
    },
    { key: 'pay', title: t('报酬'), unit: t('元'), numeric: true, render: (row) => money(row.payCents) },
  ]
}

function ownColumns(page: WorkPage): readonly Column<WorkTask>[] {
  const reason: Column<WorkTask> = { key: 'reason', title: t('原因'), render: (row) => row.reason ?? '--' }
  const note: Column<WorkTask> = { key: 'note', title: t('备注'), render: (row) => (row.note === '' ? '--' : row.note) }
  const photos: Column<WorkTask> = {
    key: 'photos',
    title: t('现场照片'),
    render: (row) =>
      row.photos === 0 ? (
        '--'
      ) : (
        <PhotoStrip
          of={['work', row.id]}
          count={row.photos}
          label={t('{{number}} 的现场照片', { number: row.number })}
          load={async (signal) =>
            (await call(statisticsEndpoints.workPhotos, { page, id: row.id }, { signal })).data.photos
          }
        />
      ),
  }
  if (page === 'swap') {
    return [
      { key: 'before', title: t('换前电量'), unit: '%', numeric: true, render: (row) => percent(row.batteryBefore) },
      { key: 'after', title: t('换后电量'), unit: '%', numeric: true, render: (row) => percent(row.batteryAfter) },
    ]
  }
  if (page === 'repair') {
    const parts: Column<WorkTask> = {
      key: 'parts',
      title: t('配件'),
      unit: t('元'),
      numeric: true,
      render: (row) => money(row.partsCents),
    }
    return [reason, parts]
  }
  if (page === 'move')
    return [{ key: 'to', title: t('送到'), render: (row) => (row.toName === '' ? '--' : row.toName) }]
  return page === 'inspection' ? [reason, note, photos] : [reason, note]
}
