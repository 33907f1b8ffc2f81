import type { ActivityCommon, ActivityPreview } from '@saddle/contract/marketing/activities.ts'
import { isHeldOut } from '@saddle/contract/marketing/holdout.ts'
import { rewardsOfTier, type RechargeTerms } from '@saddle/contract/marketing/rechargeActivities.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Scope } from '#kit/db/scope.ts'
import { createTally } from '../activities/tally.ts'
import type { RechargeDeps } from './deps.ts'
import { tierReached } from './rules.ts'
import { selectPast } from './store.ts'

/** Recharges that are looked at; of more the newest are. */
const pastMax = 50_000

/**
 * What the recharges of the last weeks would have been given: each by the highest tier that it reaches, within the limits.
 * A recharge belongs to no area, so areas play no part.
 */
export async function previewOf(
  { kit, rewards }: Pick<RechargeDeps, 'kit' | 'rewards'>,
  asked: {
    readonly scope: Scope
    readonly agentId: number
    readonly common: ActivityCommon
    readonly terms: RechargeTerms
    readonly weeks: number
  },
): Promise<ActivityPreview> {
  const { scope, agentId, common, terms, weeks } = asked
  const at = new Date(kit.clock.now())
  const worth = new Map<number, number>()
  await kit.db.system(async (tx) => {
    for (const tier of terms.tiers) {
      const priced = await rewards.price(tx, { agentId, at, rewards: rewardsOfTier(tier) })
      worth.set(
        tier.payCents,
        priced.reduce((sum, { cents }) => sum + cents, 0),
      )
    }
  })
  const since = new Date(at.getTime() - weeks * 7 * dayMs)
  const past = await kit.db.read(scope, (k) => selectPast({ agentId, since, limit: pastMax + 1 }).compile(k))
  const tally = createTally(common)
  const looked = past.slice(0, pastMax).toReversed()
  for (const { rider_id: riderId, cents, paid_at, is_first } of looked) {
    const use = { riderId, at: paid_at.getTime() }
    const tier = tierReached(terms, cents)
    if (tier === undefined || (terms.firstOnly && !is_first) || !tally.canTake(use)) continue
    if (isHeldOut({ agentId, id: 0, percent: common.holdoutPercent, riderId })) continue
    tally.take({ ...use, areaId: null, cents: worth.get(tier.payCents) ?? 0 })
  }
  return { weeks, considered: looked.length, isCut: past.length > pastMax, ...tally.result(new Map()) }
}
