import { demoStaff } from '@saddle/contract/demo/staff.ts'
import type { TaskKind } from '@saddle/contract/operations/taskWords.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import { distance, type Point } from '#sim/city/geometry.ts'
import { restoreConnection } from './connectivity.ts'
import { cityHour } from './rhythm.ts'
import {
  batteryAt,
  closeAlarm,
  expect,
  park,
  setBattery,
  slotAt,
  transition,
  unpark,
  type LifeVehicle,
  type Person,
  type Task,
  type World,
} from './world.ts'

/** Work on the spot, in minutes, at the least and at the most. */
const workMin: Record<TaskKind, [number, number]> = {
  battery_swap: [2, 5],
  move: [3, 7],
  repair: [15, 45],
  inspect: [4, 9],
  retrieve: [6, 14],
  relocate: [3, 7],
}
/** What is done first. */
const urgency: Record<TaskKind, number> = { retrieve: 0, battery_swap: 1, move: 2, repair: 3, inspect: 4, relocate: 5 }
const vanKmh = 19
const movesPerRound = 24
/** Staff do not drive for fewer vehicles than this. */
const leastSurplus = 2
/** The most vehicles that are dropped off at one place. */
const roomAt = 30
const tasksPerAreaLimit = 400

/** Staff of the demo's areas; a city with fewer areas has fewer staff. */
export function hire(world: Pick<World, 'town'>): Person[] {
  return demoStaff
    .filter(({ areaIndex }) => areaIndex < world.town.byArea.length)
    .map(({ name, areaIndex, shift }, index) => {
      const own = world.town.byArea[areaIndex] ?? []
      return { name, areaIndex, shift, point: world.town.anchors[own[index % 3] ?? 0]?.point ?? [0, 0], freeAtMs: 0 }
    })
}

const isOnShift = ({ shift }: Person, hour: number) =>
  shift === 'early' ? hour >= 6.5 && hour < 17 : hour >= 13 && hour < 23

/** Opens a task, unless the vehicle is part of one already. */
export function requestTask(
  world: World,
  {
    kind,
    vehicle,
    source,
    goal,
    wanted,
  }: { kind: TaskKind; vehicle: LifeVehicle; source: Task['source']; goal: number | null; wanted?: string | undefined },
): void {
  const { areaIndex } = vehicle
  for (const task of world.tasks.values()) {
    if (task.vehicle === vehicle.index && (task.kind === kind || task.state === 'claimed')) return
  }
  const id = ++world.lastTaskId
  const task: Task = {
    id,
    kind,
    vehicle: vehicle.index,
    areaIndex,
    state: 'open',
    openedAtMs: world.nowMs,
    claimedAtMs: null,
    doneAtMs: null,
    personName: null,
    source,
    goal,
    ...(wanted !== undefined && { wanted }),
  }
  world.tasks.set(id, task)
  world.emit({ atMs: world.nowMs, vehicle, kind: 'task', task })
}

/** Free staff take the most urgent task nearby; called every few minutes. */
export function assignWork(world: World): void {
  const hour = cityHour(world.nowMs)
  const open = new Map<number, Task[]>()
  for (const task of world.tasks.values()) {
    if (task.state !== 'open') continue
    const list = open.get(task.areaIndex)
    if (list) list.push(task)
    else open.set(task.areaIndex, [task])
  }
  for (const person of world.people) {
    if (person.freeAtMs > world.nowMs || !isOnShift(person, hour) || !world.isAtWork(person)) continue
    const task = choose(world, person, open.get(person.areaIndex) ?? [])
    if (task) claim(world, person, task)
  }
}

function choose(world: World, person: Person, open: readonly Task[]): Task | null {
  let best: Task | null = null
  let bestCost = Infinity
  for (const task of open) {
    const vehicle = world.vehicles[task.vehicle]
    if (!vehicle || task.state !== 'open' || !canWorkOn(vehicle)) continue
    if (task.wanted !== undefined && task.wanted !== person.name) continue
    const takesAway = task.kind === 'move' || task.kind === 'retrieve' || task.kind === 'relocate'
    if (takesAway && (world.nowMs >= world.quietFromMs || vehicle.state !== 'available' || vehicle.silent)) continue
    const waitedH = (world.nowMs - task.openedAtMs) / hourMs
    const cost = distance(person.point, vehicle.point) / 1000 + urgency[task.kind] * 1.5 - waitedH * 0.4
    if (cost < bestCost) [best, bestCost] = [task, cost]
  }
  return best
}

