import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ticketStateLabels, type Ticket } from '@saddle/contract/support/tickets.ts'
import { t } from '#kit/i18n/index.ts'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'
import { toTicket } from './list.ts'

const tones: Readonly<Record<Ticket['state'], Tone>> = {
  open: 'warn',
  in_work: 'info',
  resolved: 'good',
  closed: 'off',
}

/** The state as a label, and whether the rider has waited too long. */
export function TicketMark({ ticket }: { ticket: Pick<Ticket, 'state'> & { readonly overdue?: boolean } }): ReactNode {
  return (
    <span className="tickets-marks">
      <Mark tone={tones[ticket.state]}>{t(ticketStateLabels[ticket.state])}</Mark>
      {ticket.overdue === true && <Mark tone="bad">{t('已超时')}</Mark>}
    </span>
  )
}

export function TicketLink({ ticket }: { ticket: Pick<Ticket, 'id' | 'number'> }): ReactNode {
  return <Link to={toTicket(ticket)}>{ticket.number}</Link>
}
