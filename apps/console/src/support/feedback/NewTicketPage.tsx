import type { ReactNode } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import {
  feedbackEndpoints,
  feedbackKindLabels,
  feedbackKinds,
  feedbackPriorities,
  feedbackPriorityLabels,
  feedbackSubjectKinds,
  feedbackSubjectPermissions,
  feedbackTargetHours,
  feedbackTitleMax,
  type FeedbackKind,
  type FeedbackPriority,
  type FeedbackTicket,
} from '@saddle/contract/support/feedback.ts'
import { supportTicketEndpoints, ticketKindLabels, type Ticket } from '@saddle/contract/support/tickets.ts'
import { choice } from '#kit/form/choiceFields.tsx'
import { Form } from '#kit/form/Form.tsx'
import { photos } from '#kit/form/otherFields.tsx'
import { longText, text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { FeedbackMark } from './FeedbackMark.tsx'
import { FeedbackWhole } from './FeedbackWhole.tsx'
import { idIn, newPath, ownFeedback, staleFeedback, toFeedback } from './list.ts'
import { subjectField } from './subjectField.tsx'
import '#kit/list/list.css'
import '../tickets/tickets.css'
import './feedback.css'

/**
 * Asks something of the platform. `?of=17` makes it of a rider's ticket, `?ticket=1042` shows one that the person has
 * opened: who may open tickets need not see those of others.
 */
export default function NewTicketPage(): ReactNode {
  const [search] = useSearchParams()
  const id = idIn(search.get('ticket'))
  const ticketId = idIn(search.get('of'))
  if (id !== null) return <FeedbackWhole key={id} id={id} path={newPath} />
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('新建工单')}</h1>
      </header>
      <div className="tickets-columns">
        <section className="page-card tickets-answer">
          {ticketId === null ? <Open key="plain" /> : <OfTicket key={ticketId} ticketId={ticketId} />}
        </section>
        <section className="page-card">
          <h2 className="tickets-h2">{t('我提交的工单')}</h2>
          <Own />
        </section>
      </div>
    </div>
  )
}

function OfTicket({ ticketId }: { readonly ticketId: number }) {
  const { data, error, refetch } = useEndpoint(supportTicketEndpoints.ticket, { id: ticketId }, { quiet: true })
  if (data === undefined)
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const { ticket, feedback } = data.data
  if (feedback === null) return <Open ticket={ticket} />
  return (
    <p>
      {t('用户工单 {{number}} 已经转过反馈工单：', { number: ticket.number })}
      <Link to={toFeedback(feedback, newPath)}>{feedback.number}</Link>
    </p>
  )
}

const titleOf = ({ kind, text: words }: Ticket): string =>
  `${t(ticketKindLabels[kind])}：${words}`.slice(0, feedbackTitleMax)

function Open({ ticket }: { readonly ticket?: Ticket }) {
  const navigate = useNavigate()
  const { held } = usePermissions()
  const kinds = feedbackSubjectKinds.filter((kind) => feedbackSubjectPermissions[kind].some((code) => held.has(code)))
  return (
    <Form
      call={feedbackEndpoints.openFeedback}
      about={ticket === undefined ? 'new' : `of ${ticket.id}`}
      fields={{
        kind: choice<FeedbackKind>({
          label: t('类型'),
          initial: ticket?.kind === 'charge' ? 'dispute' : 'fault',
          options: feedbackKinds.map((value) => ({ value, label: t(feedbackKindLabels[value]) })),
        }),
        priority: choice<FeedbackPriority>({
          label: t('优先级'),
          initial: 'normal',
          options: feedbackPriorities.map((value) => ({
            value,
            label: t(feedbackPriorityLabels[value]),
            text: t('{{count}} 小时内解决', { count: feedbackTargetHours[value] }),
          })),
        }),
        title: text({ label: t('标题'), ...(ticket !== undefined && { initial: titleOf(ticket) }) }),
        text: longText({ label: t('内容'), rows: 6, ...(ticket !== undefined && { initial: ticket.text }) }),
        subject: subjectField(kinds),
        photos: photos({ label: t('图片'), note: t('选填') }),
      }}
      adjust={() => ({ subject: { isHidden: ticket !== undefined || kinds.length === 0 } })}
      input={({ subject, ...values }) => ({
        ...values,
        ...(ticket === undefined ? subject !== undefined && { subject } : { ticketId: ticket.id }),
      })}
      submit={t('提交工单')}
      stale={staleFeedback}
      done={({ data }) => t('已提交工单 {{number}}', { number: data.number })}
      onDone={({ data }) => void navigate(toFeedback(data, newPath))}
    >
      {ticket === undefined ? (
        <p>{t('产品故障、建议、咨询和账务争议都可以提交给平台，处理进展会通知你。')}</p>
      ) : (
        <p>
          {t('由用户工单 {{number}} 转来，关联同一订单或车辆。', { number: ticket.number })}{' '}
          <ButtonLink to={`/user-worksheet-detail?ticket=${ticket.id}`}>{t('返回用户工单')}</ButtonLink>
        </p>
      )}
    </Form>
  )
}

function Own() {
  const list = useList(ownFeedback, { fixed: { who: 'author' }, isInside: true })
  return <ListCard list={list} label={t('我提交的工单')} columns={columns} empty={t('还没有提交过工单')} />
}

const columns = (): readonly ColumnSpec<FeedbackTicket>[] => [
  { key: 'number', card: 'head', render: (row) => <Link to={toFeedback(row, newPath)}>{row.number}</Link> },
  { key: 'state', card: 'head', render: (row) => <FeedbackMark ticket={row} /> },
  { key: 'title', card: 'wide', render: ({ title }) => <span className="tickets-text">{title}</span> },
  { key: 'openedAt', isOptional: true },
]
