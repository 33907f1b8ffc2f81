import { fleetTopics } from '#fleet/public.ts'
import { isFinalCommandState } from '@saddle/contract/fleet/commands.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { finishRide } from './finish.ts'
import type { LifeParts } from './parts.ts'
import { lockedByHandMs, nextTurn, type RideTurn } from './rules.ts'
import { changeRide, factsOf, lockRide, placeOfVehicle, selectDueRides, type RideRow } from './store.ts'

const dueRidesATurn = 200
/** When many rides wait, the next sweep starts at once; it takes the rides that this one leaves. */
const turnsMax = 50

/** Advances a ride as far as possible; false when there was nothing to do or another server is handling it. */
export function turnRide(parts: LifeParts, id: number): Promise<boolean> {
  const { kit } = parts
  return kit.db.system(async (tx) => {
    const row = await lockRide(tx, { id, skip: true })
    if (row === undefined) return false
    const { facts, failure } = await factsOf(tx, row)
    const turn = nextTurn(facts, kit.clock.now())
    if (turn === null) return false
    await take({ parts, tx, row, turn, failure })
    return true
  })
}

async function take(options: {
  parts: LifeParts
  tx: Tx
  row: RideRow
  turn: RideTurn
  failure: string | null
}): Promise<void> {
  const { parts, tx, row, turn, failure } = options
  const at = new Date(parts.kit.clock.now())
  if (turn.to === 'ended') return await finishRide(parts, tx, row, turn.endedAt)
  if (turn.to === 'kept') {
    await parts.fleet.turnReservation(tx, { vehicleId: row.vehicle_id, step: 'start' })
    return
  }
  if (turn.to === 'cancelled') {
    await changeRide(tx, row.id, { state: 'cancelled', at })
    await parts.fleet.turnReservation(tx, { vehicleId: row.vehicle_id, step: 'cancel' })
    return
  }
  if (turn.to === 'riding' && turn.startedAt !== null) {
    const { place } = await placeOfVehicle(tx, row.vehicle_id)
    // A resumed ride keeps its start time.
    const startedAt = row.started_at ?? new Date(turn.startedAt)
    return await changeRide(tx, row.id, { state: 'riding', at, startedAt, start: place, failure: null })
  }
  // A command that had no effect is no longer the ride's latest one.
  if (turn.to === 'not_locked') {
    return await changeRide(tx, row.id, { state: 'riding', at, failure, lockCommandId: null })
  }
  if (turn.to === 'not_unlocked') {
    return await changeRide(tx, row.id, { state: 'paused', at, failure, unlockCommandId: null })
  }
  if (turn.to === 'paused') return await changeRide(tx, row.id, { state: 'paused', at, failure: null })
  if (turn.to === 'riding') return await changeRide(tx, row.id, { state: 'riding', at, failure: null })
  await changeRide(tx, row.id, { state: turn.to, at, failure })
  // Of one that was reserved before; of any other there is nothing to let go.
  if (turn.to === 'failed') {
    await parts.fleet.turnReservation(tx, { vehicleId: row.vehicle_id, step: 'cancel' })
  }
}

/**
 * Advances every ride for which something may have happened. For the worker; safe on several at once: the next server
 * finishes what a dead one left undone. Resolves to the number of rides advanced.
 */
export async function sweepRides(parts: LifeParts): Promise<number> {
  let taken = 0
  let afterId = 0
  for (let turn = 0; turn < turnsMax; turn += 1) {
    const due = await readDue(parts, afterId)
    taken += await takeEach(parts, due)
    const last = due.at(-1)
    if (last === undefined || due.length < dueRidesATurn) break
    // Continue after all rides that were read, even those that could not be advanced: they must not block the others.
    afterId = last
  }
  return taken
}

async function readDue({ kit }: LifeParts, afterId: number): Promise<number[]> {
  const nowMs = kit.clock.now()
  const asked = { now: new Date(nowMs), lockedBefore: new Date(nowMs - lockedByHandMs), afterId, limit: dueRidesATurn }
  const rows = await kit.db.systemRead((k) => selectDueRides(asked).compile(k))
  return rows.map(({ id }) => id)
}

async function takeEach(parts: LifeParts, ids: readonly number[]): Promise<number> {
  let done = 0
  for (const id of ids) {
    try {
      if (await turnRide(parts, id)) done += 1
    } catch (err) {
      parts.kit.log.error({ err, orderId: id }, 'a ride could not be taken on')
    }
  }
  return done
}

const rideOrderRow = rowOf('ride_order', ['id'])

/** Advances a ride at once when the command that it waits for ends; returns the function that stops this. */
export function watchCommands(parts: LifeParts): () => void {
  const { kit } = parts
  return kit.bus.subscribe(fleetTopics.commandChanged, async ({ command }) => {
    if (!isFinalCommandState(command.state)) return
    const query = rideOrderRow.select`
      from ride_order
      where vehicle_id = ${command.vehicleId} and state in ('reserved', 'unlocking', 'riding', 'paused', 'returning')
        and (unlock_command_id = ${command.id} or lock_command_id = ${command.id})`
    const [ride] = await kit.db.systemRead((k) => query.compile(k))
    if (ride !== undefined) await turnRide(parts, ride.id)
  })
}
