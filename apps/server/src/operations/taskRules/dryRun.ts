import type { TaskRule } from '@saddle/contract/operations/taskRules.ts'
import type { TaskKind, TaskTrigger } from '@saddle/contract/operations/taskWords.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { evaluateArea, taskKey, type HeldTask, type PlaceFacts, type VehicleFacts, type Wanted } from './evaluate.ts'

/** What is known of a vehicle's past: where it stood and moved, in order of time. */
export type Stretch = {
  readonly moved: boolean
  readonly from: number
  readonly to: number
  readonly batteryFrom: number | null
  readonly batteryTo: number | null
  /** The parking place at its end. */
  readonly placeId: number | null
}

export type VehiclePast = {
  readonly vehicleId: number
  readonly stretches: readonly Stretch[]
  /** Since when nobody had ridden it when the time begins. */
  readonly idleSince: number
  readonly alarms: readonly { readonly kind: string; readonly from: number; readonly to: number }[]
  readonly faults: readonly { readonly from: number; readonly to: number }[]
}

export type RealTask = { readonly vehicleId: number; readonly kind: TaskKind; readonly doneAt: number }

export type TriedTask = {
  readonly vehicleId: number
  readonly kind: TaskKind
  readonly trigger: TaskTrigger
  readonly value: number
  readonly openedAt: number
  /** Null: it would still be open. */
  endedAt: number | null
  isDone: boolean
}

/** A rule is looked at this often in the past; the worker looks more often. */
export const tryStepMs = hourMs
/** A real task counts as the same work until so long after the reason has gone. */
const sameWorkMs = dayMs
const restMs = 2 * hourMs
/** A stretch that is followed by another one ends there; a longer hole means that the vehicle was off the street. */
const holeMs = 15 * minuteMs

/** Walks through the past in steps and keeps the tasks that the rules would have made, in the order of their opening. */
export function tryRules(options: {
  readonly rules: readonly TaskRule[]
  readonly past: readonly VehiclePast[]
  readonly places: readonly PlaceFacts[]
  readonly real: readonly RealTask[]
  readonly from: number
  readonly to: number
}): TriedTask[] {
  const { rules, past, places, real, from, to } = options
  const done = Map.groupBy(real, ({ vehicleId, kind }) => taskKey(vehicleId, kind))
  const open = new Map<string, { task: TriedTask; held: HeldTask }>()
  const tried: TriedTask[] = []
  const rests = new Map<string, number>()
  const readers = past.map(factsReader)
  for (let nowMs = from; nowMs <= to; nowMs += tryStepMs) {
    const vehicles: VehicleFacts[] = []
    for (const read of readers) {
      const facts = read(nowMs)
      if (facts !== null) vehicles.push(facts)
    }
    const held = [...open.values()].map((one) => one.held)
    const wanted = new Map<string, Wanted>()
    for (const one of evaluateArea(rules, { nowMs, vehicles, places, held }))
      wanted.set(taskKey(one.vehicleId, one.kind), one)
    for (const [key, { task }] of open) {
      const at = done.get(key)?.find(({ doneAt }) => doneAt >= task.openedAt && doneAt <= nowMs)?.doneAt
      if (at !== undefined) Object.assign(task, { endedAt: at, isDone: true })
      else if (wanted.get(key)?.trigger !== task.trigger) task.endedAt = nowMs
      else continue
      open.delete(key)
      if (at !== undefined) rests.set(key, at + restMs)
    }
    for (const [key, one] of wanted) {
      if (open.has(key) || (rests.get(key) ?? 0) > nowMs) continue
      const { vehicleId, kind, trigger, value, detail, to: place } = one
      const task: TriedTask = { vehicleId, kind, trigger, value, openedAt: nowMs, endedAt: null, isDone: false }
      open.set(key, { task, held: { vehicleId, kind, trigger, detail, toFenceId: place?.id ?? null } })
      tried.push(task)
    }
  }
  // What ended by itself first and was then done all the same was that work.
  for (const task of tried) {
    if (task.isDone || task.endedAt === null) continue
    const until = task.endedAt + sameWorkMs
    const own = done.get(taskKey(task.vehicleId, task.kind))
    task.isDone = own?.some(({ doneAt }) => doneAt >= task.openedAt && doneAt <= until) ?? false
  }
  return tried
}

/** Reads a vehicle's facts at moments that only go forward; null while it is off the street. */
function factsReader(past: VehiclePast): (nowMs: number) => VehicleFacts | null {
  const { vehicleId, stretches } = past
  let index = -1
  let idleSince = past.idleSince
  return (nowMs) => {
    for (let next = stretches[index + 1]; next !== undefined && next.from <= nowMs; next = stretches[index + 1]) {
      const before = stretches[index]
      if (before?.moved === true) idleSince = Math.max(idleSince, before.to)
      index += 1
    }
    const now = stretches[index]
    if (now === undefined) return null
    const isOver = now.to < nowMs
    if (isOver && nowMs - now.to > holeMs && stretches[index + 1] !== undefined) return null
    if (isOver && now.moved) idleSince = Math.max(idleSince, now.to)
    return {
      vehicleId,
      state: now.moved && !isOver ? 'on_trip' : 'available',
      batteryPercent: batteryAt(now, nowMs),
      idleSince,
      placeId: now.placeId,
      alarms: past.alarms
        .filter((alarm) => alarm.from <= nowMs && nowMs < alarm.to)
        .map(({ kind, from }) => ({ kind, openedAt: from })),
      faults: past.faults.filter((fault) => fault.from <= nowMs && nowMs < fault.to).length,
    }
  }
}

function batteryAt({ from, to, batteryFrom, batteryTo }: Stretch, nowMs: number): number | null {
  if (batteryFrom === null || batteryTo === null) return batteryTo ?? batteryFrom
  if (nowMs >= to || to === from) return batteryTo
  return batteryFrom + ((batteryTo - batteryFrom) * (nowMs - from)) / (to - from)
}
