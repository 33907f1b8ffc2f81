import { demoVehicles } from '@saddle/contract/demo/city.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { toPoint, type Point } from '#sim/city/geometry.ts'
import { childSeed, createRandom } from '#sim/random.ts'
import { restoreConnection, markOffline } from './connectivity.ts'
import { endTheft, generateIncidents } from './incidents.ts'
import { cityHour } from './rhythm.ts'
import { requeueRide, startRequestedRide, abandonRideRequest, holdRide, releaseRide, continueRide } from './appRides.ts'
import { endRide, generateRiders, serveAgain, serveRider, watchBattery } from './riders.ts'
import { createPopulation } from './population.ts'
import { placeOnWay, secondsInto, type Ride } from './ride.ts'
import {
  assignWork,
  direct,
  finishTask,
  hire,
  letGo,
  loadVehicle,
  planInspections,
  planMoves,
  type Directed,
} from './staff.ts'
import type { Town } from './town.ts'
import {
  closeAlarm,
  expect,
  takeNext,
  type Coming,
  type LifeEvent,
  type LifeVehicle,
  type Missed,
  type Person,
  type Task,
  type World,
} from './world.ts'

/** Hours of the day at which staff look where vehicles pile up. */
const moveHours = [6.5, 10, 14, 20, 22]

/** Saved state of a simulation: plain data that continues exactly where it stopped. */
export type LifeRecord = {
  version: 2
  seed: number
  nowMs: number
  vehicles: LifeVehicle[]
  parked: number[][]
  queue: Coming[]
  order: number
  rides: number
  unmet: number
  tasks: Task[]
  lastTaskId: number
  people: Person[]
  random: { riders: number[]; staff: number; incidents: number }
}

export type Life = {
  readonly nowMs: number
  readonly vehicles: readonly LifeVehicle[]
  readonly unmet: number
  readonly openTasks: readonly Task[]
  /** Advances to that moment and emits every event. */
  advance(toMs: number): void
  /** The vehicle was locked: the ride is over, or, on the way, over where it stands. */
  lockRide(vehicle: LifeVehicle): void
  /** Actions of riders with an app. */
  readonly appRides: {
    /** The lock has opened for the requested ride; false when the vehicle can no longer be ridden. */
    begin(vehicle: LifeVehicle, order: NonNullable<Ride['order']>): boolean
    /** The request is abandoned. */
    giveUp(vehicle: LifeVehicle): void
    /** Turns a ride unknown to the platform into a request. */
    requeueRide(vehicle: LifeVehicle): void
    hold(vehicle: LifeVehicle): void
    release(vehicle: LifeVehicle): void
    /** The return was refused: continue to the next parking spot. */
    continueRide(vehicle: LifeVehicle): void
    /** A rider who rides later, once more than otherwise. */
    comeAgain(ride: { readonly area: number; readonly rider: number; readonly atMs: number }): void
  }
  /** Requests of the platform to staff. */
  readonly staff: {
    /** Opens a task, unless the vehicle is part of one of this kind already. */
    direct(vehicle: LifeVehicle, task: Directed): void
    /** Drops this task. */
    letGo(taskId: number): void
  }
  record(): LifeRecord
}

export type LifeOptions = {
  seed: number
  town: Town
  /** The initial state: vehicles at their first places, or a saved state. */
  from: { count: number; startMs: number } | LifeRecord
  /** Fault rate: 0 for none, 1 for a bad day. */
  faults: number
  listen?: (event: LifeEvent) => void
  /** Hears of riders who find no vehicle. */
  miss?: (missed: Missed) => void
  isRentable?: (vehicle: LifeVehicle) => boolean
  isAppControlled?: () => boolean
  isAtWork?: (person: Person) => boolean
  quietFromMs?: number
}

