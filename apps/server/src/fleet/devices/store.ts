import { sql, type Kysely, type Selectable } from 'kysely'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { DB } from '#kit/db/types.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { lowBatteryCondition, offlineCondition, offlineMinutes, onlineCondition } from '../states/counted.ts'

const deviceRow = rowsOf(
  rowOf('device', 'd', ['vehicle_id', 'imei', 'profile', 'firmware']),
  rowOf('vehicle', 'v', ['number', 'protocol']),
  rowOf('vehicle_status', 's', [
    'heard_at',
    'signal',
    'battery_percent',
    'voltage_v',
    'charging',
    'locked',
    'odometer_m',
    'lat',
    'lng',
    'position_at',
  ]),
  rowOfValues({ offline_minutes: computed('integer', offlineMinutes) }),
)
export type DeviceRow = RowOf<typeof deviceRow>

type DeviceKey = {
  readonly vehicleId?: number | undefined
  readonly number?: string | undefined
  readonly imei?: string | undefined
}

/** The device that all given keys name. */
export function selectDevice({ by, scope }: { by: DeviceKey; scope: Scope }) {
  const conditions = [
    tenantFilter('v', scope),
    ...(by.vehicleId === undefined ? [] : [sql`v.id = ${by.vehicleId}`]),
    ...(by.number === undefined ? [] : [sql`v.number = ${by.number}`]),
    ...(by.imei === undefined ? [] : [sql`d.imei = ${by.imei}`]),
  ]
  return deviceRow.select`
    from vehicle v join device d on d.vehicle_id = v.id join vehicle_status s on s.vehicle_id = v.id
    where ${sql.join(conditions, sql` and `)} limit 1`
}

const hourRow = rowOfValues({
  at: computed('timestamptz', sql`date_bin('1 hour', r.occurred_at, 'epoch')`),
  reports: computed('bigint', sql`sum(1 + r.unchanged)`),
  battery: computed('real?', sql`avg(r.battery_percent)`),
  signal: computed('real?', sql`avg(r.signal)`),
  voltage: computed('real?', sql`avg(r.voltage_v)`),
})
export type HourRow = RowOf<typeof hourRow>

/** What one device said, by the hour. The key of the reports begins with the vehicle: few pages of each day are read. */
export function selectHours(options: { vehicleId: number; from: Date; to: Date; scope: Scope }) {
  const { vehicleId, from, to, scope } = options
  return hourRow.select`
    from device_report r
    where r.vehicle_id = ${vehicleId} and r.occurred_at >= ${from} and r.occurred_at <= ${to} and ${tenantFilter('r', scope)}
    group by 1 order by 1`
}

const registeredRow = rowsOf(
  rowOf('vehicle', 'v', ['id', 'number', 'model', 'protocol', 'agent_id', 'area_id', 'state', 'created_at']),
  rowOf('device', 'd', ['imei', 'firmware']),
  rowOf('agent', 'a', ['company']),
  rowOf('service_area', 'sa', ['name as area_name']),
)
export type RegisteredRow = RowOf<typeof registeredRow>

/** By number or IMEI; both are unique, so at most two. */
export function selectRegistered({ code, scope }: { code: string; scope: Scope }) {
  return registeredRow.select`
    from vehicle v join device d on d.vehicle_id = v.id join agent a on a.id = v.agent_id
    join service_area sa on sa.id = v.area_id
    where v.id in (
      select id from vehicle where number = ${code.toUpperCase()}
      union all select vehicle_id from device where imei = ${code}
    ) and ${tenantFilter('v', scope)} limit 2`
}

const monitoringRow = rowOfValues({
  figure: computed('double precision', sql`told.figure`),
  area_id: computed('bigint?', sql`told.area_id`),
  name: computed('text?', sql`coalesce(a.name, told.name)`),
  step: computed('double precision?', sql`told.step`),
  total: computed('bigint', sql`told.total`),
  online: computed('bigint', sql`told.online`),
  offline: computed('bigint', sql`told.offline`),
  never: computed('bigint', sql`told.never`),
  low: computed('bigint', sql`told.low`),
  battery: computed('double precision?', sql`told.battery`),
})
export type MonitoringRow = RowOf<typeof monitoringRow>

/** All figures of the monitoring page in one pass over the vehicles of the scope. */
export function selectMonitoring({ scope, nowMs }: { scope: Scope; nowMs: number }) {
  const since = (ms: number): Date => new Date(nowMs - ms)
  return monitoringRow.query(
    (columns) => sql`
    with fleet as materialized (
      select v.area_id, v.protocol, v.model, d.firmware, s.battery_percent, s.signal, s.heard_at,
        ${onlineCondition(nowMs)} as is_online, ${offlineCondition(nowMs)} as is_offline,
        ${lowBatteryCondition} as is_low,
        case
          when s.heard_at is null then 4 when s.heard_at >= ${since(60_000)} then 0
          when s.heard_at >= ${since(600_000)} then 1 when s.heard_at >= ${since(hourMs)} then 2
          when s.heard_at >= ${since(dayMs)} then 3 else 4
        end as heard_step,
        case when s.battery_percent is not null then least(9, floor(s.battery_percent / 10))::integer end as battery_step,
        floor(s.signal / 8.0)::integer as signal_step
      from vehicle v join vehicle_status s on s.vehicle_id = v.id join device d on d.vehicle_id = v.id
      where ${tenantFilter('v', scope)}
    ), told as (
      select
        case
          when grouping(area_id) = 0 then 1 when grouping(battery_step) = 0 then 2 when grouping(signal_step) = 0 then 3
          when grouping(heard_step) = 0 then 4 when grouping(protocol) = 0 then 5 when grouping(model) = 0 then 6
          else 7
        end as figure,
        area_id, coalesce(protocol, model, firmware) as name, coalesce(battery_step, signal_step, heard_step) as step,
        count(*) as total, count(*) filter (where is_online) as online,
        count(*) filter (where is_offline) as offline,
        count(*) filter (where heard_at is null) as never,
        count(*) filter (where is_low) as low, avg(battery_percent)::real as battery
      from fleet
      group by grouping sets ((area_id), (battery_step), (signal_step), (heard_step), (protocol), (model), (firmware))
    )
    select ${columns} from told left join service_area a on a.id = told.area_id
    order by told.figure, told.step, told.total desc, name limit 5000`,
  )
}

export type GatewayRow = Selectable<DB['gateway_node']>
const gatewaysMax = 200

export function selectGateways(kysely: Kysely<DB>) {
  return kysely.selectFrom('gateway_node').selectAll().orderBy('node').orderBy('protocol').limit(gatewaysMax)
}
