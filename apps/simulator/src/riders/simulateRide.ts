import type { Ride as RideAnswer } from '@saddle/contract/riding/rides.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { setLock } from '#sim/device/vehicle-body.ts'
import type { Ride } from '#sim/life/ride.ts'
import type { Answer } from './api.ts'
import { withRetry, type RideDeps } from './deps.ts'
import { settle } from './settle.ts'

const secondMs = 1_000
const reserveShare = 0.12
const changeOfMindShare = 0.08
const pauseShare = 0.06
/** Shorter rides have no pause. */
const pauseFromMs = 4 * minuteMs
/** How long a rider repeats a call that is not answered, at the start and at the end of a ride. */
const startTimeoutMs = 45 * secondMs
const endTimeoutMs = 3 * minuteMs
const lockMs = 45 * secondMs
const returnAttemptsMax = 3
/** How long a lock that opens late is closed again. */
const lateUnlockMs = 5 * minuteMs

/** Simulates one ride with the app, from the request until it is paid. Resolves to whether it was ridden. */
export async function simulateRide(deps: RideDeps): Promise<boolean> {
  const { life, vehicle, counts, phone } = deps
  const own = vehicle.life
  if (own.ride?.order === undefined) {
    counts.requested++
    const order = await begin(deps)
    if (order === null) {
      life.appRides.giveUp(own)
      return false
    }
    if (!life.appRides.begin(own, { id: order, phone })) {
      // Opened but not rideable: the rider closes it again, which ends the order.
      setLock(vehicle.body, true, deps.timer.nowMs)
      return false
    }
    counts.started++
  }
  const { ride } = own
  if (ride?.order === undefined) return false
  await followRide(deps, ride)
  counts.ended++
  await settle(deps, ride.order.id)
  return true
}

/** Resolves to the order when its lock is open; null when the ride does not start. */
async function begin(deps: RideDeps): Promise<number | null> {
  const { api, timer, random, counts, vehicle, phone } = deps
  const input = { phone, vehicleNumber: vehicle.number }
  let cancel: () => Promise<unknown> = async () => {}
  if (random.chance(reserveShare)) {
    const kept = await withRetry(deps, startTimeoutMs, () => api.ask('reserveRide', input))
    if (!kept.ok) return null
    counts.reserved++
    await timer.wait({ forMs: random.between(10, 90) * secondMs })
    const letGo = { phone, orderId: kept.data.orderId }
    cancel = () => withRetry(deps, startTimeoutMs, () => api.ask('cancelRide', letGo))
    if (random.chance(changeOfMindShare)) {
      await cancel()
      return null
    }
  }
  const ask = (): Promise<Answer<RideAnswer>> => withRetry(deps, startTimeoutMs, () => api.ask('unlockRide', input))
  let answer = await ask()
  if (!answer.ok && answer.code === 'order_due' && (await payDueRides(deps))) answer = await ask()
  if (!answer.ok) {
    // No answer arrived, but the lock may still have received the command.
    if (answer.code === 'away') await closeLateLock(deps)
    else await cancel()
    return null
  }
  const { orderId } = answer.data
  return (await waitForUnlock(deps, orderId)) ? orderId : null
}

/** Whether the lock opens before the platform cancels the order. */
async function waitForUnlock(deps: RideDeps, orderId: number): Promise<boolean> {
  const { api, timer, vehicle, phone, counts } = deps
  const isOpen = (): boolean => !vehicle.body.locked
  for (let looks = 0; looks < 6; looks++) {
    if (await timer.wait({ forMs: lockMs, until: isOpen })) return true
    const answer = await api.ask('readRide', { phone, orderId })
    if (answer.ok && answer.data.state !== 'unlocking') break
  }
  counts.refused.set('not_opened', (counts.refused.get('not_opened') ?? 0) + 1)
  await closeLateLock(deps)
  return false
}

async function closeLateLock({ timer, vehicle, life }: RideDeps): Promise<void> {
  // The vehicle is free for others meanwhile.
  life.appRides.giveUp(vehicle.life)
  const isOpen = (): boolean => !vehicle.body.locked && !vehicle.life.ride
  if (await timer.wait({ forMs: lateUnlockMs, until: isOpen })) setLock(vehicle.body, true, timer.nowMs)
}

