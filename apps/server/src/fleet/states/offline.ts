import { sql, type RawBuilder } from 'kysely'
import { offlineAfterMs } from '@saddle/contract/fleet/vehicles.ts'

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
