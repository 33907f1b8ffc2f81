import { sql } from 'kysely'
import type { refundEndpoints } from '@saddle/contract/riding/refunds.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Audit } from '#audit/public.ts'
import type { Ledger } from '#finance/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import { within } from '#kit/db/within.ts'
import type { Kit } from '#kit/kit.ts'
import { refundRide } from '../charges/money.ts'
import { lineOf } from '../orders/present.ts'
import { selectLines, selectOrder } from '../orders/store.ts'
import { outlook, refundOfAsked } from './rules.ts'
import { refundOf, selectRefunds, type RefundRow } from './store.ts'

type Parts = { readonly kit: Pick<Kit, 'db' | 'clock'>; readonly audit: Audit; readonly ledger: Ledger }

/** Giving money back: all of it, a part, or line by line; never above what was paid. */
export function createRefundHandlers({ kit, audit, ledger }: Parts): Handlers<typeof refundEndpoints> {
  return {
    refundOutlook: async ({ orderId }, { scope }) => {
      const [[order], lines, refunds] = await Promise.all([
        kit.db.read(scope, (k) => selectOrder({ id: orderId, scope }).compile(k)),
        kit.db.read(scope, (k) => selectLines({ orderId, scope }).compile(k)),
        kit.db.read(scope, (k) => selectRefunds({ orderId, scope }).compile(k)),
      ])
      if (order === undefined) throw new AppError('not_found')
      const known = refunds.map(refundOf)
      const left = outlook({ chargedCents: paidCents(order), lines: lines.map(lineOf), refunds: known })
      return { suc: true, data: { ...left, refunds: known } }
    },

    refundOrder: async ({ orderId, cents, lines, reason }, call) => {
      const { scope, caller } = call
      // The ledger is written by the system alone; the order is looked for within the scope all the same.
      const data = await kit.db.system(async (tx) => {
        const order = await lockOrder(tx, { orderId, scope })
        if (order === undefined) throw new AppError('not_found')
        if (paidCents(order) === 0) throw new AppError('order_not_charged')
        const known = (await selectLines({ orderId, scope }).execute(tx)).rows.map(lineOf)
        const refunds = (await selectRefunds({ orderId, scope }).execute(tx)).rows.map(refundOf)
        const left = outlook({ chargedCents: paidCents(order), lines: known, refunds })
        const asked = refundOfAsked({ left, cents, lines })
        const row = await insertRefund(tx, {
          order,
          ...asked,
          reason,
          operatorId: caller.operatorId,
          operatorName: caller.name,
          at: new Date(kit.clock.now()),
        })
        const { agent_id: agentId, rider_id: riderId } = order
        await refundRide(ledger, tx, {
          agentId,
          riderId,
          orderId,
          refundId: row.id,
          cents: asked.cents,
          at: kit.clock.now(),
        })
        await audit.write(tx, {
          agentId: order.agent_id,
          operatorId: caller.operatorId,
          action: 'order.refund',
          subjectKind: 'order',
          subjectId: String(orderId),
          after: { refundId: row.id, cents: asked.cents, parts: asked.parts, reason },
          address: call.address,
          requestId: call.requestId,
        })
        return { refund: refundOf(row), refundedCents: order.refunded_cents + asked.cents }
      })
      return { suc: true, data }
    },
  }
}

type Charged = {
  id: number
  agent_id: number
  area_id: number
  rider_id: number
  state: string
  charged_cents: number | null
  refunded_cents: number
}

/** What the rider has paid: an order that is still due gives nothing back. */
const paidCents = ({ state, charged_cents }: Pick<Charged, 'state' | 'charged_cents'>): number =>
  state === 'due' ? 0 : (charged_cents ?? 0)

async function lockOrder(tx: Tx, { orderId, scope }: { orderId: number; scope: Scope }): Promise<Charged | undefined> {
  const { rows } = await sql<Charged>`
    select o.id, o.agent_id, o.area_id, o.rider_id, o.state, o.charged_cents, o.refunded_cents from ride_order o
    where o.id = ${orderId} and ${within('o', scope)} for update`.execute(tx)
  return rows[0]
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
