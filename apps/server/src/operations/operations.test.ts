import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TaskRule } from '@saddle/contract/operations/taskRules.ts'
import type { TaskKind } from '@saddle/contract/operations/taskWords.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { createFleet } from '#fleet/public.ts'
import { createGeography } from '#geography/public.ts'
import { createPhotos } from '#photos/public.ts'
import { TEST_START_MS, sessionCall, testKit } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import { createOperations, reportFault } from './public.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const audit = createAudit(kit)
const fleet = createFleet(kit, { audit })
const operations = createOperations(kit, {
  audit,
  fleet,
  geography: createGeography(kit, { audit }),
  photos: createPhotos(kit),
})
const { handlers } = operations

const grant = { agentIds: [3], areaIds: [31] }
const permissions = ['0909', '090901', '090902', '090903', '0501', '0908']
const desk = sessionCall({ operatorId: 1007, agentId: 3, grant, name: '周可', permissions })
const worker = sessionCall({ operatorId: 1008, agentId: 3, grant, name: '陆小川', permissions: ['0909'] })
const other = sessionCall({ operatorId: 1009, agentId: 3, grant, name: '何乐行', permissions: ['0909'] })
const stranger = sessionCall({ operatorId: 1020, agentId: 4, grant: { agentIds: [4], areaIds: [41] }, permissions })

beforeAll(async () => {
  const square = [
    [120, 31],
    [121, 31],
    [121, 32],
    [120, 31],
  ]
  await owner.insertInto('agent').values({ id: 2, parent_id: null, company: '总部' }).execute()
  for (const id of [3, 4])
    await owner
      .insertInto('agent')
      .values({ id, parent_id: 2, company: `公司${id}` })
      .execute()
  for (const [id, agentId] of [
    [31, 3],
    [41, 4],
  ] as const) {
    const area = { id, agent_id: agentId, name: `区${id}`, centre_lat: 31.5, centre_lng: 120.5 }
    await owner
      .insertInto('service_area')
      .values({ ...area, ring: JSON.stringify(square) })
      .execute()
  }
  await owner.insertInto('role').values({ id: 1, agent_id: 3, name: '运维' }).execute()
  await owner.insertInto('role_permission').values({ role_id: 1, agent_id: 3, code: '0909' }).execute()
  for (const [index, name] of ['周可', '陆小川', '何乐行'].entries()) {
    const id = 1007 + index
    const person = { id, agent_id: 3, name, level: 4, role_id: 1, op_man_id: String(id).padStart(24, '0') }
    await owner
      .insertInto('operator')
      .values({ ...person, phone_hash: name, phone_sealed: name })
      .execute()
  }
})

let next = 1
async function vehicles(count = 1): Promise<number[]> {
  const rows = Array.from({ length: count }, () => {
    const serial = String(next++).padStart(6, '0')
    const place = { lat: 31.2, lng: 120.7 }
    return {
      agentId: 3,
      areaId: 31,
      number: `SD${serial}`,
      imei: `861234567${serial}`,
      model: 'SD-E2',
      position: place,
    }
  })
  return db.system((tx) => fleet.vehicles.register(tx, rows))
}
const refusal = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'nothing',
    (error: { code?: string }) => String(error.code),
  )
async function create(kind: TaskKind, count = 1): Promise<number[]> {
  const vehicleIds = await vehicles(count)
  const input = { vehicleIds, numbers: [], kind, priority: 2 as const, note: '' }
  return (await handlers.createTasks(input, desk)).data.created
}
const battery = (vehicleId: number, percent: number) =>
  sql`update vehicle_status set battery_percent = ${percent} where vehicle_id = ${vehicleId}`.execute(owner)
const done = { photos: [], parts: [], note: '' }

