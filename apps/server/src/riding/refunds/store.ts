import { refundPartsSchema, type Refund } from '@saddle/contract/riding/refunds.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'

const refundRow = rowOf('order_refund', 'r', ['id', 'cents', 'parts', 'reason', 'operator_name', 'refunded_at'])
export type RefundRow = RowOf<typeof refundRow>

export function refundOf(row: RefundRow): Refund {
  return {
    id: row.id,
    cents: row.cents,
    parts: refundPartsSchema.parse(row.parts),
    reason: row.reason,
    operatorName: row.operator_name,
    refundedAt: row.refunded_at.getTime(),
  }
}

const refundsMax = 200

export function selectRefunds({ orderId, scope }: { orderId: number; scope: Scope }) {
  return refundRow.select`
    from order_refund r
    where r.order_id = ${orderId} and ${tenantFilter('r', scope)} order by r.id limit ${refundsMax}`
}
