import { sql } from 'kysely'
import { batteryBands, idleBands, type VehicleSum } from '@saddle/contract/operations/statistics/vehicles.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { countedState, idleSince, idleSinceCondition, lowBatteryCondition, offlineCondition } from '#fleet/public.ts'
import { computed, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { countsOf } from './counts.ts'

export type VehiclesQuery = { readonly areaIds: readonly number[]; readonly scope: Scope; readonly now: Date }

const sumColumns = rowsOf(
  countsOf('g', ['vehicles', 'available', 'on_trip', 'low_battery', 'offline', 'out_of_service', 'idle', 'in_task']),
  rowOfValues({ battery_percent: computed('double precision?', sql`g.battery_percent`) }),
)
const vehicleRow = rowsOf(
  rowOfValues({
    part: computed('text', sql`g.part`),
    name: computed('text', sql`case g.part when 'area' then sa.name else g.label end`),
    company: computed('text', sql`coalesce(a.company, '')`),
    area_id: computed('bigint?', sql`g.area_id`),
    battery: computed('bigint[]', sql`g.battery`),
    battery_low: computed('bigint[]', sql`g.battery_low`),
    idle_hours: computed('bigint[]', sql`g.idle_hours`),
  }).codes({ part: ['total', 'state', 'model', 'area'] }),
  sumColumns,
)
export type VehicleRow = RowOf<typeof vehicleRow>

/** Without a row there are no vehicles. */
export const vehicleSumOf = (row: VehicleRow | undefined): VehicleSum =>
  row === undefined ? noVehicles : sumColumns.present(row)

const noVehicles: VehicleSum = {
  vehicles: 0,
  available: 0,
  onTrip: 0,
  lowBattery: 0,
  offline: 0,
  outOfService: 0,
  idle: 0,
  inTask: 0,
  batteryPercent: null,
}

/** How many of the rows fall into each band, as an array. */
const bands = (column: string, bounds: readonly number[], among = sql``) => {
  const inBand = (index: number) => sql`c.${sql.ref(column)} = ${sql.lit(index + 1)} ${among}`
  return sql`array[${sql.join(bounds.map((_, index) => sql`count(*) filter (where ${inBand(index)})`))}]::integer[]`
}

const bandOf = (value: ReturnType<typeof sql>, bounds: readonly number[]) =>
  sql`width_bucket(${value}, array[${sql.join(bounds.map((bound) => sql.lit(bound)))}]::float8[])`

/** Every vehicle once: the whole, and by state, model and area. */
export function selectVehicles({ areaIds, scope, now }: VehiclesQuery) {
  return vehicleRow.select`
    from (
      select case when grouping(c.state) = 0 then 'state' when grouping(c.model) = 0 then 'model'
          when grouping(c.area_id) = 0 then 'area' else 'total' end as part,
        coalesce(c.state, c.model, '') as label, c.area_id,
        count(*) as vehicles, count(*) filter (where c.state = 'available') as available,
        count(*) filter (where c.state = 'on_trip') as on_trip,
        count(*) filter (where c.is_low) as low_battery,
        count(*) filter (where c.is_offline) as offline,
        count(*) filter (where c.state = 'non_operational') as out_of_service,
        count(*) filter (where c.is_idle) as idle, count(*) filter (where c.in_task) as in_task,
        avg(c.battery_percent)::float8 as battery_percent, ${bands('battery_band', batteryBands)} as battery,
        ${bands('battery_band', batteryBands, sql`and c.is_low`)} as battery_low,
        ${bands('idle_band', idleBands)} as idle_hours
      from (
        select v.*, ${bandOf(sql`v.battery_percent::float8`, batteryBands)} as battery_band,
          ${bandOf(sql`v.idle_seconds / 3600.0`, idleBands)} as idle_band
        from (
          select ${countedState(now.getTime())} as state, v.model, v.area_id, s.battery_percent,
            ${lowBatteryCondition} as is_low, ${offlineCondition(now.getTime())} as is_offline,
            ${idleSinceCondition(new Date(now.getTime() - dayMs))} as is_idle,
            case when v.state <> 'on_trip' then
              greatest(0, extract(epoch from ${now} - ${idleSince}))::float8 end as idle_seconds,
            t.vehicle_id is not null as in_task
          from vehicle v join vehicle_status s on s.vehicle_id = v.id
          left join (
            select distinct vehicle_id from task where done_at is null and area_id = any (${areaIds}::bigint[])
          ) t on t.vehicle_id = v.id
          where v.area_id = any (${areaIds}::bigint[]) and v.agent_id = any (${scope.agentIds}::bigint[])
            and v.state <> 'removed'
        ) v
      ) c
      group by grouping sets ((), (c.state), (c.model), (c.area_id))
    ) g left join service_area sa on sa.id = g.area_id left join agent a on a.id = sa.agent_id
    order by g.part, g.vehicles desc, g.label, g.area_id`
}

const vehicleDayRow = rowOfValues({
  day: computed('text', sql`to_char(f.day, 'YYYY-MM-DD')`),
  vehicles: computed('bigint', sql`sum(f.vehicles)`),
  low_battery: computed('bigint', sql`sum(f.low_battery)`),
})

export function selectVehicleDays({
  areaIds,
  scope,
  days,
}: Pick<VehiclesQuery, 'areaIds' | 'scope'> & { days: readonly string[] }) {
  return vehicleDayRow.select`
    from fleet_day f
    where f.day = any (${days}::date[]) and f.area_id = any (${areaIds}::bigint[])
      and f.agent_id = any (${scope.agentIds}::bigint[])
    group by f.day`
}
