import type { Ride as ToldRide } from '@saddle/contract/riding/rider.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { turnLock } from '#sim/device/vehicle-body.ts'
import type { Ride } from '#sim/life/ride.ts'
import type { Answer } from './api.ts'
import { patiently, type StoryParts } from './parts.ts'
import { settle } from './settle.ts'

const secondMs = 1_000
const reserveShare = 0.12
const changeOfMindShare = 0.08
const pauseShare = 0.06
/** Nobody stops for an errand on a shorter ride. */
const pauseFromMs = 4 * minuteMs
/** So long somebody tries to get a vehicle that nobody answers for, and to give one back. */
const beginPatienceMs = 45 * secondMs
const endPatienceMs = 3 * minuteMs
const lockMs = 45 * secondMs
const placesTried = 3
/** A lock may still open after its rider went away; they look back for so long. */
const lookBackMs = 5 * minuteMs

/** One rider and one vehicle, from taking out the phone until the ride is paid. */
export async function tellStory(parts: StoryParts): Promise<void> {
  const { life, vehicle, counts, phone } = parts
  const own = vehicle.life
  if (own.ride?.order === undefined) {
    counts.wished++
    const order = await begin(parts)
    if (order === null) return life.hailed.giveUp(own)
    if (!life.hailed.begin(own, { id: order, phone })) {
      // Opened, but not fit to be ridden: the rider shuts it again, which ends the order.
      turnLock(vehicle.body, true, parts.patience.nowMs)
      return
    }
    counts.begun++
  }
  const { ride } = own
  if (ride?.order === undefined) return
  await rideAlong(parts, ride)
  counts.ended++
  await settle(parts, ride.order.id)
}

/** Resolves to the order once its lock is open; null when nothing comes of it. */
async function begin(parts: StoryParts): Promise<number | null> {
  const { api, patience, random, counts, vehicle, phone } = parts
  const asked = { phone, vehicleNumber: vehicle.number }
  let cancel: () => Promise<unknown> = async () => {}
  if (random.chance(reserveShare)) {
    const kept = await patiently(parts, beginPatienceMs, () => api.ask('reserveRide', asked))
    if (!kept.ok) return null
    counts.reserved++
    await patience.wait({ forMs: random.between(10, 90) * secondMs })
    const letGo = { phone, orderId: kept.data.orderId }
    cancel = () => patiently(parts, beginPatienceMs, () => api.ask('cancelRide', letGo))
    if (random.chance(changeOfMindShare)) {
      await cancel()
      return null
    }
  }
  const ask = (): Promise<Answer<ToldRide>> => patiently(parts, beginPatienceMs, () => api.ask('unlockRide', asked))
  let answer = await ask()
  if (!answer.ok && answer.code === 'order_due' && (await payOldRides(parts))) answer = await ask()
  if (!answer.ok) {
    // Nobody answered, but the lock may have been told all the same.
    if (answer.code === 'away') await shutBehind(parts)
    else await cancel()
    return null
  }
  const { orderId } = answer.data
  return (await opens(parts, orderId)) ? orderId : null
}

/** Whether the lock opens before the platform gives the order up. */
async function opens(parts: StoryParts, orderId: number): Promise<boolean> {
  const { api, patience, vehicle, phone, counts } = parts
  const isOpen = (): boolean => !vehicle.body.locked
  for (let looks = 0; looks < 6; looks++) {
    if (await patience.wait({ forMs: lockMs, until: isOpen })) return true
    const told = await api.ask('readRide', { phone, orderId })
    if (told.ok && told.data.state !== 'unlocking') break
  }
  counts.refused.set('not_opened', (counts.refused.get('not_opened') ?? 0) + 1)
  await shutBehind(parts)
  return false
}

async function shutBehind({ patience, vehicle, life }: StoryParts): Promise<void> {
  // The vehicle is free for others while this one still looks back.
  life.hailed.giveUp(vehicle.life)
  const isOpen = (): boolean => !vehicle.body.locked && !vehicle.life.ride
  if (await patience.wait({ forMs: lookBackMs, until: isOpen })) turnLock(vehicle.body, true, patience.nowMs)
}

