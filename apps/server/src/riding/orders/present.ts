import { z } from 'zod'
import { orderStates, type Order, type OrderDetail, type ReturnCheck } from '@saddle/contract/riding/orders.ts'
import {
  benefitSchema,
  chargeCodes,
  returnKinds,
  type Benefit,
  type ChargeLine,
} from '@saddle/contract/riding/price.ts'
import { reviewStates } from '@saddle/contract/riding/returns.ts'
import { known } from '#kit/known.ts'
import type { Riders } from '#rider/public.ts'
import { orderNumber } from './rules.ts'
import type { CheckRow, LineRow, OrderRow, ReviewRow } from './store.ts'

export function orderOf(row: OrderRow, riders: Pick<Riders, 'maskedPhone'>): Order {
  const placedAt = row.placed_at.getTime()
  return {
    id: row.id,
    number: orderNumber({ id: row.id, placedAt }),
    agentId: row.agent_id,
    company: row.company,
    areaId: row.area_id,
    areaName: row.area_name,
    vehicleId: row.vehicle_id,
    vehicleNumber: row.vehicle_number,
    riderId: row.rider_id,
    riderPhone: riders.maskedPhone(row),
    state: known(orderStates, row.state),
    placedAt,
    startedAt: row.started_at?.getTime() ?? null,
    endedAt: row.ended_at?.getTime() ?? null,
    distanceM: row.distance_m,
    returnKind: row.return_kind === null ? null : known(returnKinds, row.return_kind),
    chargedCents: row.charged_cents,
    refundedCents: row.refunded_cents,
  }
}

export const placeOf = (lat: number | null, lng: number | null): OrderDetail['start'] =>
  lat === null || lng === null ? null : { lat, lng }

const benefitsSchema = z.array(benefitSchema)
export const benefitsOf = (value: unknown): Benefit[] => benefitsSchema.parse(value)

export function lineOf(row: LineRow): ChargeLine & { n: number } {
  return {
    n: row.n,
    code: known(chargeCodes, row.code),
    reason: row.reason,
    day: row.day,
    quantity: row.quantity,
    unitCents: row.unit_cents,
    amountCents: row.amount_cents,
  }
}

export function checkOf(row: CheckRow): ReturnCheck {
  return {
    id: row.id,
    checkedAt: row.checked_at.getTime(),
    place: placeOf(row.lat, row.lng),
    kind: known(returnKinds, row.kind),
    fenceName: row.fence_name,
    fenceVersion: row.fence_version,
    distanceM: row.distance_m,
    accepted: row.accepted,
  }
}

export function reviewOf(row: ReviewRow): NonNullable<OrderDetail['review']> {
  return {
    orderId: row.order_id,
    openedAt: row.opened_at.getTime(),
    cause: known(['fee', 'dispute'], row.cause),
    claim: row.claim,
    feeCents: row.fee_cents,
    state: known(reviewStates, row.state),
    decidedAt: row.decided_at?.getTime() ?? null,
    decidedBy: row.decided_by,
    note: row.note,
  }
}
