import type { ActivityPreview } from '@saddle/contract/marketing/activities.ts'
import type { CouponTerms } from '@saddle/contract/marketing/couponTerms.ts'
import type { Scope } from '#kit/db/scope.ts'
import { createTally } from '../activities/tally.ts'
import type { CouponDeps } from './deps.ts'
import { benefitOf } from './rules.ts'

/**
 * What a kind of coupon would have taken off the rides of the last weeks, had each rider held one of it, within its budget.
 * The weeks stand for those to come: its days of validity play no part.
 */
export async function previewCoupon(
  { riding }: Pick<CouponDeps, 'riding'>,
  asked: { readonly scope: Scope; readonly agentId: number; readonly terms: CouponTerms; readonly weeks: number },
): Promise<ActivityPreview> {
  const { scope, agentId, terms, weeks } = asked
  const { budgetCents, budgetUses, conditions } = terms
  const tally = createTally({ budgetCents, budgetUses, riderUses: 1, riderDayUses: null })
  const { rides, isCut, areas } = await riding.tryBenefit(scope, {
    agentId,
    areaIds: conditions.areaIds,
    weeks,
    benefit: { ...benefitOf(0, terms, 0), endsAt: null },
    canTake: tally.canTake,
    take: tally.take,
  })
  return { weeks, considered: rides, isCut, ...tally.result(areas) }
}
