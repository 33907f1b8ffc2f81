import { sql } from 'kysely'
import { refundPartsSchema, type Refund } from '@saddle/contract/riding/refunds.ts'
import type { Scope } from '#kit/db/scope.ts'
import { within } from '#kit/db/within.ts'

export type RefundRow = {
  id: number
  cents: number
  parts: unknown
  reason: string
  operator_name: string
  refunded_at: Date
}

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
  return sql<RefundRow>`
    select r.id, r.cents, r.parts, r.reason, r.operator_name, r.refunded_at from order_refund r
    where r.order_id = ${orderId} and ${within('r', scope)} order by r.id limit ${refundsMax}`
}
