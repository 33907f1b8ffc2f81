import type { refundEndpoints } from '@saddle/contract/riding/refunds.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { SecondPerson } from '#finance/public.ts'
import type { Handlers } from '#kit/call.ts'
import { lineOf } from '../orders/present.ts'
import { selectUsedGifts, usedGiftOf } from '#finance/public.ts'
import { selectLines, selectOrder } from '../orders/store.ts'
import { giveBack, lockOrder, paidCents, type RefundParts } from './refund.ts'
import { outlook } from './rules.ts'
import { refundOf, selectRefunds } from './store.ts'

/** Refunds: all, a part, or line by line; never above what was paid. */
export function createRefundHandlers(
  parts: RefundParts & { readonly secondPerson: Pick<SecondPerson, 'hold'> },
): Handlers<typeof refundEndpoints> {
  const { kit } = parts
  return {
    refundOutlook: async ({ orderId }, { scope }) => {
      const [[order], lines, refunds, used] = await Promise.all([
        kit.db.read(scope, (k) => selectOrder({ id: orderId, scope }).compile(k)),
        kit.db.read(scope, (k) => selectLines({ orderId, scope }).compile(k)),
        kit.db.read(scope, (k) => selectRefunds({ orderId, scope }).compile(k)),
        kit.db.read(scope, (k) => selectUsedGifts({ orderId, scope }).compile(k)),
      ])
      if (order === undefined) throw new AppError('not_found')
      const known = refunds.map(refundOf)
      const left = outlook({ chargedCents: paidCents(order), lines: lines.map(lineOf), refunds: known })
      const giftCents = used.map(usedGiftOf).reduce((sum, { cents, lapsedCents }) => sum + cents - lapsedCents, 0)
      return { suc: true, data: { ...left, giftCents, refunds: known } }
    },

    refundOrder: async (input, call) => {
      const { orderId, cents, lines, reason } = input
      // The ledger is written by the system alone; the order is looked for within the scope all the same.
      const data = await parts.secondPerson.hold(call, input, (count) =>
        kit.db.system(async (tx) => {
          const order = await lockOrder(tx, { orderId, scope: call.scope })
          const own = { agentId: order.agent_id, areaId: order.area_id, riderId: order.rider_id, reason }
          const counted = (sum: number) => count(tx, { act: 'order_refund', ...own, cents: sum })
          const refund = await giveBack(parts, tx, call, { order, cents, lines, reason, counted })
          return { refund, refundedCents: order.refunded_cents + refund.cents }
        }),
      )
      return { suc: true, data }
    },
  }
}
