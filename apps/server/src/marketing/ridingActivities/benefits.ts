import { ridingTermsSchema } from '@saddle/contract/marketing/ridingActivities.ts'
import type { BenefitSource, RefusedUse } from '#finance/public.ts'
import { giveBackBudget, inForce, takeBudget } from '../activities/budget.ts'
import { benefitOf, skipReasonOf } from './rules.ts'

/**
 * Riding activities as a source of benefits. `held` locks nothing: a use is taken in `recordUses`, late in the transaction of
 * the charge. An activity must run at the end of the ride, where it is used; its hours and weather are those of the beginning.
 */
export const ridingBenefits: BenefitSource = {
  kinds: ['activity'],

  held: async (tx, { agentId, riderId, endedAt }) => {
    const asked = { agentId, kind: 'riding', riderId, at: new Date(endedAt), terms: ridingTermsSchema } as const
    const activities = (await inForce(tx, asked)).map(({ id, common, terms, why }) => ({
      why,
      benefit: benefitOf(id, common, terms),
    }))
    return {
      benefits: activities.flatMap(({ why, benefit }) => (why === null ? [benefit] : [])),
      skipped: activities.flatMap(({ why, benefit: { kind, id, name } }) =>
        why === null ? [] : [{ kind, id, name, why: skipReasonOf[why] }],
      ),
    }
  },

  recordUses: async (tx, { agentId, riderId, orderId, endedAt, uses }) => {
    const refused: RefusedUse[] = []
    for (const { id, savedCents } of uses) {
      const cause = { kind: 'ride', id: orderId }
      const use = { activityId: id, agentId, riderId, cents: savedCents, at: new Date(endedAt), cause }
      const why = await takeBudget(tx, use)
      if (why !== null) refused.push({ id, why: skipReasonOf[why] })
    }
    return refused
  },

  giveBack: async (tx, { agentId, orderId, at }) => {
    await giveBackBudget(tx, { agentId, cause: { kind: 'ride', id: orderId }, at: new Date(at) })
  },
}
