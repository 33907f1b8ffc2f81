import type { rideEndpoints } from '@saddle/contract/riding/rides.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { reasonOf } from '@saddle/contract/riding/reasons.ts'
import type { AppCall, Handlers } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { readSetting } from '#settings/public.ts'
import { versionAt } from './finish.ts'
import type { LifeParts } from './parts.ts'
import { appName, findVehicle, readRide } from './ride.ts'
import {
  changeRide,
  findBusy,
  holdRider,
  insertRide,
  lockRide,
  owesMoney,
  type RideRow,
  type VehicleRow,
} from './store.ts'
import { isHeard } from '#fleet/public.ts'

/** How a ride begins: with a reservation or by opening the lock. */
export function createBeginHandlers(
  parts: LifeParts,
): Pick<Handlers<typeof rideEndpoints>, 'reserveRide' | 'unlockRide'> {
  const { kit } = parts
  const now = (): Date => new Date(kit.clock.now())
  return {
    reserveRide: async ({ phone, vehicleNumber }, call) => {
      const id = await begin(parts, { call, phone, vehicleNumber }, async (tx, { vehicle, riderId, reserved }) => {
        if (reserved !== null) return reserved.id
        const place = { agentId: vehicle.agent_id, areaId: vehicle.area_id }
        const minutes = await readSetting(tx, 'reservation_minutes', place)
        const until = new Date(kit.clock.now() + minutes * minuteMs)
        const ride = { vehicle, riderId, appId: call.app.id, state: 'reserved' as const, at: now() }
        const rideId = await insertRide(tx, { ...ride, reservedUntil: until, unlockCommandId: null })
        if (!(await parts.fleet.turnReservation(tx, { vehicleId: vehicle.id, step: 'start' }))) {
          throw new AppError('vehicle_unavailable')
        }
        return rideId
      })
      return { suc: true, data: await readRide(parts, id) }
    },

    unlockRide: async ({ phone, vehicleNumber }, call) => {
      const id = await begin(parts, { call, phone, vehicleNumber }, async (tx, { vehicle, riderId, reserved }) => {
        const command = await parts.fleet.queueCommand(tx, {
          vehicleId: vehicle.id,
          agentId: vehicle.agent_id,
          areaId: vehicle.area_id,
          kind: 'unlock',
          reason: reasonOf('unlock'),
          operatorName: appName,
        })
        const unlockCommandId = command.id
        if (reserved !== null) {
          await changeRide(tx, reserved.id, { state: 'unlocking', at: now(), unlockCommandId })
          return reserved.id
        }
        const ride = { vehicle, riderId, appId: call.app.id, state: 'unlocking' as const, at: now() }
        return insertRide(tx, { ...ride, reservedUntil: null, unlockCommandId })
      })
      return { suc: true, data: await readRide(parts, id) }
    },
  }
}

type Beginning = { readonly vehicle: VehicleRow; readonly riderId: number; readonly reserved: RideRow | null }

/**
 * Finds vehicle and rider, and checks that the rider may use the vehicle; `work` begins the ride. If two riders want
 * the same vehicle at once, the database lets only one have it.
 */
async function begin(
  parts: LifeParts,
  asked: { call: AppCall; phone: string; vehicleNumber: string },
  work: (tx: Tx, beginning: Beginning) => Promise<number>,
): Promise<number> {
  const { kit, riders } = parts
  try {
    return await kit.db.system(async (tx) => {
      const vehicle = await findVehicle(tx, asked)
      const [riderId = 0] = await riders.ensure(tx, [{ agentId: vehicle.agent_id, phone: asked.phone, name: null }])
      const busy = await findBusy(tx, riderId)
      if (busy !== undefined) {
        if (busy.vehicle_id !== vehicle.id) throw new AppError('rider_busy')
        // A repeated request, perhaps because the first answer was lost.
        if (busy.state !== 'reserved') return busy.id
        if (await riders.isBarred(tx, riderId)) throw new AppError('rider_banned')
        const reserved = await lockRide(tx, { id: busy.id })
        if (reserved === undefined || reserved.state !== 'reserved') return busy.id
        return await work(tx, { vehicle, riderId, reserved })
      }
      if (await riders.isBarred(tx, riderId)) throw new AppError('rider_banned')
      if (await owesMoney(tx, riderId)) throw new AppError('order_due')
      const isOnline = isHeard(vehicle.heard_at?.getTime() ?? null, vehicle.offline_minutes, kit.clock.now())
      if (vehicle.state === 'reserved') throw new AppError('vehicle_busy')
      const isUsable = vehicle.state === 'available' && vehicle.is_area_open && isOnline
      if (!isUsable) throw new AppError('vehicle_unavailable')
      const place = { agentId: vehicle.agent_id, areaId: vehicle.area_id }
      await versionAt(tx, { ...place, at: new Date(kit.clock.now()) })
      await holdRider(tx, riderId)
      if ((await parts.deposits.needOf(tx, { ...place, riderId })).missingCents > 0)
        throw new AppError('deposit_missing')
      await riders.noteActive(tx, riderId)
      return await work(tx, { vehicle, riderId, reserved: null })
    })
  } catch (error) {
    if (isTaken(error)) throw new AppError('vehicle_busy', { cause: error })
    throw error
  }
}
