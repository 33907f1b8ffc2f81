import { randomUUID } from 'node:crypto'
import type { CommandKind } from '@saddle/contract/fleet/commands.ts'
import {
  taskChecks,
  unfinishedStates,
  type TaskCheck,
  type TaskKind,
  type TaskOutcome,
} from '@saddle/contract/operations/taskWords.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import { toLngLat } from '#sim/city/geometry.ts'
import type { FleetVehicle } from '#sim/fleet/fleet.ts'
import type { Life } from '#sim/life/life.ts'
import { batteryAt, type Task } from '#sim/life/world.ts'
import type { Random } from '#sim/random.ts'
import { withRetry } from '#sim/riders/deps.ts'
import type { StepTimer } from '#sim/riders/stepTimer.ts'
import type { StaffApi } from './api.ts'

/** A task of the platform; `isAsked`: the city works on it only because of the platform. */
export type Known = { readonly id: number; readonly isAsked: boolean }

export type StaffCounts = {
  claimed: number
  /** Found on the way and noted. */
  made: number
  done: number
  /** Not found, inside a yard, or in need of help. */
  reported: number
  /** Refusals of the platform by code; `away` when it did not answer. */
  refused: Map<string, number>
}

export type ShiftDeps = {
  readonly api: StaffApi
  readonly life: Life
  readonly timer: StepTimer
  readonly counts: StaffCounts
  readonly vehicle: FleetVehicle
  readonly task: Task
  readonly phone: string
  readonly random: Random
  /** Undefined: the platform has not asked for it yet. */
  readonly known: Known | undefined
}

const secondMs = 1_000
const logInPatienceMs = hourMs
const claimTimeoutMs = 2 * minuteMs
const completeTimeoutMs = 20 * minuteMs
/** Share of tasks that cannot be finished at the first try, and of arrivals at which the vehicle has to be heard first. */
const troubleShare = 0.04
const ringShare = 0.4
/** Share of tasks with a photo of the end, and of looks at a vehicle that find something. */
const photoShare = 0.5
const failedShare = 0.03
const helpTakesMs = 6 * minuteMs
/** Share of repairs that use parts. */
const partShare = 0.6
/** Share of inspections that find a fault. */
const foundShare = 0.15

const findings: Readonly<Record<TaskKind, string>> = {
  battery_swap: '路过发现电量低',
  move: '停放过密，挪往缺车的点位',
  repair: '现场发现故障',
  inspect: '例行巡检',
  retrieve: '车辆不在停车点',
  relocate: '停放过密，挪往缺车的点位',
}
const troubles: Readonly<Record<TaskOutcome, readonly [string, ...string[]]>> = {
  not_found: ['到点后周围找遍，没有车', '响铃无声，附近没有'],
  locked_in: ['车在小区院内，门卫不让进', '车在地下车库，没有门禁'],
  needs_help: ['车压在别的车下面，一个人搬不动', '车锁卡死，需要工具'],
}
const results: Readonly<Record<TaskKind, readonly [string, ...string[]]>> = {
  battery_swap: ['已换电', '换电完成，仓锁正常', '已换电，车况良好'],
  move: ['已摆放整齐', '已挪到点位', '已挪，原处清空'],
  repair: ['已修复，试骑正常', '更换配件后正常', '已修复'],
  inspect: ['车况正常', '已扶正，外观完好', '已检查，无异常'],
  retrieve: ['已拉回停车点', '已收回'],
  relocate: ['已送达', '已摆放'],
}

/** One task from claim to completion: done in the simulated city and reported to the platform. */
export async function goToWork(deps: ShiftDeps): Promise<void> {
  const { api, life, timer, counts, vehicle, task, phone, random } = deps
  // After a restart the phone may have to log in first.
  await timer.wait({ forMs: logInPatienceMs, until: () => api.isOn(phone) })
  const claimed = await claim(deps)
  if (claimed === null) return life.staff.letGo(task.id)
  const { id, vehicleId } = claimed
  counts.claimed++
  const isOver = (): boolean => task.state === 'done' || !life.openTasks.includes(task)
  const isThere = (): boolean => isOver() || life.nowMs >= (task.onSiteAtMs ?? 0)
  await timer.wait({ forMs: Infinity, until: isThere })
  await withRetry(deps, claimTimeoutMs, () => api.ask({ phone, name: 'startTask', input: { id, place: at(vehicle) } }))
  if (random.chance(ringShare)) await command(deps, vehicleId, 'ring')
  if (random.chance(troubleShare) && (await report(deps, id))) return life.staff.letGo(task.id)
  if (task.kind === 'repair') await command(deps, vehicleId, 'unlock')
  await timer.wait({ forMs: Infinity, until: isOver })
  if (task.kind === 'repair') await command(deps, vehicleId, 'lock')
  if (task.state !== 'done') return
  // The device reports it first.
  await timer.wait({ forMs: random.between(2, 8) * secondMs })
  const key = randomUUID()
  const input = {
    id,
    place: at(vehicle),
    scannedNumber: vehicle.number,
    note: random.pick(results[task.kind]),
    checks: lookedAt(deps),
    ...photosOf(deps, id, photoShare),
    ...(task.kind === 'battery_swap' && { batteryAfter: Math.round(batteryAt(vehicle.life, life.nowMs)) }),
    ...(task.kind === 'repair' && (await mended(deps))),
    ...(task.kind === 'inspect' && random.chance(foundShare) && (await found(deps))),
  }
  const told = await withRetry(deps, completeTimeoutMs, () => api.ask({ phone, name: 'completeTask', input, key }))
  if (told.ok) counts.done++
}