const canWorkOn = (vehicle: LifeVehicle) =>
  !vehicle.ride && !vehicle.rideRequest && !vehicle.theft && vehicle.taskId === null

function claim(world: World, person: Person, task: Task): void {
  const vehicle = world.vehicles[task.vehicle]
  if (!vehicle) return
  const { nowMs } = world
  const random = world.random.staff
  const [least, most] = workMin[task.kind]
  const travelMs = (distance(person.point, vehicle.point) / (vanKmh / 3.6)) * 1000
  const goal = task.goal ?? (task.kind === 'retrieve' ? homeOf(world, vehicle) : null)
  const carryM = goal === null ? 0 : distance(vehicle.point, world.town.anchors[goal]?.point ?? vehicle.point)
  const loadMs = wholeSecond(nowMs + travelMs + minuteMs)
  const doneMs = wholeSecond(loadMs + (carryM / (vanKmh / 3.6)) * 1000 + random.between(least, most) * minuteMs)
  const onSiteAtMs = nowMs + travelMs
  Object.assign(task, { state: 'claimed', claimedAtMs: nowMs, personName: person.name, goal, onSiteAtMs })
  vehicle.taskId = task.id
  person.freeAtMs = doneMs
  person.point = goal === null ? vehicle.point : (world.town.anchors[goal]?.point ?? vehicle.point)
  world.emit({ atMs: nowMs, vehicle, kind: 'task', task })
  if (goal !== null) expect(world, { atMs: loadMs, what: 'task_load', ref: vehicle.index, number: task.id })
  expect(world, { atMs: doneMs, what: 'task_done', ref: vehicle.index, number: task.id })
}

/** Work requested by the platform, optionally with destination and assignee. */
export type Directed = { readonly kind: TaskKind; readonly to: Point | null; readonly personName: string | null }

export function direct(world: World, vehicle: LifeVehicle, { kind, to, personName }: Directed): void {
  const own = world.town.byArea[vehicle.areaIndex] ?? []
  const metres = (anchor: number) => distance(world.town.anchors[anchor]?.point ?? [0, 0], to ?? [0, 0])
  const nearest = own.toSorted((a, b) => metres(a) - metres(b))[0] ?? vehicle.anchor
  const isCarried = kind === 'move' || kind === 'relocate' || kind === 'retrieve'
  const goal = isCarried ? (to === null ? homeOf(world, vehicle) : nearest) : null
  // Requests of the platform take precedence over work that staff have only planned.
  for (const task of world.tasks.values()) {
    if (task.vehicle !== vehicle.index || task.kind !== kind || task.state !== 'open') continue
    Object.assign(task, { goal, ...(personName !== null && { wanted: personName }) })
    return
  }
  requestTask(world, { kind, vehicle, source: 'rule', goal, wanted: personName ?? undefined })
}

/** The task was completed by another user or cancelled; a vehicle on the van is still delivered. */
export function letGo(world: World, taskId: number): void {
  const task = world.tasks.get(taskId)
  const vehicle = world.vehicles[task?.vehicle ?? -1]
  if (!task || (vehicle?.taskId === taskId && vehicle.state === 'removed')) return
  world.tasks.delete(taskId)
  if (task.state !== 'claimed') return
  if (vehicle?.taskId === taskId) vehicle.taskId = null
  const person = world.people.find(({ name }) => name === task.personName)
  if (person) person.freeAtMs = world.nowMs
}

/** Tracks are kept to the second. */
const wholeSecond = (ms: number) => Math.round(ms / 1000) * 1000

/** The place with the largest shortage in the vehicle's own area. */
function homeOf(world: World, vehicle: LifeVehicle): number {
  const own = world.town.byArea[vehicle.areaIndex] ?? []
  const surplus = surplusOf(world, own)
  return own.reduce((best, anchor) => (surplus(anchor) < surplus(best) ? anchor : best), own[0] ?? 0)
}

/** Every place keeps some vehicles, however few ride from there. */
const evenShare = 0.08

/** How many vehicles stand at a place beyond what its riders need, negative where they lack; for one area. */
function surplusOf(world: World, own: readonly number[]): (anchor: number) => number {
  const stock = (anchor: number) => world.parked[anchor]?.length ?? 0
  const all = own.reduce((sum, anchor) => sum + stock(anchor), 0)
  const wanted = (anchor: number) =>
    all * (evenShare / Math.max(1, own.length) + (1 - evenShare) * (world.town.need[anchor] ?? 0))
  return (anchor) => stock(anchor) - Math.min(wanted(anchor), roomAt)
}

