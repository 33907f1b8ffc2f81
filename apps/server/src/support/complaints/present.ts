import {
  complaintFindings,
  complaintKinds,
  complaintSources,
  complaintStates,
  complaintSteps,
  type Complaint,
  type ComplaintDetail,
  type ComplaintEvent,
} from '@saddle/contract/support/complaints.ts'
import { orderStates } from '@saddle/contract/riding/orders.ts'
import { known } from '#kit/known.ts'
import type { Riders } from '#rider/public.ts'
import { orderNumber } from '#riding/public.ts'
import { complaintNumber } from './rules.ts'
import type { ComplaintRow, EventRow, OrderRow, OtherRow } from './store.ts'

const findingOf = (text: string | null) => (text === null ? null : known(complaintFindings, text))

export function complaintOf(
  row: ComplaintRow,
  { riders, nowMs }: { riders: Pick<Riders, 'maskedPhone'>; nowMs: number },
): Complaint {
  const openedAt = row.opened_at.getTime()
  const { phone_sealed, phone_hash } = row
  return {
    id: row.id,
    number: complaintNumber({ id: row.id, openedAt }),
    kind: known(complaintKinds, row.kind),
    state: known(complaintStates, row.state),
    source: known(complaintSources, row.source),
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

export function eventOf(row: EventRow): ComplaintEvent {
  return {
    id: row.id,
    at: row.at.getTime(),
    step: known(complaintSteps, row.step),
    authorName: row.author_name,
    fromRider: row.from_rider,
    text: row.text,
    assigneeName: row.assignee_name,
    finding: findingOf(row.finding),
    photoCount: row.photo_ids.length,
  }
}

export function otherOf(row: OtherRow): ComplaintDetail['others'][number] {
  const openedAt = row.opened_at.getTime()
  return {
    id: row.id,
    number: complaintNumber({ id: row.id, openedAt }),
    kind: known(complaintKinds, row.kind),
    state: known(complaintStates, row.state),
    openedAt,
  }
}

export function orderOf(row: OrderRow): NonNullable<ComplaintDetail['order']> {
  const placedAt = row.placed_at.getTime()
  return {
    id: row.id,
    number: orderNumber({ id: row.id, placedAt }),
    state: known(orderStates, row.state),
    placedAt,
    endedAt: row.ended_at?.getTime() ?? null,
    chargedCents: row.charged_cents,
    refundedCents: row.refunded_cents,
  }
}
