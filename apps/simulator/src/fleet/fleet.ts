import type { KeyObject } from 'node:crypto'
import { demoAreas, demoVehicles, type DemoVehicle } from '@saddle/contract/demo/city.ts'
import { deviceAlarms, type DeviceAlarm } from '@saddle/device-protocols/report.ts'
import { toLngLat, type Point } from '#sim/city/geometry.ts'
import { timingFor, type Device, type DeviceTiming } from '#sim/device/device.ts'
import { setLock, type VehicleBody } from '#sim/device/vehicle-body.ts'
import { createLife, type Life, type LifeRecord } from '#sim/life/life.ts'
import { placeOnWay, secondsInto, type Ride } from '#sim/life/ride.ts'
import type { Town } from '#sim/life/town.ts'
import { batteryAt, percentFor, type LifeEvent, type LifeVehicle, type Missed, type Person } from '#sim/life/world.ts'
import { childSeed, createRandom } from '#sim/random.ts'
import { makeDevice } from '#sim/device/protocols.ts'
import { createTroubleMaker, type TroubleMaker } from './troubles.ts'

export type FleetVehicle = DemoVehicle & {
  index: number
  /** Nobody rides it, so that the console has vehicles to try its commands on. */
  stationary: boolean
  body: VehicleBody
  device: Device
  life: LifeVehicle
  troubles: TroubleMaker
  /** Its device has no network or no power. */
  silent: boolean
}

export type Fleet = {
  vehicles: FleetVehicle[]
  life: Life
  /** One step of the whole fleet; `dtMs` is the city's time and may run faster than the clock. */
  step(nowMs: number, dtMs: number): void
}

export type FleetOptions = {
  seed: number
  count: number
  startMs: number
  town: Town
  /** Fault rate: 0 for none, 1 for a bad day. */
  faults?: number
  timing?: DeviceTiming
  /** A saved state to continue; absent: the initial state. */
  from?: LifeRecord
  /** The password that the platform gave an MQTT device. */
  passwordOf?: (imei: string) => string
  /** What the platform last heard that a device runs. */
  firmwareOf?: ((imei: string) => string | undefined) | undefined
  /** Of those whose firmware devices take. */
  artefactKey?: KeyObject | null | undefined
  /** Whether a vehicle can be unlocked by an app just now. */
  isReachable?: (index: number) => boolean
  /** Whether riders take vehicles with their app just now; without it rides begin and end by themselves. */
  isAppControlled?: () => boolean
  /** Whether this staff member works now. */
  isAtWork?: (person: Person) => boolean
  miss?: (missed: Missed) => void
  listen?: (event: LifeEvent) => void
}

/** The first two vehicles of every area stay where they are. */
export const isStationary = (index: number): boolean => index < 2 * demoAreas.length

/** Interval at which faults are drawn for each device and idle batteries are checked. */
const troubleEveryMs = 2_000

const asAlarm = (name: string): DeviceAlarm | undefined => deviceAlarms.find((alarm) => alarm === name)

/** The demo's vehicles with their devices, and the city simulation that moves them. Driven by `step`. */
export function createFleet(options: FleetOptions): Fleet {
  const {
    seed,
    count,
    startMs,
    town,
    faults = 0,
    from,
    isReachable = () => true,
    listen,
    artefactKey,
    firmwareOf,
  } = options
  const timing = options.timing ?? timingFor(count)
  const passwordOf = options.passwordOf ?? (() => '')
  let nowMs = startMs
  const vehicles: FleetVehicle[] = []
  const moving = new Set<FleetVehicle>()
  const life = createLife({
    seed,
    town,
    from: from ?? { count, startMs },
    faults,
    ...(options.isAppControlled && { isAppControlled: options.isAppControlled }),
    ...(options.isAtWork && { isAtWork: options.isAtWork }),
    ...(options.miss && { miss: options.miss }),
    listen: (event) => {
      const vehicle = vehicles[event.vehicle.index]
      if (vehicle) follow({ vehicle, event, nowMs, moving })
      listen?.(event)
    },
    isRentable: ({ index }) => !isStationary(index) && vehicles[index]?.body.locked === true && isReachable(index),
  })
  for (const [index, demo] of demoVehicles(Math.min(count, life.vehicles.length)).entries()) {
    const own = life.vehicles[index]
    if (!own) continue
    const body = bodyOf(own, { atMs: life.nowMs, startMs, signal: 20 + createRandom(childSeed(seed, index)).below(12) })
    const random = createRandom(childSeed(seed, index + 4_000_000))
    const device = makeDevice({
      demo,
      body,
      random,
      timing,
      startMs,
      password: passwordOf(demo.imei),
      index,
      artefactKey,
      firmware: firmwareOf?.(demo.imei),
    })
    const troubles = createTroubleMaker({
      troubles: device.troubles,
      faults,
      random: createRandom(childSeed(seed, index + 1_000_000)),
    })
    const vehicle = Object.assign(demo, {
      index,
      stationary: isStationary(index),
      body,
      device,
      life: own,
      troubles,
      silent: own.silent || own.state === 'removed',
    })
    vehicles.push(vehicle)
    if (own.ride ?? own.theft) moving.add(vehicle)
  }
  let turn = 0
  return {
    vehicles,
    life,
    step(now, dtMs) {
      nowMs = now
      life.advance(life.nowMs + dtMs)
      for (const vehicle of moving) move(vehicle, life)
      turn = lookAfterSome({ vehicles, life, dtMs, turn, nowMs })
    },
  }
}