export function loadVehicle(world: World, vehicle: LifeVehicle, taskId: number): void {
  const task = world.tasks.get(taskId)
  if (!task || vehicle.taskId !== taskId || vehicle.state !== 'available') return
  unpark(world, vehicle)
  const event = task.kind === 'retrieve' ? 'maintenance_pick_up' : 'rebalance_pick_up'
  world.emit({ atMs: world.nowMs, vehicle, kind: 'loaded' })
  transition(world, vehicle, { event, to: 'removed', cause: 'operator' })
}

export function finishTask(world: World, vehicle: LifeVehicle, taskId: number): void {
  const task = world.tasks.get(taskId)
  if (!task || vehicle.taskId !== taskId) return
  vehicle.taskId = null
  if (vehicle.state === 'removed' && task.goal !== null) putDown(world, vehicle, task.goal)
  if (task.kind === 'battery_swap') swap(world, vehicle)
  if (task.kind === 'repair') mend(world, vehicle)
  closeAlarm(world, vehicle, 'fall')
  if (task.kind === 'inspect') closeAlarm(world, vehicle, 'tamper')
  Object.assign(task, { state: 'done', doneAtMs: world.nowMs })
  world.tasks.delete(taskId)
  world.emit({ atMs: world.nowMs, vehicle, kind: 'task', task })
}

function putDown(world: World, vehicle: LifeVehicle, goal: number): void {
  const point: Point = slotAt(world, goal, world.random.staff)
  park(world, vehicle, { anchor: goal, point, rest: [] })
  world.emit({ atMs: world.nowMs, vehicle, kind: 'placed' })
  transition(world, vehicle, { event: 'provider_drop_off', to: 'available', cause: 'operator' })
  closeAlarm(world, vehicle, 'outside_area')
  closeAlarm(world, vehicle, 'illegal_movement')
}

function swap(world: World, vehicle: LifeVehicle): void {
  const before = batteryAt(vehicle, world.nowMs)
  setBattery(vehicle, world.random.staff.between(96, 100), world.nowMs)
  world.emit({ atMs: world.nowMs, vehicle, kind: 'swapped', before })
  closeAlarm(world, vehicle, 'low_battery')
}

function mend(world: World, vehicle: LifeVehicle): void {
  restoreConnection(world, vehicle)
  closeAlarm(world, vehicle, 'power_cut')
  if (vehicle.state === 'non_operational') {
    transition(world, vehicle, { event: 'maintenance', to: 'available', cause: 'operator' })
  }
}

/** Takes vehicles from places that have more than their riders need to those that lack; a few of each area a round. */
export function planMoves(world: World): void {
  for (const own of world.town.byArea) {
    const surplus = surplusOf(world, own)
    const places = own.map((anchor) => ({ anchor, extra: surplus(anchor) })).toSorted((a, b) => b.extra - a.extra)
    let planned = 0
    while (planned < movesPerRound && world.tasks.size < tasksPerAreaLimit * world.town.byArea.length) {
      const [from, to] = [places[planned % 4], places[places.length - 1 - (planned % 5)]]
      if (!from || !to || from.extra < leastSurplus || to.extra > -leastSurplus) break
      const index = world.parked[from.anchor]?.find((candidate) => isIdle(world.vehicles[candidate]))
      const vehicle = index === undefined ? undefined : world.vehicles[index]
      if (!vehicle) break
      requestTask(world, { kind: 'move', vehicle, source: 'rule', goal: to.anchor })
      from.extra--
      to.extra++
      planned++
    }
  }
}

const isIdle = (vehicle: LifeVehicle | undefined) =>
  vehicle !== undefined &&
  vehicle.state === 'available' &&
  !vehicle.rideRequest &&
  vehicle.taskId === null &&
  !vehicle.silent

/** Inspects a few vehicles of every area. */
export function planInspections(world: World): void {
  for (const own of world.town.byArea) {
    const anchor = own[world.random.staff.below(own.length)] ?? 0
    const index = world.parked[anchor]?.[0]
    const vehicle = index === undefined ? undefined : world.vehicles[index]
    if (vehicle && isIdle(vehicle)) requestTask(world, { kind: 'inspect', vehicle, source: 'manual', goal: null })
  }
}
