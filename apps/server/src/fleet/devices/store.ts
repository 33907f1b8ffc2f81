import { sql, type Kysely, type Selectable } from 'kysely'
import { lowBatteryPercent, offlineAfterMs } from '@saddle/contract/fleet/vehicles.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { DB } from '#kit/db/types.ts'
import { within } from '#kit/db/within.ts'

export type DeviceRow = {
  vehicle_id: number
  number: string
  imei: string
  protocol: string
  profile: string
  firmware: string | null
  heard_at: Date | null
  signal: number | null
  battery_percent: number | null
  voltage_v: number | null
  charging: boolean | null
  locked: boolean | null
  odometer_m: number | null
  lat: number | null
  lng: number | null
  position_at: Date | null
}

type DeviceKey = {
  readonly vehicleId?: number | undefined
  readonly number?: string | undefined
  readonly imei?: string | undefined
}

/** The device that all given keys name. */
export function selectDevice({ by, scope }: { by: DeviceKey; scope: Scope }) {
  const conditions = [
    within('v', scope),
    ...(by.vehicleId === undefined ? [] : [sql`v.id = ${by.vehicleId}`]),
    ...(by.number === undefined ? [] : [sql`v.number = ${by.number}`]),
    ...(by.imei === undefined ? [] : [sql`d.imei = ${by.imei}`]),
  ]
  return sql<DeviceRow>`
    select d.vehicle_id, v.number, d.imei, v.protocol, d.profile, d.firmware, s.heard_at, s.signal, s.battery_percent,
      s.voltage_v, s.charging, s.locked, s.odometer_m, s.lat, s.lng, s.position_at
    from vehicle v join device d on d.vehicle_id = v.id join vehicle_status s on s.vehicle_id = v.id
    where ${sql.join(conditions, sql` and `)} limit 1`
}

export type HourRow = {
  at: Date
  reports: number
  battery: number | null
  signal: number | null
  voltage: number | null
}

/** What one device said, by the hour. The key of the reports begins with the vehicle: few pages of each day are read. */
export function selectHours(options: { vehicleId: number; from: Date; to: Date; scope: Scope }) {
  const { vehicleId, from, to, scope } = options
  return sql<HourRow>`
    select date_bin('1 hour', r.occurred_at, 'epoch') as at, count(*) as reports,
      avg(r.battery_percent)::real as battery, avg(r.signal)::real as signal, avg(r.voltage_v)::real as voltage
    from device_report r
    where r.vehicle_id = ${vehicleId} and r.occurred_at >= ${from} and r.occurred_at <= ${to} and ${within('r', scope)}
    group by 1 order by 1`
}

export type RegisteredRow = {
  id: number
  number: string
  imei: string
  model: string
  protocol: string
  firmware: string | null
  agent_id: number
  company: string
  area_id: number
  area_name: string
  state: string
  created_at: Date
}

/** By number or IMEI; both are unique, so at most two. */
export function selectRegistered({ code, scope }: { code: string; scope: Scope }) {
  return sql<RegisteredRow>`
    select v.id, v.number, d.imei, v.model, v.protocol, d.firmware, v.agent_id, a.company, v.area_id,
      sa.name as area_name, v.state, v.created_at
    from vehicle v join device d on d.vehicle_id = v.id join agent a on a.id = v.agent_id
    join service_area sa on sa.id = v.area_id
    where v.id in (
      select id from vehicle where number = ${code.toUpperCase()}
      union all select vehicle_id from device where imei = ${code}
    ) and ${within('v', scope)} limit 2`
}

export type MonitoringRow = {
  /** Of which figure: 1 area, 2 battery, 3 signal, 4 heard, 5 protocol, 6 model, 7 firmware. */
  figure: number
  area_id: number | null
  name: string | null
  step: number | null
  total: number
  online: number
  never: number
  low: number
  battery: number | null
}

/** All figures of the monitoring page in one pass over the vehicles of the scope. */
export function selectMonitoring({ scope, nowMs }: { scope: Scope; nowMs: number }) {
  const since = (ms: number): Date => new Date(nowMs - ms)
  return sql<MonitoringRow>`
    with fleet as materialized (
      select v.area_id, v.protocol, v.model, d.firmware, s.battery_percent, s.signal, s.heard_at,
        coalesce(s.heard_at >= ${since(offlineAfterMs)}, false) as is_online,
        case
          when s.heard_at is null then 4 when s.heard_at >= ${since(60_000)} then 0
          when s.heard_at >= ${since(600_000)} then 1 when s.heard_at >= ${since(hourMs)} then 2
          when s.heard_at >= ${since(dayMs)} then 3 else 4
        end as heard_step,
        least(9, floor(s.battery_percent / 10))::integer as battery_step,
        floor(s.signal / 8.0)::integer as signal_step
      from vehicle v join vehicle_status s on s.vehicle_id = v.id join device d on d.vehicle_id = v.id
      where ${within('v', scope)}
    ), told as (
      select
        case
          when grouping(area_id) = 0 then 1 when grouping(battery_step) = 0 then 2 when grouping(signal_step) = 0 then 3
          when grouping(heard_step) = 0 then 4 when grouping(protocol) = 0 then 5 when grouping(model) = 0 then 6
          else 7
        end as figure,
        area_id, coalesce(protocol, model, firmware) as name, coalesce(battery_step, signal_step, heard_step) as step,
        count(*) as total, count(*) filter (where is_online) as online,
        count(*) filter (where heard_at is null) as never,
        count(*) filter (where battery_percent < ${lowBatteryPercent}) as low, avg(battery_percent)::real as battery
      from fleet
      group by grouping sets ((area_id), (battery_step), (signal_step), (heard_step), (protocol), (model), (firmware))
    )
    select told.figure, told.area_id, coalesce(a.name, told.name) as name, told.step, told.total, told.online,
      told.never, told.low, told.battery
    from told left join service_area a on a.id = told.area_id
    order by told.figure, told.step, told.total desc, name limit 5000`
}

export type GatewayRow = Selectable<DB['gateway_node']>
const gatewaysMax = 200

export function selectGateways(kysely: Kysely<DB>) {
  return kysely.selectFrom('gateway_node').selectAll().orderBy('node').orderBy('protocol').limit(gatewaysMax)
}
