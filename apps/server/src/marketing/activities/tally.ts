import { isBudgetUsedUp, type ActivityCommon, type ActivityPreview } from '@saddle/contract/marketing/activities.ts'
import { businessDayOf } from '@saddle/contract/time.ts'

/** A use that an activity would have had. */
export type TriedUse = {
  readonly riderId: number
  /** Null: it belongs to no area. */
  readonly areaId: number | null
  readonly at: number
  readonly cents: number
}

type Limits = Pick<ActivityCommon, 'budgetCents' | 'budgetUses' | 'riderUses' | 'riderDayUses'>
type Area = { reached: number; costCents: number }

/** Adds up what an activity would have given, within its limits, use by use in the order of time. */
export function createTally({ budgetCents, budgetUses, riderUses, riderDayUses }: Limits) {
  const byRider = new Map<number, number>()
  const byDay = new Map<string, number>()
  const byArea = new Map<number, Area>()
  let [uses, costCents] = [0, 0]
  let dryAt: number | null = null
  const dayOf = ({ riderId, at }: Pick<TriedUse, 'riderId' | 'at'>): string => `${riderId} ${businessDayOf(at)}`
  const hasRoom = (cents: number): boolean => budgetCents === null || costCents + cents <= budgetCents

  return {
    /** Whether a rider could use it at a moment, whatever it costs. */
    canTake: (use: Pick<TriedUse, 'riderId' | 'at'>): boolean =>
      dryAt === null &&
      (riderUses === null || (byRider.get(use.riderId) ?? 0) < riderUses) &&
      (riderDayUses === null || (byDay.get(dayOf(use)) ?? 0) < riderDayUses),

    /** Whether its budget has room for so much. */
    hasRoom,

    /** Whether its budget has room for it; then it counts. */
    take: (use: TriedUse): boolean => {
      if (!hasRoom(use.cents)) return false
      uses += 1
      costCents += use.cents
      byRider.set(use.riderId, (byRider.get(use.riderId) ?? 0) + 1)
      byDay.set(dayOf(use), (byDay.get(dayOf(use)) ?? 0) + 1)
      if (use.areaId !== null) {
        const area = byArea.get(use.areaId) ?? { reached: 0, costCents: 0 }
        byArea.set(use.areaId, { reached: area.reached + 1, costCents: area.costCents + use.cents })
      }
      if (isBudgetUsedUp({ budgetCents, budgetUses, usedCents: costCents, uses })) dryAt = use.at
      return true
    },

    result: (
      names: ReadonlyMap<number, string>,
    ): Pick<ActivityPreview, 'reached' | 'riders' | 'costCents' | 'dryAt' | 'byArea'> => ({
      reached: uses,
      riders: byRider.size,
      costCents,
      dryAt,
      byArea: [...byArea]
        .map(([areaId, area]) => Object.assign(area, { areaId, area: names.get(areaId) ?? String(areaId) }))
        .toSorted((a, b) => b.costCents - a.costCents || a.areaId - b.areaId),
    }),
  }
}
