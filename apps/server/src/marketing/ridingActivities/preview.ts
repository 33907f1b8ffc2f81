import type { ActivityCommon, ActivityPreview } from '@saddle/contract/marketing/activities.ts'
import type { RidingTerms } from '@saddle/contract/marketing/ridingActivities.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Riding } from '#riding/public.ts'
import { createTally } from '../activities/tally.ts'
import { benefitOf } from './rules.ts'

/**
 * What a riding activity would have taken off the rides of the last weeks, by the prices in force and with what those rides
 * had anyway, within its own limits. The weeks stand for those to come: its own beginning and end play no part.
 */
export async function previewOf(
  { riding }: { readonly riding: Pick<Riding, 'tryBenefit'> },
  asked: {
    readonly scope: Scope
    readonly agentId: number
    readonly common: ActivityCommon
    readonly terms: RidingTerms
    readonly weeks: number
  },
): Promise<ActivityPreview> {
  const { scope, agentId, common, terms, weeks } = asked
  const tally = createTally(common)
  const benefit = { ...benefitOf(0, common, terms), endsAt: null }
  const { rides, isCut, areas } = await riding.tryBenefit(scope, {
    agentId,
    areaIds: common.areaIds,
    weeks,
    benefit,
    canTake: tally.canTake,
    take: tally.take,
  })
  return { weeks, considered: rides, isCut, ...tally.result(areas) }
}
