import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { loseConnection } from './connectivity.ts'
import { rideAlong, type Ride } from './ride.ts'
import { requestTask } from './staff.ts'
import { weatherAt } from './weather.ts'
import {
  batteryAt,
  expect,
  openAlarm,
  park,
  setBattery,
  transition,
  unpark,
  type LifeVehicle,
  type World,
} from './world.ts'

/** Incidents per vehicle and day at faults = 1. */
const perDay = { fall: 0.03, theft: 0.0015, silence: 0.02, powerCut: 0.0012, tamper: 0.0012 } as const
/** Share of rides that end with a fault report at faults = 1. */
const perRide = 0.004
const checkEveryMs = 10 * minuteMs

/** Incidents of parked vehicles; called every ten minutes. */
export function generateIncidents(world: World): void {
  const { random, faults, nowMs } = world
  if (faults === 0) return
  const share = (faults * checkEveryMs) / dayMs
  const windy = weatherAt(world.seed, nowMs).kind === 'storm' ? 6 : 1
  const draw = random.incidents
  const strike = (rate: number, act: (vehicle: LifeVehicle) => void) => {
    for (let hits = draw.poisson(rate * share * world.vehicles.length); hits > 0; hits--) {
      const vehicle = world.vehicles[draw.below(world.vehicles.length)]
      if (vehicle && vehicle.state === 'available' && !vehicle.silent && vehicle.taskId === null) {
        if (!vehicle.theft && !vehicle.rideRequest) act(vehicle)
      }
    }
  }
  strike(perDay.fall * windy, (vehicle) => fall(world, vehicle))
  strike(perDay.theft, (vehicle) => steal(world, vehicle))
  strike(perDay.silence, (vehicle) => loseConnection(world, vehicle, draw.between(0.03, 2.5) * hourMs))
  strike(perDay.powerCut, (vehicle) => {
    openAlarm(world, vehicle, 'power_cut')
    requestTask(world, { kind: 'repair', vehicle, source: 'rule', goal: null })
    loseConnection(world, vehicle, null)
  })
  strike(perDay.tamper, (vehicle) => {
    openAlarm(world, vehicle, 'tamper')
    requestTask(world, { kind: 'inspect', vehicle, source: 'rule', goal: null })
  })
}

function fall(world: World, vehicle: LifeVehicle): void {
  openAlarm(world, vehicle, 'fall')
  const atMs = world.nowMs + Math.round(world.random.incidents.exponential(2.2 * hourMs))
  // A passer-by puts it upright again.
  expect(world, { atMs, what: 'fall_seen', ref: vehicle.index, number: 0 })
}

/** A thief pushes the locked vehicle away. */
function steal(world: World, vehicle: LifeVehicle): void {
  const { town, nowMs } = world
  const draw = world.random.incidents
  const own = town.byArea[vehicle.areaIndex] ?? []
  const to = own[draw.below(own.length)] ?? vehicle.anchor
  const route = town.book.between(vehicle.anchor, to)
  if (!route || vehicle.rest.length > 0) return
  const stopAtM = Math.min(route.lengthM, draw.between(250, 1400))
  const way = rideAlong({
    route,
    start: vehicle.point,
    end: town.anchors[to]?.point ?? vehicle.point,
    cruiseKmh: 6,
    stopAtM,
    random: draw,
  })
  const battery = batteryAt(vehicle, nowMs)
  const ride: Ride = {
    number: ++world.rides,
    vehicle: vehicle.index,
    from: vehicle.anchor,
    to,
    startMs: nowMs,
    endMs: nowMs + (way.atS.at(-1) ?? 0) * 1000,
    startBattery: battery,
    endBattery: battery,
    lengthM: stopAtM,
    way,
    rest: [],
  }
  unpark(world, vehicle)
  vehicle.theft = ride
  world.emit({ atMs: nowMs, vehicle, kind: 'theft_start', ride })
  openAlarm(world, vehicle, 'illegal_movement')
  expect(world, { atMs: ride.endMs, what: 'theft_end', ref: vehicle.index, number: ride.number })
}

export function endTheft(world: World, vehicle: LifeVehicle): void {
  const ride = vehicle.theft
  if (!ride) return
  vehicle.theft = null
  setBattery(vehicle, ride.endBattery, world.nowMs)
  park(world, vehicle, { anchor: ride.to, point: [ride.way.x.at(-1) ?? 0, ride.way.y.at(-1) ?? 0], rest: [] })
  world.emit({ atMs: world.nowMs, vehicle, kind: 'theft_end', ride })
  requestTask(world, { kind: 'retrieve', vehicle, source: 'rule', goal: null })
}

/** Sometimes a rider reports a fault; the vehicle is out of service until it is repaired. */
export function reportFault(world: World, vehicle: LifeVehicle): void {
  if (!world.random.incidents.chance(perRide * world.faults) || vehicle.taskId !== null) return
  transition(world, vehicle, { event: 'maintenance', to: 'non_operational', cause: 'operator' })
  requestTask(world, { kind: 'repair', vehicle, source: 'rider', goal: null })
}
