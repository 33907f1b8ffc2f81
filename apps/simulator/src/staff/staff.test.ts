import { demoStaff } from '@saddle/contract/demo/staff.ts'
import type { TaskKind } from '@saddle/contract/operations/taskWords.ts'
import { describe, expect, it } from 'vitest'
import { minuteMs } from '@saddle/contract/time.ts'
import { makeCity } from '#sim/city/city.ts'
import { toLngLat } from '#sim/city/geometry.ts'
import { createFleet } from '#sim/fleet/fleet.ts'
import { makeTown } from '#sim/life/town.ts'
import type { StaffApi, StaffCall } from './api.ts'
import { createStaff, type Staff } from './staff.ts'

const town = makeTown(makeCity())
/** Friday, ten in the morning in the city. */
const startMs = Date.UTC(2026, 10, 20, 3, 0)

type Work = {
  id: number
  kind: TaskKind
  number: string
  state: 'open' | 'claimed' | 'on_site' | 'done'
  personName: string | null
  to: { lat: number; lng: number } | null
  result?: { batteryAfter?: number; scannedNumber: string; note: string; place: { lat: number; lng: number } }
}

/** A platform in miniature: tasks that are claimed once and done by whoever has them. */
function makePlatform(tasks: Work[], stolen: ReadonlySet<number>) {
  const asked: string[] = []
  const names = new Map(demoStaff.map(({ name, phone }) => [phone, name]))
  const ask = async ({ phone, name, input }: { phone: string; name: StaffCall; input: unknown }) => {
    const wanted = input as { id: number; numbers?: string[]; kind: TaskKind; filter?: { keyword?: string } }
    const task = tasks.find(({ id }) => id === wanted.id)
    const personName = names.get(phone) ?? ''
    if (name !== 'listTasks') asked.push(`${name} ${task?.number ?? wanted.numbers?.join() ?? ''} ${personName}`)
    const yes = (data: unknown) => ({ ok: true, data })
    if (name === 'listTasks') {
      const number = wanted.filter?.keyword
      const list = tasks.filter((one) => one.state !== 'done' && (number === undefined || one.number === number))
      return yes({ list, nextCursor: null })
    }
    if (name === 'createTasks') {
      const id = tasks.length + 1
      const [number = ''] = wanted.numbers ?? []
      tasks.push({ id, kind: wanted.kind, number, state: 'open', personName: null, to: null })
      return yes({ created: [id], refused: [] })
    }
    if (name === 'repairConfig') return yes({ reasons: [{ id: 7 }], parts: [{ id: 9 }] })
    if (name === 'lockVehicle') return yes({})
    if (!task) return { ok: false, code: 'not_found' }
    if (name === 'claimTask') {
      if (stolen.has(task.id)) Object.assign(task, { state: 'claimed', personName: '陆小川' })
      if (task.personName !== null && task.personName !== personName) return { ok: false, code: 'task_taken' }
      Object.assign(task, { state: 'claimed', personName })
    } else if (task.personName !== personName) return { ok: false, code: 'task_not_yours' }
    if (name === 'startTask') task.state = 'on_site'
    if (name === 'reportTask') Object.assign(task, { report: wanted, state: 'open', personName: null })
    if (name === 'completeTask') Object.assign(task, { state: 'done', result: wanted })
    return yes(task)
  }
  const api = { isOn: () => true, photo: () => 'iVBO', ask } as unknown as StaffApi
  return { api, asked }
}

async function live(tasks: Work[], options: { stolen?: readonly number[]; minutes?: number } = {}) {
  const { api, asked } = makePlatform(tasks, new Set(options.stolen))
  let staff: Staff | null = null
  const fleet = createFleet({
    seed: 3,
    count: 420,
    startMs,
    town,
    isAtWork: (person) => staff?.isAtWork(person) ?? true,
    listen: (event) => staff?.note(event),
  })
  staff = createStaff({ api, life: fleet.life, vehicles: fleet.vehicles, seed: 3, startMs })
  for (let passed = 5_000; passed <= (options.minutes ?? 60) * minuteMs; passed += 5_000) {
    fleet.step(startMs + passed, 5_000)
    staff.tick(startMs + passed)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { fleet, asked, counts: staff.counts }
}

const numberOf = (index: number) => createFleet({ seed: 3, count: 40, startMs, town }).vehicles[index]?.number ?? ''
const work = (id: number, kind: TaskKind, index: number, rest: Partial<Work> = {}): Work => {
  return { id, kind, number: numberOf(index), state: 'open', personName: null, to: null, ...rest }
}

describe('people of the street', () => {
  it('do what the platform asks for, where and as it asks, and tell the result', async () => {
    const goal = town.anchors[town.byArea[0]?.[4] ?? 0]?.point ?? [0, 0]
    const [lng, lat] = toLngLat(goal)
    const early = demoStaff.find(({ areaIndex, shift }) => areaIndex === 3 && shift === 'early')?.name ?? ''
    const tasks = [
      work(1, 'battery_swap', 13),
      work(2, 'move', 12, { to: { lat, lng } }),
      // Somebody at a desk gave it to one of them.
      work(3, 'inspect', 15, { state: 'claimed', personName: early }),
    ]
    const { fleet, asked, counts } = await live(tasks, { minutes: 90 })
    const [swap, move, look] = tasks
    expect([swap?.state, move?.state, look?.state, look?.personName]).toEqual(['done', 'done', 'done', early])
    expect(swap?.result).toMatchObject({ scannedNumber: swap?.number })
    expect(swap?.result?.batteryAfter).toBeGreaterThan(90)
    expect(Math.abs((move?.result?.place.lat ?? 0) - lat)).toBeLessThan(0.0005)
    const own = asked.filter((line) => line.includes(swap?.number ?? '-')).map((line) => line.split(' ')[0])
    expect(own.slice(0, 3)).toEqual(['claimTask', 'startTask', 'completeTask'])
    // What they find by themselves the platform learns of, too.
    expect(counts.made).toBeGreaterThan(3)
    expect(counts.done).toBe(tasks.filter(({ state }) => state === 'done').length)
    expect(fleet.vehicles.filter(({ life }) => life.taskId !== null).length).toBeLessThanOrEqual(demoStaff.length)
  })

  it('leave to others what others have, and what nobody wants any more', async () => {
    const tasks = [work(1, 'battery_swap', 13), work(2, 'retrieve', 14)]
    const { fleet, counts } = await live(tasks, { stolen: [1] })
    expect(tasks[0]?.personName).toBe('陆小川')
    expect(counts.refused.get('task_taken')).toBe(1)
    expect(fleet.vehicles[13]?.life.taskId).toBeNull()
    expect(tasks[1]?.state).toBe('done')
  })

  it('live the same day for the same seed and the same answers', async () => {
    const day = () => live([work(1, 'battery_swap', 13), work(2, 'repair', 14)], { minutes: 40 })
    const [once, again] = [await day(), await day()]
    expect(again.asked).toEqual(once.asked)
    expect(once.asked.length).toBeGreaterThan(6)
  })
})
