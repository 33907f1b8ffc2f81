import { sql, type RawBuilder } from 'kysely'
import { minuteMs } from '@saddle/contract/time.ts'
import { chosenNumber, chosenNumbers } from '#settings/public.ts'
import { usualLimits } from './limits.ts'

/**
 * Vehicles that count as offline, for every figure and filter of that name: those whose connection ended, and those
 * without a report for as long as their company has chosen. A missing or removed one keeps its own state, as on the map. Of
 * the tables `vehicle v` and `vehicle_status s`.
 */
export const offlineCondition = (nowMs: number): RawBuilder<boolean> => sql<boolean>`
  (v.state = 'non_contactable' or (v.state not in ('missing', 'removed') and not ${heardCondition(nowMs)}))`

/** Vehicles that were heard within that time and have not lost their connection since. */
export const onlineCondition = (nowMs: number): RawBuilder<boolean> => sql<boolean>`
  (v.state <> 'non_contactable' and ${heardCondition(nowMs)})`

const heardCondition = (nowMs: number): RawBuilder<boolean> =>
  sql<boolean>`coalesce(s.heard_at >= ${heardSince(nowMs)}, false)`

/** Minutes without a report after which the vehicle `v` counts as offline. */
export const offlineMinutes: RawBuilder<number> = chosenNumber('offline_minutes')

/** Who was heard since then is not offline. While nobody has chosen anything it is one time for all vehicles. */
export const heardSince = (nowMs: number, agentId?: RawBuilder<unknown>): RawBuilder<Date> => sql<Date>`
  (case when ${chosenNumbers('offline_minutes')} is null then ${new Date(nowMs - usualLimits.offlineAfterMs)}::timestamptz
    else ${new Date(nowMs)}::timestamptz - ${chosenNumber('offline_minutes', agentId)} * interval '1 minute' end)`

/** The same of a vehicle whose minutes were read. */
export const isHeard = (heardAt: number | null, minutes: number, nowMs: number): boolean =>
  heardAt !== null && nowMs - heardAt <= minutes * minuteMs

/** The state that a vehicle counts under, in every count, filter and row: one that is offline is `non_contactable`. */
export const countedState = (nowMs: number): RawBuilder<string> =>
  sql<string>`case when ${offlineCondition(nowMs)} then 'non_contactable' else v.state end`

/** Vehicles that count as low on battery; nobody charges one that was taken away. SQL of `isLowBattery` of the contract. */
export const lowBatteryCondition: RawBuilder<boolean> = sql<boolean>`
  (v.state <> 'removed' and s.battery_percent <
    case when ${chosenNumbers('low_battery_percent')} is null then ${sql.lit(usualLimits.lowBatteryBelow)}
      else ${chosenNumber('low_battery_percent')} end)`

/** Below this the vehicle of a row counts as low on battery; of `vehicle v`, unless told. */
export const lowBatteryBelow = (agentId?: RawBuilder<unknown>): RawBuilder<number> =>
  chosenNumber('low_battery_percent', agentId)

/** Vehicles that stand idle for so long: not ridden now, and not since then. */
export const idleSinceCondition = (since: Date): RawBuilder<boolean> =>
  sql<boolean>`(v.state <> 'on_trip' and ${idleSince} <= ${since})`

/** Since when nobody has ridden a vehicle. */
export const idleSince: RawBuilder<Date> = sql<Date>`coalesce(v.last_ride_at, v.created_at)`
