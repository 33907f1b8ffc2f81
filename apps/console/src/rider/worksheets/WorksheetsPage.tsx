import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import {
  complaintBatchMax,
  complaintEndpoints,
  complaintFilterSchema,
  complaintKindLabels,
  complaintKinds,
  complaintStateLabels,
  complaintStates,
  type Complaint,
  type ComplaintCounters,
  type ComplaintFilter,
} from '@saddle/contract/support/complaints.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { call } from '#kit/api/client.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { serverNow } from '#kit/clock.ts'
import { dateTime, relativeTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { changeFilter, useAddressFilter } from '#kit/list/addressFilter.ts'
import { Areas, Many } from '#kit/list/Choices.tsx'
import type { Column, Sort } from '#kit/list/DataTable.tsx'
import { Days, FilterBar, Keyword } from '#kit/list/FilterBar.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { Empty } from '#kit/ui/states.tsx'
import { ListCard } from '../parts/ListCard.tsx'
import { AssignTo } from './AssignTo.tsx'
import { TicketLink, TicketMark } from './TicketMark.tsx'
import { useTickets } from './useTickets.ts'
import { readTicketWord, ticketWordOf } from './word.ts'
import './worksheets.css'

const OpenDialog = lazy(() => loadChunk(() => import('./OpenDialog.tsx')))

const pageSize = 50
const refreshEveryMs = minuteMs
const unfinished = ['open', 'in_work'] as const

/** What riders complain about: what is late first, by state and by who looks after it. */
export default function WorksheetsPage(): ReactNode {
  const [filter, setFilter] = useAddressFilter(complaintFilterSchema, { secret: ['phone'] })
  const [opening, setOpening] = useState(false)
  const change = (part: Partial<Record<keyof ComplaintFilter, unknown>>) => setFilter(changeFilter(filter, part))
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('用户工单')}</h1>
        <Button look="primary" onClick={() => setOpening(true)}>
          {t('登记工单')}
        </Button>
      </header>
      <Counters filter={filter} onFilter={setFilter} />
      <FilterBar count={Object.keys(filter).length} onClear={() => setFilter({})}>
        <Keyword
          label={t('手机号、工单编号或车辆编号')}
          value={ticketWordOf(filter)}
          onChange={(text) =>
            change({ phone: undefined, number: undefined, vehicleNumber: undefined, ...readTicketWord(text) })
          }
        />
        <Many
          label={t('类型')}
          value={filter.kinds}
          options={complaintKinds.map((kind) => ({ value: kind, label: t(complaintKindLabels[kind]) }))}
          onChange={(kinds) => change({ kinds })}
        />
        <Many
          label={t('状态')}
          value={filter.states}
          options={complaintStates.map((state) => ({ value: state, label: t(complaintStateLabels[state]) }))}
          onChange={(states) => change({ states })}
        />
        <Areas value={filter.areaIds} onChange={(areaIds) => change({ areaIds })} />
        <Days label={t('提交日期')} from={filter.from} to={filter.to} onChange={change} />
      </FilterBar>
      <TicketTable filter={filter} onClear={() => setFilter({})} />
      {opening && (
        <Suspense fallback={null}>
          <OpenDialog onClose={() => setOpening(false)} />
        </Suspense>
      )}
    </div>
  )
}

type View = { readonly label: string; readonly count: keyof ComplaintCounters; readonly filter: ComplaintFilter }

const viewsOf = (): readonly View[] => [
  { label: t('待处理'), count: 'open', filter: { states: ['open'] } },
  { label: t('处理中'), count: 'inWork', filter: { states: ['in_work'] } },
  { label: t('已超时'), count: 'overdue', filter: { overdue: true } },
  { label: t('我的'), count: 'mine', filter: { who: 'mine', states: [...unfinished] } },
  { label: t('无人处理'), count: 'nobody', filter: { who: 'nobody' } },
  { label: t('已答复'), count: 'resolved', filter: { states: ['resolved'] } },
]

