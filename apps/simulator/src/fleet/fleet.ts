import { demoAreas, demoVehicles, type DemoVehicle } from '@saddle/contract/demo/city.ts'
import { makeStreetPlan, type City } from '#sim/city/city.ts'
import { between, distance, inside, lengthOf, toLngLat, toPoint, type Point } from '#sim/city/geometry.ts'
import { createRouter, type Router } from '#sim/city/routing.ts'
import type { Street } from '#sim/city/streets.ts'
import { createOmniDeviceCore, demoTiming, type OmniDeviceCore, type OmniTiming } from '#sim/device/omni-device.ts'
import { turnLock, type VehicleBody } from '#sim/device/vehicle-body.ts'
import { childSeed, createRandom, type Random } from '#sim/random.ts'
import { beginRide, stepRide, type Ride } from './ride.ts'
import { createTroubleMaker, type TroubleMaker } from './troubles.ts'

export type FleetVehicle = DemoVehicle & {
  index: number
  /** Never ridden by itself, so that the console has vehicles to try its commands on. */
  stationary: boolean
  core: OmniDeviceCore
  body: VehicleBody
  ride: Ride | null
  /** When the next rider comes, in simulated time. */
  riderAtMs: number
  /** When staff change the battery, in simulated time; null while it is full enough. */
  swapAtMs: number | null
  lowBatteryTold: boolean
  random: Random
  troubles: TroubleMaker
}

export type Fleet = {
  vehicles: FleetVehicle[]
  /** One step of the whole fleet; `dtMs` is simulated time and may run faster than the clock. */
  step(nowMs: number, dtMs: number): void
}

const firstRiderMeanMs = 150_000
const nextRiderMeanMs = 300_000
const shortestRideM = 500
const longestRideM = 5_000
const kmPerPercent = 0.55
const idlePercentPerHour = 0.15
/** Below this nobody rides the vehicle, and staff come after a while. */
const tooLowPercent = 13
const lowBatteryPercent = 20
const lowBatteryAlarm = 4
const swapMeanMs = 900_000

/** The first vehicle of every area and every eighth after them stay where they are. */
export const isStationary = (index: number): boolean => index < demoAreas.length || index % 8 === 7

type Ground = { router: Router; streets: Street[][] }

function makeGround(city: Pick<City, 'net'>): Ground {
  const rideable = new Set(['secondary', 'tertiary', 'residential'])
  return {
    router: createRouter(city.net),
    streets: demoAreas.map((area) => {
      const ring = area.ring.map(([lng, lat]) => toPoint({ lng, lat }))
      return city.net.streets.filter(
        ({ roadClass, points }) =>
          rideable.has(roadClass) && lengthOf(points) > 60 && points.every((point) => inside(point, ring)),
      )
    }),
  }
}

/** A kerb of the area that is neither next door nor at the other end of it; null after a few vain tries. */
function findGoal({
  ground,
  from,
  areaIndex,
  random,
}: {
  ground: Ground
  from: Point
  areaIndex: number
  random: Random
}): Point | null {
  const streets = ground.streets[areaIndex] ?? []
  for (let tries = 0; tries < 12; tries++) {
    const points = streets[random.below(streets.length)]?.points ?? []
    const [a, b] = [points[1], points[2]]
    if (!a || !b) continue
    const share = random.between(0.1, 0.9)
    const apart = distance(a, b) || 1
    const [x, y] = between(a, b, share)
    const goal: Point = [x + ((b[1] - a[1]) / apart) * 7, y - ((b[0] - a[0]) / apart) * 7]
    const beelineM = distance(from, goal)
    if (beelineM >= shortestRideM && beelineM <= longestRideM) return goal
  }
  return null
}

/** The clock, which devices go by, and the city's own time, which may run faster. */
type Moment = { nowMs: number; simMs: number; dtMs: number }

function setOut(vehicle: FleetVehicle, ground: Ground, { nowMs, simMs }: Moment): void {
  const { body, random, areaIndex } = vehicle
  const from = toPoint(body)
  const goal = findGoal({ ground, from, areaIndex, random })
  const route = goal && ground.router.route(from, goal)
  if (!route) {
    vehicle.riderAtMs = simMs + random.exponential(nextRiderMeanMs)
    return
  }
  turnLock(body, false, nowMs)
  vehicle.ride = beginRide({ route, nowMs: simMs, random, topKmh: vehicle.model === 'SD-E2' ? 24 : 19 })
}

