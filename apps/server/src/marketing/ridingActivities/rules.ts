import type { ActivityCommon, ActivityRefusal } from '@saddle/contract/marketing/activities.ts'
import type { RidingTerms } from '@saddle/contract/marketing/ridingActivities.ts'
import { benefitSchema, type Benefit, type SkipReason } from '@saddle/contract/riding/benefits.ts'

/** A riding activity as the engine takes it; its areas are among the conditions there. */
export function benefitOf(id: number, common: ActivityCommon, terms: RidingTerms): Benefit {
  const { name, areaIds, bearer, endsAt } = common
  const { effect, fromCents, conditions, alone } = terms
  return benefitSchema.parse({
    kind: 'activity',
    id,
    name,
    effect,
    fromCents,
    conditions: { ...conditions, areaIds },
    bearer,
    alone,
    endsAt,
  })
}

/** Why an activity does not lower a charge, as the rider reads it. */
export const skipReasonOf: Readonly<Record<ActivityRefusal, SkipReason>> = {
  not_on: 'stopped',
  budget_spent: 'budget_spent',
  rider_cap: 'used_up',
  rider_day_cap: 'used_up_today',
  device_cap: 'used_up_device',
}
