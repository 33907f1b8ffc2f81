import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import {
  feedbackEndpoints,
  feedbackKindLabels,
  feedbackNumberPattern,
  feedbackPriorityLabels,
  feedbackStateLabels,
  type FeedbackFilter,
  type FeedbackTicket,
} from '@saddle/contract/support/feedback.ts'
import { visibleText } from '@saddle/contract/answers.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { dateTime, relativeTime, shortTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { areas, days, keyword, many, one, tabbed } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { StateTabs } from '#kit/list/StateTabs.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { FeedbackMark, PriorityMark } from './FeedbackMark.tsx'
import { FeedbackWhole } from './FeedbackWhole.tsx'
import { feedbackTickets, idIn, newPath, toFeedback, viewPath } from './list.ts'
import '../tickets/tickets.css'

/** Tickets to the platform: of the person's company, or of all companies for the platform. `?ticket=1042` opens one. */
export default function ViewTicketsPage(): ReactNode {
  const [search] = useSearchParams()
  const id = idIn(search.get('ticket'))
  return id === null ? <Tickets /> : <FeedbackWhole key={id} id={id} path={viewPath} />
}

function Tickets() {
  const list = useList(feedbackTickets)
  return (
    <ListPage<FeedbackTicket, FeedbackFilter>
      list={list}
      title={t('查看工单')}
      actions={
        <Permit action="1802">
          <ButtonLink look="primary" to={newPath}>
            {t('新建工单')}
          </ButtonLink>
        </Permit>
      }
      above={
        <StateTabs
          list={list}
          call={feedbackEndpoints.listFeedback}
          name="states"
          title={t('状态')}
          labels={feedbackStateLabels}
          refreshEveryMs={minuteMs}
        />
      }
      filters={[
        tabbed('states'),
        keyword(t('标题或工单编号'), { names: ['word', 'number'], read: readWord, write: wordOf }),
        one('who', t('与我有关'), { author: t('我提交的'), mine: t('我处理的'), nobody: t('无人处理') }),
        one('overdue', t('时限'), { true: t('已超时') }),
        many('kinds', t('类型'), feedbackKindLabels),
        many('priorities', t('优先级'), feedbackPriorityLabels),
        areas('areaIds'),
        days(t('提交日期')),
      ]}
      columns={columns}
      rowName={({ number }) => number}
      empty={t('还没有反馈工单')}
      toRow={(row) => toFeedback(row)}
    />
  )
}

/** A whole number, or a part of the title. */
function readWord(text: string): Pick<FeedbackFilter, 'word' | 'number'> {
  const word = visibleText(text)
  if (word === '') return {}
  const number = word.toUpperCase()
  return feedbackNumberPattern.test(number) ? { number } : { word: word.slice(0, 40) }
}

const wordOf = ({ word, number }: FeedbackFilter): string => number ?? word ?? ''

/** How long is left, or how long it is overdue. While the author is asked something, no time passes. */
function Due({ ticket: { state, dueAt, overdue } }: { readonly ticket: FeedbackTicket }) {
  if (state === 'resolved' || state === 'closed') return '--'
  if (state === 'waiting') return t('计时暂停')
  return (
    <time data-tone={overdue ? 'bad' : undefined} title={dateTime(dueAt)}>
      {overdue ? t('已超时：{{ago}}', { ago: relativeTime(dueAt, serverNow()) }) : shortTime(dueAt, serverNow())}
    </time>
  )
}

const columns = (): readonly ColumnSpec<FeedbackTicket>[] => [
  { key: 'number', card: 'head', render: (row) => <Link to={toFeedback(row)}>{row.number}</Link> },
  { key: 'state', card: 'head', render: (row) => <FeedbackMark ticket={row} /> },
  { key: 'title', card: 'wide', render: ({ title }) => <span className="tickets-text">{title}</span> },
  'kind',
  { key: 'priority', render: ({ priority }) => <PriorityMark priority={priority} /> },
  { key: 'dueAt', card: 'wide', sort: 'due', render: (row) => <Due ticket={row} /> },
  'assigneeName',
  'company',
  { key: 'authorName', isOptional: true },
  { key: 'openedAt', card: 'none', sort: 'opened' },
  { key: 'areaName', isOptional: true },
  { key: 'rating', isOptional: true },
  { key: 'reopenedCount', isOptional: true },
]
