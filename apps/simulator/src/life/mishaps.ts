import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { fallSilent } from './line.ts'
import { rideAlong, type Ride } from './ride.ts'
import { askFor } from './staff.ts'
import { weatherAt } from './weather.ts'
import {
  batteryAt,
  expect,
  openAlarm,
  park,
  setBattery,
  turnState,
  unpark,
  type LifeVehicle,
  type World,
} from './world.ts'

/** How often it happens to one vehicle in a day, on the worst day (faults = 1). */
const perDay = { fall: 0.03, theft: 0.0015, silence: 0.02, powerCut: 0.0012, tamper: 0.0012 } as const
/** How many rides end with a complaint about the vehicle, on the worst day. */
const perRide = 0.004
const checkEveryMs = 10 * minuteMs

/** Things that happen to vehicles that stand about; called every ten minutes. */
export function temptFate(world: World): void {
  const { random, faults, nowMs } = world
  if (faults === 0) return
  const share = (faults * checkEveryMs) / dayMs
  const windy = weatherAt(world.seed, nowMs).kind === 'storm' ? 6 : 1
  const luck = random.mishaps
  const strike = (rate: number, act: (vehicle: LifeVehicle) => void) => {
    for (let hits = luck.poisson(rate * share * world.vehicles.length); hits > 0; hits--) {
      const vehicle = world.vehicles[luck.below(world.vehicles.length)]
      if (vehicle && vehicle.state === 'available' && !vehicle.silent && vehicle.taskId === null) {
        if (!vehicle.theft && !vehicle.wish) act(vehicle)
      }
    }
  }
  strike(perDay.fall * windy, (vehicle) => fall(world, vehicle))
  strike(perDay.theft, (vehicle) => steal(world, vehicle))
  strike(perDay.silence, (vehicle) => fallSilent(world, vehicle, luck.between(0.03, 2.5) * hourMs))
  strike(perDay.powerCut, (vehicle) => {
    openAlarm(world, vehicle, 'power_cut')
    askFor(world, { kind: 'repair', vehicle, source: 'rule', goal: null })
    fallSilent(world, vehicle, null)
  })
  strike(perDay.tamper, (vehicle) => {
    openAlarm(world, vehicle, 'tamper')
    askFor(world, { kind: 'inspect', vehicle, source: 'rule', goal: null })
  })
}

function fall(world: World, vehicle: LifeVehicle): void {
  openAlarm(world, vehicle, 'fall')
  const atMs = world.nowMs + Math.round(world.random.mishaps.exponential(2.2 * hourMs))
  // Somebody who passes by puts it up again.
  expect(world, { atMs, what: 'fall_seen', ref: vehicle.index, number: 0 })
}

/** Somebody pushes it away, locked as it is. */
function steal(world: World, vehicle: LifeVehicle): void {
  const { town, nowMs } = world
  const luck = world.random.mishaps
  const own = town.byArea[vehicle.areaIndex] ?? []
  const to = own[luck.below(own.length)] ?? vehicle.anchor
  const route = town.book.between(vehicle.anchor, to)
  if (!route || vehicle.rest.length > 0) return
  const stopAtM = Math.min(route.lengthM, luck.between(250, 1400))
  const way = rideAlong({
    route,
    start: vehicle.point,
    end: town.anchors[to]?.point ?? vehicle.point,
    cruiseKmh: 6,
    stopAtM,
    random: luck,
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
  askFor(world, { kind: 'retrieve', vehicle, source: 'rule', goal: null })
}

/** Now and then a rider reports that something is broken; nobody gets the vehicle until it is mended. */
export function findTrouble(world: World, vehicle: LifeVehicle): void {
  if (!world.random.mishaps.chance(perRide * world.faults) || vehicle.taskId !== null) return
  turnState(world, vehicle, { event: 'maintenance', to: 'non_operational', cause: 'operator' })
  askFor(world, { kind: 'repair', vehicle, source: 'rider', goal: null })
}
