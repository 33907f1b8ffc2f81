import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { supportTicketEndpoints, ticketKindLabels, type Ticket } from '@saddle/contract/support/tickets.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { Empty } from '#kit/ui/states.tsx'
import { TicketLink, TicketMark } from './TicketMark.tsx'
import '../parts/rider.css'
import './worksheets.css'

const pageSize = 10

/** What a rider has complained about, newest first. */
export function RiderTickets({ riderId }: { riderId: number }): ReactNode {
  const { scopeKey } = useScope()
  const pages = usePages(JSON.stringify([riderId, scopeKey]))
  const filter = { riderId }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(
    supportTicketEndpoints.listTickets,
    { filter, sort: 'opened', pageSize, ...(pages.cursor !== undefined && { cursor: pages.cursor }) },
    { keepPrevious: true },
  )
  const page = data?.data
  return (
    <section className="page-card">
      <h2 className="tickets-h2">
        {t('工单')}
        <Link to={`/user-worksheet?filter=${encodeURIComponent(JSON.stringify(filter))}`}>{t('在用户工单中查看')}</Link>
      </h2>
      <DataTable<Ticket>
        label={t('工单')}
        columns={columnsOf()}
        rows={page?.list}
        rowKey={(row) => row.id}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        cardHead={headOf}
        empty={<Empty title={t('没有提交过工单')} />}
      />
      <Pager
        page={pages.page}
        hasNext={page !== undefined && page.nextCursor !== null}
        count={page?.count ?? null}
        isCountCut={page?.isCountCut === true}
        busy={isPlaceholderData}
        onPrevious={pages.previous}
        onNext={() => pages.next(page?.nextCursor ?? null)}
      />
    </section>
  )
}

const headOf = (row: Ticket): ReactNode => (
  <span className="rider-head">
    <TicketLink ticket={row} />
    <TicketMark ticket={row} />
  </span>
)

function columnsOf(): readonly Column<Ticket>[] {
  return [
    { key: 'number', title: t('工单编号'), inHead: true, render: (row) => <TicketLink ticket={row} /> },
    { key: 'state', title: t('状态'), inHead: true, render: (row) => <TicketMark ticket={row} /> },
    { key: 'kind', title: t('类型'), render: (row) => t(ticketKindLabels[row.kind]) },
    { key: 'text', title: t('内容'), render: (row) => <span className="tickets-text">{row.text}</span> },
    { key: 'opened', title: t('提交时间'), render: (row) => <time>{dateTime(row.openedAt)}</time> },
  ]
}