function bodyOf(own: LifeVehicle, at: { atMs: number; startMs: number; signal: number }): VehicleBody {
  const [lng, lat] = toLngLat(own.point)
  const body: VehicleBody = {
    lat,
    lng,
    speedKmh: 0,
    headingDeg: null,
    locked: true,
    batteryPercent: batteryAt(own, at.atMs),
    odometerM: own.odometerM,
    signal: at.signal,
    openSinceMs: null,
  }
  if (own.ride) setLock(body, false, at.startMs)
  return body
}

/** A part of the fleet each step, so that every vehicle has its turn every two seconds. */
function lookAfterSome({
  vehicles,
  life,
  dtMs,
  turn,
  nowMs,
}: {
  vehicles: readonly FleetVehicle[]
  life: Life
  dtMs: number
  turn: number
  nowMs: number
}): number {
  const many = Math.min(vehicles.length, Math.ceil((vehicles.length * Math.max(dtMs, 1)) / troubleEveryMs))
  const passedMs = many === 0 ? 0 : (dtMs * vehicles.length) / many
  for (let done = 0; done < many; done++) {
    const vehicle = vehicles[(turn + done) % vehicles.length]
    if (!vehicle) continue
    const { body, life: own, device } = vehicle
    if (!own.ride) body.batteryPercent = batteryAt(own, life.nowMs)
    device.troubles.gpsNoiseM = own.ride ? 2.5 : 0.8
    vehicle.troubles.step(nowMs, passedMs)
  }
  return vehicles.length === 0 ? 0 : (turn + many) % vehicles.length
}

/** Takes a vehicle along its way. */
function move(vehicle: FleetVehicle, life: Life): void {
  const { body, life: own } = vehicle
  const isHeld = own.ride?.heldAtMs !== undefined
  // The platform may lock at a red light; the ride is then over where it stands.
  if (own.ride && body.locked && !isHeld) return life.lockRide(own)
  const ride = own.ride ?? own.theft
  if (!ride) return
  const place = placeOnWay(ride.way, secondsInto(ride, life.nowMs))
  put(body, place.point)
  body.speedKmh = isHeld ? 0 : place.speedKmh
  body.headingDeg = place.headingDeg ?? body.headingDeg ?? null
  body.batteryPercent = chargeOn(ride, own, place.movedM)
  body.odometerM = own.odometerM + place.movedM
}

const chargeOn = (ride: Ride, own: LifeVehicle, movedM: number) =>
  own.ride ? Math.max(0, ride.startBattery - percentFor(movedM)) : ride.startBattery

function put(body: VehicleBody, point: Point): void {
  const [lng, lat] = toLngLat(point)
  body.lat = lat
  body.lng = lng
}

function rest(vehicle: FleetVehicle, moving: Set<FleetVehicle>): void {
  const { body, life: own } = vehicle
  moving.delete(vehicle)
  put(body, own.point)
  Object.assign(body, { speedKmh: 0, headingDeg: null, odometerM: own.odometerM, batteryPercent: own.battery })
}

/** Applies a city event to the vehicle and its device. */
function follow({
  vehicle,
  event,
  nowMs,
  moving,
}: {
  vehicle: FleetVehicle
  event: LifeEvent
  nowMs: number
  moving: Set<FleetVehicle>
}): void {
  const { body, device } = vehicle
  switch (event.kind) {
    case 'trip_start':
      if (body.locked) setLock(body, false, nowMs)
      moving.add(vehicle)
      return
    case 'trip_end':
      rest(vehicle, moving)
      if (!body.locked) setLock(body, true, nowMs)
      return
    case 'theft_start':
      moving.add(vehicle)
      return
    case 'theft_end':
      return rest(vehicle, moving)
    case 'alarm': {
      const name = asAlarm(event.open ? event.alarm : `${event.alarm}_cleared`)
      if (name) device.alarm(name, nowMs)
      return
    }
    case 'swapped':
      body.batteryPercent = event.vehicle.battery
      return device.report(nowMs)
    case 'loaded':
      vehicle.silent = true
      return
    case 'placed':
      rest(vehicle, moving)
      vehicle.silent = false
      return device.report(nowMs)
    case 'line':
      vehicle.silent = !event.up
      return
    case 'ride_wanted':
      // A ride that was running without the app.
      if (!moving.has(vehicle)) return
      rest(vehicle, moving)
      return setLock(body, true, nowMs)
    case 'state':
    case 'task':
  }
}
