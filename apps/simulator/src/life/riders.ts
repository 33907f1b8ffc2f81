import { type Point } from '#sim/city/geometry.ts'
import { reportFault } from './incidents.ts'
import { moodOfDay, purposes, ridesPerHour } from './rhythm.ts'
import { childSeed, createRandom, type Random } from '#sim/random.ts'
import type { Picked } from './population.ts'
import type { Ride } from './ride.ts'
import { requestTask } from './staff.ts'
import { planRide } from './trips.ts'
import { weatherAt } from './weather.ts'
import {
  batteryAt,
  closeAlarm,
  expect,
  lowBatteryPercent,
  openAlarm,
  park,
  percentFor,
  setBattery,
  tooLowPercent,
  transition,
  unpark,
  type LifeVehicle,
  type World,
} from './world.ts'

/** Number of vehicles of one place that a rider considers. */
const choices = 4
/** Number of vehicles at which a place is full and gets no more returns. */
const fullAt = 36

/** The riders of the coming minute, for every area and purpose. */
export function generateRiders(world: World, vehiclesPerArea: readonly number[]): void {
  const { town, nowMs } = world
  const { demand } = weatherAt(world.seed, nowMs)
  const mood = moodOfDay(world.seed, nowMs)
  for (const [number, purpose] of purposes.entries()) {
    const perVehicle = (ridesPerHour(purpose, nowMs) / 60) * demand * mood
    for (const [area, count] of vehiclesPerArea.entries()) {
      const random = world.random.riders[area]
      const mean = perVehicle * count * town.share(area, number)
      if (!random || mean <= 0) continue
      for (let riders = random.poisson(mean); riders > 0; riders--) {
        expect(world, { atMs: nowMs + random.below(60) * 1000, what: 'rider', ref: area, number })
      }
    }
  }
}

/** Any of the vehicles that stand at a place and may be ridden: riders take what is nearest to them. */
function choose(world: World, anchor: number, random: Random): LifeVehicle | null {
  let chosen: LifeVehicle | null = null
  let looked = 0
  for (const index of world.parked[anchor] ?? []) {
    const vehicle = world.vehicles[index]
    if (!vehicle || vehicle.state !== 'available' || vehicle.silent || vehicle.taskId !== null) continue
    if (vehicle.rideRequest || vehicle.theft || vehicle.alarms.includes('fall') || !world.isRentable(vehicle)) continue
    if (batteryAt(vehicle, world.nowMs) < tooLowPercent) continue
    looked++
    if (random.below(looked) === 0) chosen = vehicle
    if (looked === choices) break
  }
  return chosen
}

/** Somebody for whom a ride with this purpose is likely sets out. */
export function serveRider(world: World, area: number, purpose: number): void {
  const random = world.random.riders[area]
  if (!random) return
  const { town } = world
  const begins = town.origin(area, purpose, random)
  const leads = town.goal(begins, purpose, random)
  const { origin, goal: wanted, rider } = pickRider(world, { area, purpose, origin: begins, goal: leads, random })
  depart(world, { area, origin, goal: wanted, purpose, rider, random })
}

type Departure = {
  readonly area: number
  readonly origin: number
  readonly goal: number
  readonly purpose: number
  readonly rider: number
  readonly random: Random
}

const errand = purposes.findIndex(({ name }) => name === 'errand')

/** A rider sets out from home for a ride that would not have been otherwise; chance of its own keeps the others' day. */
export function serveAgain(
  world: World,
  { area, rider, order }: { readonly area: number; readonly rider: number; readonly order: number },
): void {
  if (isRiding(world, area, rider)) return
  const random = createRandom(childSeed(world.seed, 60_000_000 + order))
  const origin = world.population.home(area, rider)
  depart(world, { area, origin, goal: world.town.goal(origin, errand, random), purpose: errand, rider, random })
}

/** Takes a vehicle at the origin or within a short walk, or leaves without one. */
function depart(world: World, { area, origin, goal: wanted, purpose, rider, random }: Departure): void {
  const { town } = world
  let goal = wanted
  // The app sends riders away from places that are full.
  for (let tries = 0; tries < 3 && isFull(world, goal); tries++) goal = town.goal(origin, purpose, random)
  const places = [origin, ...(town.near[origin] ?? [])]
  let vehicle: LifeVehicle | null = null
  for (const place of places) vehicle ??= choose(world, place, random)
  if (!vehicle || vehicle.anchor === goal) {
    world.unmet++
    const point = town.anchors[origin]?.point
    if (!vehicle && point) world.miss({ atMs: world.nowMs, areaIndex: area, point })
    return
  }
  setOut(world, vehicle, { goal, purpose, rider })
}

