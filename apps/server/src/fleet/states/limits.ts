import { lowBatteryPercent, offlineAfterMs } from '@saddle/contract/fleet/vehicles.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Clock } from '#kit/clock.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import { chosenNumbers } from '#settings/public.ts'

/** From when on a company's vehicles count as offline, and as low on battery. */
export interface Limits {
  readonly offlineAfterMs: number
  readonly lowBatteryBelow: number
}
export const usualLimits: Limits = { offlineAfterMs, lowBatteryBelow: lowBatteryPercent }

/** The limits of every company; the same object as long as nobody changes one. */
export interface VehicleLimits {
  readonly of: (agentId: number) => Limits
  /** The shortest time after which a vehicle of any company counts as offline. */
  readonly leastOfflineAfterMs: number
}
export const usualVehicleLimits: VehicleLimits = {
  of: () => usualLimits,
  leastOfflineAfterMs: offlineAfterMs,
}

const recentMs = 500
const limitsRow = rowOfValues({
  minutes: computed('jsonb?', chosenNumbers('offline_minutes')),
  percents: computed('jsonb?', chosenNumbers('low_battery_percent')),
})
type Chosen = Readonly<Record<string, number>>

/** Half a second old at most: for what is asked with every report. */
export function createVehicleLimits({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
  let held: VehicleLimits = usualVehicleLimits
  let known = ''
  let askedAtMs = Number.NEGATIVE_INFINITY
  return async (tx?: Tx): Promise<VehicleLimits> => {
    const nowMs = clock.now()
    if (nowMs >= askedAtMs && nowMs - askedAtMs < recentMs) return held
    // A caller within a transaction asks on its own connection: waiting there for another could wait for ever.
    const [row] =
      tx === undefined
        ? await db.systemRead((k) => limitsRow.select``.compile(k))
        : (await limitsRow.select``.execute(tx)).rows
    askedAtMs = nowMs
    const found = JSON.stringify(row)
    if (row === undefined || found === known) return held
    known = found
    const [minutes, percents] = [(row.minutes ?? {}) as Chosen, (row.percents ?? {}) as Chosen]
    held = {
      leastOfflineAfterMs: Math.min(offlineAfterMs, ...Object.values(minutes).map((chosen) => chosen * minuteMs)),
      of: (agentId) => ({
        offlineAfterMs: (minutes[agentId] ?? usualLimits.offlineAfterMs / minuteMs) * minuteMs,
        lowBatteryBelow: percents[agentId] ?? usualLimits.lowBatteryBelow,
      }),
    }
    return held
  }
}
