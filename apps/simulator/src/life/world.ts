import type { TaskKind, TaskSource, TaskState } from '@saddle/contract/operations/taskWords.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { Point } from '#sim/city/geometry.ts'
import type { Random } from '#sim/random.ts'
import type { Population } from './population.ts'
import type { Ride } from './ride.ts'
import type { Town } from './town.ts'

/** States of MDS 2.0 that the city's own rules lead to. */
export type LifeState = 'available' | 'on_trip' | 'non_operational' | 'removed' | 'non_contactable'

export type LifeVehicle = {
  index: number
  areaIndex: number
  topKmh: number
  /** Its position; during a ride, the position of the start. */
  point: Point
  /** The anchor it is counted at. */
  anchor: number
  /** The path along the street to that anchor, if it was left short of it. */
  rest: Point[]
  /** As of `batteryAtMs`; an idle vehicle still draws a little. */
  battery: number
  batteryAtMs: number
  odometerM: number
  state: LifeState
  /** The state before it went offline. */
  stateBefore: LifeState | null
  ride: Ride | null
  /** The ride that a rider is requesting with the app; absent or null when there is none. */
  rideRequest?: Ride | null
  /** Being stolen: moves although it is locked. */
  theft: Ride | null
  /** The staff's task that it is part of; null when none. */
  taskId: number | null
  alarms: string[]
  /** The device has no network, or no power. */
  silent: boolean
}

export type Task = {
  id: number
  kind: TaskKind
  vehicle: number
  areaIndex: number
  state: TaskState
  openedAtMs: number
  claimedAtMs: number | null
  doneAtMs: number | null
  personName: string | null
  source: TaskSource
  /** The anchor to bring the vehicle to, for those that move it. */
  goal: number | null
  /** The assignee, if the platform assigned the task. */
  wanted?: string
  /** When the assignee arrives at the vehicle. */
  onSiteAtMs?: number
}

export type Person = { name: string; areaIndex: number; point: Point; freeAtMs: number; shift: 'early' | 'late' }

type Happened =
  | { kind: 'trip_start' | 'trip_end'; ride: Ride }
  /** A rider requests the vehicle with the app. */
  | { kind: 'ride_wanted'; ride: Ride }
  | { kind: 'state'; event: string; from: LifeState; to: LifeState; cause: 'device' | 'clock' | 'operator' }
  | { kind: 'alarm'; alarm: string; open: boolean }
  | { kind: 'task'; task: Task }
  /** Staff dropped it off elsewhere. */
  | { kind: 'placed' }
  /** Staff switched its device off and loaded it. */
  | { kind: 'loaded' }
  | { kind: 'swapped'; before: number }
  /** The device's connection: lost and restored. */
  | { kind: 'line'; up: boolean }
  | { kind: 'theft_start' | 'theft_end'; ride: Ride }

/** Something that happened to a vehicle, in the city's time. */
export type LifeEvent = { atMs: number; vehicle: LifeVehicle } & Happened

/** A future event; plain data, so that a simulation can be saved and continued. */
export type Coming = {
  atMs: number
  /** Keeps events of the same moment in order. */
  order: number
  what:
    | 'minute'
    | 'rider'
    | 'rider_again'
    | 'trip_end'
    | 'task_load'
    | 'task_done'
    | 'line_found'
    | 'line_given_up'
    | 'fall_seen'
    | 'theft_end'
  /** A vehicle, or the area of a rider. */
  ref: number
  /** The purpose of a rider, who it is that rides again, or the number of the ride or task that this belongs to. */
  number: number
}

/** A rider who found no vehicle, and where. */
export type Missed = { atMs: number; areaIndex: number; point: Point }

export type World = {
  readonly seed: number
  readonly town: Town
  readonly population: Population
  readonly faults: number
  nowMs: number
  vehicles: LifeVehicle[]
  /** Vehicles that stand at each anchor. */
  parked: number[][]
  queue: Coming[]
  order: number
  rides: number
  /** Riders that found no vehicle. */
  unmet: number
  tasks: Map<number, Task>
  lastTaskId: number
  people: Person[]
  random: { riders: Random[]; staff: Random; incidents: Random }
  /** The vehicle that each rider took last; not saved, because it is only used during a ride. */
  readonly lastVehicle: Map<number, number>
  /** From then on staff start no work that removes vehicles from the street; Infinity in the live city. */
  readonly quietFromMs: number
  readonly emit: (event: LifeEvent) => void
  readonly miss: (missed: Missed) => void
  /** Whether rides are currently started and ended by rider apps; otherwise by the simulation. */
  readonly isAppControlled: () => boolean
  /** Whether a staff member works now; in the live city only those connected to the platform do. */
  readonly isAtWork: (person: Person) => boolean
  /** Whether a rider may take it; in the live fleet not while the console has opened the lock. */
  readonly isRentable: (vehicle: LifeVehicle) => boolean
}

