import { AppError } from '@saddle/contract/errors.ts'
import { rechargeRefusalLabels, type riderRechargeEndpoints } from '@saddle/contract/marketing/rechargeActivities.ts'
import { ensuredRider, knownRider, agentOfApp } from '#finance/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { RechargeDeps } from './deps.ts'
import { offersFor, promiseOf } from './offers.ts'
import { keepUse, presentUse, selectOwn } from './store.ts'

/** Recharges with an offer, as the riders' applications see them. */
export function createRiderRechargeHandlers(deps: RechargeDeps): Handlers<typeof riderRechargeEndpoints> {
  const { kit, finance } = deps
  return {
    riderRechargeOffers: async ({ areaId = null, ...asked }, call) => {
      const agentId = agentOfApp(call, asked.agentId)
      const who = await knownRider(deps, call, asked)
      const at = new Date(kit.clock.now())
      const of = { agentId, riderId: who?.riderId ?? null, areaId, at }
      const [offers, roomCents, own] = await Promise.all([
        kit.db.system((tx) => offersFor(deps, tx, of)),
        finance.room(who ?? { agentId, riderId: 0 }),
        who === null ? [] : kit.db.systemRead((k) => selectOwn(who).compile(k)),
      ])
      const mine = own.map(presentUse).map(({ id, activityId, name, state, cents, giftCents, settledAt, why }) => {
        const said = why === null ? null : rechargeRefusalLabels[why]
        return { id, activityId, name, state, cents, giftCents, settledAt, why: said }
      })
      return { suc: true, data: { offers, roomCents, mine } }
    },

    riderRechargeWithOffer: async ({ activityId, areaId = null, cents, channel, payer, requestId, ...asked }, call) => {
      const who = await ensuredRider(deps, call, asked)
      const at = new Date(kit.clock.now())
      const promise = await kit.db.system((tx) => promiseOf(deps, tx, { ...who, areaId, activityId, cents, at }))
      const payment = await finance.startRecharge({
        ...who,
        cents,
        channel,
        payer,
        requestId,
        keep: async (tx, paymentId) => {
          // Sent again with another activity: it is another request.
          const keptFor = await keepUse(tx, { ...promise, paymentId })
          if (keptFor !== activityId) throw new AppError('idempotency_mismatch')
        },
      })
      return { suc: true, data: payment }
    },
  }
}
