import { sql, type InferResult, type Kysely } from 'kysely'
import { vehicleStates, type VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import type { DB } from '#kit/db/types.ts'
import { codeOf } from '#kit/codes.ts'
import type { VehicleNow } from '../messages.ts'
import { isContactable } from '../states/rules.ts'

/** All that is known of vehicles, as a query to narrow down. */
export function selectNow(kysely: Kysely<DB>) {
  return kysely
    .selectFrom('vehicle_status as s')
    .innerJoin('vehicle as v', 'v.id', 's.vehicle_id')
    .select([
      's.vehicle_id',
      'v.agent_id',
      'v.area_id',
      's.version',
      'v.state',
      'v.state_before',
      's.lat',
      's.lng',
      's.speed_kmh',
      's.heading_deg',
      's.position_at',
      's.battery_percent',
      's.voltage_v',
      's.locked',
      's.charging',
      's.signal',
      's.odometer_m',
      's.facts_at',
      's.heard_at',
    ])
    .select(
      sql<string[]>`array(
        select a.kind from vehicle_alarm a where a.vehicle_id = s.vehicle_id and a.closed_at is null order by a.id
      )`.as('open_alarms'),
    )
}

type NowRow = InferResult<ReturnType<typeof selectNow>>[number]

const milliseconds = (at: Date | null): number | null => at?.getTime() ?? null

/** The column's text as a state; the database's check allows no other. */
export const vehicleState = (text: string): VehicleState => codeOf(vehicleStates, text)

export function nowOf(row: NowRow): VehicleNow {
  const stateBefore = row.state_before === null ? null : vehicleState(row.state_before)
  return {
    vehicleId: row.vehicle_id,
    agentId: row.agent_id,
    areaId: row.area_id,
    version: row.version,
    state: vehicleState(row.state),
    stateBefore: stateBefore !== null && isContactable(stateBefore) ? stateBefore : null,
    lat: row.lat,
    lng: row.lng,
    speedKmh: row.speed_kmh,
    headingDeg: row.heading_deg,
    positionAt: milliseconds(row.position_at),
    batteryPercent: row.battery_percent,
    voltageV: row.voltage_v,
    locked: row.locked,
    charging: row.charging,
    signal: row.signal,
    odometerM: row.odometer_m,
    factsAt: milliseconds(row.facts_at),
    heardAt: milliseconds(row.heard_at),
    openAlarms: row.open_alarms,
  }
}
