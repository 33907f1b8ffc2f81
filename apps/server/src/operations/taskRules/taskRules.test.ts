import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { TaskRule } from '@saddle/contract/operations/taskRules.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { desk, done, operationsDesk, refusal, worker } from '../desk.fixture.ts'

const { owner, kit, fleet, operations, handlers, vehicles, battery } = await operationsDesk()

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