describe('a task', () => {
  it('goes from the desk to the street and back, with every step kept', async () => {
    const [id = 0] = await create('battery_swap')
    await handlers.saveTaskPay({ pay: [{ kind: 'battery_swap', cents: 500, reviewed: true }] }, desk)
    const place = { lat: 31.21, lng: 120.71 }
    await handlers.claimTask({ id, place }, worker)
    const { vehicleId, number } = (await handlers.taskDetail({ id }, worker)).data.task
    await battery(vehicleId, 12)
    kit.clock.advance(10 * minuteMs)
    await handlers.startTask({ id, place }, worker)
    kit.clock.advance(5 * minuteMs)
    const brought = { ...done, id, place, scannedNumber: number.toLowerCase(), batteryAfter: 98, note: '已换' }
    const { data } = await handlers.completeTask(brought, worker)
    expect(data).toMatchObject({ state: 'done', batteryBefore: 12, batteryAfter: 98, payCents: 500, review: 'waiting' })
    expect(await refusal(handlers.reviewTasks({ ids: [id], decision: 'approved', note: '' }, worker))).toBe(
      'task_review_own',
    )
    await handlers.reviewTasks({ ids: [id], decision: 'rejected', note: '照片不清' }, desk)
    const { task, steps } = (await handlers.taskDetail({ id }, desk)).data
    expect(task).toMatchObject({ review: 'rejected', payCents: 0, personName: '陆小川', reviewerName: '周可' })
    expect(steps.map(({ step, personName }) => [step, personName])).toEqual([
      ['opened', '周可'],
      ['claimed', '陆小川'],
      ['started', '陆小川'],
      ['done', '陆小川'],
      ['rejected', '周可'],
    ])
  })

  it('belongs to whoever claimed it first, and is not there for strangers', async () => {
    const [id = 0] = await create('move')
    const both = await Promise.allSettled([handlers.claimTask({ id }, worker), handlers.claimTask({ id }, other)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const owned = (await handlers.taskDetail({ id }, desk)).data.task.assigneeId
    const [mine, theirs] = owned === 1008 ? [worker, other] : [other, worker]
    expect(await refusal(handlers.claimTask({ id }, theirs))).toBe('task_taken')
    expect(await refusal(handlers.claimTask({ id }, mine))).toBe('nothing')
    expect(await refusal(handlers.completeTask({ ...done, id }, theirs))).toBe('task_not_yours')
    expect(await refusal(handlers.completeTask({ ...done, id, scannedNumber: 'SD1' }, mine))).toBe('task_other_vehicle')
    expect(await refusal(handlers.claimTask({ id }, stranger))).toBe('not_found')
    expect((await handlers.listTasks({ filter: {}, sort: 'newest', pageSize: 20 }, stranger)).data.list).toEqual([])
    await handlers.transferTask({ id, operatorId: theirs.caller.operatorId, note: '' }, mine)
    const said = kit.clock.now() + hourMs
    const { data } = await handlers.completeTask({ ...done, id, doneAt: said }, theirs)
    expect(data.doneAt, 'a phone that is ahead is not believed').toBe(kit.clock.now())
    expect(await refusal(handlers.claimTask({ id }, mine))).toBe('task_over')
  })

  it('is handed out, cancelled and taken up again in bulk, each for itself', async () => {
    const ids = await create('inspect', 3)
    const [first = 0, ...others] = ids
    await handlers.assignTasks({ ids, operatorId: 1008, note: '' }, desk)
    expect(await refusal(handlers.assignTasks({ ids, operatorId: 1020, note: '' }, desk))).toBe('worker_unavailable')
    await handlers.completeTask({ ...done, id: first }, worker)
    const cancelled = await handlers.cancelTasks({ ids: [...ids, 999_999], note: '重复' }, desk)
    expect(cancelled.data.done).toEqual(others)
    expect(cancelled.data.refused.map(({ id }) => id)).toEqual([first, 999_999])
    expect((await handlers.reopenTasks({ ids: others }, desk)).data.done).toEqual(others)
    await handlers.cancelTasks({ ids: others, note: '重复' }, desk)
    kit.clock.advance(2 * hourMs)
    expect(await refusal(handlers.reopenTasks({ ids: [others[0] ?? 0] }, desk))).toBe('task_over')
    const filter = { kinds: ['inspect' as const], states: ['cancelled' as const] }
    const { data } = await handlers.listTasks({ filter, sort: 'newest', pageSize: 1 }, desk)
    expect([data.list.length, data.nextCursor === null, data.counts?.done]).toEqual([1, false, 1])
    const rest = { filter, sort: 'newest' as const, pageSize: 5, cursor: data.nextCursor ?? '' }
    expect((await handlers.listTasks(rest, desk)).data.list).toHaveLength(1)
  })

  it('of a repair takes its parts out of the stock and settles what was reported', async () => {
    const [vehicleId = 0] = await vehicles()
    await db.system((tx) => reportFault(tx, { vehicleId, note: '刹车', at: kit.clock.now() }))
    const reason = await handlers.saveFixReason({ name: '刹车失灵', forRiders: true, position: 0 }, desk)
    const part = { name: '刹车线', unit: '根', priceCents: 1_250, stockLow: 2 }
    const { data: made } = await handlers.saveRepairPart(part, desk)
    await handlers.moveRepairStock({ id: made.id, pieces: 3, note: '入库' }, desk)
    const { list } = (await handlers.listFixTickets({ vehicleId, pageSize: 5 }, desk)).data
    const id = Number(list[0]?.id)
    const fix = { ids: [id], note: '换线', reasonId: reason.data.id }
    expect(
      (await handlers.fixFixTickets({ ...fix, parts: [{ partId: made.id, pieces: 2 }] }, desk)).data.fixedIds,
    ).toEqual(fix.ids)
    const { task, parts } = (await handlers.taskDetail({ id }, desk)).data
    expect([task.state, task.reason, task.partsCents]).toEqual(['done', '刹车失灵', 2_500])
    expect(parts).toEqual([{ name: '刹车线', unit: '根', pieces: 2, cents: 2_500 }])
    expect((await handlers.repairConfig({}, desk)).data.parts).toMatchObject([{ stock: 1, usedPieces: 2 }])
    const faults = await owner.selectFrom('fault_report').selectAll().where('vehicle_id', '=', vehicleId).execute()
    expect(faults.map((row) => row.task_id)).toEqual(fix.ids)
    expect(await refusal(handlers.saveRepairPart(part, desk))).toBe('name_taken')
    expect(await refusal(handlers.saveRepairPart({ ...part, id: made.id, version: 9 }, desk))).toBe('conflict')
  })

  it('reports what an inspection found, and a repair of it is opened and confirms it', async () => {
    await sql`delete from fault_report`.execute(owner)
    const { data: reason } = await handlers.saveFixReason({ name: '车篮松动', position: 9, forRiders: false }, desk)
    const [id = 0] = await create('inspect')
    await handlers.claimTask({ id }, worker)
    await handlers.completeTask({ ...done, id, reasonId: reason.id, note: '左侧松动' }, worker)
    const reports = async () => (await sql`select * from fault_report`.execute(owner)).rows
    expect(await reports()).toMatchObject([
      { source: 'inspection', reason: '车篮松动', note: '左侧松动', inspection_id: id, settled_at: null },
    ])
    const filter = { kinds: ['repair' as const], states: ['open' as const] }
    const { data } = await handlers.listTasks({ filter, sort: 'newest', pageSize: 5 }, desk)
    const repair = data.list.find(({ source }) => source === 'inspection')
    expect(repair).toMatchObject({ triggerDetail: '车篮松动' })
    await handlers.claimTask({ id: repair?.id ?? 0 }, worker)
    await handlers.completeTask({ ...done, id: repair?.id ?? 0 }, worker)
    expect(await reports()).toMatchObject([{ task_id: repair?.id, settled_at: expect.any(Date) }])
  })
})

describe('the state of a vehicle', () => {
  const stateOf = async (id: number) => {
    const { task } = (await handlers.taskDetail({ id }, desk)).data
    return task.vehicle.state
  }
  const eventsOf = async (id: number) => {
    const { vehicle_id: vehicleId } = await owner
      .selectFrom('task')
      .select('vehicle_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const rows = await owner
      .selectFrom('vehicle_event')
      .select('event')
      .where('vehicle_id', '=', vehicleId)
      .where('cause', '=', 'operator')
      .orderBy('id')
      .execute()
    return rows.map(({ event }) => event)
  }

  it('follows what is done on the spot: whoever is mended or on the van cannot be ridden', async () => {
    const [repair = 0] = await create('repair')
    await handlers.claimTask({ id: repair }, worker)
    expect(await stateOf(repair)).toBe('available')
    await handlers.startTask({ id: repair }, worker)
    expect(await stateOf(repair)).toBe('non_operational')
    // What is half mended is not for hire because somebody else goes on with it.
    await handlers.releaseTask({ id: repair, note: '' }, worker)
    expect(await stateOf(repair)).toBe('non_operational')
    await handlers.claimTask({ id: repair }, worker)
    await handlers.startTask({ id: repair }, worker)
    await handlers.completeTask({ ...done, id: repair }, worker)
    expect(await stateOf(repair)).toBe('available')
    expect(await eventsOf(repair)).toEqual(['maintenance', 'maintenance'])
    const [move = 0, retrieve = 0] = [(await create('move'))[0], (await create('retrieve'))[0]]
    for (const id of [move, retrieve]) {
      await handlers.claimTask({ id }, worker)
      await handlers.startTask({ id }, worker)
      expect(await stateOf(id)).toBe('removed')
    }
    await handlers.completeTask({ ...done, id: move }, worker)
    expect(await stateOf(move)).toBe('available')
    // Whoever takes the work away from somebody who stands there has the vehicle put down again.
    await handlers.cancelTasks({ ids: [retrieve], note: '车已归位' }, desk)
    expect([await stateOf(retrieve), await eventsOf(retrieve)]).toEqual([
      'available',
      ['maintenance_pick_up', 'provider_drop_off'],
    ])
  })

  it('comes back with a repair that nobody announced, and is left alone where riders have the vehicle', async () => {
    const [found = 0, ridden = 0] = [(await create('repair'))[0], (await create('repair'))[0]]
    const setState = (id: number, state: string) =>
      sql`update vehicle set state = ${state} where id = (select vehicle_id from task where id = ${id})`.execute(owner)
    await setState(found, 'non_operational')
    await handlers.fixFixTickets({ ids: [found], note: '', parts: [] }, desk)
    expect(await stateOf(found)).toBe('available')
    await setState(ridden, 'on_trip')
    await handlers.claimTask({ id: ridden }, worker)
    await handlers.startTask({ id: ridden }, worker)
    await handlers.completeTask({ ...done, id: ridden }, worker)
    expect([await stateOf(ridden), await eventsOf(ridden)]).toEqual(['on_trip', []])
  })
})

const rule = (changes: Partial<TaskRule> & Pick<TaskRule, 'trigger'>): TaskRule =>
  ({ enabled: true, kind: 'battery_swap', priority: 2, dueMinutes: 60, atMost: 100, ...changes }) as TaskRule

describe('rules', () => {
  it('open what is missing once, cancel what is over, and leave alone what somebody has', async () => {
    await sql`update vehicle_status set battery_percent = 90`.execute(owner)
    const [low = 0, soon = 0, full = 0] = await vehicles(3)
    await battery(low, 8)
    await battery(soon, 15)
    await battery(full, 90)
    const rules = [rule({ trigger: 'low_battery', belowPercent: 20 })]
    await handlers.saveTaskRules({ areas: [{ areaId: 31, version: 0 }], rules, note: '' }, desk)
    expect(await refusal(handlers.saveTaskRules({ areas: [{ areaId: 31, version: 0 }], rules, note: '' }, desk))).toBe(
      'conflict',
    )
    expect(await operations.runRules()).toMatchObject({ opened: 2, cancelled: 0 })
    expect(await operations.runRules()).toMatchObject({ opened: 0, cancelled: 0 })
    const open = async () => {
      const filter = { sources: ['rule' as const], states: ['open' as const, 'claimed' as const] }
      return (await handlers.listTasks({ filter, sort: 'due', pageSize: 50 }, desk)).data.list
    }
    const tasks = await open()
    expect(tasks.map((task) => [task.vehicleId, task.triggerValue, (task.dueAt ?? 0) - task.openedAt])).toEqual([
      [low, 8, hourMs],
      [soon, 15, hourMs],
    ])
    const claimed = tasks.find((task) => task.vehicleId === soon)?.id ?? 0
    await handlers.claimTask({ id: claimed }, worker)
    // A little above the threshold the reason still holds.
    for (const id of [low, soon]) await battery(id, 22)
    expect(await operations.runRules()).toMatchObject({ cancelled: 0 })
    for (const id of [low, soon]) await battery(id, 80)
    expect(await operations.runRules()).toMatchObject({ opened: 0, cancelled: 1 })
    expect((await open()).map((task) => [task.id, task.causeGoneAt !== null])).toEqual([[claimed, true]])
    await battery(soon, 5)
    await operations.runRules()
    expect((await open())[0]?.causeGoneAt).toBeNull()
    await handlers.completeTask({ ...done, id: claimed }, worker)
    expect(await operations.runRules(), 'what was just done rests').toMatchObject({ opened: 0 })
    kit.clock.advance(3 * hourMs)
    expect(await operations.runRules()).toMatchObject({ opened: 1 })
  })

  it('close the alarm with the task that it asked for, and the task with the alarm', async () => {
    const [one = 0, two = 0] = await vehicles(2)
    const at = new Date(kit.clock.now())
    const alarm = { agent_id: 3, area_id: 31, kind: 'fall', opened_at: at, last_at: at }
    const alarms = await owner
      .insertInto('vehicle_alarm')
      .values([
        { ...alarm, vehicle_id: one },
        { ...alarm, vehicle_id: two },
      ])
      .returning('id')
      .execute()
    const rules = [rule({ trigger: 'alarm', alarms: ['fall'], kind: 'inspect' })]
    await handlers.saveTaskRules({ areas: [{ areaId: 31, version: 1 }], rules, note: '' }, desk)
    expect(await operations.runRules()).toMatchObject({ opened: 2 })
    const tasksOf = async (vehicleId: number) =>
      (await handlers.listTasks({ filter: { vehicleId }, sort: 'newest', pageSize: 5 }, desk)).data.list
    const id = (await tasksOf(one))[0]?.id ?? 0
    await handlers.claimTask({ id }, worker)
    await handlers.completeTask({ ...done, id, note: '扶起' }, worker)
    const closed = await owner.selectFrom('vehicle_alarm').selectAll().where('vehicle_id', '=', one).execute()
    expect(closed).toMatchObject([{ fixed_by: '陆小川', note: '扶起' }])
    await fleet.handlers.fixAlarmTickets({ ids: [alarms[1]?.id ?? 0], note: '' }, desk)
    await operations.runRules()
    expect((await tasksOf(two))[0]?.state).toBe('cancelled')
  })

  it('tell what they would have done in the past week', async () => {
    const [vehicleId = 0] = await vehicles()
    const now = kit.clock.now()
    await sql`select ensure_track_segment_days(${new Date(now - 8 * dayMs)}::date, ${new Date(now)}::date)`.execute(
      owner,
    )
    const stretch = (fromHours: number, toHours: number, from: number, to: number) => ({
      vehicle_id: vehicleId,
      agent_id: 3,
      area_id: 31,
      kind: 'stay',
      started_at: new Date(now - fromHours * hourMs),
      ended_at: new Date(now - toHours * hourMs),
      start_lat: 31.2,
      start_lng: 120.7,
      end_lat: 31.2,
      end_lng: 120.7,
      battery_start: from,
      battery_end: to,
    })
    await owner
      .insertInto('track_segment')
      .values([stretch(100, 80, 60, 10), stretch(80, 60, 100, 50), stretch(60, 40, 50, 5), stretch(40, 1, 95, 90)])
      .execute()
    const ended = { opened_at: new Date(now - 85 * hourMs), claimed_at: new Date(now - 84 * hourMs) }
    await owner
      .insertInto('task')
      .values({
        ...ended,
        vehicle_id: vehicleId,
        agent_id: 3,
        area_id: 31,
        kind: 'battery_swap',
        state: 'done',
        source: 'manual',
        done_at: new Date(now - 80 * hourMs),
      })
      .execute()
    const rules = [rule({ trigger: 'low_battery', belowPercent: 20 })]
    const { data } = await handlers.dryRunTaskRules({ areaId: 31, rules }, desk)
    expect([data.tasks, data.done, data.vanished]).toEqual([2, 1, 1])
    expect(data.examples.map((task) => task.vehicleId)).toEqual([vehicleId, vehicleId])
    expect(await refusal(handlers.dryRunTaskRules({ areaId: 41, rules }, desk))).toBe('not_found')
  })
})

it('an area of field work says who works there, by when, and how much there is', async () => {
  const people = [{ operatorId: 1008, kinds: ['battery_swap' as const] }]
  const targets = { battery_swap: 30, move: 60, repair: 600, inspect: 60, retrieve: 60, relocate: 60 }
  await handlers.saveWorkArea({ areaId: 31, version: 0, targets, people }, desk)
  expect(await refusal(handlers.saveWorkArea({ areaId: 31, version: 0, targets, people }, desk))).toBe('conflict')
  const [id = 0] = await create('battery_swap')
  const { task } = (await handlers.taskDetail({ id }, desk)).data
  expect((task.dueAt ?? 0) - task.openedAt).toBe(30 * minuteMs)
  expect(await refusal(handlers.claimTask({ id }, other)), 'named people work there').toBe('task_for_named')
  expect(await refusal(handlers.claimTask({ id }, worker))).toBe('nothing')
  const [forDesk = 0] = await create('battery_swap')
  expect(await refusal(handlers.claimTask({ id: forDesk }, desk)), 'a desk sends anybody').toBe('nothing')
  const [inspection = 0] = await create('inspect')
  expect(await refusal(handlers.claimTask({ id: inspection }, other)), 'nobody is named for it').toBe('nothing')
  const { list } = (await handlers.listWorkAreas({}, desk)).data
  expect(list).toMatchObject([{ areaId: 31, people: [{ name: '陆小川' }], targets: { battery_swap: 30 } }])
  expect(list[0]?.inWork).toBeGreaterThan(0)
  expect(kit.clock.now()).toBeGreaterThan(TEST_START_MS)
})