export const lowBatteryPercent = 20
/** Below this charge a vehicle is not rented. */
export const tooLowPercent = 12
/** Without a report for this long a vehicle is offline. */
export const offlineAfterMs = 10 * minuteMs
const idlePercentPerHour = 0.09
const kmPerPercent = 0.55

export const percentFor = (metres: number): number => metres / 1000 / kmPerPercent

/** The charge now. */
export const batteryAt = (vehicle: LifeVehicle, atMs: number): number =>
  Math.max(0, vehicle.battery - (Math.max(0, atMs - vehicle.batteryAtMs) / hourMs) * idlePercentPerHour)

export function setBattery(vehicle: LifeVehicle, percent: number, atMs: number): void {
  vehicle.battery = percent
  vehicle.batteryAtMs = atMs
}

/** Queues an event; the queue is a heap by time and order. */
export function expect(world: World, coming: Omit<Coming, 'order'>): void {
  const { queue } = world
  const item: Coming = { ...coming, order: world.order++ }
  let at = queue.push(item) - 1
  while (at > 0) {
    const up = (at - 1) >> 1
    const parent = queue[up]
    if (!parent || !isBefore(item, parent)) break
    queue[at] = parent
    at = up
  }
  queue[at] = item
}

const isBefore = (a: Coming, b: Coming) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)

/** Takes the next event until then; undefined when there is none. */
export function takeNext(world: World, untilMs: number): Coming | undefined {
  const { queue } = world
  const top = queue[0]
  if (!top || top.atMs > untilMs) return undefined
  const last = queue.pop()
  if (last && last !== top) {
    let at = 0
    for (;;) {
      const [left, right] = [queue[2 * at + 1], queue[2 * at + 2]]
      const child = left && right && isBefore(right, left) ? right : left
      if (!child || !isBefore(child, last)) break
      queue[at] = child
      at = child === left ? 2 * at + 1 : 2 * at + 2
    }
    queue[at] = last
  }
  return top
}

export function transition(
  world: World,
  vehicle: LifeVehicle,
  step: { event: string; to: LifeState; cause: 'device' | 'clock' | 'operator' },
): void {
  const from = vehicle.state
  vehicle.state = step.to
  world.emit({ atMs: world.nowMs, vehicle, kind: 'state', from, ...step })
}

export function openAlarm(world: World, vehicle: LifeVehicle, alarm: string): void {
  if (vehicle.alarms.includes(alarm)) return
  vehicle.alarms.push(alarm)
  world.emit({ atMs: world.nowMs, vehicle, kind: 'alarm', alarm, open: true })
}

export function closeAlarm(world: World, vehicle: LifeVehicle, alarm: string): void {
  const index = vehicle.alarms.indexOf(alarm)
  if (index < 0) return
  vehicle.alarms.splice(index, 1)
  world.emit({ atMs: world.nowMs, vehicle, kind: 'alarm', alarm, open: false })
}

/** Puts a vehicle at an anchor's kerb, or leaves it where it is and counts it there. */
export function park(world: World, vehicle: LifeVehicle, at: { anchor: number; point: Point; rest: Point[] }): void {
  vehicle.point = at.point
  vehicle.anchor = at.anchor
  vehicle.rest = at.rest
  world.parked[at.anchor]?.push(vehicle.index)
}

export function unpark(world: World, vehicle: LifeVehicle): void {
  const standing = world.parked[vehicle.anchor]
  const index = standing?.indexOf(vehicle.index) ?? -1
  if (index >= 0) standing?.splice(index, 1)
}

/** Vehicles stand side by side along the kerb; behind a full row a second one begins. */
export function slotAt(world: World, anchor: number, random: Random): Point {
  const { point, along } = world.town.anchors[anchor] ?? { point: [0, 0] as const, along: [0, 1] as const }
  const slot = world.parked[anchor]?.length ?? 0
  const alongM = (slot % 20) * 1.4 + random.between(-0.3, 0.3)
  const acrossM = Math.min(2, Math.floor(slot / 20)) * 1.2 + random.between(-0.2, 0.2)
  return [point[0] + along[0] * alongM + along[1] * acrossM, point[1] + along[1] * alongM - along[0] * acrossM]
}
