import type { ReactNode } from 'react'
import { supportTicketEndpoints } from '@saddle/contract/support/tickets.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { Answer } from './Answer.tsx'
import { TicketActs } from './TicketActs.tsx'
import { TicketLink, TicketMark } from './TicketMark.tsx'
import { TicketFeedback } from '../feedback/TicketFeedback.tsx'
import { AboutTicket, TicketHistory, TicketOrder, TicketsOfSame } from './TicketParts.tsx'

interface Props {
  readonly id: number
  readonly onAnswered: () => void
}

/** A ticket beside its list: what was said, and the answer below it. */
export function TicketPanel({ id, onAnswered }: Props): ReactNode {
  const { data, error, refetch } = useEndpoint(supportTicketEndpoints.ticket, { id }, { quiet: true })
  const detail = data?.data
  if (detail === undefined) {
    return (
      <DetailPanel label={t('工单详情')} title={t('工单详情')}>
        {error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />}
      </DetailPanel>
    )
  }
  const { ticket } = detail
  return (
    <DetailPanel
      label={t('工单详情')}
      title={
        <span className="tickets-title">
          <TicketLink ticket={ticket} />
          <TicketMark ticket={ticket} />
        </span>
      }
      {...(ticket.state !== 'closed' && { foot: <Answer ticket={ticket} onAnswered={onAnswered} /> })}
    >
      <div className="tickets-acts">
        <TicketActs ticket={ticket} />
      </div>
      <TicketHistory detail={detail} />
      <AboutTicket detail={detail} />
      <TicketOrder detail={detail} />
      <TicketFeedback detail={detail} />
      <TicketsOfSame detail={detail} />
    </DetailPanel>
  )
}
