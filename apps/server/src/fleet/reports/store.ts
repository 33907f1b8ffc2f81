import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { platformOperatorId } from '../commands/queue.ts'
import { changeTable, columnTable } from '#kit/db/columnTable.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { VehicleNow } from '../messages.ts'
import { bookTrips } from '../trips/book.ts'
import { nowOf, selectNow } from '../vehicles/now.ts'
import { nothingTold, type StateChange, type Told } from './rules.ts'

/** What is stored of a vehicle's present. */
export type Status = {
  readonly now: VehicleNow
  readonly told: Told
  /** The version of a voltage scheme that made the percentage; null: the device said it. */
  readonly batteryVersion: number | null
}
export type Known = Status & {
  readonly model: string
  readonly protocol: string

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
  // A statement of its own: whoever waits for a lock gets the new status with the vehicle's state from before.
  await sql`
    select from vehicle_status where vehicle_id = any (${vehicleIds}::bigint[]) order by vehicle_id for no key update`.execute(
    tx,
  )
  const rows = await selectNow(tx)
    .select([
      sql<boolean>`exists (select from vehicle_command c where c.vehicle_id = s.vehicle_id and c.kind = 'unlock'
        and c.operator_id <> ${platformOperatorId} and c.state in ('sent', 'acknowledged'))`.as('unlock_commanded'),
      sql<boolean>`exists (select from vehicle_command c where c.vehicle_id = s.vehicle_id and c.kind = 'unlock'
        and c.operator_id = ${platformOperatorId} and c.state in ('sent', 'acknowledged'))`.as('unlock_for_ride'),
    ])
    .select([...statusExtras, 'v.model', 'v.protocol'])
    .where('s.vehicle_id', '=', sql<number>`any (${vehicleIds}::bigint[])`)
    .orderBy('s.vehicle_id')
    .execute()
  return new Map(
    rows.map((row) => [
      row.vehicle_id,
      {
        ...statusOf(row),
        model: row.model,
        protocol: row.protocol,
        unlockCommanded: row.unlock_commanded,
        unlockForRide: row.unlock_for_ride,
      },
    ]),
  )
}

/** What a status has beside `selectNow`. */
export const statusExtras = ['s.told', 's.battery_version'] as const

/**
 * Vehicles for which a condition holds and that nobody else has locked, locked until the end of the transaction. The
 * condition holds for what is committed now: it is asked again of those that are locked, because a row that changed after
 * the first reading carries the vehicle's state from before.
 */
export async function lockWhere(tx: Tx, options: { readonly condition: RawBuilder<boolean>; readonly limit: number }) {
  const { condition, limit } = options
  const { rows } = await lockedRow.select`
    from vehicle_status s join vehicle v on v.id = s.vehicle_id where ${condition}
    order by s.vehicle_id limit ${limit} for no key update of s skip locked`.execute(tx)
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.vehicle_id)
  return await selectNow(tx)
    .select(statusExtras)
    .where('s.vehicle_id', '=', sql<number>`any (${ids}::bigint[])`)
    .where(condition)
    .orderBy('s.vehicle_id')
    .execute()
}

const lockedRow = rowOf('vehicle_status', 's', ['vehicle_id'])

export function statusOf(row: Parameters<typeof nowOf>[0] & { told: unknown; battery_version: number | null }): Status {
  return { now: nowOf(row), told: (row.told as Told | null) ?? nothingTold, batteryVersion: row.battery_version }
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
  battery_version: ['bigint', ({ batteryVersion }) => batteryVersion],
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
