import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { unnest } from '#kit/db/unnest.ts'
import type { VehicleNow } from '../messages.ts'
import { bookTrips } from '../trips/book.ts'
import { nowOf, selectNow } from '../vehicles/now.ts'
import type { AlarmChange, StateChange } from './rules.ts'

export type Known = { readonly now: VehicleNow; readonly unlockCommanded: boolean }

/**
 * What is known of these vehicles, locked in the order of their ids until the end of the transaction: two gateways
 * that write the same vehicles wait for each other instead of running into a deadlock.
 */
export async function lockKnown(tx: Tx, vehicleIds: readonly number[]): Promise<Map<number, Known>> {
  const rows = await selectNow(tx)
    .select(
      sql<boolean>`exists (select from vehicle_command c where c.vehicle_id = s.vehicle_id and c.kind = 'unlock'
        and c.state in ('sent', 'acknowledged'))`.as('unlock_commanded'),
    )
    .where('s.vehicle_id', '=', sql<number>`any (${vehicleIds}::bigint[])`)
    .orderBy('s.vehicle_id')
    .forNoKeyUpdate('s')
    .execute()
  return new Map(rows.map((row) => [row.vehicle_id, { now: nowOf(row), unlockCommanded: row.unlock_commanded }]))
}

/** Writes the new status of vehicles that `lockKnown` locked. */
export async function saveStatus(tx: Tx, vehicles: readonly VehicleNow[]): Promise<void> {
  const rows = unnest<VehicleNow>({
    rows: vehicles,
    alias: 'r',
    columns: {
      vehicle_id: ['bigint', (row) => row.vehicleId],
      version: ['bigint', (row) => row.version],
      lat: ['float8', (row) => row.lat],
      lng: ['float8', (row) => row.lng],
      speed_kmh: ['real', (row) => row.speedKmh],
      heading_deg: ['real', (row) => row.headingDeg],
      position_at: ['timestamptz', (row) => row.positionAt],
      battery_percent: ['real', (row) => row.batteryPercent],
      voltage_v: ['real', (row) => row.voltageV],
      locked: ['boolean', (row) => row.locked],
      charging: ['boolean', (row) => row.charging],
      signal: ['integer', (row) => row.signal],
      odometer_m: ['bigint', (row) => row.odometerM],
      facts_at: ['timestamptz', (row) => row.factsAt],
      heard_at: ['timestamptz', (row) => row.heardAt],
    },
  })
  await sql`
    update vehicle_status s set
      version = r.version, lat = r.lat, lng = r.lng, speed_kmh = r.speed_kmh, heading_deg = r.heading_deg,
      position_at = r.position_at, battery_percent = r.battery_percent, voltage_v = r.voltage_v, locked = r.locked,
      charging = r.charging, signal = r.signal, odometer_m = r.odometer_m, facts_at = r.facts_at, heard_at = r.heard_at
    from ${rows} where s.vehicle_id = r.vehicle_id`.execute(tx)
}

export type ChangeOfVehicle = { readonly now: VehicleNow; readonly change: StateChange }

/** Sets the last state of each vehicle and adds every step on the way to its events. */
export async function saveChanges(tx: Tx, changes: readonly ChangeOfVehicle[], recordedAt: number): Promise<void> {
  if (changes.length === 0) return
  const vehicles = [...new Map(changes.map(({ now }) => [now.vehicleId, now])).values()]
  const states = unnest<VehicleNow>({
    rows: vehicles,
    alias: 'r',
    columns: {
      vehicle_id: ['bigint', (row) => row.vehicleId],
      state: ['text', (row) => row.state],
      state_before: ['text', (row) => row.stateBefore],
    },
  })
  await sql`
    update vehicle v set
      state = r.state, state_before = r.state_before, state_changed_at = ${new Date(recordedAt)}
    from ${states} where v.id = r.vehicle_id`.execute(tx)
  const events = unnest<ChangeOfVehicle>({
    rows: changes,
    alias: 'r',
    columns: {
      vehicle_id: ['bigint', ({ now }) => now.vehicleId],
      agent_id: ['bigint', ({ now }) => now.agentId],
      area_id: ['bigint', ({ now }) => now.areaId],
      event: ['text', ({ change }) => change.event],
      from_state: ['text', ({ change }) => change.from],
      to_state: ['text', ({ change }) => change.to],
      cause: ['text', ({ change }) => change.cause],
      occurred_at: ['timestamptz', ({ change }) => change.occurredAt],
      recorded_at: ['timestamptz', () => recordedAt],
    },
  })
  await sql`
    insert into vehicle_event
      (vehicle_id, agent_id, area_id, event, from_state, to_state, cause, occurred_at, recorded_at)
    select * from ${events}`.execute(tx)
  await bookTrips(tx, changes)
}

export type AlarmOfVehicle = { readonly now: VehicleNow; readonly alarm: AlarmChange }

/** Opens, repeats and closes alarms one after the other: they are rare, and their order within a batch matters. */
export async function saveAlarms(tx: Tx, alarms: readonly AlarmOfVehicle[]): Promise<void> {
  for (const { now, alarm } of alarms) {
    const at = new Date(alarm.at)
    if (alarm.change === 'open') {
      await tx
        .insertInto('vehicle_alarm')
        .values({
          vehicle_id: now.vehicleId,
          agent_id: now.agentId,
          area_id: now.areaId,
          kind: alarm.kind,
          opened_at: at,
          last_at: at,
        })
        .execute()
    } else {
      await tx
        .updateTable('vehicle_alarm')
        .set((eb) => (alarm.change === 'close' ? { closed_at: at } : { last_at: at, times: eb('times', '+', 1) }))
        .where('vehicle_id', '=', now.vehicleId)
        .where('kind', '=', alarm.kind)
        .where('closed_at', 'is', null)
        .execute()
    }
  }
}
