import type { Point } from '#sim/city/geometry.ts'
import { makeRoute } from '#sim/city/routing.ts'
import { childSeed, createRandom } from '#sim/random.ts'
import { rideAlong, type Ride, type Way } from './ride.ts'
import { beginRide, isFull, lastPoint } from './riders.ts'
import { batteryAt, expect, park, percentFor, slotAt, type LifeVehicle, type World } from './world.ts'

/** Rides whose beginning and end an app decides: what was planned is moved in time to when it happens. */

/** Somebody pushes it on to where it may stand. */
const pushKmh = 7

/** The lock has opened for whoever wished for it; false when it cannot be ridden any more. */
export function beginWish(world: World, vehicle: LifeVehicle, order: NonNullable<Ride['order']>): boolean {
  const { wish } = vehicle
  vehicle.wish = null
  if (!wish || vehicle.ride || vehicle.theft || vehicle.state !== 'available') return false
  const lateMs = world.nowMs - wish.startMs
  const startBattery = batteryAt(vehicle, world.nowMs)
  const endBattery = Math.max(0, startBattery - percentFor(wish.lengthM))
  Object.assign(wish, { startMs: world.nowMs, endMs: wish.endMs + lateMs, startBattery, endBattery, order })
  beginRide(world, vehicle, wish)
  return true
}

export function dropWish(world: World, vehicle: LifeVehicle): void {
  if (!vehicle.wish) return
  vehicle.wish = null
  world.unmet++
}

/** A ride that began while nobody was told is made a wish: the vehicle stands where it stood. */
export function askAgain(world: World, vehicle: LifeVehicle): void {
  const { ride } = vehicle
  if (!ride || ride.order !== undefined) return
  vehicle.ride = null
  vehicle.state = 'available'
  vehicle.wish = ride
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

/** On to the place that the rider stopped short of, or from there to the next one. */
export function walkOn(world: World, vehicle: LifeVehicle): void {
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
