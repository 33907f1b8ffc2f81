import { sql } from 'kysely'
import { computed, rowOf, rowOfValues, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { countedState } from '#fleet/public.ts'

const snapshotRow = rowOf('fleet_hour', 'f', [
  'area_id',
  'hour',
  'vehicles',
  'available',
  'on_trip',
  'non_operational',
  'non_contactable',
])
export type SnapshotRow = RowOf<typeof snapshotRow>

/** How the vehicles of each area stood at some hours. */
export const selectSnapshots = ({ hours, scope }: { readonly hours: readonly Date[]; readonly scope: Scope }) =>
  snapshotRow.select`from fleet_hour f where f.hour = any (${hours}::timestamptz[]) and ${tenantFilter('f', scope)}`

const firstHourRow = rowOfValues({ hour: computed('integer', sql`coalesce(min(c.day_starts_at), 0)`) })

/** The hour at which a day of a company's calendar begins. */
export const selectFirstHour = (agentId: number) =>
  firstHourRow.select`from report_calendar c where c.agent_id = ${agentId}`

/** So few rides have no order for good: they had not ended when the past did, or somebody rode the vehicle by an app. */
const demoRidesLeft = 1_000

const demoPastRow = rowOfValues({
  percent: computed(
    'integer',
    sql`case when exists (select from demo_trip_rider offset ${demoRidesLeft}) then
      (select floor(100 - 100.0 * r.left / greatest(r.left, t.whole))
        from (select count(*) as left from demo_trip_rider) r, (select count(*) as whole from trip) t) end`,
  ),
})

/** How many of a hundred rides of the demo's past have their order; null once all have. */
export const selectDemoPast = demoPastRow.select``

export interface Part {
  readonly from: Date
  readonly to: Date
}
interface VehiclesQuery {
  readonly areaId: number
  readonly now: Part
  readonly before: Part
  readonly nowMs: number
  readonly limit: number
  readonly scope: Scope
}

const inPart = ({ from, to }: Part) => sql`o.placed_at >= ${from} and o.placed_at < ${to}`

/** Vehicles of an area by their rides in two parts of days, with the state that they count under now. */
export function selectRiddenVehicles({ areaId, now, before, nowMs, limit, scope }: VehiclesQuery) {
  return rowOfValues({
    vehicle_id: computed('bigint', sql`r.vehicle_id`),
    now: computed('bigint', sql`r.now`),
    before: computed('bigint', sql`r.before`),
    state: computed('text', countedState(nowMs)),
  }).select`
    from (
      select o.vehicle_id, count(*) filter (where ${inPart(now)}) as now, count(*) filter (where ${inPart(before)}) as before
      from ride_order o
      where o.area_id = ${areaId} and ${tenantFilter('o', scope)} and o.charged_cents is not null
        and ((${inPart(now)}) or (${inPart(before)}))
      group by o.vehicle_id
    ) r
    join vehicle v on v.id = r.vehicle_id join vehicle_status s on s.vehicle_id = v.id
    where (r.now = 0 or r.before = 0) and ${tenantFilter('v', scope)}
    order by r.now + r.before desc, r.vehicle_id limit ${limit}`
}