/** Claims the platform's task; null when another user has it or it has ended. */
async function claim(deps: ShiftDeps): Promise<{ id: number; vehicleId: number } | null> {
  const { api, phone, vehicle, task, known, counts } = deps
  let id = known?.id ?? (await find(deps))
  if (id === null) {
    const { number } = vehicle
    const input = { numbers: [number], kind: task.kind, note: findings[task.kind] }
    const key = randomUUID()
    const made = await withRetry(deps, claimTimeoutMs, () => api.ask({ phone, name: 'createTasks', input, key }))
    id = (made.ok && made.data.created[0]) || null
    if (id === null) return null
    counts.made++
  }
  const wanted = id
  const place = at(vehicle)
  const answer = await withRetry(deps, claimTimeoutMs, () =>
    api.ask({ phone, name: 'claimTask', input: { id: wanted, place } }),
  )
  return answer.ok ? { id: wanted, vehicleId: answer.data.vehicleId } : null
}

async function find({ api, phone, vehicle, task }: ShiftDeps): Promise<number | null> {
  const input = { filter: { keyword: vehicle.number, kinds: [task.kind], states: [...unfinishedStates] } }
  const answer = await api.ask({ phone, name: 'listTasks', input })
  return answer.ok ? (answer.data.list.find(({ number }) => number === vehicle.number)?.id ?? null) : null
}

/** One command by the phone; the vehicle may be silent, and the work goes on. */
async function command({ api, phone, counts }: ShiftDeps, vehicleId: number, kind: CommandKind): Promise<void> {
  const answer = await api.ask({ phone, name: 'lockVehicle', input: { vehicleId, kind, reason: '现场作业' } })
  if (!answer.ok) counts.refused.set(answer.code, (counts.refused.get(answer.code) ?? 0) + 1)
}

/** Tells what keeps the task from being finished; whether it goes back to the others. */
async function report(deps: ShiftDeps, id: number): Promise<boolean> {
  const { api, timer, counts, vehicle, phone, random } = deps
  const outcome = random.pick(['not_found', 'locked_in', 'needs_help'] as const)
  const input = { id, outcome, place: at(vehicle), note: random.pick(troubles[outcome]), ...photosOf(deps, id, 1) }
  const key = randomUUID()
  const told = await withRetry(deps, claimTimeoutMs, () => api.ask({ phone, name: 'reportTask', input, key }))
  if (!told.ok) return false
  counts.reported++
  if (outcome !== 'needs_help') return true
  await timer.wait({ forMs: helpTakesMs })
  return false
}

function photosOf({ api, random }: ShiftDeps, id: number, share: number): { photos?: string[] } {
  const photo = random.chance(share) ? api.photo(id) : undefined
  return photo === undefined ? {} : { photos: [photo] }
}

const lookedAt = ({ task, random }: ShiftDeps) =>
  taskChecks[task.kind].map((check: TaskCheck) => ({ check, isFine: !random.chance(failedShare) }))

/** Fault reason and used parts, from the repair settings. */
async function mended({ api, phone, random }: ShiftDeps) {
  const answer = await api.ask({ phone, name: 'repairConfig', input: {} })
  if (!answer.ok) return {}
  const { reasons, parts } = answer.data
  const reason = reasons[random.below(reasons.length)]
  const part = random.chance(partShare) ? parts[random.below(parts.length)] : undefined
  return {
    ...(reason && { reasonId: reason.id }),
    ...(part && { parts: [{ partId: part.id, pieces: 1 }] }),
  }
}

/** The fault an inspection found; the platform creates a repair task for it. */
async function found({ api, phone, random }: ShiftDeps) {
  const answer = await api.ask({ phone, name: 'repairConfig', input: {} })
  const reason = answer.ok ? answer.data.reasons[random.below(answer.data.reasons.length)] : undefined
  return reason === undefined ? {} : { reasonId: reason.id }
}

function at({ life }: FleetVehicle): { lat: number; lng: number } {
  const [lng, lat] = toLngLat(life.point)
  return { lat, lng }
}