function rideOn(vehicle: FleetVehicle, ride: Ride, { nowMs, simMs, dtMs }: Moment): void {
  const { body, random } = vehicle
  const { point, movedM, over } = stepRide(ride, { nowMs: simMs, dtMs, random })
  const [lng, lat] = toLngLat(point)
  Object.assign(body, { lat, lng, speedKmh: ride.speedKmh })
  body.odometerM += movedM
  body.batteryPercent = Math.max(0, body.batteryPercent - movedM / 1000 / kmPerPercent)
  if (over) {
    turnLock(body, true, nowMs)
    body.speedKmh = 0
    vehicle.ride = null
    vehicle.riderAtMs = simMs + random.exponential(nextRiderMeanMs)
  }
}

function careForBattery(vehicle: FleetVehicle, { simMs, dtMs }: Moment): void {
  const { body, core, random } = vehicle
  body.batteryPercent = Math.max(0, body.batteryPercent - (idlePercentPerHour * dtMs) / 3_600_000)
  if (!vehicle.lowBatteryTold && body.batteryPercent < lowBatteryPercent) {
    vehicle.lowBatteryTold = true
    core.alarm(lowBatteryAlarm)
  }
  if (vehicle.ride || body.batteryPercent >= tooLowPercent) return
  vehicle.swapAtMs ??= simMs + random.exponential(swapMeanMs)
  if (simMs < vehicle.swapAtMs) return
  // Staff open the compartment and put a full battery in.
  core.say({ instruction: 'L5', operation: 1, result: 0 })
  body.batteryPercent = random.between(96, 100)
  core.heartbeat()
  vehicle.swapAtMs = null
  vehicle.lowBatteryTold = false
}

function stepVehicle(vehicle: FleetVehicle, ground: Ground, moment: Moment): void {
  const { simMs, dtMs } = moment
  const { body, ride } = vehicle
  careForBattery(vehicle, moment)
  // The platform may lock at a red light; the ride is then over where it stands.
  if (ride && body.locked) {
    vehicle.ride = null
    body.speedKmh = 0
    vehicle.riderAtMs = simMs + vehicle.random.exponential(nextRiderMeanMs)
  } else if (ride) {
    rideOn(vehicle, ride, moment)
  } else if (!vehicle.stationary && body.locked && simMs >= vehicle.riderAtMs && body.batteryPercent > tooLowPercent) {
    setOut(vehicle, ground, moment)
  }
  vehicle.core.troubles.gpsNoiseM = vehicle.ride ? 2.5 : 0.8
  vehicle.troubles.step(simMs, dtMs)
}

function makeVehicle({
  demo,
  index,
  seed,
  startMs,
  faults,
  timing,
}: {
  demo: DemoVehicle
  index: number
  seed: number
  startMs: number
  faults: number
  timing: OmniTiming
}): FleetVehicle {
  const random = createRandom(childSeed(seed, index))
  const body: VehicleBody = {
    lat: demo.lat,
    lng: demo.lng,
    speedKmh: 0,
    locked: true,
    batteryPercent: random.chance(0.12) ? random.between(9, 22) : random.between(24, 100),
    odometerM: Math.round(random.between(40, 2600)) * 1000,
    signal: 20 + random.below(12),
    openSinceMs: null,
  }
  const core = createOmniDeviceCore({ imei: demo.imei, body, random, timing, startMs })
  return {
    ...demo,
    index,
    stationary: isStationary(index),
    core,
    body,
    ride: null,
    riderAtMs: startMs + random.exponential(firstRiderMeanMs),
    swapAtMs: null,
    lowBatteryTold: body.batteryPercent < lowBatteryPercent,
    random,
    troubles: createTroubleMaker({ core, faults, random: createRandom(childSeed(seed, index + 1_000_000)) }),
  }
}

/** The demo's vehicles and the riders that use them; pure but for its own state, driven by `step`. */
export function createFleet({
  seed,
  count,
  startMs,
  faults = 0,
  timing = demoTiming,
  city = makeStreetPlan(),
}: {
  seed: number
  count: number
  startMs: number
  /** 0: nothing ever breaks; 1: a bad day. */
  faults?: number
  timing?: OmniTiming
  city?: Pick<City, 'net'>
}): Fleet {
  const ground = makeGround(city)
  let simMs = startMs
  const vehicles = demoVehicles(count).map((demo, index) => makeVehicle({ demo, index, seed, startMs, faults, timing }))
  return {
    vehicles,
    step(nowMs, dtMs) {
      simMs += dtMs
      for (const vehicle of vehicles) stepVehicle(vehicle, ground, { nowMs, simMs, dtMs })
    },
  }
}
