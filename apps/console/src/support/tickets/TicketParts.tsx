import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { orderStateLabels } from '@saddle/contract/riding/orders.ts'
import {
  supportTicketEndpoints,
  ticketFindingLabels,
  ticketKindLabels,
  ticketSourceLabels,
  ticketStepLabels,
  type TicketDetail,
  type TicketEvent,
} from '@saddle/contract/support/tickets.ts'
import { call } from '#kit/api/client.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { PhotoStrip } from '#kit/photos/PhotoStrip.tsx'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { TicketLink, TicketMark } from './TicketMark.tsx'
import './tickets.css'

interface Props {
  readonly detail: TicketDetail
}

/** What was said and done, the oldest first. */
export function TicketHistory({ detail: { ticket, events } }: Props): ReactNode {
  return (
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

/** Whose it is, what it is about, and until when an answer is due. */
export function AboutTicket({ detail: { ticket } }: Props): ReactNode {
  const { riderId, riderPhone, vehicleNumber, finding, rating } = ticket
  const rider = riderId === null ? '--' : <RiderLink riderId={riderId}>{riderPhone}</RiderLink>
  const vehicle =
    vehicleNumber === null ? '--' : <Link to={`/vehicle-info?vehicle=${vehicleNumber}`}>{vehicleNumber}</Link>
  return (
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
  )
}

/** The ride that it is about, and the way to give its charge back. */
export function TicketOrder({ detail: { order } }: Props): ReactNode {
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

/** Other tickets of the same rider. */
export function TicketsOfSame({ detail: { others } }: Props): ReactNode {
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
