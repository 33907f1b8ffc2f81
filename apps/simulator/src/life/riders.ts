import { type Point } from '#sim/city/geometry.ts'
import { makeRoute, type Route } from '#sim/city/routing.ts'
import { childSeed, createRandom, type Random } from '#sim/random.ts'
import { findTrouble } from './mishaps.ts'
import { purposes, ridesPerHour } from './rhythm.ts'
import { restOf, rideAlong, type Ride } from './ride.ts'
import { askFor } from './staff.ts'
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
  slotAt,
  tooLowPercent,
  turnState,
  unpark,
  type LifeVehicle,
  type World,
} from './world.ts'

/** Riders look at no more vehicles of one place. */
const choices = 12
/** So many vehicles at one place, and nobody is sent there any more. */
const fullAt = 36

/** The riders of the coming minute, for every area and purpose. */
export function inviteRiders(world: World, vehiclesPerArea: readonly number[]): void {
  const { town, nowMs } = world
  const { demand } = weatherAt(world.seed, nowMs)
  for (const [number, purpose] of purposes.entries()) {
    const perVehicle = (ridesPerHour(purpose, nowMs) / 60) * demand
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

/** The fullest of the vehicles that stand at a place and may be ridden. */
function choose(world: World, anchor: number): LifeVehicle | null {
  let best: LifeVehicle | null = null
  let looked = 0
  for (const index of world.parked[anchor] ?? []) {
    const vehicle = world.vehicles[index]
    if (!vehicle || vehicle.state !== 'available' || vehicle.silent || vehicle.taskId !== null) continue
    if (vehicle.wish || vehicle.theft || vehicle.alarms.includes('fall') || !world.isRentable(vehicle)) continue
    if (batteryAt(vehicle, world.nowMs) < tooLowPercent) continue
    if (!best || vehicle.battery > best.battery) best = vehicle
    if (++looked === choices) break
  }
  return best
}

/** A rider comes: takes a vehicle here or a short walk away, or goes without. */
export function welcomeRider(world: World, area: number, purpose: number): void {
  const random = world.random.riders[area]
  if (!random) return
  const origin = world.town.origin(area, purpose, random)
  let goal = world.town.goal(origin, purpose, random)
  // Where it is full already the app sends riders elsewhere.
  for (let tries = 0; tries < 3 && isFull(world, goal); tries++) goal = world.town.goal(origin, purpose, random)
  const places = [origin, ...(world.town.near[origin] ?? [])]
  let vehicle: LifeVehicle | null = null
  for (const place of places) vehicle ??= choose(world, place)
  if (!vehicle || vehicle.anchor === goal) {
    world.unmet++
    const point = world.town.anchors[origin]?.point
    if (!vehicle && point) world.miss({ atMs: world.nowMs, areaIndex: area, point })
    return
  }
  setOut(world, vehicle, goal)
}

export const isFull = (world: World, anchor: number) => (world.parked[anchor]?.length ?? 0) >= fullAt

function setOut(world: World, vehicle: LifeVehicle, goal: number): void {
  const { town, nowMs } = world
  const number = ++world.rides
  const random = createRandom(childSeed(world.seed, 10_000_000 + number))
  const to = strayFrom(world, goal, random)
  const route = town.book.between(vehicle.anchor, to)
  if (!route) {
    world.unmet++
    return
  }
  const ride = makeRide({ world, vehicle, to, number, route: joined(vehicle, route), random })
  if (world.isHailed()) {
    vehicle.wish = ride
    return world.emit({ atMs: nowMs, vehicle, kind: 'ride_wanted', ride })
  }
  beginRide(world, vehicle, ride)
}

/** The lock is open and the rider sets out. */
export function beginRide(world: World, vehicle: LifeVehicle, ride: Ride): void {
  const { nowMs } = world
  unpark(world, vehicle)
  vehicle.ride = ride
  setBattery(vehicle, ride.startBattery, nowMs)
  closeAlarm(world, vehicle, 'illegal_movement')
  world.emit({ atMs: nowMs, vehicle, kind: 'trip_start', ride })
  turnState(world, vehicle, { event: 'trip_start', to: 'on_trip', cause: 'device' })
  expect(world, { atMs: ride.endMs, what: 'trip_end', ref: vehicle.index, number: ride.number })
}

/** A few end in the area of another franchisee, whatever the app says. */
function strayFrom(world: World, goal: number, random: Random): number {
  if (!random.chance(0.004)) return goal
  return random.below(world.town.anchors.length)
}

/** From where it stands back to its anchor, then on along the way. */
function joined(vehicle: LifeVehicle, route: Route): Route {
  return vehicle.rest.length === 0 ? route : makeRoute([...vehicle.rest, ...route.points])
}

function makeRide({
  world,
  vehicle,
  to,
  number,
  route,
  random,
}: {
  world: World
  vehicle: LifeVehicle
  to: number
  number: number
  route: Route
  random: Random
}): Ride {
  const { nowMs } = world
  const { speed } = weatherAt(world.seed, nowMs)
  const careless = random.chance(0.06) && route.lengthM > 700
  const stopAtM = careless ? route.lengthM - random.between(50, 220) : route.lengthM
  const cruiseKmh = vehicle.topKmh * random.between(0.7, 0.98) * speed
  const way = rideAlong({
    route,
    start: vehicle.point,
    end: slotAt(world, to, random),
    cruiseKmh,
    stopAtM,
    random,
  })
  const startBattery = batteryAt(vehicle, nowMs)
  const rest = careless ? restOf(route, stopAtM) : []
  return {
    number,
    vehicle: vehicle.index,
    from: vehicle.anchor,
    to,
    startMs: nowMs,
    endMs: nowMs + (way.atS.at(-1) ?? 0) * 1000,
    startBattery,
    endBattery: Math.max(0, startBattery - percentFor(stopAtM)),
    lengthM: stopAtM,
    way,
    rest: careless ? [lastPoint(way), ...rest] : [],
  }
}

export const lastPoint = ({ x, y }: { x: number[]; y: number[] }): Point => [x.at(-1) ?? 0, y.at(-1) ?? 0]

/** The rider locks. Whoever ends a ride before its time says where that was. */
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
  turnState(world, vehicle, { event: 'trip_end', to: 'available', cause: 'device' })
  careAfterRide(world, vehicle)
}

function careAfterRide(world: World, vehicle: LifeVehicle): void {
  watchBattery(world, vehicle)
  if (world.town.anchors[vehicle.anchor]?.areaIndex !== vehicle.areaIndex) {
    openAlarm(world, vehicle, 'outside_area')
    askFor(world, { kind: 'retrieve', vehicle, source: 'rule', goal: null })
  } else if (vehicle.rest.length > 0 && world.random.staff.chance(0.35)) {
    askFor(world, { kind: 'move', vehicle, source: 'rule', goal: vehicle.anchor })
  }
  findTrouble(world, vehicle)
}

/** Below the mark an alarm opens, and with it a task. */
export function watchBattery(world: World, vehicle: LifeVehicle): void {
  if (batteryAt(vehicle, world.nowMs) >= lowBatteryPercent) return
  openAlarm(world, vehicle, 'low_battery')
  askFor(world, { kind: 'battery_swap', vehicle, source: 'rule', goal: null })
}
