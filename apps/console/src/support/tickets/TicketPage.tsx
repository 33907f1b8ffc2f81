import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { supportTicketEndpoints } from '@saddle/contract/support/tickets.ts'
import { t } from '#kit/i18n/index.ts'
import { ListTrail } from '#kit/list/ListTrail.tsx'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { PageBones } from '#kit/ui/Bones.tsx'
import { Empty, ErrorState } from '#kit/ui/states.tsx'
import { Answer } from './Answer.tsx'
import { tickets, toTicket } from './list.ts'
import { TicketActs } from './TicketActs.tsx'
import { TicketFeedback } from '../feedback/TicketFeedback.tsx'
import { AboutTicket, TicketHistory, TicketOrder, TicketsOfSame } from './TicketParts.tsx'
import { TicketMark } from './TicketMark.tsx'
import '#kit/list/list.css'
import './tickets.css'

const refreshEveryMs = 30_000

/** One ticket: what was said, what it is about, and what to do about it. The address names it: `?ticket=1042`. */
export default function TicketPage(): ReactNode {
  const [params] = useSearchParams()
  const id = Number(params.get('ticket'))
  if (!Number.isSafeInteger(id) || id <= 0) {
    const action = <ButtonLink to="/user-worksheet">{t('去用户工单')}</ButtonLink>
    return <Empty size="page" isHeading title={t('还没有选择工单')} action={action} />
  }
  return <Whole key={id} id={id} />
}

function Whole({ id }: { id: number }) {
  const { data, error, refetch } = useEndpoint(
    supportTicketEndpoints.ticket,
    { id },
    // Said on the page itself.
    { refetchIntervalMs: refreshEveryMs, quiet: true },
  )
  const detail = data?.data
  if (detail === undefined) {
    if (error === null) return <PageBones />
    if (error.code === 'not_found') {
      const action = <ButtonLink to="/user-worksheet">{t('去用户工单')}</ButtonLink>
      return (
        <Empty size="page" title={t('没有这张工单')} text={t('可能不在您的数据范围内，或编号有误。')} action={action} />
      )
    }
    return <ErrorState size="page" error={error} onRetry={() => void refetch()} />
  }
  const { ticket } = detail
  return (
    <div className="page">
      <Permit action="0401">
        <ListTrail
          list={tickets}
          path="/user-worksheet"
          title={t('用户工单')}
          isShown={(row) => row.id === id}
          toRow={toTicket}
        />
      </Permit>
      <header className="page-head">
        <h1 className="tickets-title">
          {t('工单 {{number}}', { number: ticket.number })} <TicketMark ticket={ticket} />
        </h1>
        <TicketActs ticket={ticket} />
      </header>
      <div className="tickets-columns">
        <div className="tickets-column">
          <section className="page-card">
            <h2>{t('经过')}</h2>
            <TicketHistory detail={detail} />
          </section>
          {ticket.state !== 'closed' && (
            <section className="page-card tickets-answer">
              <Answer ticket={ticket} />
            </section>
          )}
        </div>
        <div className="tickets-column">
          <section className="page-card">
            <h2>{t('工单信息')}</h2>
            <div className="tickets-body">
              <AboutTicket detail={detail} />
            </div>
          </section>
          <TicketOrder detail={detail} />
          <TicketFeedback detail={detail} />
          <TicketsOfSame detail={detail} />
        </div>
      </div>
    </div>
  )
}
