import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { platformOperatorId } from '../commands/queue.ts'
import { unnest } from '#kit/db/unnest.ts'
import type { VehicleNow } from '../messages.ts'
import { bookTrips } from '../trips/book.ts'
import { nowOf, selectNow } from '../vehicles/now.ts'
import { nothingTold, type StateChange, type Told } from './rules.ts'

/** What is stored of a vehicle's present. */
export type Status = { readonly now: VehicleNow; readonly told: Told }
export type Known = Status & {
  /** An operator's command to unlock is on its way: what follows is no ride. */
  readonly unlockCommanded: boolean
  /** A rider's is: what follows is one. */
  readonly unlockForRide: boolean
}

/**
 * What is known of these vehicles, locked in the order of their ids until the end of the transaction: two gateways
 * that write the same vehicles wait for each other instead of running into a deadlock.
 */
export async function lockKnown(tx: Tx, vehicleIds: readonly number[]): Promise<Map<number, Known>> {
  const rows = await selectNow(tx)
    .select([
      sql<boolean>`exists (select from vehicle_command c where c.vehicle_id = s.vehicle_id and c.kind = 'unlock'
        and c.operator_id <> ${platformOperatorId} and c.state in ('sent', 'acknowledged'))`.as('unlock_commanded'),
      sql<boolean>`exists (select from vehicle_command c where c.vehicle_id = s.vehicle_id and c.kind = 'unlock'
        and c.operator_id = ${platformOperatorId} and c.state in ('sent', 'acknowledged'))`.as('unlock_for_ride'),
    ])
    .select('s.told')
    .where('s.vehicle_id', '=', sql<number>`any (${vehicleIds}::bigint[])`)
    .orderBy('s.vehicle_id')
    .forNoKeyUpdate('s')
    .execute()
  return new Map(
    rows.map((row) => [
      row.vehicle_id,
      { ...statusOf(row), unlockCommanded: row.unlock_commanded, unlockForRide: row.unlock_for_ride },
    ]),
  )
}

export function statusOf(row: Parameters<typeof nowOf>[0] & { told: unknown }): Status {
  return { now: nowOf(row), told: (row.told as Told | null) ?? nothingTold }
}

/** Writes the new status of vehicles that `lockKnown` locked. */
export async function saveStatus(tx: Tx, statuses: readonly Status[]): Promise<void> {
  const rows = unnest<Status>({
    rows: statuses,
    alias: 'r',
    columns: {
      vehicle_id: ['bigint', ({ now }) => now.vehicleId],
      version: ['bigint', ({ now }) => now.version],
      lat: ['float8', ({ now }) => now.lat],
      lng: ['float8', ({ now }) => now.lng],
      speed_kmh: ['real', ({ now }) => now.speedKmh],
      heading_deg: ['real', ({ now }) => now.headingDeg],
      position_at: ['timestamptz', ({ now }) => now.positionAt],
      battery_percent: ['real', ({ now }) => now.batteryPercent],
      voltage_v: ['real', ({ now }) => now.voltageV],
      locked: ['boolean', ({ now }) => now.locked],
      charging: ['boolean', ({ now }) => now.charging],
      signal: ['integer', ({ now }) => now.signal],
      odometer_m: ['bigint', ({ now }) => now.odometerM],
      facts_at: ['timestamptz', ({ now }) => now.factsAt],
      heard_at: ['timestamptz', ({ now }) => now.heardAt],
      told: ['jsonb', ({ told }) => toldText(told)],
    },
  })
  await sql`
    update vehicle_status s set
      version = r.version, lat = r.lat, lng = r.lng, speed_kmh = r.speed_kmh, heading_deg = r.heading_deg,
      position_at = r.position_at, battery_percent = r.battery_percent, voltage_v = r.voltage_v, locked = r.locked,
      charging = r.charging, signal = r.signal, odometer_m = r.odometer_m, facts_at = r.facts_at, heard_at = r.heard_at,
      told = r.told
    from ${rows} where s.vehicle_id = r.vehicle_id`.execute(tx)
}

export type ChangeOfVehicle = { readonly now: VehicleNow; readonly change: StateChange }

const isEmpty = (record: object): boolean => {
  for (const _ in record) return false
  return true
}

/** Null for most vehicles: nothing to format, send, parse and keep. */
function toldText(told: Told): string | null {
  return isEmpty(told.facts) && isEmpty(told.alarms) ? null : JSON.stringify(told)
}

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
