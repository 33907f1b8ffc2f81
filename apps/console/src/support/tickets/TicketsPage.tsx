import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import {
  supportTicketEndpoints,
  ticketBatchMax,
  ticketKindLabels,
  ticketStateLabels,
  type Ticket,
  type TicketCounters,
  type TicketFilter,
} from '@saddle/contract/support/tickets.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { serverNow } from '#kit/clock.ts'
import { dateTime, relativeTime, shortTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { areas, days, keyword, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList, type List } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { AssignTo } from './AssignTo.tsx'
import { TicketLink, TicketMark } from './TicketMark.tsx'
import { tickets } from './list.ts'
import { TicketPanel } from './TicketPanel.tsx'
import { useTransition } from './useTransition.ts'
import { readTicketWord, ticketWordOf } from './word.ts'
import './tickets.css'

const OpenDialog = lazy(() => loadChunk(() => import('./OpenDialog.tsx')))

const refreshEveryMs = minuteMs
const unfinished = ['open', 'in_work'] as const

const isWaiting = ({ state }: Ticket): boolean => state === 'open' || state === 'in_work'

/** Tickets of riders: what is late first, by state and by who looks after it. */
export default function TicketsPage(): ReactNode {
  const list = useList(tickets)
  const [isOpening, setOpening] = useState(false)
  return (
    <>
      <ListPage
        list={list}
        title={t('用户工单')}
        actions={
          <Button look="primary" onClick={() => setOpening(true)}>
            {t('登记工单')}
          </Button>
        }
        above={<Counters list={list} />}
        filters={[
          keyword(t('手机号、工单编号或车辆编号'), {
            names: ['phone', 'number', 'vehicleNumber'],
            read: readTicketWord,
            write: ticketWordOf,
          }),
          many('kinds', t('类型'), ticketKindLabels),
          many('states', t('状态'), ticketStateLabels),
          areas('areaIds'),
          days(t('提交日期')),
        ]}
        columns={columns}
        rowName={({ number }) => number}
        empty={t('还没有用户工单')}
        layout="queue"
        isWaiting={isWaiting}
        renderPanel={(row, { goOn }) => <TicketPanel key={row.id} id={row.id} onAnswered={goOn} />}
        selectable
        renderTools={(rows, done) => <Acts tickets={rows.slice(0, ticketBatchMax)} onDone={done} />}
      />
      {isOpening && (
        <Suspense fallback={null}>
          <OpenDialog onClose={() => setOpening(false)} />
        </Suspense>
      )}
    </>
  )
}

type View = { readonly label: string; readonly count: keyof TicketCounters; readonly filter: Partial<TicketFilter> }

const viewsOf = (): readonly View[] => [
  { label: t('待处理'), count: 'open', filter: { states: ['open'] } },
  { label: t('处理中'), count: 'inWork', filter: { states: ['in_work'] } },
  { label: t('已超时'), count: 'overdue', filter: { overdue: true } },
  { label: t('我的'), count: 'mine', filter: { who: 'mine', states: [...unfinished] } },
  { label: t('无人处理'), count: 'nobody', filter: { who: 'nobody' } },
  { label: t('已答复'), count: 'resolved', filter: { states: ['resolved'] } },
]

/** Every condition that a figure sets: another figure takes those of the one before away. */
const nothing = { states: undefined, overdue: undefined, who: undefined }

/** How many wait, by what they wait for; each figure opens its list. */
function Counters({ list }: { readonly list: List<Ticket, TicketFilter> }) {
  const { data } = useEndpoint(
    supportTicketEndpoints.ticketCounters,
    {},
    { quiet: true, keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  const counters = data?.data
  const { states, overdue, who } = list.filter
  const shown = JSON.stringify({ ...nothing, states, overdue, who })
  return (
    <nav className="tickets-views" aria-label={t('按状态查看')}>
      {viewsOf().map((view) => {
        const isShown = shown === JSON.stringify({ ...nothing, ...view.filter })
        return (
          <button
            key={view.count}
            type="button"
            aria-pressed={isShown}
            data-alarm={view.count === 'overdue' && (counters?.overdue ?? 0) > 0}
            onClick={() => list.change({ ...nothing, ...(isShown ? {} : view.filter) })}
          >
            <strong>{counters?.[view.count] ?? '–'}</strong>
            <span>{view.label}</span>
          </button>
        )
      })}
    </nav>
  )
}

function Acts({ tickets: chosen, onDone }: { readonly tickets: readonly Ticket[]; readonly onDone: () => void }) {
  const { send, isBusy } = useTransition(onDone)
  const count = chosen.length
  if (count === 0) return null
  const ids = chosen.map(({ id }) => id)
  return (
    <>
      <AssignTo label={t('指派 {{count}} 张给…', { count })} tickets={chosen} onDone={onDone} />
      <Button busy={isBusy} onClick={() => send({ ids, act: 'start' })}>
        {t('我来处理 {{count}} 张', { count })}
      </Button>
      <Button busy={isBusy} onClick={() => send({ ids, act: 'close' })}>
        {t('关闭 {{count}} 张', { count })}
      </Button>
    </>
  )
}

/** How long is left, or how long the rider has waited beyond it. */
function Due({ ticket: { state, dueAt, overdue } }: { ticket: Ticket }) {
  const isDone = state === 'resolved' || state === 'closed'
  return (
    <time data-tone={overdue ? 'bad' : undefined} title={dateTime(dueAt)}>
      {isDone
        ? '--'
        : overdue
          ? t('已超时：{{ago}}', { ago: relativeTime(dueAt, serverNow()) })
          : shortTime(dueAt, serverNow())}
    </time>
  )
}

const columns = (): readonly ColumnSpec<Ticket>[] => [
  { key: 'number', card: 'head', render: (row) => <TicketLink ticket={row} /> },
  { key: 'state', card: 'head', render: (row) => <TicketMark ticket={row} /> },
  'kind',
  {
    key: 'text',
    card: 'wide',
    render: (row) => (
      <span className="tickets-text">
        {row.text}
        {row.photoCount > 0 && <small>{t('{{count}} 张照片', { count: row.photoCount })}</small>}
      </span>
    ),
  },
  { key: 'dueAt', render: (row) => <Due ticket={row} /> },
  'assigneeName',
  {
    key: 'riderPhone',
    title: t('骑行者'),
    card: 'none',
    render: ({ riderId, riderPhone }) =>
      riderId === null ? '--' : <RiderLink riderId={riderId}>{riderPhone}</RiderLink>,
  },
  {
    key: 'vehicleNumber',
    card: 'none',
    render: ({ vehicleNumber }) =>
      vehicleNumber === null ? '--' : <Link to={`/vehicle-info?vehicle=${vehicleNumber}`}>{vehicleNumber}</Link>,
  },
  { key: 'areaName', card: 'none' },
  { key: 'openedAt', card: 'none' },
  { key: 'company', isOptional: true },
  { key: 'source', isOptional: true },
  { key: 'finding', isOptional: true },
  { key: 'rating', isOptional: true },
  { key: 'reopenedCount', isOptional: true },
]
