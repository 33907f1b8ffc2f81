import { sql } from 'kysely'
import { commandStates, type CommandState } from '@saddle/contract/fleet/commands.ts'
import { busyStates, orderStates, type OrderState } from '@saddle/contract/riding/orders.ts'
import type { RideState } from '@saddle/contract/riding/rides.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { codeOf } from '#kit/codes.ts'
import { rideStateOf, type RideFacts } from './rules.ts'
import { offlineMinutes } from '#fleet/public.ts'

const rideRow = rowsOf(
  rowOf('ride_order', 'o', [
    'id',
    'agent_id',
    'area_id',
    'vehicle_id',
    'vehicle_number',
    'rider_id',
    'state',
    'placed_at',
    'reserved_until',
    'started_at',
    'ended_at',
    'return_kind',
    'charged_cents',
    'refunded_cents',
    'unlock_command_id',
    'lock_command_id',
    'failure',
    'app_id',
    'changed_at',
  ]),
  rowOfValues({ phone_hash: computed('text', sql`select rider.phone_hash from rider where rider.id = o.rider_id`) }),
)
export type RideRow = RowOf<typeof rideRow>

const stateOf = (row: Pick<RideRow, 'state'>): OrderState => codeOf(orderStates, row.state)
export const rideStateOfRow = (row: RideRow): RideState =>
  rideStateOf({ state: stateOf(row), unlockCommandId: row.unlock_command_id, lockCommandId: row.lock_command_id })

/** The ride, locked until the transaction ends; undefined when it is missing or, with `skip`, locked by another. */
export async function lockRide(tx: Tx, options: { id: number; skip?: boolean }): Promise<RideRow | undefined> {
  const skip = options.skip === true ? sql`skip locked` : sql``
  const { rows } = await rideRow.select`
    from ride_order o where o.id = ${options.id} for update ${skip}`.execute(tx)
  return rows[0]
}

export function selectRide(id: number) {
  return rideRow.select`from ride_order o where o.id = ${id}`
}

/** The latest rides of one person, who may ride with several franchisees. */
export function selectOwnRides({ riderIds, limit }: { riderIds: readonly number[]; limit: number }) {
  return rideRow.select`
    from ride_order o where o.rider_id = any (${riderIds}::bigint[])
    order by o.placed_at desc, o.id desc limit ${limit}`
}

/** The ride that a rider is on or has reserved; undefined when there is none. */
export async function findBusy(tx: Tx, riderId: number): Promise<RideRow | undefined> {
  const { rows } = await rideRow.select`
    from ride_order o
    where o.rider_id = ${riderId} and o.state = any (${[...busyStates]}::text[]) limit 1`.execute(tx)
  return rows[0]
}

/** Starting a ride and refunding its deposit wait for each other. */
export async function holdRider(tx: Tx, riderId: number): Promise<void> {
  await sql`select from rider where id = ${riderId} for no key update`.execute(tx)
}

export async function owesMoney(tx: Tx, riderId: number): Promise<boolean> {
  const { rows } = await sql`
    select from ride_order where rider_id = ${riderId} and state = 'due' limit 1`.execute(tx)
  return rows.length > 0
}

const vehicleRow = rowsOf(
  rowOf('vehicle', 'v', ['id', 'number', 'agent_id', 'area_id', 'state']),
  rowOf('service_area', 'a', ['name as area_name']),
  rowOf('vehicle_status', 's', ['heard_at', 'locked', 'lat', 'lng']),
  rowOfValues({
    is_area_open: computed('boolean', sql`a.state = 'enabled'`),
    offline_minutes: computed('integer', offlineMinutes),
  }),
)
export type VehicleRow = RowOf<typeof vehicleRow>

export function selectVehicle({ number, agentIds }: { number: string; agentIds: readonly number[] }) {
  return vehicleRow.select`
    from vehicle v join vehicle_status s on s.vehicle_id = v.id join service_area a on a.id = v.area_id
    where v.number = ${number.toUpperCase()} and v.agent_id = any (${agentIds}::bigint[])`
}

const vehicleStatusRow = rowsOf(
  rowOf('vehicle_status', 's', ['lat', 'lng', 'locked']),
  rowOf('vehicle', 'v', ['model']),
  rowOfValues({ kept: computed('boolean', sql`'reserved' in (v.state, coalesce(v.state_before, ''))`) }),
)

export async function placeOfVehicle(tx: Tx, vehicleId: number) {
  const { rows } = await vehicleStatusRow.select`
    from vehicle_status s join vehicle v on v.id = s.vehicle_id where s.vehicle_id = ${vehicleId}`.execute(tx)
  const [row] = rows
  const place = row === undefined || row.lat === null || row.lng === null ? null : { lat: row.lat, lng: row.lng }
  return { place, isLocked: row?.locked === true, isKept: row?.kept === true, model: row?.model ?? null }
}

