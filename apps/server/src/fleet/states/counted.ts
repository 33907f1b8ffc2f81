import { sql, type RawBuilder } from 'kysely'
import { lowBatteryPercent, offlineAfterMs } from '@saddle/contract/fleet/vehicles.ts'

/**
 * Vehicles that count as offline, for every figure and filter of that name: those whose connection ended, and those
 * without a report for `offlineAfterMs`. A missing or removed one keeps its own state, as on the map. Of the tables
 * `vehicle v` and `vehicle_status s`.
 */
export const offlineCondition = (nowMs: number): RawBuilder<boolean> => sql<boolean>`
  (v.state = 'non_contactable' or (v.state not in ('missing', 'removed') and not ${heardCondition(nowMs)}))`

/** Vehicles that were heard within `offlineAfterMs` and have not lost their connection since. */
export const onlineCondition = (nowMs: number): RawBuilder<boolean> => sql<boolean>`
  (v.state <> 'non_contactable' and ${heardCondition(nowMs)})`

const heardCondition = (nowMs: number): RawBuilder<boolean> =>
  sql<boolean>`coalesce(s.heard_at >= ${new Date(nowMs - offlineAfterMs)}, false)`

/** The state that a vehicle counts under, in every count, filter and row: one that is offline is `non_contactable`. */
export const countedState = (nowMs: number): RawBuilder<string> =>
  sql<string>`case when ${offlineCondition(nowMs)} then 'non_contactable' else v.state end`

/** Vehicles that count as low on battery; nobody charges one that was taken away. SQL of `isLowBattery` of the contract. */
export const lowBatteryCondition: RawBuilder<boolean> = sql<boolean>`
  (v.state <> 'removed' and s.battery_percent < ${sql.lit(lowBatteryPercent)})`

/** Vehicles that stand idle for so long: not ridden now, and not since then. */
export const idleSinceCondition = (since: Date): RawBuilder<boolean> =>
  sql<boolean>`(v.state <> 'on_trip' and ${idleSince} <= ${since})`

/** Since when nobody has ridden a vehicle. */
export const idleSince: RawBuilder<Date> = sql<Date>`coalesce(v.last_ride_at, v.created_at)`
