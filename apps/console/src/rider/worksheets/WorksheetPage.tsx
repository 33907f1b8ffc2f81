import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import {
  supportTicketEndpoints,
  ticketFindingLabels,
  ticketKindLabels,
  ticketSourceLabels,
  ticketStepLabels,
  type TicketDetail,
  type TicketEvent,
} from '@saddle/contract/support/tickets.ts'
import { orderStateLabels } from '@saddle/contract/riding/orders.ts'
import { call } from '#kit/api/client.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { PhotoStrip } from '#kit/photos/PhotoStrip.tsx'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { Answer } from './Answer.tsx'
import { AssignTo } from './AssignTo.tsx'
import { TicketLink, TicketMark } from './TicketMark.tsx'
import { useTickets } from './useTickets.ts'
import '#kit/list/list.css'
import './worksheets.css'

const refreshEveryMs = 30_000

/** One ticket: what was said, what it is about, and what to do about it. The address names it: `?ticket=1042`. */
export default function WorksheetPage(): ReactNode {
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
    if (error === null) return <Loading size="page" />
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
      <header className="page-head">
        <h1 className="tickets-title">
          {t('工单 {{number}}', { number: ticket.number })} <TicketMark ticket={ticket} />
        </h1>
        <Acts detail={detail} />
      </header>
      <div className="tickets-columns">
        <div className="tickets-column">
          <History detail={detail} />
          {ticket.state !== 'closed' && <Answer ticket={ticket} />}
        </div>
        <div className="tickets-column">
          <About detail={detail} />
          <Order detail={detail} />
          <Others detail={detail} />
        </div>
      </div>
    </div>
  )
}

function Acts({ detail: { ticket } }: { detail: TicketDetail }) {
  const { assign, turn, busy } = useTickets()
  const { id, state, assigneeId } = ticket
  if (state === 'closed' || state === 'resolved') {
    return (
      <>
        <Button busy={busy} onClick={() => turn('reopen', [id])}>
          {t('重新打开')}
        </Button>
        {state === 'resolved' && (
          <Button busy={busy} onClick={() => turn('close', [id])}>
            {t('关闭工单')}
          </Button>
        )}
      </>
    )
  }
  return (
    <>
      <AssignTo label={t('指派给…')} value={assigneeId} busy={busy} onChoose={(person) => assign([ticket], person)} />
      {state === 'open' && (
        <Button look="primary" busy={busy} onClick={() => turn('start', [id])}>
          {t('我来处理')}
        </Button>
      )}
      <Button busy={busy} onClick={() => turn('close', [id])}>
        {t('关闭工单')}
      </Button>
    </>
  )
}

function History({ detail: { ticket, events } }: { detail: TicketDetail }) {
  return (
    <section className="page-card">
      <h2>{t('经过')}</h2>
      <ol className="tickets-life">
        <li data-side="rider">
          <header>
            <strong>{ticket.source === 'rider' ? t('骑行者') : t(ticketSourceLabels.staff)}</strong>
            <time>{dateTime(ticket.openedAt)}</time>
          </header>
          <p>{ticket.text}</p>
          <TicketPhotos id={ticket.id} count={ticket.photoCount} />
        </li>
        {events
          .filter(({ step }) => step !== 'opened')
          .map((event) => (
            <Step key={event.id} ticketId={ticket.id} event={event} />
          ))}
      </ol>
    </section>
  )
}

function Step({ ticketId, event }: { ticketId: number; event: TicketEvent }) {
  const { step, fromRider, authorName, text, finding, assigneeName, photoCount } = event
  const isWord = step === 'said' || step === 'replied' || step === 'noted' || step === 'found'
  const who = fromRider ? t('骑行者') : (authorName ?? t('系统'))
  return (
    <li data-side={fromRider ? 'rider' : isWord ? 'staff' : 'step'} data-internal={step === 'noted'}>
      <header>
        <strong>{who}</strong>
        <span>
          {t(ticketStepLabels[step], { context: 'step' })}
          {finding !== null && ` · ${t(ticketFindingLabels[finding])}`}
          {step === 'assigned' && ` · ${assigneeName ?? t('退回待处理')}`}
        </span>
        <time>{dateTime(event.at)}</time>
      </header>
      {text !== '' && <p>{text}</p>}
      <TicketPhotos id={ticketId} eventId={event.id} count={photoCount} />
    </li>
  )
}

