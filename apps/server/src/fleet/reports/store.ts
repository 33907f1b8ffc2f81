import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { platformOperatorId } from '../commands/queue.ts'
import { changeTable, columnTable } from '#kit/db/columnTable.ts'
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

/** The present of a vehicle as it is stored. */
const statusColumns = changeTable<Status>()('vehicle_status', ['vehicle_id'], {
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
  // Null for most vehicles: nothing to format, send, parse and keep.
  told: ['jsonb', ({ told }) => (isEmpty(told.facts) && isEmpty(told.alarms) ? null : told)],
})

/** Writes the new status of vehicles that `lockKnown` locked. */
export async function saveStatus(tx: Tx, statuses: readonly Status[]): Promise<void> {
  await statusColumns.update(statuses).execute(tx)
}

export type ChangeOfVehicle = { readonly now: VehicleNow; readonly change: StateChange }

const isEmpty = (record: object): boolean => {
  for (const _ in record) return false
  return true
}

type StateWrite = { readonly now: VehicleNow; readonly recordedAt: number }
const stateColumns = changeTable<StateWrite>()('vehicle', ['id'], {
  id: ['bigint', ({ now }) => now.vehicleId],
  state: ['text', ({ now }) => now.state],
  state_before: ['text', ({ now }) => now.stateBefore],
  state_changed_at: ['timestamptz', ({ recordedAt }) => recordedAt],
})

type EventWrite = ChangeOfVehicle & { readonly recordedAt: number }
const eventColumns = columnTable<EventWrite>()('vehicle_event', {
  vehicle_id: ['bigint', ({ now }) => now.vehicleId],
  agent_id: ['bigint', ({ now }) => now.agentId],
  area_id: ['bigint', ({ now }) => now.areaId],
  event: ['text', ({ change }) => change.event],
  from_state: ['text', ({ change }) => change.from],
  to_state: ['text', ({ change }) => change.to],
  cause: ['text', ({ change }) => change.cause],
  occurred_at: ['timestamptz', ({ change }) => change.occurredAt],
  recorded_at: ['timestamptz', ({ recordedAt }) => recordedAt],
})

/** Sets the last state of each vehicle and adds every step on the way to its events. */
export async function saveChanges(tx: Tx, changes: readonly ChangeOfVehicle[], recordedAt: number): Promise<void> {
  if (changes.length === 0) return
  const vehicles = [...new Map(changes.map(({ now }) => [now.vehicleId, { now, recordedAt }])).values()]
  await stateColumns.update(vehicles).execute(tx)
  await eventColumns.insert(changes.map((change) => ({ ...change, recordedAt }))).execute(tx)
  await bookTrips(tx, changes)
}
