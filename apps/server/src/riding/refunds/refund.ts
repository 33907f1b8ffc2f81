import type { Refund } from '@saddle/contract/riding/refunds.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { reasonOf } from '@saddle/contract/riding/reasons.ts'
import type { Audit } from '#audit/public.ts'
import type { Benefits, Gifts, Ledger, Payments } from '#finance/public.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { Kit } from '#kit/kit.ts'
import { refundRide } from '../charges/money.ts'
import { lineOf } from '../orders/present.ts'
import { selectLines } from '../orders/store.ts'
import { isFeeRefunded, outlook, refundOfAsked } from './rules.ts'
import { refundOf, selectRefunds, type RefundRow } from './store.ts'

export type RefundParts = {
  readonly kit: Pick<Kit, 'db' | 'clock'>
  readonly audit: Audit
  readonly ledger: Ledger
  readonly gifts: Pick<Gifts, 'lapse'>
  readonly payments: Pick<Payments, 'giveBack'>
  readonly benefits: Pick<Benefits, 'giveBack'>
}

type Asked = {
  readonly order: Charged
  readonly cents?: number | undefined
  readonly lines?: readonly number[] | undefined
  readonly reason: string
  /** Hears of the sum before anything is written. */
  readonly counted?: (cents: number) => Promise<void>
}

/**
 * Gives money of an order back that the caller has locked, within the caller's transaction of the system; the ledger's
 * entry comes last. Throws order_not_charged and refund_too_high.
 */
export async function giveBack(
  { kit, audit, ledger, gifts, payments, benefits }: RefundParts,
  tx: Tx,
  call: SessionCall,
  { order, cents, lines, reason, counted }: Asked,
): Promise<Refund> {
  const { scope, caller } = call
  const { id: orderId, agent_id: agentId, rider_id: riderId } = order
  if (paidCents(order) === 0) throw new AppError('order_not_charged')
  const known = (await selectLines({ orderId, scope }).execute(tx)).rows.map(lineOf)
  const refunds = (await selectRefunds({ orderId, scope }).execute(tx)).rows.map(refundOf)
  const left = outlook({ chargedCents: paidCents(order), lines: known, refunds })
  const asked = refundOfAsked({ left, cents, lines })
  await counted?.(asked.cents)
  const at = new Date(kit.clock.now())
  const { operatorId, name: operatorName } = caller
  const row = await insertRefund(tx, { order, ...asked, reason, operatorId, operatorName, at })
  const isWhole = order.refunded_cents + asked.cents === order.charged_cents
  if (isWhole) await benefits.giveBack(tx, { agentId, orderId, at: at.getTime() })
  await audit.act(tx, call, {
    agentId,
    areaId: order.area_id,
    action: 'order.refund',
    subjectKind: 'order',
    subjectId: String(orderId),
    after: { refundId: row.id, cents: asked.cents, parts: asked.parts, reason },
  })
  const refund = { agentId, riderId, orderId, refundId: row.id, cents: asked.cents, at: at.getTime(), reason }
  await closeReview(tx, {
    order,
    lines: known,
    refunds: [...refunds, refundOf(row)],
    by: { operatorId, operatorName },
    at,
  })
  await refundRide({ ledger, gifts, payments }, tx, refund)
  return refundOf(row)
}

type Lines = Parameters<typeof isFeeRefunded>[0]['lines']

/** Nobody needs to decide any more about a fee that was given back whole. */
async function closeReview(
  tx: Tx,
  closing: {
    readonly order: Charged
    readonly lines: Lines
    readonly refunds: readonly Refund[]
    readonly by: { readonly operatorId: number; readonly operatorName: string }
    readonly at: Date
  },
): Promise<void> {
  const { order, lines, refunds, by, at } = closing
  if (!isFeeRefunded({ chargedCents: order.charged_cents ?? 0, lines, refunds })) return
  await tx
    .updateTable('return_review')
    .set({
      state: 'waived',
      decided_at: at,
      decided_by_id: by.operatorId,
      decided_by: by.operatorName,
      note: reasonOf('feeRefunded'),
    })
    .where('order_id', '=', order.id)
    .where('state', '=', 'open')
    .execute()
}

const chargedRow = rowOf('ride_order', 'o', [
  'id',
  'agent_id',
  'area_id',
  'rider_id',
  'state',
  'charged_cents',
  'refunded_cents',
])
export type Charged = RowOf<typeof chargedRow>

/** What the rider has paid: an order that is still due gives nothing back. */
export const paidCents = ({ state, charged_cents }: Pick<Charged, 'state' | 'charged_cents'>): number =>
  state === 'due' ? 0 : (charged_cents ?? 0)

/** The order of the scope, locked until the end of the transaction. Throws not_found. */
export async function lockOrder(tx: Tx, { orderId, scope }: { orderId: number; scope: Scope }): Promise<Charged> {
  const { rows } = await chargedRow.select`
    from ride_order o
    where o.id = ${orderId} and ${tenantFilter('o', scope)} for update`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return row
}

async function insertRefund(
  tx: Tx,
  refund: {
    readonly order: Charged
    readonly cents: number
    readonly parts: readonly { readonly n: number; readonly cents: number }[]
    readonly reason: string
    readonly operatorId: number | null
    readonly operatorName: string
    readonly at: Date
  },
): Promise<RefundRow> {
  const { order, cents, at } = refund
  const row = await tx
    .insertInto('order_refund')
    .values({
      order_id: order.id,
      agent_id: order.agent_id,
      area_id: order.area_id,
      cents,
      parts: JSON.stringify(refund.parts),
      reason: refund.reason,
      operator_id: refund.operatorId,
      operator_name: refund.operatorName,
      refunded_at: at,
    })
    .returning(['id', 'cents', 'parts', 'reason', 'operator_name', 'refunded_at'])
    .executeTakeFirstOrThrow()
  const refundedCents = order.refunded_cents + cents
  await tx
    .updateTable('ride_order')
    .set({
      refunded_cents: refundedCents,
      state: refundedCents === order.charged_cents ? 'refunded' : 'part_refunded',
      changed_at: at,
    })
    .where('id', '=', order.id)
    .execute()
  return row
}