function TicketPhotos({ id, eventId, count }: { id: number; eventId?: number; count: number }) {
  return (
    <PhotoStrip
      of={['ticket', id, eventId ?? 0]}
      count={count}
      load={async (signal) => {
        const input = { id, ...(eventId !== undefined && { eventId }) }
        const { data } = await call(supportTicketEndpoints.ticketPhotos, input, { signal })
        return data.list
      }}
    />
  )
}

function About({ detail: { ticket } }: { detail: TicketDetail }) {
  const { riderId, riderPhone, vehicleNumber, finding, rating } = ticket
  const rider = riderId === null ? '--' : <RiderLink riderId={riderId}>{riderPhone}</RiderLink>
  const vehicle =
    vehicleNumber === null ? '--' : <Link to={`/vehicle-info?vehicle=${vehicleNumber}`}>{vehicleNumber}</Link>
  return (
    <section className="page-card">
      <h2>{t('工单信息')}</h2>
      <div className="tickets-body">
        <Facts
          facts={[
            [t('类型'), t(ticketKindLabels[ticket.kind])],
            [t('骑行者'), rider],
            [t('车辆编号'), vehicle],
            [t('服务区'), ticket.areaName ?? '--'],
            [t('加盟商'), ticket.company],
            [t('来源'), t(ticketSourceLabels[ticket.source])],
            [t('提交时间'), dateTime(ticket.openedAt)],
            [t('应答时限'), dateTime(ticket.dueAt)],
            [t('处理人'), ticket.assigneeName ?? '--'],
            [t('结论'), finding === null ? '--' : t(ticketFindingLabels[finding])],
            [t('评分'), rating === null ? '--' : t('{{count}} 星', { count: rating })],
            [t('重开次数'), ticket.reopenedCount],
          ]}
        />
      </div>
    </section>
  )
}

function Order({ detail: { order } }: { detail: TicketDetail }) {
  if (order === null) return null
  const mayRefund = order.chargedCents !== null && order.state !== 'due' && order.refundedCents < order.chargedCents
  return (
    <section className="page-card">
      <h2>{t('关联订单')}</h2>
      <div className="tickets-body">
        <Facts
          facts={[
            [
              t('订单编号'),
              <Permit key="order" action="1601||returnCarApp">
                <Link to={`/user-order-detail?order=${order.id}`}>{order.number}</Link>
              </Permit>,
            ],
            [t('状态'), t(orderStateLabels[order.state])],
            [t('下单时间'), dateTime(order.placedAt)],
            [t('结束时间'), dateTime(order.endedAt)],
            [t('金额'), t('{{yuan}} 元', { yuan: money(order.chargedCents) })],
            [t('已退款'), order.refundedCents === 0 ? '--' : t('{{yuan}} 元', { yuan: money(order.refundedCents) })],
          ]}
        />
        {mayRefund && (
          <Permit action="160101,1601">
            <ButtonLink to={`/user-order-detail?order=${order.id}&refund=1`}>{t('去退款')}</ButtonLink>
          </Permit>
        )}
      </div>
    </section>
  )
}

function Others({ detail: { others } }: { detail: TicketDetail }) {
  if (others.length === 0) return null
  return (
    <section className="page-card">
      <h2>{t('同一骑行者的其他工单')}</h2>
      <ul className="tickets-others">
        {others.map((other) => (
          <li key={other.id}>
            <TicketLink ticket={other} />
            <span>{t(ticketKindLabels[other.kind])}</span>
            <time>{dateTime(other.openedAt)}</time>
            <TicketMark ticket={other} />
          </li>
        ))}
      </ul>
    </section>
  )
}
