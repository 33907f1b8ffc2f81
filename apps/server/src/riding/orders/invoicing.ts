import { orderReference, type Ledger, type PostedEntry, type RideInvoicing } from '#finance/public.ts'
import { rowOf } from '#kit/db/rows.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { orderNumber } from './rules.ts'

const rideOrderRow = rowOf('ride_order', 'o', ['id', 'placed_at'])

/** What channels were paid for rides, as the ledger knows it: what came out of the balance was paid in before. */
export function createRideInvoicing({ db }: Pick<Kit, 'db'>, ledger: Pick<Ledger, 'entriesOf'>): RideInvoicing {
  const paidCents: RideInvoicing['paidCents'] = async ({ agentId, orderIds }) => {
    const scope = scopeOfAgent(agentId)
    const found = await Promise.all(
      orderIds.map(async (id) => {
        const entries = await ledger.entriesOf({ scope, reference: orderReference(id) })
        return [id, channelCents(entries)] as const
      }),
    )
    return new Map(found)
  }
  return {
    paidCents,
    ofRider: async ({ agentId, riderId, since, limit }) => {
      const rows = await db.systemRead((k) =>
        rideOrderRow.select`
          from ride_order o
          where o.rider_id = ${riderId} and o.agent_id = ${agentId} and o.state in ('paid', 'part_refunded')
            and o.placed_at >= ${new Date(since)}
          order by o.placed_at desc, o.id desc limit ${limit}`.compile(k),
      )
      const paid = await paidCents({ agentId, orderIds: rows.map(({ id }) => id) })
      return rows.map(({ id, placed_at }) => {
        const at = placed_at.getTime()
        return { id, number: orderNumber({ id, placedAt: at }), at, cents: paid.get(id) ?? 0 }
      })
    },
  }
}

/** What channels brought and have not given back; what of it became balance is no part of the ride. */
function channelCents(entries: readonly PostedEntry[]): number {
  let channel = 0
  let balance = 0
  for (const { account, amountCents } of entries.flatMap(({ lines }) => lines)) {
    // What is owed as a refund has left the ride, whether or not the channel has paid it out.
    if (account.kind.startsWith('clearing_') || account.kind === 'refund_payable') channel -= amountCents
    if (account.kind === 'rider_balance') balance -= amountCents
  }
  return Math.max(0, channel + Math.min(0, balance))
}
