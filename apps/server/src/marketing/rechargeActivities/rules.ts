import type { RechargeTerms, RechargeTier } from '@saddle/contract/marketing/rechargeActivities.ts'

/** Tiers as a rider reads them: the smallest amount first. */
export const inOrder = (tiers: readonly RechargeTier[]): RechargeTier[] =>
  tiers.toSorted((a, b) => a.payCents - b.payCents)

/** The tier of exactly this amount. */
export const tierOf = ({ tiers }: Pick<RechargeTerms, 'tiers'>, cents: number): RechargeTier | undefined =>
  tiers.find(({ payCents }) => payCents === cents)

/** The highest tier that an amount reaches, for past recharges, whose riders did not know the tiers. */
export const tierReached = ({ tiers }: Pick<RechargeTerms, 'tiers'>, cents: number): RechargeTier | undefined =>
  inOrder(tiers).findLast(({ payCents }) => payCents <= cents)

/** Whether an activity is for where the rider is; null: not known. */
export const isHere = (areaIds: readonly number[], areaId: number | null): boolean =>
  areaIds.length === 0 || (areaId !== null && areaIds.includes(areaId))
