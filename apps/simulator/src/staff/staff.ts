import { demoAreas } from '@saddle/contract/demo/city.ts'
import { demoStaff } from '@saddle/contract/demo/staff.ts'
import { unfinishedStates, type TaskKind } from '@saddle/contract/operations/tasks.ts'
import { toPoint } from '#sim/city/geometry.ts'
import type { FleetVehicle } from '#sim/fleet/fleet.ts'
import type { Life } from '#sim/life/life.ts'
import type { LifeEvent, Person, Task } from '#sim/life/world.ts'
import { childSeed, createRandom } from '#sim/random.ts'
import { createPatience } from '#sim/riders/patience.ts'
import type { StaffApi } from './api.ts'
import { goToWork, type Known, type StaffCounts } from './shift.ts'

/** The people of the street with their phones: what the platform asks for is done in the city, and told to it. */
export type Staff = {
  readonly counts: StaffCounts
  /** Whether somebody has a line to the platform. */
  isAtWork(person: Person): boolean
  note(event: LifeEvent): void
  tick(nowMs: number): void
}

/** One area is asked for after the other. */
const askEveryMs = 8_000
const tasksAsked = 100
/** A city that is behind takes on no more. */
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
  const patience = createPatience(startMs)
  const counts: StaffCounts = { claimed: 0, made: 0, done: 0, refused: new Map() }
  const byNumber = new Map(vehicles.map((vehicle) => [vehicle.number, vehicle]))
  /** What the platform asks for, by vehicle and kind. */
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
    void goToWork({ api, life, patience, counts, vehicle, task, phone, random, known: known.get(key) })
      // One person's bad day must not end that of the others.
      .catch((error: unknown) => {
        process.stderr.write(`simulator: a task broke off: ${String(error)}\n`)
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
    // What was asked for and is over without us nobody has to do any more.
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
        // Work that was under way when the simulator ended goes on.
        if (nextMs === startMs)
          for (const task of life.openTasks) {
            const vehicle = vehicles[task.vehicle]
            if (task.state === 'claimed' && vehicle) begin(task, vehicle)
          }
        nextMs = nowMs + askEveryMs
        void look(area)
        area = (area + 1) % demoAreas.length
      }
      patience.tick(nowMs)
    },
  }
}