/** Simulation of the city: riders, staff and incidents, event by event. The same seed gives the same events. */
export function createLife(options: LifeOptions): Life {
  const world = makeWorld(options)
  const vehiclesPerArea = world.town.byArea.map(
    (_, area) => world.vehicles.filter(({ areaIndex }) => areaIndex === area).length,
  )
  return {
    get nowMs() {
      return world.nowMs
    },
    get vehicles() {
      return world.vehicles
    },
    get unmet() {
      return world.unmet
    },
    get openTasks() {
      return [...world.tasks.values()]
    },
    advance(toMs) {
      for (let next = takeNext(world, toMs); next; next = takeNext(world, toMs)) {
        world.nowMs = Math.max(world.nowMs, next.atMs)
        happen(world, next, vehiclesPerArea)
      }
      world.nowMs = Math.max(world.nowMs, toMs)
    },
    lockRide(vehicle) {
      if (!vehicle.ride) return
      if (vehicle.ride.hasArrived === true) return endRide(world, vehicle)
      const { way, from, rest } = vehicle.ride
      const seconds = secondsInto(vehicle.ride, world.nowMs)
      const { point, movedM } = placeOnWay(way, seconds)
      const onwards = way.x.flatMap((x, at): Point[] => ((way.atS[at] ?? 0) > seconds ? [[x, way.y[at] ?? 0]] : []))
      if (movedM < 1) Object.assign(vehicle.ride, { to: from })
      endRide(world, vehicle, { point, movedM, rest: movedM < 1 ? vehicle.rest : [point, ...onwards, ...rest] })
    },
    appRides: {
      begin: (vehicle, order) => startRequestedRide(world, vehicle, order),
      giveUp: (vehicle) => abandonRideRequest(world, vehicle),
      requeueRide: (vehicle) => requeueRide(world, vehicle),
      hold: (vehicle) => holdRide(world, vehicle),
      release: (vehicle) => releaseRide(world, vehicle),
      continueRide: (vehicle) => continueRide(world, vehicle),
      comeAgain: ({ area, rider, atMs }) => expect(world, { atMs, what: 'rider_again', ref: area, number: rider }),
    },
    staff: {
      direct: (vehicle, task) => direct(world, vehicle, task),
      letGo: (taskId) => letGo(world, taskId),
    },
    record: () => recordOf(world),
  }
}

function happen(world: World, { what, ref, number, atMs, order }: Coming, vehiclesPerArea: readonly number[]): void {
  if (what === 'minute') return passMinute(world, vehiclesPerArea, atMs)
  if (what === 'rider') return serveRider(world, ref, number)
  if (what === 'rider_again') return serveAgain(world, { area: ref, rider: number, order })
  const vehicle = world.vehicles[ref]
  if (!vehicle) return
  if (what === 'trip_end' && vehicle.ride?.number === number) arrive(world, vehicle, vehicle.ride)
  if (what === 'theft_end' && vehicle.theft?.number === number) endTheft(world, vehicle)
  if (what === 'task_load') loadVehicle(world, vehicle, number)
  if (what === 'task_done') finishTask(world, vehicle, number)
  if (what === 'line_given_up') markOffline(world, vehicle)
  if (what === 'line_found') restoreConnection(world, vehicle)
  if (what === 'fall_seen') closeAlarm(world, vehicle, 'fall')
}

/** Riders with an app return the vehicle with it; a paused ride ends later. */
function arrive(world: World, vehicle: LifeVehicle, ride: Ride): void {
  if (!world.isAppControlled() || ride.order === undefined) return endRide(world, vehicle)
  if (ride.heldAtMs === undefined && ride.endMs <= world.nowMs) ride.hasArrived = true
}

