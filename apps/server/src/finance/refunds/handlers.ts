import { refundFields, refundList, type channelRefundEndpoints } from '@saddle/contract/finance/refunds.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers } from '#kit/call.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { MoneyDeps } from '../deps.ts'
import { ofRider, ridersOf } from '../wallet/who.ts'
import { listedRefundOf, refundOf, refundRows, selectAskedRefunds, selectRefund } from './store.ts'

/** A channel that does not answer uses the full timeout for each refund while the caller waits. */
const askedAtOnce = 10

/** Money that goes back through the channels, and what to do where it does not. */
export function createChannelRefundHandlers(parts: MoneyDeps): Handlers<typeof channelRefundEndpoints> {
  const { kit, audit, payments, riders } = parts
  const { db } = kit
  const list = serveList(parts, refundList, {
    name: 'refunds',
    prepare: async (filter, { scope }) => ({ riderIds: await ridersOf(riders, scope, filter), nowMs: kit.clock.now() }),
    rows: refundRows,
    present: (row) => listedRefundOf(row, riders),
    file: { action: 'refund.export', fields: refundFields },
  })
  return {
    listRefunds: list.page,
    sumRefunds: list.sums,
    exportRefunds: list.file,

    returnRefund: async ({ refundId, reason }, call) => {
      const query = selectAskedRefunds({ scope: call.scope, ids: [refundId] })
      const [found] = await db.read(call.scope, (k) => query.compile(k))
      if (found === undefined) throw new AppError('not_found')
      const { agent_id: agentId, rider_id: riderId, cents } = found
      await db.system(async (tx) => {
        const after = { refundId, cents, reason }
        await audit.act(tx, call, { ...ofRider({ agentId, riderId }), action: 'wallet.refund_return', after })
        await payments.returnRefund(tx, { agentId, refundId, reason, by: call.caller.name })
      })
      const [row] = await db.read(call.scope, (k) => selectRefund({ agentId, id: refundId }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      return { suc: true, data: refundOf(row) }
    },

    retryRefunds: async ({ refundIds }, call) => {
      const ids = [...new Set(refundIds)]
      const query = selectAskedRefunds({ scope: call.scope, ids })
      const found = await db.read(call.scope, (k) => query.compile(k))
      if (found.length < ids.length) throw new AppError('not_found')
      await db.system(async (tx) => {
        for (const { agent_id: agentId, rider_id: riderId, id, cents } of found) {
          const after = { refundId: id, cents }
          await audit.act(tx, call, {
            ...ofRider({ agentId, riderId }),
            action: 'wallet.refund_again',
            after,
          })
        }
      })
      for (let at = 0; at < found.length; at += askedAtOnce) {
        const few = found.slice(at, at + askedAtOnce)
        await Promise.all(few.map(({ agent_id: agentId, id: refundId }) => payments.retryRefund({ agentId, refundId })))
      }
      const now = await db.read(call.scope, (k) => query.compile(k))
      return { suc: true, data: { refunds: now.map(({ id, state }) => ({ id, state })) } }
    },
  }
}
