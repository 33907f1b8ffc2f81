import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { toldOf } from '#test/toldOf.ts'
import { desk, done, operationsDesk, other, refusal, outsider, worker } from './desk.fixture.ts'
import { reportFault } from './public.ts'
import { tellOverdue } from './tasks/tellTasks.ts'

const { db, owner, kit, handlers, vehicles, create, battery } = await operationsDesk()

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

  it('is in the log with its vehicle, and with its number only where there are several', async () => {
    const logged = async () => {
      const { rows } = await sql<{ subject_id: string; after: Readonly<Record<string, unknown>> }>`
        select subject_id, after from audit_record where subject_kind = 'task' order by id desc limit 1`.execute(owner)
      return rows[0]
    }
    const ids = await create('retrieve', 2)
    const tasks = await Promise.all(ids.map(async (id) => (await handlers.taskDetail({ id }, desk)).data.task))
    const vehicleIds = tasks.map(({ vehicleId }) => vehicleId)
    await handlers.cancelTasks({ ids: ids.slice(0, 1), note: '' }, desk)
    expect(await logged()).toMatchObject({ subject_id: String(ids[0]), after: { vehicleIds: vehicleIds.slice(0, 1) } })
    expect((await logged())?.after).not.toHaveProperty('taskIds')
    await handlers.cancelTasks({ ids: ids.slice(1), note: '' }, desk)
    await handlers.reopenTasks({ ids }, desk)
    const both = await logged()
    expect(both).toMatchObject({ subject_id: '', after: { taskIds: ids } })
    expect(new Set(both?.after['vehicleIds'] as number[])).toEqual(new Set(vehicleIds))
    await handlers.cancelTasks({ ids, note: '' }, desk)
  })

  it('belongs to whoever claimed it first, and is hidden from other companies', async () => {
    const [id = 0] = await create('move')
    const both = await Promise.allSettled([handlers.claimTask({ id }, worker), handlers.claimTask({ id }, other)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const owned = (await handlers.taskDetail({ id }, desk)).data.task.assigneeId
    const [mine, theirs] = owned === 1008 ? [worker, other] : [other, worker]
    expect(await refusal(handlers.claimTask({ id }, theirs))).toBe('task_taken')
    expect(await refusal(handlers.claimTask({ id }, mine))).toBe('nothing')
    expect(await refusal(handlers.completeTask({ ...done, id }, theirs))).toBe('task_not_yours')
    expect(await refusal(handlers.completeTask({ ...done, id, scannedNumber: 'SD1' }, mine))).toBe('task_other_vehicle')
    expect(await refusal(handlers.claimTask({ id }, outsider))).toBe('not_found')
    expect((await handlers.listTasks({ filter: {}, sort: 'newest', pageSize: 20 }, outsider)).data.list).toEqual([])
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
    const told = () => toldOf(owner, `task ${first}`)
    expect(await told()).toEqual(['task_assigned'])
    await owner
      .updateTable('task')
      .set({ due_at: new Date(kit.clock.now()) })
      .where('id', '=', first)
      .execute()
    await tellOverdue(kit)
    await tellOverdue(kit)
    expect(await told(), 'once').toEqual(['task_assigned', 'task_overdue'])
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
    const { data: moves } = await handlers.exportPartMovements({ id: made.id }, desk)
    expect(moves.text.split('\n')[0]).toContain('时间,数量,金额(元),任务编号,人员,备注')
    expect(moves.rows).toBe(2)
    expect(moves.text).toMatch(/,3,[^\n]*,入库,/)
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
