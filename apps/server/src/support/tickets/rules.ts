import { ticketTargetHours, type TicketKind, type TicketState } from '@saddle/contract/support/tickets.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { businessTime } from '#kit/csv.ts'

/** The ticket number: day of creation and id. */
export function ticketNumber({ id, openedAt }: { readonly id: number; readonly openedAt: number }): string {
  return `GD${businessTime(openedAt).slice(2, 10).replaceAll('-', '')}${String(id).padStart(8, '0')}`
}

/** The day within a ticket number, `YYYY-MM-DD`. */
export const dayOfNumber = (number: string): string =>
  `20${number.slice(2, 4)}-${number.slice(4, 6)}-${number.slice(6, 8)}`

/** The id within a ticket number; its day must be right, too. */
export const idOfNumber = (number: string): number => Number(number.slice(8))

/** When the reply is due. */
export const dueAfter = (kind: TicketKind, atMs: number): number => atMs + ticketTargetHours[kind] * hourMs

export type TicketAct = 'assign' | 'start' | 'reply' | 'note' | 'find' | 'close' | 'reopen' | 'say' | 'confirm'

const fitting: Readonly<Record<TicketAct, readonly TicketState[]>> = {
  assign: ['open', 'in_work'],
  start: ['open', 'in_work'],
  reply: ['open', 'in_work', 'resolved'],
  note: ['open', 'in_work', 'resolved', 'closed'],
  find: ['open', 'in_work', 'resolved'],
  close: ['open', 'in_work', 'resolved'],
  reopen: ['resolved', 'closed'],
  say: ['open', 'in_work', 'resolved'],
  confirm: ['resolved', 'closed'],
}

/** Throws ticket_step_refused where the ticket's state does not allow it. */
export function checkAct(state: TicketState, act: TicketAct): void {
  if (!fitting[act].includes(state)) throw new AppError('ticket_step_refused')
}

/** Replies before this moment can no longer be reopened. */
export const finalBefore = (nowMs: number, reopenDays: number): number => nowMs - reopenDays * dayMs
