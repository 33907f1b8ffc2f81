import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Ticket } from '@saddle/contract/support/tickets.ts'
import { t } from '#kit/i18n/index.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { ticketsOfRider } from './list.ts'
import { TicketLink, TicketMark } from './TicketMark.tsx'
import './tickets.css'

/** What a rider has complained about, newest first. */
export function RiderTickets({ riderId }: { readonly riderId: number }): ReactNode {
  const filter = { riderId }
  const list = useList(ticketsOfRider, { fixed: filter, isInside: true })
  return (
    <section className="page-card">
      <h2 className="tickets-h2">
        {t('工单')}
        <Link to={`/user-worksheet?filter=${encodeURIComponent(JSON.stringify(filter))}`}>{t('在用户工单中查看')}</Link>
      </h2>
      <ListCard list={list} label={t('工单')} columns={columns} empty={t('没有提交过工单')} />
    </section>
  )
}

const columns = (): readonly ColumnSpec<Ticket>[] => [
  { key: 'number', card: 'head', render: (row) => <TicketLink ticket={row} /> },
  { key: 'state', card: 'head', render: (row) => <TicketMark ticket={row} /> },
  'kind',
  { key: 'text', render: ({ text }) => <span className="tickets-text">{text}</span> },
  'openedAt',
]
