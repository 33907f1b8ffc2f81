import { activityWarnPercent, isBudgetUsedUp } from './activities.ts'

/** How far the budget is used: from 80 % on it is low, and where it counts as used up the kind is dry. */
export const couponBudgetStates = ['low', 'dry'] as const
export type CouponBudgetState = (typeof couponBudgetStates)[number]
export const couponBudgetStateLabels: Readonly<Record<CouponBudgetState, string>> = {
  low: '预算已用八成以上',
  dry: '预算用完',
}
export function couponBudgetState({
  budgetCents,
  budgetUses,
  usedCents,
  used,
}: {
  readonly budgetCents: number | null
  readonly budgetUses: number | null
  readonly usedCents: number
  readonly used: number
}): CouponBudgetState | null {
  if (isBudgetUsedUp({ budgetCents, budgetUses, usedCents, uses: used })) return 'dry'
  const percent = Math.max(
    budgetCents === null ? 0 : (usedCents * 100) / budgetCents,
    budgetUses === null ? 0 : (used * 100) / budgetUses,
  )
  return percent >= activityWarnPercent ? 'low' : null
}
