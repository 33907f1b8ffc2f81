import type { refundEndpoints } from '@saddle/contract/riding/refunds.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers } from '#kit/call.ts'
import { lineOf } from '../orders/present.ts'
import { selectLines, selectOrder } from '../orders/store.ts'
import { giveBack, lockOrder, paidCents, type RefundParts } from './refund.ts'
import { outlook } from './rules.ts'
import { refundOf, selectRefunds } from './store.ts'

/** Giving money back: all of it, a part, or line by line; never above what was paid. */
export function createRefundHandlers(parts: RefundParts): Handlers<typeof refundEndpoints> {
  const { kit } = parts
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
      // The ledger is written by the system alone; the order is looked for within the scope all the same.
      const data = await kit.db.system(async (tx) => {
        const order = await lockOrder(tx, { orderId, scope: call.scope })
        const refund = await giveBack(parts, tx, call, { order, cents, lines, reason })
        return { refund, refundedCents: order.refunded_cents + refund.cents }
      })
      return { suc: true, data }
    },
  }
}
