import { activityWarnPercent } from '@saddle/contract/marketing/activities.ts'
import { couponBudgetState } from '@saddle/contract/marketing/couponBudget.ts'
import type { Tx } from '#kit/db/pool.ts'
import { tell } from '#notices/public.ts'

/** A kind of coupon after a use, and what the use took from its budget. */
type UsedBudget = {
  readonly templateId: number
  readonly agentId: number
  readonly name: string
  readonly budgetCents: number | null
  readonly budgetUses: number | null
  readonly usedCents: number
  readonly uses: number
  readonly savedCents: number
  readonly at: Date
}

/** Tells who runs a kind of coupon that this use of its budget has reached 80 % or used it up. */
export async function tellReached(tx: Tx, use: UsedBudget): Promise<void> {
  const { templateId, agentId, name, budgetCents, budgetUses, usedCents, uses, savedCents, at } = use
  const budget = { budgetCents, budgetUses }
  const before = couponBudgetState({ ...budget, usedCents: usedCents - savedCents, used: uses - 1 })
  const after = couponBudgetState({ ...budget, usedCents, used: uses })
  if (after === null || after === before) return
  const subject = `coupon_template ${templateId}`
  const key = `${subject} ${at.getTime()}`
  const common = { agentId, subject, key, path: '/marketing/coupon', codes: ['1709'], at } as const
  if (after === 'low')
    await tell(tx, { event: 'budget_low', ...common, values: { name, percent: activityWarnPercent } })
  else await tell(tx, { event: 'budget_dry', ...common, values: { name } })
}
