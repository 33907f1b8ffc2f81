import { demoVehicles } from '@saddle/contract/demo/city.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { toPoint, type Point } from '#sim/city/geometry.ts'
import { childSeed, createRandom } from '#sim/random.ts'
import { findLine, giveUpLine } from './line.ts'
import { endTheft, temptFate } from './mishaps.ts'
import { cityHour } from './rhythm.ts'
import { askAgain, beginWish, dropWish, holdRide, releaseRide, walkOn } from './hailed.ts'
import { endRide, inviteRiders, watchBattery, welcomeRider } from './riders.ts'
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

/** A life written down: plain data that goes on exactly where it stopped. */
export type LifeRecord = {
  version: 1
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
  random: { riders: number[]; staff: number; mishaps: number }
}

export type Life = {
  readonly nowMs: number
  readonly vehicles: readonly LifeVehicle[]
  readonly unmet: number
  readonly openTasks: readonly Task[]
  /** Lives on until then and tells everything that happens on the way. */
  advance(toMs: number): void
  /** The vehicle was locked: the ride is over, or, on the way, over where it stands. */
  lockRide(vehicle: LifeVehicle): void
  /** What riders do who have an app. */
  readonly hailed: {
    /** The lock has opened for whoever wished for it; false when it cannot be ridden any more. */
    begin(vehicle: LifeVehicle, order: NonNullable<Ride['order']>): boolean
    /** Nothing comes of the wish. */
    giveUp(vehicle: LifeVehicle): void
    /** A ride that nobody was told of is wished for instead. */
    askAgain(vehicle: LifeVehicle): void
    hold(vehicle: LifeVehicle): void
    release(vehicle: LifeVehicle): void
    /** It may not be left here: on to the next place. */
    walkOn(vehicle: LifeVehicle): void
  }
  /** What the platform asks of staff. */
  readonly staff: {
    /** Opens a task, unless the vehicle is part of one of this kind already. */
    direct(vehicle: LifeVehicle, task: Directed): void
    /** Nobody does this task any more. */
    letGo(taskId: number): void
  }
  record(): LifeRecord
}

export type LifeOptions = {
  seed: number
  town: Town
  /** What it begins with: vehicles at their places, or where a record stopped. */
  from: { count: number; startMs: number } | LifeRecord
  /** 0: nothing ever breaks; 1: a bad day. */
  faults: number
  listen?: (event: LifeEvent) => void
  /** Hears of riders who find no vehicle. */
  miss?: (missed: Missed) => void
  isRentable?: (vehicle: LifeVehicle) => boolean
  isHailed?: () => boolean
  isAtWork?: (person: Person) => boolean
  quietFromMs?: number
}

/** The life of the city: riders, staff and mishaps, from event to event. The same seed gives the same life. */
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
    hailed: {
      begin: (vehicle, order) => beginWish(world, vehicle, order),
      giveUp: (vehicle) => dropWish(world, vehicle),
      askAgain: (vehicle) => askAgain(world, vehicle),
      hold: (vehicle) => holdRide(world, vehicle),
      release: (vehicle) => releaseRide(world, vehicle),
      walkOn: (vehicle) => walkOn(world, vehicle),
    },
    staff: {
      direct: (vehicle, task) => direct(world, vehicle, task),
      letGo: (taskId) => letGo(world, taskId),
    },
    record: () => recordOf(world),
  }
}

function happen(world: World, { what, ref, number, atMs }: Coming, vehiclesPerArea: readonly number[]): void {
  if (what === 'minute') return passMinute(world, vehiclesPerArea, atMs)
  if (what === 'rider') return welcomeRider(world, ref, number)
  const vehicle = world.vehicles[ref]
  if (!vehicle) return
  if (what === 'trip_end' && vehicle.ride?.number === number) arrive(world, vehicle, vehicle.ride)
  if (what === 'theft_end' && vehicle.theft?.number === number) endTheft(world, vehicle)
  if (what === 'task_load') loadVehicle(world, vehicle, number)
  if (what === 'task_done') finishTask(world, vehicle, number)
  if (what === 'line_given_up') giveUpLine(world, vehicle)
  if (what === 'line_found') findLine(world, vehicle)
  if (what === 'fall_seen') closeAlarm(world, vehicle, 'fall')
}

/** Whoever has an app gives the vehicle back with it; of a ride that was held up the end comes later. */
function arrive(world: World, vehicle: LifeVehicle, ride: Ride): void {
  if (!world.isHailed() || ride.order === undefined) return endRide(world, vehicle)
  if (ride.heldAtMs === undefined && ride.endMs <= world.nowMs) ride.hasArrived = true
}

function passMinute(world: World, vehiclesPerArea: readonly number[], atMs: number): void {
  expect(world, { atMs: atMs + minuteMs, what: 'minute', ref: 0, number: 0 })
  inviteRiders(world, vehiclesPerArea)
  const minute = Math.round(atMs / minuteMs)
  if (minute % 3 === 0) assignWork(world)
  if (minute % 10 === 0) temptFate(world)
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
  isHailed = () => false,
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
    isHailed,
    isAtWork,
  }
  if ('version' in from) {
    const { random, tasks, version: _, ...rest } = structuredClone(from)
    // Whoever stood before a vehicle then has gone away since.
    for (const vehicle of rest.vehicles) delete vehicle.wish
    return {
      ...base,
      ...rest,
      seed,
      tasks: new Map(tasks.map((task) => [task.id, task])),
      random: {
        riders: random.riders.map(createRandom),
        staff: createRandom(random.staff),
        mishaps: createRandom(random.mishaps),
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
      mishaps: createRandom(childSeed(seed, 3_200_000)),
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
    version: 1,
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
      mishaps: random.mishaps.state(),
    },
  })
}
