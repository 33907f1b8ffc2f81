import { AppError } from '@saddle/contract/errors.ts'
import {
  rechargeTermsSchema,
  rewardsOfTier,
  type RechargeOffer,
  type RechargeTerms,
} from '@saddle/contract/marketing/rechargeActivities.ts'
import { endOfGift } from '#finance/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import { inForce, type ActivityInForce } from '../activities/budget.ts'
import type { RechargeDeps } from './deps.ts'
import { inOrder, isHere, tierOf } from './rules.ts'
import { hasRecharged, type NewUse } from './store.ts'

type Asked = {
  readonly agentId: number
  /** Null: somebody whom the company does not know yet. */
  readonly riderId: number | null
  readonly areaId: number | null
  readonly at: Date
}

type Running = ActivityInForce<RechargeTerms>

/** The activities that are for this rider here and now, those that the rider has used up among them. */
async function runningFor(tx: Tx, { agentId, riderId, areaId, at }: Asked): Promise<Running[]> {
  const asked = { agentId, kind: 'recharge', terms: rechargeTermsSchema, at } as const
  const running = await inForce(tx, riderId === null ? asked : { ...asked, riderId })
  return running.filter(({ common }) => isHere(common.areaIds, areaId))
}

/** What a tier gives by name and worth; null where it cannot be given now, or the budget has not enough left for it. */
async function priceOf(
  { rewards }: Pick<RechargeDeps, 'rewards'>,
  tx: Tx,
  activity: Running,
  tierAt: number,
  asked: Asked,
) {
  const tier = activity.terms.tiers[tierAt]
  if (tier === undefined) return null
  const { agentId, at } = asked
  const priced = await rewards.price(tx, { agentId, at, rewards: rewardsOfTier(tier) })
  const cents = priced.reduce((sum, one) => sum + one.cents, 0)
  const { budgetCents } = activity.common
  const hasRoom = budgetCents === null || activity.usedCents + cents <= budgetCents
  return hasRoom && priced.every(({ refusal }) => refusal === null) ? { cents, priced } : null
}

/** The amounts that a rider may tap now, by activity and amount. */
export async function offersFor(deps: Pick<RechargeDeps, 'rewards'>, tx: Tx, asked: Asked): Promise<RechargeOffer[]> {
  const { agentId, riderId, at } = asked
  const offers: RechargeOffer[] = []
  const isFirst = riderId === null || !(await hasRecharged(tx, { agentId, riderId }))
  for (const activity of await runningFor(tx, asked)) {
    const { id, common, terms, why } = activity
    if (why !== null || (terms.firstOnly && !isFirst)) continue
    for (const tier of inOrder(terms.tiers)) {
      const price = await priceOf(deps, tx, activity, terms.tiers.indexOf(tier), asked)
      if (price === null) continue
      const { payCents, giftCents, giftDays } = tier
      offers.push({
        activityId: id,
        activity: common.name,
        payCents,
        giftCents,
        giftEndsAt: giftCents === 0 ? null : endOfGift(at.getTime(), giftDays),
        rewards: price.priced.flatMap(({ reward, name }) =>
          reward.kind === 'gift'
            ? []
            : [{ kind: reward.kind, name, count: reward.kind === 'coupon' ? reward.count : 1 }],
        ),
        endsAt: common.endsAt,
        firstOnly: terms.firstOnly,
      })
    }
  }
  return offers
}

/** What a recharge with an offer promises. Throws where the rider cannot have it. */
export async function promiseOf(
  deps: Pick<RechargeDeps, 'rewards'>,
  tx: Tx,
  asked: Asked & { readonly riderId: number; readonly activityId: number; readonly cents: number },
): Promise<Omit<NewUse, 'paymentId'>> {
  const { agentId, riderId, activityId, cents, at } = asked
  const activity = (await runningFor(tx, asked)).find(({ id }) => id === activityId)
  const tier = activity === undefined ? undefined : tierOf(activity.terms, cents)
  if (activity === undefined || tier === undefined) throw new AppError('recharge_offer_over')
  if (activity.why !== null) throw new AppError('recharge_offer_used')
  if (activity.terms.firstOnly && (await hasRecharged(tx, { agentId, riderId }))) {
    throw new AppError('recharge_offer_first')
  }
  const price = await priceOf(deps, tx, activity, activity.terms.tiers.indexOf(tier), asked)
  if (price === null) throw new AppError('recharge_offer_over')
  const { version } = activity
  const { giftCents } = tier
  return { agentId, riderId, activityId, version, cents, giftCents, rewards: rewardsOfTier(tier), at }
}
