import type { ReactNode } from 'react'
import {
  feedbackPriorityLabels,
  feedbackStateLabels,
  type FeedbackPriority,
  type FeedbackState,
  type FeedbackTicket,
} from '@saddle/contract/support/feedback.ts'
import { t } from '#kit/i18n/index.ts'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'

const stateTones: Readonly<Record<FeedbackState, Tone>> = {
  open: 'warn',
  in_work: 'info',
  waiting: 'warn',
  resolved: 'good',
  closed: 'off',
}

const priorityTones: Readonly<Record<FeedbackPriority, Tone>> = {
  urgent: 'bad',
  high: 'warn',
  normal: 'off',
  low: 'off',
}

/** The state as a label, and whether its time is over. */
export function FeedbackMark({
  ticket,
}: {
  readonly ticket: Pick<FeedbackTicket, 'state'> & { readonly overdue?: boolean }
}): ReactNode {
  return (
    <span className="tickets-marks">
      <Mark tone={stateTones[ticket.state]}>{t(feedbackStateLabels[ticket.state])}</Mark>
      {ticket.overdue === true && <Mark tone="bad">{t('已超时')}</Mark>}
    </span>
  )
}

export function PriorityMark({ priority }: { readonly priority: FeedbackPriority }): ReactNode {
  return <Mark tone={priorityTones[priority]}>{t(feedbackPriorityLabels[priority])}</Mark>
}
