import { demoAreas } from '@saddle/contract/demo/city.ts'
import { demoStaff } from '@saddle/contract/demo/staff.ts'
import { unfinishedStates, type TaskKind } from '@saddle/contract/operations/taskWords.ts'
import { toPoint } from '#sim/city/geometry.ts'
import type { FleetVehicle } from '#sim/fleet/fleet.ts'
import type { Life } from '#sim/life/life.ts'
import type { LifeEvent, Person, Task } from '#sim/life/world.ts'
import { childSeed, createRandom } from '#sim/random.ts'
import { createStepTimer } from '#sim/riders/stepTimer.ts'
import type { StaffApi } from './api.ts'
import { goToWork, type Known, type StaffCounts } from './shift.ts'

/** Field staff with phones: they do the platform's tasks in the simulated city and report the results. */
export type Staff = {
  readonly counts: StaffCounts
  /** Whether a staff member is connected to the platform. */
  isAtWork(person: Person): boolean
  note(event: LifeEvent): void
  tick(nowMs: number): void
}

/** One area is asked for after the other. */
const askEveryMs = 8_000
const tasksAsked = 100
/** While the city catches up, no new tasks are started. */
const openPerAreaMax = 150
const keyOf = (number: string, kind: TaskKind): string => `${number} ${kind}`
const phones = new Map(demoStaff.map(({ name, phone }) => [name, phone]))

export function createStaff(options: {
  readonly api: StaffApi
  readonly life: Life
  readonly vehicles: readonly FleetVehicle[]
  readonly seed: number
  readonly startMs: number
}): Staff {
  const { api, life, vehicles, seed, startMs } = options
  const timer = createStepTimer(startMs)
  const counts: StaffCounts = { claimed: 0, made: 0, done: 0, reported: 0, refused: new Map() }
  const byNumber = new Map(vehicles.map((vehicle) => [vehicle.number, vehicle]))
  /** Open tasks of the platform by vehicle and kind. */
  const known: Map<string, Known> = new Map()
  const stories = new Set<number>()
  let area = 0
  let nextMs = startMs

  const begin = (task: Task, vehicle: FleetVehicle): void => {
    const phone = phones.get(task.personName ?? '')
    if (phone === undefined || stories.has(task.id)) return
    stories.add(task.id)
    const key = keyOf(vehicle.number, task.kind)
    const random = createRandom(childSeed(seed, 40_000_000 + task.id))
    void goToWork({ api, life, timer, counts, vehicle, task, phone, random, known: known.get(key) })
      // An error of one task must not stop the others.
      .catch((error: unknown) => {
        process.stderr.write(`simulator: the simulation of a task failed: ${String(error)}\n`)
        life.staff.letGo(task.id)
      })
      .finally(() => {
        stories.delete(task.id)
        known.delete(key)
      })
  }
  const look = async (areaIndex: number): Promise<void> => {
    const phone = demoStaff.find((one) => one.areaIndex === areaIndex && api.isOn(one.phone))?.phone
    if (phone === undefined) return
    const input = { filter: { states: [...unfinishedStates] }, sort: 'due' as const, pageSize: tasksAsked }
    const answer = await api.ask({ phone, name: 'listTasks', input })
    if (!answer.ok) return
    const ours = life.openTasks.filter((task) => task.areaIndex === areaIndex)
    const inWork = new Set(ours.map((task) => keyOf(vehicles[task.vehicle]?.number ?? '', task.kind)))
    const told = new Set<string>()
    for (const { id, number, kind, to, state, personName } of answer.data.list) {
      const vehicle = byNumber.get(number)
      const isOurs = personName === null || phones.has(personName)
      if (!vehicle || vehicle.areaIndex !== areaIndex || !isOurs) continue
      const key = keyOf(number, kind)
      told.add(key)
      known.set(key, { id, isAsked: known.get(key)?.isAsked ?? !inWork.has(key) })
      if (inWork.has(key) || ours.length >= openPerAreaMax) continue
      life.staff.direct(vehicle.life, {
        kind,
        to: to === null ? null : toPoint(to),
        personName: state === 'open' ? null : personName,
      })
    }
    // Tasks that ended elsewhere are dropped.
    for (const task of ours) {
      const key = keyOf(vehicles[task.vehicle]?.number ?? '', task.kind)
      if (task.state !== 'open' || told.has(key) || known.get(key)?.isAsked !== true) continue
      if (answer.data.nextCursor !== null) continue
      known.delete(key)
      life.staff.letGo(task.id)
    }
  }
  return {
    counts,
    isAtWork: ({ name }) => api.isOn(phones.get(name) ?? ''),
    note(event) {
      const vehicle = vehicles[event.vehicle.index]
      if (event.kind === 'task' && event.task.state === 'claimed' && vehicle) begin(event.task, vehicle)
    },
    tick(nowMs) {
      if (nowMs >= nextMs) {
        // Resume work of an earlier run.
        if (nextMs === startMs)
          for (const task of life.openTasks) {
            const vehicle = vehicles[task.vehicle]
            if (task.state === 'claimed' && vehicle) begin(task, vehicle)
          }
        nextMs = nowMs + askEveryMs
        void look(area)
        area = (area + 1) % demoAreas.length
      }
      timer.tick(nowMs)
    },
  }
}
