import { activityWarnPercent, isBudgetUsedUp, type ActivityState } from '@saddle/contract/marketing/activities.ts'

/** What is used of an activity, and since when its budget is used mostly and used up. */
export type Used = {
  readonly used_cents: number
  readonly uses: number
  readonly warned_at: Date | null
  readonly dry_at: Date | null
}

/** The marks of what is used under other budgets: one that is raised lets the activity run again. */
export function marksUnder(
  used: Used,
  { budgetCents, budgetUses }: { readonly budgetCents: number | null; readonly budgetUses: number | null },
  at: Date,
): { warned_at: Date | null; dry_at: Date | null } {
  const { used_cents: usedCents, uses } = used
  const isLow =
    (budgetCents !== null && usedCents * 100 >= budgetCents * activityWarnPercent) ||
    (budgetUses !== null && uses * 100 >= budgetUses * activityWarnPercent)
  return {
    warned_at: isLow ? (used.warned_at ?? at) : null,
    dry_at: isBudgetUsedUp({ budgetCents, budgetUses, usedCents, uses }) ? (used.dry_at ?? at) : null,
  }
}

/** The act that takes an activity from one state to another; null where nothing changes, undefined where it cannot be. */
export function stepOf(
  from: ActivityState,
  to: Exclude<ActivityState, 'draft'>,
): 'start' | 'pause' | 'resume' | 'end' | null | undefined {
  if (from === to) return null
  if (from === 'ended') return undefined
  if (to === 'ended') return 'end'
  if (to === 'paused') return from === 'on' ? 'pause' : undefined
  return from === 'draft' ? 'start' : 'resume'
}