function passMinute(world: World, vehiclesPerArea: readonly number[], atMs: number): void {
  expect(world, { atMs: atMs + minuteMs, what: 'minute', ref: 0, number: 0 })
  generateRiders(world, vehiclesPerArea)
  const minute = Math.round(atMs / minuteMs)
  if (minute % 3 === 0) assignWork(world)
  if (minute % 10 === 0) generateIncidents(world)
  const hour = cityHour(atMs)
  if (moveHours.some((start) => hour >= start && hour < start + 1 / 60)) planMoves(world)
  if (minute % 240 === 0) planInspections(world)
  // Charge leaks away while nobody rides, too.
  if (minute % 30 === 0) {
    for (const vehicle of world.vehicles)
      if (!vehicle.ride && vehicle.state === 'available') watchBattery(world, vehicle)
  }
}

function makeWorld({
  seed,
  town,
  from,
  faults,
  listen = () => {},
  miss = () => {},
  isRentable = () => true,
  isAppControlled = () => false,
  isAtWork = () => true,
  quietFromMs = Infinity,
}: LifeOptions): World {
  const base = {
    seed,
    town,
    population: createPopulation(town, seed),
    lastVehicle: new Map<number, number>(),
    faults,
    quietFromMs,
    emit: listen,
    miss,
    isRentable,
    isAppControlled,
    isAtWork,
  }
  if ('version' in from) {
    const { random, tasks, version: _, ...rest } = structuredClone(from)
    // Ride requests of the saved state have expired.
    for (const vehicle of rest.vehicles) delete vehicle.rideRequest
    return {
      ...base,
      ...rest,
      seed,
      tasks: new Map(tasks.map((task) => [task.id, task])),
      random: {
        riders: random.riders.map(createRandom),
        staff: createRandom(random.staff),
        incidents: createRandom(random.incidents),
      },
    }
  }
  const parked = town.anchors.map((): number[] => [])
  const world: World = {
    ...base,
    nowMs: from.startMs,
    vehicles: [],
    parked,
    queue: [],
    order: 0,
    rides: 0,
    unmet: 0,
    tasks: new Map(),
    lastTaskId: 0,
    people: hire({ town }),
    random: {
      riders: town.byArea.map((_, area) => createRandom(childSeed(seed, 3_000_000 + area))),
      staff: createRandom(childSeed(seed, 3_100_000)),
      incidents: createRandom(childSeed(seed, 3_200_000)),
    },
  }
  world.vehicles = demoVehicles(from.count).map((demo, index) => newVehicle({ world, demo, index, seed }))
  for (const vehicle of world.vehicles) parked[vehicle.anchor]?.push(vehicle.index)
  const firstMs = Math.ceil(from.startMs / minuteMs) * minuteMs
  expect(world, { atMs: firstMs, what: 'minute', ref: 0, number: 0 })
  return world
}

function newVehicle({
  world,
  demo,
  index,
  seed,
}: {
  world: World
  demo: ReturnType<typeof demoVehicles>[number]
  index: number
  seed: number
}): LifeVehicle {
  const random = createRandom(childSeed(seed, index))
  const own = world.town.byArea[demo.areaIndex] ?? []
  return {
    index,
    areaIndex: demo.areaIndex,
    topKmh: demo.model === 'SD-E2' ? 24 : 19,
    point: toPoint(demo),
    anchor: own[Math.floor(index / world.town.byArea.length) % own.length] ?? 0,
    rest: [],
    battery: random.chance(0.12) ? random.between(9, 22) : random.between(24, 100),
    batteryAtMs: world.nowMs,
    odometerM: Math.round(random.between(40, 2600)) * 1000,
    state: 'available',
    stateBefore: null,
    ride: null,
    theft: null,
    taskId: null,
    alarms: [],
    silent: false,
  }
}

function recordOf(world: World): LifeRecord {
  const { seed, nowMs, vehicles, parked, queue, order, rides, unmet, lastTaskId, people, tasks, random } = world
  return structuredClone({
    version: 2,
    seed,
    nowMs,
    vehicles,
    parked,
    queue,
    order,
    rides,
    unmet,
    lastTaskId,
    people,
    tasks: [...tasks.values()],
    random: {
      riders: random.riders.map((one) => one.state()),
      staff: random.staff.state(),
      incidents: random.incidents.state(),
    },
  })
}
