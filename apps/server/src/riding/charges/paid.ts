import type { Entry, PaidPayment } from '#finance/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { payDue, type Purse } from './money.ts'

const dueRow = rowOf('ride_order', ['state', 'agent_id', 'area_id', 'rider_id', 'charged_cents'])

/**
 * Pays a due order with the money from a channel, together with gift and balance. If the order was paid or refunded
 * meanwhile, or now costs more than all of it, nothing is used: the money becomes the rider's balance.
 */
export const onRidePaid =
  (purse: Purse) =>
  async (tx: Tx, paid: PaidPayment): Promise<Entry | null> => {
    const { agentId, riderId, subjectId: orderId, channel, at } = paid
    if (orderId === null) throw new Error(`payment ${paid.paymentId} names no order`)
    const { rows } = await dueRow.select`from ride_order where id = ${orderId} for update`.execute(tx)
    const [order] = rows
    const isOwn = order?.agent_id === agentId && order.rider_id === riderId
    if (!isOwn || order.state !== 'due' || order.charged_cents === null) return null
    const charge = { agentId, areaId: order.area_id, riderId, orderId, cents: order.charged_cents, at }
    const payment = await payDue(purse, tx, charge, { channel, cents: paid.cents })
    return payment?.entry ?? null
  }
