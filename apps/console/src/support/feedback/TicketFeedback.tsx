import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { TicketDetail } from '@saddle/contract/support/tickets.ts'
import { t } from '#kit/i18n/index.ts'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { FeedbackMark } from './FeedbackMark.tsx'
import { newPath, toFeedback } from './list.ts'
import '../tickets/tickets.css'

/** The ticket to the platform that was made of a rider's ticket, or the way to make one. */
export function TicketFeedback({
  detail: { ticket, feedback },
}: {
  readonly detail: Pick<TicketDetail, 'ticket' | 'feedback'>
}): ReactNode {
  if (feedback === null) {
    return (
      <Permit action="18,1802">
        <section className="page-card">
          <h2>{t('反馈给平台')}</h2>
          <div className="tickets-body">
            <p>{t('需要平台处理的，可以转为反馈工单，两张工单互相关联。')}</p>
            <ButtonLink to={`${newPath}?of=${ticket.id}`}>{t('转为反馈工单')}</ButtonLink>
          </div>
        </section>
      </Permit>
    )
  }
  return (
    <section className="page-card">
      <h2>{t('反馈给平台')}</h2>
      <ul className="tickets-others">
        <li>
          <Permit action="18,1801">
            <Link to={toFeedback(feedback)}>{feedback.number}</Link>
          </Permit>
          <FeedbackMark ticket={feedback} />
        </li>
      </ul>
    </section>
  )
}
