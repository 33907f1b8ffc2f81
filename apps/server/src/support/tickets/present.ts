import {
  ticketFindings,
  ticketKinds,
  ticketSources,
  ticketStates,
  ticketSteps,
  type Ticket,
  type TicketDetail,
  type TicketEvent,
} from '@saddle/contract/support/tickets.ts'
import { orderStates } from '@saddle/contract/riding/orders.ts'
import { codeOf } from '#kit/codes.ts'
import type { Riders } from '#rider/public.ts'
import { orderNumber } from '#riding/public.ts'
import { ticketNumber } from './rules.ts'
import { feedbackNumber } from '../feedback/rules.ts'
import type { FeedbackOfRow, TicketRow, EventRow, OrderRow, OtherRow } from './store.ts'

const findingOf = (text: string | null) => (text === null ? null : codeOf(ticketFindings, text))

export function ticketOf(
  row: TicketRow,
  { riders, nowMs }: { riders: Pick<Riders, 'maskedPhone'>; nowMs: number },
): Ticket {
  const openedAt = row.opened_at.getTime()
  const { phone_sealed, phone_hash } = row
  return {
    id: row.id,
    number: ticketNumber({ id: row.id, openedAt }),
    kind: codeOf(ticketKinds, row.kind),
    state: codeOf(ticketStates, row.state),
    source: codeOf(ticketSources, row.source),
    agentId: row.agent_id,
    company: row.company,
    areaId: row.area_id,
    areaName: row.area_name,
    riderId: row.rider_id,
    riderPhone: phone_sealed === null || phone_hash === null ? null : riders.maskedPhone({ phone_sealed, phone_hash }),
    orderId: row.order_id,
    vehicleNumber: row.vehicle_number,
    text: row.text,
    photoCount: row.photo_ids.length,
    openedAt,
    dueAt: row.due_at.getTime(),
    overdue: !row.is_done && row.due_at.getTime() < nowMs,
    changedAt: row.changed_at.getTime(),
    assigneeId: row.assignee_id,
    assigneeName: row.assignee_name,
    finding: findingOf(row.finding),
    rating: row.rating,
    reopenedCount: row.reopened_count,
  }
}

export function eventOf(row: EventRow): TicketEvent {
  return {
    id: row.id,
    at: row.at.getTime(),
    step: codeOf(ticketSteps, row.step),
    authorName: row.author_name,
    fromRider: row.from_rider,
    text: row.text,
    assigneeName: row.assignee_name,
    finding: findingOf(row.finding),
    photoCount: row.photo_ids.length,
  }
}

export function otherOf(row: OtherRow): TicketDetail['others'][number] {
  const openedAt = row.opened_at.getTime()
  return {
    id: row.id,
    number: ticketNumber({ id: row.id, openedAt }),
    kind: codeOf(ticketKinds, row.kind),
    state: codeOf(ticketStates, row.state),
    openedAt,
  }
}

export const feedbackOf = ({ id, state, opened_at }: FeedbackOfRow): NonNullable<TicketDetail['feedback']> => ({
  id,
  number: feedbackNumber({ id, openedAt: opened_at.getTime() }),
  state,
})

export function orderOf(row: OrderRow): NonNullable<TicketDetail['order']> {
  const placedAt = row.placed_at.getTime()
  return {
    id: row.id,
    number: orderNumber({ id: row.id, placedAt }),
    state: codeOf(orderStates, row.state),
    placedAt,
    endedAt: row.ended_at?.getTime() ?? null,
    chargedCents: row.charged_cents,
    refundedCents: row.refunded_cents,
  }
}
