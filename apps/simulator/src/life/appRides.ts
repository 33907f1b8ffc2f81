import type { Point } from '#sim/city/geometry.ts'
import { makeRoute } from '#sim/city/routing.ts'
import { childSeed, createRandom } from '#sim/random.ts'
import { rideAlong, type Ride, type Way } from './ride.ts'
import { beginRide, isFull, lastPoint } from './riders.ts'
import { batteryAt, expect, park, percentFor, slotAt, type LifeVehicle, type World } from './world.ts'

/** Rides whose start and end come from a rider app: the planned ride is shifted to the actual times. */

/** Speed at which a rider pushes the vehicle to a place where it may be returned. */
const pushKmh = 7

/** The lock has opened for the requested ride; false when the vehicle can no longer be ridden. */
export function startRequestedRide(world: World, vehicle: LifeVehicle, order: NonNullable<Ride['order']>): boolean {
  const { rideRequest } = vehicle
  vehicle.rideRequest = null
  if (!rideRequest || vehicle.ride || vehicle.theft || vehicle.state !== 'available') return false
  const lateMs = world.nowMs - rideRequest.startMs
  const startBattery = batteryAt(vehicle, world.nowMs)
  const endBattery = Math.max(0, startBattery - percentFor(rideRequest.lengthM))
  Object.assign(rideRequest, {
    startMs: world.nowMs,
    endMs: rideRequest.endMs + lateMs,
    startBattery,
    endBattery,
    order,
  })
  beginRide(world, vehicle, rideRequest)
  return true
}

export function abandonRideRequest(world: World, vehicle: LifeVehicle): void {
  if (!vehicle.rideRequest) return
  vehicle.rideRequest = null
  world.unmet++
}

/** Turns a ride that started without the app into a request: the vehicle is put back where it stood. */
export function requeueRide(world: World, vehicle: LifeVehicle): void {
  const { ride } = vehicle
  if (!ride || ride.order !== undefined) return
  vehicle.ride = null
  vehicle.state = 'available'
  vehicle.rideRequest = ride
  park(world, vehicle, { anchor: ride.from, point: vehicle.point, rest: vehicle.rest })
  world.emit({ atMs: world.nowMs, vehicle, kind: 'ride_wanted', ride })
}

export function holdRide(world: World, { ride }: LifeVehicle): void {
  if (ride && ride.heldAtMs === undefined) ride.heldAtMs = world.nowMs
}

export function releaseRide(world: World, vehicle: LifeVehicle): void {
  const { ride } = vehicle
  if (ride?.heldAtMs === undefined) return
  const heldMs = world.nowMs - ride.heldAtMs
  delete ride.heldAtMs
  ride.startMs += heldMs
  ride.endMs += heldMs
  expect(world, { atMs: ride.endMs, what: 'trip_end', ref: vehicle.index, number: ride.number })
}

/** Continues to the parking spot that the rider stopped short of, or from there to the next one. */
export function continueRide(world: World, vehicle: LifeVehicle): void {
  const { ride } = vehicle
  if (!ride) return
  const { town, nowMs } = world
  const random = createRandom(childSeed(world.seed, 20_000_000 + ride.number))
  const here = lastPoint(ride.way)
  const near = town.near[ride.to] ?? []
  const next = near.find((anchor) => !isFull(world, anchor)) ?? near[0] ?? ride.from
  const to = ride.rest.length > 1 ? ride.to : next
  const route = ride.rest.length > 1 ? makeRoute(ride.rest) : town.book.between(ride.to, to)
  if (!route) return
  const onwards = rideAlong({ route, start: here, end: slotAt(world, to, random), cruiseKmh: pushKmh, random })
  const walkedM = onwards.movedM.at(-1) ?? 0
  const rest: Point[] = []
  Object.assign(ride, {
    way: followedBy(ride.way, onwards, (nowMs - ride.startMs) / 1000),
    to,
    rest,
    lengthM: ride.lengthM + walkedM,
    endMs: nowMs + (onwards.atS.at(-1) ?? 0) * 1000,
    endBattery: Math.max(0, ride.endBattery - percentFor(walkedM)),
    hasArrived: false,
  })
  expect(world, { atMs: ride.endMs, what: 'trip_end', ref: vehicle.index, number: ride.number })
}

function followedBy(way: Way, onwards: Way, fromS: number): Way {
  const movedM = way.movedM.at(-1) ?? 0
  return {
    atS: [...way.atS, ...onwards.atS.map((seconds) => fromS + seconds)],
    x: [...way.x, ...onwards.x],
    y: [...way.y, ...onwards.y],
    movedM: [...way.movedM, ...onwards.movedM.map((metres) => movedM + metres)],
  }
}