export async function insertRide(
  tx: Tx,
  ride: {
    vehicle: VehicleRow
    riderId: number
    appId: number
    state: 'reserved' | 'unlocking'
    at: Date
    reservedUntil: Date | null
    unlockCommandId: number | null
  },
): Promise<number> {
  const { vehicle, at } = ride
  const { id } = await tx
    .insertInto('ride_order')
    .values({
      agent_id: vehicle.agent_id,
      area_id: vehicle.area_id,
      vehicle_id: vehicle.id,
      vehicle_number: vehicle.number,
      rider_id: ride.riderId,
      app_id: ride.appId,
      state: ride.state,
      placed_at: at,
      reserved_until: ride.reservedUntil,
      unlock_command_id: ride.unlockCommandId,
      changed_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Change = {
  state: OrderState
  at: Date
  unlockCommandId?: number | null
  lockCommandId?: number | null
  startedAt?: Date
  start?: { lat: number; lng: number } | null
  failure?: string | null
}

export async function changeRide(tx: Tx, id: number, change: Change): Promise<void> {
  const { unlockCommandId, lockCommandId, startedAt, start, failure } = change
  await tx
    .updateTable('ride_order')
    .set({
      state: change.state,
      changed_at: change.at,
      ...(unlockCommandId !== undefined && { unlock_command_id: unlockCommandId }),
      ...(lockCommandId !== undefined && { lock_command_id: lockCommandId }),
      ...(startedAt !== undefined && { started_at: startedAt }),
      ...(start !== undefined && start !== null && { start_lat: start.lat, start_lng: start.lng }),
      ...(failure !== undefined && { failure }),
    })
    .where('id', '=', id)
    .execute()
}

const factsRow = rowsOf(
  rowOf('vehicle_command', 'u', [
    'state as unlock_state',
    'finished_at as unlock_at',
    'failure as unlock_failure',
  ]).optional(),
  rowOf('vehicle_command', 'l', [
    'state as lock_state',
    'finished_at as lock_at',
    'failure as lock_failure',
  ]).optional(),
  rowOfValues({
    locked_since: computed(
      'timestamptz?',
      sql`select t.ended_at from trip t where t.vehicle_id = ride.vehicle_id order by t.started_at desc limit 1`,
    ),
    is_vehicle_free: computed(
      'boolean',
      sql`exists (select from vehicle v where v.id = ride.vehicle_id and v.state = 'available')`,
    ),
  }),
)

const stateOfCommand = (text: string): CommandState => codeOf(commandStates, text)

const isLockLatest = ({ lock_command_id: lock, unlock_command_id: unlock }: RideRow): boolean =>
  (lock ?? 0) > (unlock ?? 0)

/** The current state of a ride's commands and of its vehicle. */
export async function factsOf(tx: Tx, row: RideRow): Promise<{ facts: RideFacts; failure: string | null }> {
  const { rows } = await factsRow.select`
    from (select ${row.vehicle_id}::bigint as vehicle_id) ride
    left join vehicle_command u on u.id = ${row.unlock_command_id}
    left join vehicle_command l on l.id = ${row.lock_command_id}`.execute(tx)
  const [found] = rows
  if (found === undefined) throw new Error('a select without a table has one row')
  const { unlock_state: unlock, lock_state: lock } = found
  return {
    failure: isLockLatest(row) ? found.lock_failure : found.unlock_failure,
    facts: {
      state: rideStateOfRow(row),
      reservedUntil: row.reserved_until?.getTime() ?? null,
      unlock:
        unlock === null ? null : { state: stateOfCommand(unlock), finishedAt: found.unlock_at?.getTime() ?? null },
      lock: lock === null ? null : { state: stateOfCommand(lock), finishedAt: found.lock_at?.getTime() ?? null },
      changedAt: row.changed_at.getTime(),
      lockedSince: found.locked_since?.getTime() ?? null,
      isVehicleFree: found.is_vehicle_free,
    },
  }
}

const rideOrderRow = rowOf('ride_order', 'o', ['id'])

/**
 * Rides for which something may have happened: their command ended, their time is over, or their vehicle was locked.
 * The next step of each ride is decided under its lock.
 */
export function selectDueRides(options: { now: Date; lockedBefore: Date; afterId: number; limit: number }) {
  const { now, lockedBefore, afterId, limit } = options
  return rideOrderRow.select`
    from ride_order o
    left join vehicle_command u on u.id = o.unlock_command_id
    left join vehicle_command l on l.id = o.lock_command_id
    where o.state in ('reserved', 'unlocking', 'riding', 'paused', 'returning') and o.id > ${afterId} and (
      (o.state = 'reserved' and o.reserved_until <= ${now})
      or (o.state = 'unlocking' and (u.id is null or u.finished_at is not null))
      or (o.state = 'paused' and (u.finished_at is not null and u.id > coalesce(l.id, 0) or exists (
        select from vehicle v where v.id = o.vehicle_id and v.state = 'available')))
      or (o.state = 'returning' and (l.id is null or l.finished_at is not null))
      or (o.state = 'riding' and (l.finished_at is not null and l.id > coalesce(u.id, 0) or exists (
        select from trip t where t.vehicle_id = o.vehicle_id and t.ended_at > coalesce(u.finished_at, o.changed_at)
          and t.ended_at <= ${lockedBefore})))
      or ((o.state = 'returning' or o.state = 'riding' and l.id > coalesce(u.id, 0)) and exists (
        select from trip t where t.vehicle_id = o.vehicle_id and t.ended_at >= o.changed_at)))
    order by o.id limit ${limit}`
}
