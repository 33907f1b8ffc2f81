import { sql } from 'kysely'
import { taskKinds } from '@saddle/contract/operations/taskWords.ts'
import {
  screenAlarmsMax,
  screenCellDegrees,
  screenCellsMax,
  screenFlowMinutes,
  screenFlowsMax,
} from '@saddle/contract/reports/screens.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import { countedState, lowBatteryCondition } from '#fleet/public.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'

type Reach = Pick<Scope, 'agentIds' | 'areaIds'>

const fleetRow = rowOfValues({
  areaId: computed('bigint', sql`f.area_id`),
  state: computed('text', sql`f.state`),
  total: computed('bigint', sql`count(*)`),
  lowBattery: computed('bigint', sql`count(*) filter (where f.is_low)`),
})

/** Vehicles by area and state, as the map shows them: an offline vehicle is `non_contactable`. Removed ones are none. */
export const selectFleet = (reach: Reach, nowMs: number) => fleetRow.select`
  from (
    select v.area_id, ${lowBatteryCondition} as is_low, ${countedState(nowMs)} as state
    from vehicle v join vehicle_status s on s.vehicle_id = v.id
    where v.state <> 'removed' and ${tenantFilter('v', reach)}
  ) f
  group by 1, 2`

const alarmRow = rowOfValues({
  kind: computed('text', sql`a.kind`),
  open: computed('bigint', sql`count(*)`),
})
export const selectOpenAlarms = (reach: Reach) => alarmRow.select`
  from vehicle_alarm a
  where a.closed_at is null and ${tenantFilter('a', reach)}
  group by 1 order by 2 desc, 1`

const latestRow = rowsOf(
  rowOf('vehicle_alarm', 'a', ['kind', 'opened_at as openedAt']),
  rowOf('service_area', 'sa', ['name as area']),
)
export const selectLatestAlarms = (reach: Reach) => latestRow.select`
  from vehicle_alarm a join service_area sa on sa.id = a.area_id
  where a.closed_at is null and ${tenantFilter('a', reach)}
  order by a.opened_at desc, a.id desc limit ${screenAlarmsMax}`

const workRow = rowOfValues({
  kind: computed('text', sql`t.kind`),
  done: computed('bigint', sql`count(*) filter (where t.state = 'done')`),
  open: computed('bigint', sql`count(*) filter (where t.done_at is null)`),
  overdue: computed('bigint', sql`count(*) filter (where t.done_at is null and t.due_at < n.now)`),
}).codes({ kind: taskKinds })

/** Work that is open, and that was done since a moment. */
export const selectWork = (
  reach: Reach,
  { since, now }: { readonly since: Date; readonly now: Date },
) => workRow.select`
  from task t cross join (select ${now}::timestamptz as now) n
  where (t.done_at is null or t.done_at >= ${since}) and ${tenantFilter('t', reach)}
  group by 1`

/** The middle of a square of the map. */
const middle = (column: string) =>
  sql`(floor(${sql.ref(column)} / ${screenCellDegrees}) + 0.5) * ${screenCellDegrees}::float8`

const cellRow = rowOfValues({
  lng: computed('double precision', middle('s.lng')),
  lat: computed('double precision', middle('s.lat')),
  vehicles: computed('bigint', sql`count(*)`),
  onTrip: computed('bigint', sql`count(*) filter (where v.state = 'on_trip')`),
})

/** Vehicles by square of the map, the fullest first. */
export const selectCells = (reach: Reach) => cellRow.select`
  from vehicle v join vehicle_status s on s.vehicle_id = v.id
  where v.state <> 'removed' and s.lng is not null and ${tenantFilter('v', reach)}
  group by 1, 2 order by 3 desc, 1, 2 limit ${screenCellsMax}`

const flowRow = rowOfValues({
  fromLng: computed('double precision', middle('o.start_lng')),
  fromLat: computed('double precision', middle('o.start_lat')),
  toLng: computed('double precision', middle('o.end_lng')),
  toLat: computed('double precision', middle('o.end_lat')),
  rides: computed('bigint', sql`count(*)`),
})
/** A ride that takes longer than this is left out, so that few orders are read. */
const longestRideMs = 3 * hourMs

/** Rides that ended lately, from square to square, the most frequent first. */
export const selectFlows = (reach: Reach, nowMs: number) => flowRow.select`
  from ride_order o
  where o.placed_at >= ${new Date(nowMs - screenFlowMinutes * minuteMs - longestRideMs)}
    and o.ended_at >= ${new Date(nowMs - screenFlowMinutes * minuteMs)}
    and o.start_lng is not null and o.end_lng is not null and o.charged_cents is not null and ${tenantFilter('o', reach)}
    and (floor(o.start_lng / ${screenCellDegrees}) <> floor(o.end_lng / ${screenCellDegrees})
      or floor(o.start_lat / ${screenCellDegrees}) <> floor(o.end_lat / ${screenCellDegrees}))
  group by 1, 2, 3, 4 order by 5 desc, 1, 2, 3, 4 limit ${screenFlowsMax}`

const hoursRow = rowOfValues({
  hour: computed('text', sql`to_char(h.at at time zone coalesce(c.zone, 'Asia/Shanghai'), 'HH24')`),
  at: computed('timestamptz', sql`h.at`),
})
/** The hours of a company's day that have begun, as the clock of its zone says them; the first is when the day began. */
export const selectHoursBegun = ({ agentId, at }: { readonly agentId: number; readonly at: Date }) => hoursRow.select`
  from (select ${at}::timestamptz as at) n left join report_calendar c on c.agent_id = ${agentId}
  cross join lateral generate_series(
    (report_day(n.at, c.zone, c.day_starts_at) + coalesce(c.day_starts_at, 0) * interval '1 hour')
      at time zone coalesce(c.zone, 'Asia/Shanghai'),
    n.at, interval '1 hour') h (at)
  order by h.at limit 24`

const companyRow = rowOf('agent', 'a', ['company'])
/** The screen's title: the person's own company where it is selected, else the first of the selected ones. */
export const selectCompany = ({
  agentId,
  agentIds,
}: {
  readonly agentId: number
  readonly agentIds: readonly number[]
}) =>
  companyRow.select`
    from agent a where a.id = any (${agentIds}::bigint[]) order by (a.id = ${agentId}) desc, a.id limit 1`
