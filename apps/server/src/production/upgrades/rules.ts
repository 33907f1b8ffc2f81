import type { UpgradeGate, UpgradeTerms } from '@saddle/contract/production/upgradeWords.ts'
import { upgradeGroups } from '@saddle/contract/production/upgradeWords.ts'
import { hourMs } from '@saddle/contract/time.ts'

/** Vehicles of a group or of a campaign, by what became of their upgrade. */
export type GroupCounts = {
  readonly total: number
  readonly scheduled: number
  readonly active: number
  readonly finished: number
  readonly errors: number
  readonly cancelled: number
  /** Of the errors: vehicles that did not come back after their restart. */
  readonly silent: number
  /** Of the errors: those before a person let the campaign go on; they do not stop it again. */
  readonly excused: number
  readonly excusedSilent: number
}

export type Vital = { readonly upgraded: number | null; readonly others: number | null }
export type Vitals = { readonly unlockFailures: Vital; readonly offline: Vital; readonly batteryDrain: Vital }

export type Verdict =
  | { readonly verdict: 'wait' | 'next' | 'finish' }
  | { readonly verdict: 'pause'; readonly gate: UpgradeGate }

const pause = (gate: UpgradeGate): Verdict => ({ verdict: 'pause', gate })

const isWorse = ({ upgraded, others }: Vital, points: number): boolean =>
  upgraded !== null && others !== null && upgraded - others > points

const share = (part: number, whole: number): number => (whole === 0 ? 0 : (part * 100) / whole)

/**
 * What a running campaign does next. Errors and silent vehicles pause it at once; the next group begins when this one has
 * ended well, has been watched long enough, and its vehicles are no worse than others.
 */
export function gateOf(options: {
  /** By number; the first is the canary. */
  readonly groups: readonly GroupCounts[]
  readonly groupNo: number
  readonly terms: UpgradeTerms
  readonly vitals: Vitals
  /** When the last vehicle of the present group was upgraded; null while none was. */
  readonly endedAt: number | null
  readonly nowMs: number
}): Verdict {
  const { groups, groupNo, terms, vitals, endedAt, nowMs } = options
  const group = groups[groupNo]
  if (group === undefined) return { verdict: 'finish' }
  const silent = groups.reduce((sum, one) => sum + one.silent - one.excusedSilent, 0)
  if (silent >= terms.silentMax) return pause('silent')
  const counted = group.total - group.cancelled
  const errors = group.errors - group.excused
  if (errors > 0 && share(errors, counted) >= terms.errorPercent) return pause('errors')
  if (isWorse(vitals.unlockFailures, terms.unlockFailurePoints)) return pause('unlock_failures')
  if (isWorse(vitals.offline, terms.offlinePoints)) return pause('offline')
  if (isWorse(vitals.batteryDrain, terms.batteryPoints)) return pause('battery_drain')
  if (group.scheduled + group.active > 0) return { verdict: 'wait' }
  if (counted > 0 && share(group.finished + group.excused, counted) < terms.successPercent) return pause('success')
  if (groupNo >= upgradeGroups.length - 1) return { verdict: 'finish' }
  if (counted > 0 && (endedAt === null || nowMs - endedAt < terms.watchHours * hourMs)) return { verdict: 'wait' }
  return { verdict: 'next' }
}

/** The group of the vehicle at this place of a shuffled list; the canary has one vehicle at least. */
export function groupOf(index: number, total: number): number {
  const found = upgradeGroups.findIndex((percent) => index < Math.max(1, Math.ceil((total * percent) / 100)))
  return found === -1 ? upgradeGroups.length - 1 : found
}