/** How many wait, by what they wait for; each figure opens its list. */
function Counters({ filter, onFilter }: { filter: ComplaintFilter; onFilter: (filter: ComplaintFilter) => void }) {
  const { data } = useEndpoint(
    complaintEndpoints.listComplaints,
    { pageSize: 1 },
    { quiet: true, keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  const counters = data?.data.counters
  const shown = JSON.stringify(filter)
  return (
    <nav className="tickets-views" aria-label={t('按状态查看')}>
      {viewsOf().map((view) => {
        const isShown = shown === JSON.stringify(view.filter)
        return (
          <button
            key={view.count}
            type="button"
            aria-pressed={isShown}
            data-alarm={view.count === 'overdue' && (counters?.overdue ?? 0) > 0}
            onClick={() => onFilter(isShown ? {} : view.filter)}
          >
            <strong>{counters?.[view.count] ?? '–'}</strong>
            <span>{view.label}</span>
          </button>
        )
      })}
    </nav>
  )
}

function TicketTable({ filter, onClear }: { filter: ComplaintFilter; onClear: () => void }) {
  const { scopeKey } = useScope()
  const [sort, setSort] = useState<Sort>({ by: 'due', direction: 'asc' })
  const by = sort.by === 'opened' ? 'opened' : 'due'
  const question = JSON.stringify([filter, by, scopeKey])
  const pages = usePages(question)
  const [chosen, setChosen] = useState<{ of: string; ids: readonly number[] }>({ of: question, ids: [] })
  const input = { filter, sort: by, pageSize, ...(pages.cursor !== undefined && { cursor: pages.cursor }) } as const
  const { data, error, isPlaceholderData, refetch } = useEndpoint(complaintEndpoints.listComplaints, input, {
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  const rows = data?.data.list ?? []
  const selected = rows.filter(({ id }) => chosen.of === question && chosen.ids.includes(id))
  return (
    <ListCard<Complaint>
      label={t('用户工单')}
      question={question}
      pages={pages}
      page={data?.data}
      busy={isPlaceholderData}
      error={error}
      onRetry={() => void refetch()}
      columns={columnsOf()}
      rowKey={(row) => row.id}
      cardHead={headOf}
      empty={
        Object.keys(filter).length === 0 ? (
          <Empty title={t('还没有用户工单')} text={t('骑行者提交或客服登记的工单会出现在这里。')} />
        ) : (
          <Empty title={t('没有符合条件的工单')} action={<Button onClick={onClear}>{t('清除条件')}</Button>} />
        )
      }
      sort={by === 'due' ? { by, direction: 'asc' } : { by, direction: 'desc' }}
      onSort={setSort}
      selected={selected.map(({ id }) => id)}
      onSelect={(ids) => setChosen({ of: question, ids: ids.slice(0, complaintBatchMax) })}
      onExport={async (at, signal) => {
        const answer = await call(complaintEndpoints.exportComplaints, { filter, sort: by, ...at }, { signal })
        return answer.data
      }}
      tools={<Acts tickets={selected} onDone={() => setChosen({ of: question, ids: [] })} />}
    />
  )
}

function Acts({ tickets, onDone }: { tickets: readonly Complaint[]; onDone: () => void }) {
  const { assign, turn, busy } = useTickets()
  const count = tickets.length
  if (count === 0) return null
  const ids = tickets.map(({ id }) => id)
  return (
    <>
      <AssignTo
        label={t('指派 {{count}} 张给…', { count })}
        busy={busy}
        onChoose={(person) => assign(tickets, person, onDone)}
      />
      <Button busy={busy} onClick={() => turn('start', ids, '', onDone)}>
        {t('我来处理 {{count}} 张', { count })}
      </Button>
      <Button busy={busy} onClick={() => turn('close', ids, '', onDone)}>
        {t('关闭 {{count}} 张', { count })}
      </Button>
    </>
  )
}

const headOf = (row: Complaint): ReactNode => (
  <span className="rider-head">
    <TicketLink ticket={row} />
    <TicketMark ticket={row} />
  </span>
)

/** How long is left, or how long the rider has waited beyond it. */
function Due({ ticket: { state, dueAt, overdue } }: { ticket: Complaint }) {
  const isDone = state === 'resolved' || state === 'closed'
  return (
    <time data-tone={overdue ? 'bad' : undefined} title={dateTime(dueAt)}>
      {isDone ? '--' : overdue ? t('已超时：{{ago}}', { ago: relativeTime(dueAt, serverNow()) }) : dateTime(dueAt)}
    </time>
  )
}

function columnsOf(): readonly Column<Complaint>[] {
  return [
    { key: 'number', title: t('工单编号'), inHead: true, render: (row) => <TicketLink ticket={row} /> },
    { key: 'state', title: t('状态'), inHead: true, render: (row) => <TicketMark ticket={row} /> },
    { key: 'kind', title: t('类型'), render: (row) => t(complaintKindLabels[row.kind]) },
    {
      key: 'text',
      title: t('内容'),
      render: (row) => (
        <span className="tickets-text">
          {row.text}
          {row.photoCount > 0 && <small>{t('{{count}} 张照片', { count: row.photoCount })}</small>}
        </span>
      ),
    },
    { key: 'due', title: t('应答时限'), sortable: true, render: (row) => <Due ticket={row} /> },
    { key: 'assignee', title: t('处理人'), render: (row) => row.assigneeName ?? '--' },
    {
      key: 'rider',
      title: t('骑行者'),
      render: ({ riderId, riderPhone }) =>
        riderId === null ? '--' : <RiderLink riderId={riderId}>{riderPhone}</RiderLink>,
    },
    {
      key: 'vehicle',
      title: t('车辆编号'),
      render: ({ vehicleNumber }) =>
        vehicleNumber === null ? '--' : <Link to={`/vehicle-info?vehicle=${vehicleNumber}`}>{vehicleNumber}</Link>,
    },
    { key: 'area', title: t('服务区'), render: (row) => row.areaName ?? '--' },
    { key: 'opened', title: t('提交时间'), sortable: true, render: (row) => <time>{dateTime(row.openedAt)}</time> },
  ]
}
