import { sql } from 'kysely'
import { nearestWorkMax } from '@saddle/contract/fleet/vehicles.ts'
import { taskKinds } from '@saddle/contract/operations/taskWords.ts'
import { metresPerDegree, metresPerDegreeLng, type LatLng } from '@saddle/geo/earth.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { codeOf } from '#kit/codes.ts'
import { lowBatteryCondition } from '../states/counted.ts'
import { lowBattery, openAlarms, openTasks } from './waiting.ts'

const nearRow = rowsOf(
  rowOf('vehicle', 'v', ['id', 'number']),
  rowOf('vehicle_status', 's', ['lat', 'lng', 'battery_percent']).filled('lat', 'lng'),
  rowOfValues({
    distance_m: computed('double precision', sql`p.distance_m`),
    low_battery: lowBattery,
    alarms: openAlarms,
    tasks: openTasks,
  }),
)

/**
 * The vehicles of the scope that wait for somebody, the nearest first, measured on a plane whose scale is that of the place.
 * Nobody works on one that is ridden or that was taken away.
 */
export function selectNearestWork({ place, scope }: { readonly place: LatLng; readonly scope: Scope }) {
  const north = sql`(s.lat - ${place.lat}::float8) * ${metresPerDegree}::float8`
  const east = sql`(s.lng - ${place.lng}::float8) * ${metresPerDegreeLng(place.lat)}::float8`
  return nearRow.select`
    from (
      select v.id, sqrt(power(${north}, 2) + power(${east}, 2)) as distance_m
      from vehicle v join vehicle_status s on s.vehicle_id = v.id
      where ${tenantFilter('v', scope)} and s.lat is not null and s.lng is not null
        and v.state not in ('on_trip', 'removed')
        and (${lowBatteryCondition}
          or v.id in (select a.vehicle_id from vehicle_alarm a where a.closed_at is null)
          or v.id in (select t.vehicle_id from task t where t.done_at is null))
      order by distance_m, v.id limit ${nearestWorkMax}
    ) p
    join vehicle v on v.id = p.id
    join vehicle_status s on s.vehicle_id = p.id
    order by p.distance_m, p.id`
}

export function presentNear(row: Parameters<typeof nearRow.present>[0]) {
  const { tasks, ...shown } = nearRow.present(row)
  return { ...shown, tasks: tasks.map((kind) => codeOf(taskKinds, kind)) }
}