/** Whoever left without paying pays now. */
async function payOldRides(parts: StoryParts): Promise<boolean> {
  const { api, phone } = parts
  const told = await api.ask('ownRides', { phone })
  if (!told.ok) return false
  for (const { orderId, state } of told.data) if (state === 'due') await settle(parts, orderId)
  return true
}

async function rideAlong(parts: StoryParts, ride: Ride): Promise<void> {
  const { patience, random, vehicle, life } = parts
  const own = vehicle.life
  const isOver = (): boolean => own.ride !== ride
  if (ride.heldAtMs !== undefined) await goOn(parts, ride)
  else if (ride.endMs - ride.startMs >= pauseFromMs && random.chance(pauseShare)) {
    const ridesMs = (ride.endMs - ride.startMs) * random.between(0.3, 0.6)
    await patience.wait({ forMs: ridesMs, until: isOver })
    if (!isOver()) await pause(parts, ride)
  }
  for (let place = 0; ; place++) {
    await patience.wait({ forMs: Infinity, until: () => isOver() || ride.hasArrived === true })
    if (isOver() || (await giveBack(parts, ride, place < placesTried)) !== 'walk_on') return
    parts.counts.walkedOn++
    life.hailed.walkOn(own)
  }
}

async function pause(parts: StoryParts, ride: Ride): Promise<void> {
  const { api, patience, random, counts, vehicle, life } = parts
  const own = vehicle.life
  const { order } = ride
  if (order === undefined) return
  const asked = { phone: order.phone, orderId: order.id }
  life.hailed.hold(own)
  const answer = await patiently(parts, beginPatienceMs, () => api.ask('pauseRide', asked))
  if (answer.ok && (await patience.wait({ forMs: lockMs, until: () => vehicle.body.locked }))) {
    counts.paused++
    await patience.wait({ forMs: random.between(30, 150) * secondMs, until: () => own.ride !== ride })
  }
  await goOn(parts, ride)
}

/** A lock that does not open again ends the ride where it stands. */
async function goOn(parts: StoryParts, ride: Ride): Promise<void> {
  const { api, patience, vehicle, life } = parts
  if (vehicle.life.ride !== ride || ride.order === undefined) return
  const asked = { phone: ride.order.phone, orderId: ride.order.id }
  const isOpen = (): boolean => !vehicle.body.locked
  for (let tries = 0; tries < 3; tries++) {
    const answer = await patiently(parts, endPatienceMs, () => api.ask('resumeRide', asked))
    // The lock has not answered the pause yet: what it does decides whether there is anything to resume.
    if (!answer.ok && answer.code !== 'ride_step_refused') break
    if (await patience.wait({ forMs: answer.ok ? lockMs : 5 * secondMs, until: isOpen })) break
  }
  // Nothing else ends an order that was paused.
  for (let tries = 0; vehicle.body.locked && tries < 5; tries++) {
    const answer = await patiently(parts, endPatienceMs, () => api.ask('endRide', asked))
    if (answer.ok || answer.code === 'not_found') break
    await patience.wait({ forMs: minuteMs })
  }
  life.hailed.release(vehicle.life)
}

/** Gives the vehicle back where it stands, or says that it has to go on; what no call can end the rider shuts by hand. */
async function giveBack(parts: StoryParts, ride: Ride, mayWalk: boolean): Promise<'over' | 'walk_on'> {
  const { api, patience, counts, vehicle } = parts
  const isShut = (): boolean => vehicle.body.locked || vehicle.life.ride !== ride
  if (ride.order === undefined) return 'over'
  const asked = { phone: ride.order.phone, orderId: ride.order.id }
  for (let tries = 0; tries < 5; tries++) {
    const answer = await patiently(parts, endPatienceMs, () => api.ask('endRide', asked))
    if (!answer.ok && answer.code === 'return_refused' && mayWalk) return 'walk_on'
    if (!answer.ok && answer.code === 'away') break
    if (await patience.wait({ forMs: answer.ok ? lockMs : 5 * secondMs, until: isShut })) break
  }
  if (!isShut()) {
    counts.byHand++
    turnLock(vehicle.body, true, patience.nowMs)
  }
  // The next step of the city ends the ride of a vehicle that is shut.
  await patience.wait({ forMs: Infinity, until: () => vehicle.life.ride !== ride })
  return 'over'
}
