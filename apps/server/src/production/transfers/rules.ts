import { upgradeNight, type UpgradeTerms, type UpgradeWait } from '@saddle/contract/production/upgradeWords.ts'
import { businessOffsetMs, dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { isHeard } from '#fleet/public.ts'

/** A download that has not ended by then fails, and the vehicle is for hire again. */
export const downloadWithinMs = 2 * hourMs
/** A device that has not said its new version by then counts as lost. */
export const installWithinMs = 10 * minuteMs
/**
 * While a device takes longer to come back from its restart, no other of its campaign begins: three times what the others took,
 * and never less than half a minute. Firmware that does not start again shows here first, minutes before it is certain.
 */
export const lateAfterMs = (medianMs: number | null): number => Math.max(minuteMs / 2, 3 * (medianMs ?? 0))
/** Addresses of manifests are asked for again after this time. */
export const addressValidMs = hourMs

export type VehicleFacts = {
  readonly state: string
  readonly locked: boolean | null
  readonly batteryPercent: number | null
  readonly signal: number | null
  readonly heardAt: number | null
  readonly offlineMinutes: number
  /** A ride that has begun or is about to, also where the vehicle has not said so yet. */
  readonly isTaken: boolean
}

export function isNight(nowMs: number): boolean {
  const hour = Math.floor(((nowMs + businessOffsetMs) % dayMs) / hourMs)
  return hour >= upgradeNight.fromHour || hour < upgradeNight.toHour
}

/** Why a vehicle may not be upgraded now; null where it may. */
export function hindranceOf(
  facts: VehicleFacts,
  terms: Pick<UpgradeTerms, 'minBattery' | 'minSignal' | 'nightOnly'>,
  nowMs: number,
): UpgradeWait | null {
  if (facts.isTaken || facts.state !== 'available')
    return facts.state === 'non_contactable' ? 'offline' : 'not_available'
  if (!isHeard(facts.heardAt, facts.offlineMinutes, nowMs)) return 'offline'
  if (facts.locked !== true) return 'not_locked'
  if (facts.batteryPercent === null || facts.batteryPercent < terms.minBattery) return 'low_battery'
  // A negative signal is in dBm: -113 + 2 × CSQ.
  const signal = facts.signal !== null && facts.signal < 0 ? (facts.signal + 113) / 2 : facts.signal
  if (signal !== null && signal < terms.minSignal) return 'weak_signal'
  return terms.nightOnly && !isNight(nowMs) ? 'daytime' : null
}
