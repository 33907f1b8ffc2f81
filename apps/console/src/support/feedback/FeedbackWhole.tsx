import type { ReactNode } from 'react'
import { Link } from 'react-router'
import {
  feedbackEndpoints,
  feedbackKindLabels,
  feedbackPriorityLabels,
  feedbackStepLabels,
  feedbackSubjectLabels,
  type FeedbackDetail,
  type FeedbackEvent,
  type FeedbackSubject,
} from '@saddle/contract/support/feedback.ts'
import { call } from '#kit/api/client.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { ListTrail } from '#kit/list/ListTrail.tsx'
import { PhotoStrip } from '#kit/photos/PhotoStrip.tsx'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { FeedbackActs } from './FeedbackActs.tsx'
import { FeedbackMark, PriorityMark } from './FeedbackMark.tsx'
import { feedbackTickets, toFeedback, viewPath } from './list.ts'
import { Rating } from './Rating.tsx'
import { Say } from './Say.tsx'
import '#kit/list/list.css'
import '../tickets/tickets.css'

const refreshEveryMs = 30_000

interface Props {
  readonly id: number
  /** The page that it stands on, and goes back to. */
  readonly path: string
}

/** One ticket: what was said, what it is about, and what may be done now. */
export function FeedbackWhole({ id, path }: Props): ReactNode {
  const { data, error, refetch } = useEndpoint(
    feedbackEndpoints.feedback,
    { id },
    { refetchIntervalMs: refreshEveryMs, quiet: true },
  )
  const detail = data?.data
  const back = <ButtonLink to={path}>{path === viewPath ? t('返回工单列表') : t('返回新建工单')}</ButtonLink>
  if (detail === undefined) {
    if (error === null) return <Loading size="page" />
    if (error.code !== 'not_found') return <ErrorState size="page" error={error} onRetry={() => void refetch()} />
    return (
      <Empty size="page" title={t('没有这张工单')} text={t('可能不在您的数据范围内，或编号有误。')} action={back} />
    )
  }
  const { ticket } = detail
  return (
    <div className="page">
      {path === viewPath ? (
        <ListTrail
          list={feedbackTickets}
          path={viewPath}
          title={t('查看工单')}
          isShown={(row) => row.id === id}
          toRow={(row) => toFeedback(row)}
        />
      ) : (
        <p>{back}</p>
      )}
      <header className="page-head">
        <h1 className="tickets-title">
          {ticket.title} <FeedbackMark ticket={ticket} />
        </h1>
        <FeedbackActs detail={detail} />
      </header>
      <div className="tickets-columns">
        <div className="tickets-column">
          <section className="page-card">
            <h2>{t('经过')}</h2>
            <History detail={detail} />
          </section>
          <Say key={ticket.state} detail={detail} />
          {detail.acts.includes('rate') && <Rating id={id} />}
        </div>
        <div className="tickets-column">
          <section className="page-card">
            <h2>{t('工单信息')}</h2>
            <div className="tickets-body">
              <About detail={detail} />
            </div>
          </section>
        </div>
      </div>
    </div>
  )
}

/** What was said and done, the oldest first. */
function History({ detail: { ticket, text, photoCount, events } }: { readonly detail: FeedbackDetail }) {
  return (
    <ol className="tickets-life">
      <li data-side="rider">
        <header>
          <strong>{ticket.authorName}</strong>
          <span>{ticket.company}</span>
          <time>{dateTime(ticket.openedAt)}</time>
        </header>
        <p>{text}</p>
        <Photos id={ticket.id} count={photoCount} />
      </li>
      {events
        .filter(({ step }) => step !== 'opened')
        .map((event) => (
          <Step key={event.id} id={ticket.id} event={event} />
        ))}
    </ol>
  )
}

function Step({ id, event }: { readonly id: number; readonly event: FeedbackEvent }) {
  const { step, authorName, fromPlatform, text, assigneeName, priority, photoCount } = event
  const isWord = text !== '' || photoCount > 0
  return (
    <li data-side={!isWord ? 'step' : fromPlatform ? 'staff' : 'rider'} data-internal={step === 'noted'}>
      <header>
        <strong>{authorName ?? t('系统')}</strong>
        <span>
          {t(feedbackStepLabels[step], { context: 'step' })}
          {step === 'assigned' && ` · ${assigneeName ?? t('退回待处理')}`}
          {priority !== null && ` · ${t(feedbackPriorityLabels[priority])}`}
        </span>
        <time>{dateTime(event.at)}</time>
      </header>
      {text !== '' && <p>{text}</p>}
      <Photos id={id} eventId={event.id} count={photoCount} />
    </li>
  )
}

function Photos({ id, eventId, count }: { readonly id: number; readonly eventId?: number; readonly count: number }) {
  return (
    <PhotoStrip
      of={['feedback', id, eventId ?? 0]}
      count={count}
      load={async (signal) => {
        const input = { id, ...(eventId !== undefined && { eventId }) }
        const { data } = await call(feedbackEndpoints.feedbackPhotos, input, { signal })
        return data.list
      }}
    />
  )
}

/** Whose it is, what it is about, and until when it is to be resolved. */
function About({ detail: { ticket, subject, riderTicket, ratingText } }: { readonly detail: FeedbackDetail }) {
  const { state, dueAt, rating } = ticket
  return (
    <Facts
      facts={[
        [t('工单编号'), ticket.number],
        [t('类型'), t(feedbackKindLabels[ticket.kind])],
        [t('优先级'), <PriorityMark key="priority" priority={ticket.priority} />],
        [t('关联'), subject === null ? '--' : <SubjectLink key="subject" subject={subject} />],
        ...(riderTicket === null
          ? []
          : ([
              [
                t('用户工单'),
                <Link key="rider" to={`/user-worksheet-detail?ticket=${riderTicket.id}`}>
                  {riderTicket.number}
                </Link>,
              ],
            ] as const)),
        [t('加盟商'), ticket.company],
        [t('服务区'), ticket.areaName ?? '--'],
        [t('提交人'), ticket.authorName],
        [t('提交时间'), dateTime(ticket.openedAt)],
        [t('解决时限'), state === 'waiting' ? t('计时暂停') : dateTime(dueAt)],
        [t('处理人'), ticket.assigneeName ?? '--'],
        [
          t('评分'),
          rating === null
            ? '--'
            : `${t('{{count}} 星', { count: rating })}${ratingText === '' ? '' : ` · ${ratingText}`}`,
        ],
        [t('重开次数'), ticket.reopenedCount],
      ]}
    />
  )
}

const pathOf = ({ kind, id, number }: FeedbackSubject): string =>
  ({
    vehicle: `/vehicle-info?vehicle=${number}`,
    order: `/user-order-detail?order=${id}`,
    service_bill: `/financial/BillDetails?filter=${encodeURIComponent(JSON.stringify({ word: number }))}`,
    split_bill: `/financial/SplitBill?filter=${encodeURIComponent(JSON.stringify({ id }))}`,
  })[kind]

function SubjectLink({ subject }: { readonly subject: FeedbackSubject }) {
  return (
    <>
      {t(feedbackSubjectLabels[subject.kind])} <Link to={pathOf(subject)}>{subject.number}</Link>
    </>
  )
}
