import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { supportTicketEndpoints, ticketKindLabels, ticketStateLabels } from '@saddle/contract/support/tickets.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'

const ticketsMax = 20

/** What the rider complained about this ride. */
export function OrderTickets({ orderId }: { orderId: number }): ReactNode {
  const asked = { filter: { orderId }, sort: 'opened', pageSize: ticketsMax } as const
  const { data } = useEndpoint(supportTicketEndpoints.listTickets, asked, { quiet: true })
  const tickets = data?.data.list
  if (tickets === undefined) return null
  return (
    <section className="page-card">
      <h2>{t('用户工单')}</h2>
      {tickets.length === 0 && <p className="order-none">{t('骑行者没有就这次骑行提交工单')}</p>}
      <ol className="order-steps">
        {tickets.map((ticket) => (
          <li key={ticket.id}>
            <time>{dateTime(ticket.openedAt)}</time>
            <strong>
              <Link to={`/user-worksheet-detail?ticket=${ticket.id}`}>{ticket.number}</Link>{' '}
              {t(ticketKindLabels[ticket.kind])} · {t(ticketStateLabels[ticket.state])}
            </strong>
            <p>{ticket.text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
