import { AppError } from '@saddle/contract/errors.ts'
import { userRewardEndpoints, userRewardFields, userRewardList } from '@saddle/contract/marketing/userRewards.ts'
import { addDays } from '@saddle/contract/time.ts'
import type { Handlers } from '#kit/call.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { UserRewardDeps } from './deps.ts'
import { termsOf } from '../coupons/store.ts'
import { areaPrice, selectPrices } from '../rewards/prices.ts'
import { rewardOf } from '../rewards/store.ts'
import { couponWorthCents } from '../rewards/worth.ts'
import { giveByHand } from './give.ts'
import { restoreRewardsOf, revokeRewardsOf } from './undo.ts'
import {
  presentActivity,
  presentCoupon,
  presentUserReward,
  selectActivities,
  selectCard,
  selectCoupons,
  selectDetail,
  selectProducts,
  selectTemplates,
  userRewardRows,
} from './store.ts'

/** Rewards of riders, whatever gave them. */
export function createUserRewardHandlers(deps: UserRewardDeps): Handlers<typeof userRewardEndpoints> {
  const { kit, riders, finance } = deps
  const served = serveList(deps, userRewardList, {
    name: 'user-rewards',
    prepare: async (filter, { scope }) => ({ riderIds: await riders.idsOf(scope, filter) }),
    rows: userRewardRows,
    present: (row) => ({ ...presentUserReward(row), phone: riders.maskedPhone(row) }),
    file: { action: 'reward.export', fields: userRewardFields },
  })
  const handlers: Handlers<typeof userRewardEndpoints> = {
    listUserRewards: served.page,
    sumUserRewards: served.sums,
    exportUserRewards: served.file,

    userRewardDetail: async ({ id }, { scope }) => {
      const [reward] = await kit.db.read(scope, (k) => selectDetail({ id, scope }).compile(k))
      if (reward === undefined) throw new AppError('not_found')
      const coupons = await kit.db.read(scope, (k) => selectCoupons({ ids: reward.coupon_ids, scope }).compile(k))
      const [card] = await kit.db.read(scope, (k) => selectCard({ id: reward.card_id, scope }).compile(k))
      const cardOf = (found: NonNullable<typeof card>) => ({
        id: found.id,
        state: found.state,
        firstDay: found.begins_on,
        lastDay: found.ends_on === null ? null : addDays(found.ends_on, -1),
      })
      const data = {
        reward: rewardOf(reward.what),
        coupons: coupons.map(presentCoupon),
        giftLotId: reward.gift_lot_id,
        card: card === undefined ? null : cardOf(card),
      }
      return { suc: true, data }
    },

    rewardChoices: async (_, { scope }) => {
      const templates = await kit.db.read(scope, (k) => selectTemplates({ scope }).compile(k))
      const products = await kit.db.read(scope, (k) => selectProducts({ scope }).compile(k))
      const at = new Date(kit.clock.now())
      const inForce = await kit.db.read(scope, (k) => selectPrices({ agentIds: scope.agentIds, at }).compile(k))
      const prices = Map.groupBy(inForce, (row) => row.agent_id)
      const coupons = templates.map(({ id, agent_id: agentId, company, name, terms }) => ({
        id,
        agentId,
        company,
        name,
        cents: couponWorthCents(termsOf(terms), 1, (prices.get(agentId) ?? []).map(areaPrice)),
      }))
      const cards = products.map(({ id, agent_id: agentId, company, name, price_cents: cents }) => ({
        id,
        agentId,
        company,
        name,
        cents,
      }))
      const found = await kit.db.read(scope, (k) => selectActivities({ scope }).compile(k))
      return { suc: true, data: { coupons, cards, activities: found.map(presentActivity) } }
    },

    giveUserRewards: async (input, call) => ({ suc: true, data: await giveByHand(deps, call, input) }),
    revokeUserRewards: async (input, call) => ({ suc: true, data: await revokeRewardsOf(deps, call, input) }),
    restoreUserRewards: async (input, call) => ({ suc: true, data: await restoreRewardsOf(deps, call, input) }),
  }
  finance.secondPerson.serve('reward', (input, call) =>
    handlers.giveUserRewards(userRewardEndpoints.giveUserRewards.input.parse(input), call),
  )
  return handlers
}