/** Pays earlier rides that are due. */
async function payDueRides(deps: RideDeps): Promise<boolean> {
  const { api, phone } = deps
  const answer = await api.ask('ownRides', { phone })
  if (!answer.ok) return false
  for (const { orderId, state } of answer.data) if (state === 'due') await settle(deps, orderId)
  return true
}

async function followRide(deps: RideDeps, ride: Ride): Promise<void> {
  const { timer, random, vehicle, life } = deps
  const own = vehicle.life
  const isOver = (): boolean => own.ride !== ride
  if (ride.heldAtMs !== undefined) await resumeRide(deps, ride)
  else if (ride.endMs - ride.startMs >= pauseFromMs && random.chance(pauseShare)) {
    const ridesMs = (ride.endMs - ride.startMs) * random.between(0.3, 0.6)
    await timer.wait({ forMs: ridesMs, until: isOver })
    if (!isOver()) await pause(deps, ride)
  }
  for (let place = 0; ; place++) {
    await timer.wait({ forMs: Infinity, until: () => isOver() || ride.hasArrived === true })
    if (isOver() || (await returnVehicle(deps, ride, place < returnAttemptsMax)) !== 'continue') return
    deps.counts.continued++
    life.appRides.continueRide(own)
  }
}

async function pause(deps: RideDeps, ride: Ride): Promise<void> {
  const { api, timer, random, counts, vehicle, life } = deps
  const own = vehicle.life
  const { order } = ride
  if (order === undefined) return
  const input = { phone: order.phone, orderId: order.id }
  life.appRides.hold(own)
  const answer = await withRetry(deps, startTimeoutMs, () => api.ask('pauseRide', input))
  if (answer.ok && (await timer.wait({ forMs: lockMs, until: () => vehicle.body.locked }))) {
    counts.paused++
    await timer.wait({ forMs: random.between(30, 150) * secondMs, until: () => own.ride !== ride })
  }
  await resumeRide(deps, ride)
}

/** Resumes a paused ride; when the lock does not open again, the ride ends here. */
async function resumeRide(deps: RideDeps, ride: Ride): Promise<void> {
  const { api, timer, vehicle, life } = deps
  if (vehicle.life.ride !== ride || ride.order === undefined) return
  const input = { phone: ride.order.phone, orderId: ride.order.id }
  const isOpen = (): boolean => !vehicle.body.locked
  for (let tries = 0; tries < 3; tries++) {
    const answer = await withRetry(deps, endTimeoutMs, () => api.ask('resumeRide', input))
    // The lock has not confirmed the pause yet; until then there may be nothing to resume.
    if (!answer.ok && answer.code !== 'ride_step_refused') break
    if (await timer.wait({ forMs: answer.ok ? lockMs : 5 * secondMs, until: isOpen })) break
  }
  // A paused order ends only by this call.
  for (let tries = 0; vehicle.body.locked && tries < 5; tries++) {
    const answer = await withRetry(deps, endTimeoutMs, () => api.ask('endRide', input))
    if (answer.ok || answer.code === 'not_found') break
    await timer.wait({ forMs: minuteMs })
  }
  life.appRides.release(vehicle.life)
}

/** Returns the vehicle here, or tells that the rider has to continue; if no call works, the rider closes the lock by hand. */
async function returnVehicle(deps: RideDeps, ride: Ride, mayContinue: boolean): Promise<'over' | 'continue'> {
  const { api, timer, counts, vehicle } = deps
  const isShut = (): boolean => vehicle.body.locked || vehicle.life.ride !== ride
  if (ride.order === undefined) return 'over'
  const input = { phone: ride.order.phone, orderId: ride.order.id }
  for (let tries = 0; tries < 5; tries++) {
    const answer = await withRetry(deps, endTimeoutMs, () => api.ask('endRide', input))
    if (!answer.ok && answer.code === 'return_refused' && mayContinue) return 'continue'
    if (!answer.ok && answer.code === 'away') break
    if (await timer.wait({ forMs: answer.ok ? lockMs : 5 * secondMs, until: isShut })) break
  }
  if (!isShut()) {
    counts.lockedManually++
    setLock(vehicle.body, true, timer.nowMs)
  }
  // The next simulation step ends the ride of a locked vehicle.
  await timer.wait({ forMs: Infinity, until: () => vehicle.life.ride !== ride })
  return 'over'
}