/** A rider does not ride two vehicles at once; after a few attempts the last pick is used. */
function pickRider(world: World, rideRequest: Parameters<World['population']['pick']>[0]): Picked {
  let picked = world.population.pick(rideRequest)
  for (let tries = 0; tries < 4 && isRiding(world, rideRequest.area, picked.rider); tries++)
    picked = world.population.pick(rideRequest)
  return picked
}

const isRiding = (world: World, area: number, rider: number): boolean => {
  const vehicle = world.vehicles[world.lastVehicle.get(riderKey(area, rider)) ?? -1]
  return vehicle !== undefined && (vehicle.ride ?? vehicle.rideRequest)?.rider === rider
}

/** Riders are counted within a franchisee, and none of those has more. */
const riderKey = (area: number, rider: number): number => area * 1_000_000 + rider

export const isFull = (world: World, anchor: number) => (world.parked[anchor]?.length ?? 0) >= fullAt

function setOut(
  world: World,
  vehicle: LifeVehicle,
  rideRequest: { goal: number; purpose: number; rider: number },
): void {
  const ride = planRide(world, vehicle, rideRequest)
  if (ride === null) {
    world.unmet++
    return
  }
  world.lastVehicle.set(riderKey(vehicle.areaIndex, rideRequest.rider), vehicle.index)
  if (world.isAppControlled()) {
    vehicle.rideRequest = ride
    return world.emit({ atMs: world.nowMs, vehicle, kind: 'ride_wanted', ride })
  }
  beginRide(world, vehicle, ride)
}

/** The lock is open and the ride starts. */
export function beginRide(world: World, vehicle: LifeVehicle, ride: Ride): void {
  const { nowMs } = world
  unpark(world, vehicle)
  vehicle.ride = ride
  setBattery(vehicle, ride.startBattery, nowMs)
  closeAlarm(world, vehicle, 'illegal_movement')
  world.emit({ atMs: nowMs, vehicle, kind: 'trip_start', ride })
  transition(world, vehicle, { event: 'trip_start', to: 'on_trip', cause: 'device' })
  expect(world, { atMs: ride.endMs, what: 'trip_end', ref: vehicle.index, number: ride.number })
}

export const lastPoint = ({ x, y }: { x: number[]; y: number[] }): Point => [x.at(-1) ?? 0, y.at(-1) ?? 0]

/** The rider locks. `early` gives the position of a ride that ends before its planned end. */
export function endRide(
  world: World,
  vehicle: LifeVehicle,
  early?: { point: Point; movedM: number; rest: Point[] },
): void {
  const { ride } = vehicle
  if (!ride) return
  const { nowMs } = world
  if (early) {
    Object.assign(ride, {
      endMs: nowMs,
      lengthM: early.movedM,
      rest: early.rest,
      endBattery: Math.max(0, ride.startBattery - percentFor(early.movedM)),
    })
  }
  vehicle.ride = null
  vehicle.odometerM += ride.lengthM
  setBattery(vehicle, ride.endBattery, nowMs)
  park(world, vehicle, { anchor: ride.to, point: early?.point ?? lastPoint(ride.way), rest: ride.rest })
  world.emit({ atMs: nowMs, vehicle, kind: 'trip_end', ride })
  transition(world, vehicle, { event: 'trip_end', to: 'available', cause: 'device' })
  checkAfterRide(world, vehicle)
}

function checkAfterRide(world: World, vehicle: LifeVehicle): void {
  watchBattery(world, vehicle)
  if (world.town.anchors[vehicle.anchor]?.areaIndex !== vehicle.areaIndex) {
    openAlarm(world, vehicle, 'outside_area')
    requestTask(world, { kind: 'retrieve', vehicle, source: 'rule', goal: null })
  } else if (vehicle.rest.length > 0 && world.random.staff.chance(0.35)) {
    requestTask(world, { kind: 'move', vehicle, source: 'rule', goal: vehicle.anchor })
  }
  reportFault(world, vehicle)
}

/** Below the threshold an alarm and a task are opened. */
export function watchBattery(world: World, vehicle: LifeVehicle): void {
  if (batteryAt(vehicle, world.nowMs) >= lowBatteryPercent) return
  openAlarm(world, vehicle, 'low_battery')
  requestTask(world, { kind: 'battery_swap', vehicle, source: 'rule', goal: null })
}
