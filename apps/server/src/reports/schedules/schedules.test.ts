import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { reportNames, reports } from '@saddle/contract/reports/reports.ts'
import type { ScheduleInput } from '@saddle/contract/reports/schedules.ts'
import { addDays, businessDayOf, businessDayStart, dayMs, hourMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { createExports } from '#exports/public.ts'
import { createNotices } from '#notices/public.ts'
import { sessionCall } from '#test/kit.ts'
import { reportWorld } from '../reports.fixture.ts'
import { createReportSchedules } from './create.ts'
import type { DeliveryNotice } from './deps.ts'
import { instantOf, nextOf, spanAt } from './rules.ts'

const world = await reportWorld()
const { db, owner, kit, addOrders } = world
const audit = createAudit(kit)
const permissions = reportNames.map((name) => reports[name].permission)
const ids = [9_001, 9_002, 9_003] as const
const [reader, other, gone] = ids
await sql`
  insert into operator (id, agent_id, op_man_id, name, level, phone_hash, phone_sealed) overriding system value
  select n, 3, lpad(n::text, 24, '0'), 'person ' || n, 1, 'hash ' || n, 'sealed' from unnest(${[...ids]}::bigint[]) n`.execute(
  owner,
)
const held = new Map<number, readonly string[]>([
  [reader, permissions],
  [other, ['1101']],
])
let areasOfReader = [31, 32]
const accessOf = async (operatorId: number) => {
  const codes = held.get(operatorId)
  if (codes === undefined) return null
  const areaIds = operatorId === reader ? areasOfReader : [31]
  const { caller, grant } = sessionCall({
    operatorId,
    agentId: 3,
    grant: { agentIds: [3], areaIds },
    permissions: codes,
    name: `person ${operatorId}`,
  })
  return { caller, grant }
}
const exports = createExports({ kit, audit, accessOf })
exports.serve(world.reports.handlers)
const told: DeliveryNotice[] = []
const schedules = createReportSchedules({
  kit,
  audit,
  exports,
  accessOf,
  tell: async (_tx, notice) => void told.push(notice),
})
const clerk = sessionCall({ operatorId: reader, agentId: 3, grant: { agentIds: [3], areaIds: [31, 32] }, permissions })
const codes = [...permissions, 'FinancialReconciliation']
const treasurer = sessionCall({ operatorId: reader, agentId: 3, grant: clerk.grant, permissions: codes })
const daily: ScheduleInput = {
  name: '每日',
  report: 'orders',
  by: 'area',
  span: 'yesterday',
  frequency: 'daily',
  weekday: null,
  monthDay: null,
  hour: 8,
  format: 'csv',
  receiverIds: [reader, other, gone],
}
const deliveries = async () =>
  (await schedules.handlers.listReportDeliveries({ filter: {}, sort: 'due', pageSize: 50 }, clerk)).data.list

describe('the times of a schedule', () => {
  const at = (text: string): number => Date.parse(text)
  it('are hours of a time zone', () => {
    const eight = { frequency: 'daily', weekday: null, monthDay: null, hour: 8 } as const
    expect(nextOf(eight, 'Asia/Shanghai', at('2026-11-20T23:59:00Z'))).toBe(at('2026-11-21T00:00:00Z'))
    expect(nextOf(eight, 'Asia/Shanghai', at('2026-11-21T00:00:00Z'))).toBe(at('2026-11-22T00:00:00Z'))
    expect(nextOf(eight, 'Europe/Berlin', at('2026-07-01T00:00:00Z'))).toBe(at('2026-07-01T06:00:00Z'))
    // The clocks go forward on 29 March 2026 at 02:00.
    expect(instantOf('Europe/Berlin', '2026-03-29', 8)).toBe(at('2026-03-29T06:00:00Z'))
    const monday = { ...eight, frequency: 'weekly', weekday: 1 } as const
    expect(nextOf(monday, 'Asia/Tokyo', at('2026-11-21T00:00:00Z'))).toBe(at('2026-11-22T23:00:00Z'))
    const second = { ...eight, frequency: 'monthly', monthDay: 2 } as const
    expect(nextOf(second, 'Asia/Shanghai', at('2026-11-21T00:00:00Z'))).toBe(at('2026-12-02T00:00:00Z'))
  })

  it('stand behind business days that have ended', () => {
    const usual = { zone: 'Asia/Shanghai', dayStartsAt: 0 } as const
    const eight = at('2026-11-23T00:00:00Z')
    expect(spanAt('yesterday', usual, eight)).toEqual({ from: '2026-11-22', to: '2026-11-22' })
    expect(spanAt('last_week', usual, eight)).toEqual({ from: '2026-11-16', to: '2026-11-22' })
    expect(spanAt('last_month', usual, eight)).toEqual({ from: '2026-10-01', to: '2026-10-31' })
    expect(spanAt('last_30_days', usual, eight)).toEqual({ from: '2026-10-24', to: '2026-11-22' })
    // At eight o'clock the day of a company that begins at nine is still the one before.
    expect(spanAt('yesterday', { ...usual, dayStartsAt: 9 }, eight)).toEqual({ from: '2026-11-21', to: '2026-11-21' })
  })
})

describe('a scheduled report', () => {
  it('is made once for each receiver, of what they may read, and they are told when it is there', async () => {
    const { data: made } = await schedules.handlers.createReportSchedule(daily, clerk)
    expect(made).toMatchObject({ state: 'active', lastAt: null, receivers: ids.map((id) => `person ${id}`) })
    const yesterday = addDays(businessDayOf(made.nextAt), -1)
    await addOrders(
      [0, 1, 1].map((area, index) => ({
        area,
        vehicle: 0,
        placedAt: businessDayStart(yesterday) + index * hourMs,
        minutes: 10,
        cents: 300,
        state: 'paid' as const,
      })),
    )
    await world.reports.runRollups()
    expect(await schedules.run()).toEqual({ due: 0, ended: 0 })
    kit.clock.advance(made.nextAt - kit.clock.now())
    await Promise.all(Array.from({ length: 3 }, () => schedules.run()))
    expect((await deliveries()).map(({ operatorName, state }) => [operatorName, state]).toSorted()).toEqual([
      [`person ${reader}`, 'making'],
      [`person ${other}`, 'forbidden'],
    ])
    expect(told).toEqual([])
    expect(await exports.work()).toBe(true)
    expect(await schedules.run()).toEqual({ due: 0, ended: 1 })
    expect(told).toMatchObject([{ isReady: true, operatorId: reader, name: '每日', from: yesterday, to: yesterday }])
    const own = sessionCall({ operatorId: reader, agentId: 3, grant: clerk.grant, permissions })
    const { data: files } = await exports.handlers.listOwnExports({ filter: {}, sort: 'at', pageSize: 20 }, own)
    expect(files.list).toMatchObject([{ state: 'done', rows: 2, format: 'csv' }])
    const exportId = files.list[0]?.exportId ?? ''
    const { data: part } = await exports.handlers.readExportPart({ exportId, part: 0 }, own)
    expect(Buffer.from(part.base64, 'base64').toString()).toContain('城东')
  })

  it('is not made while it is paused, and what was missed is not made up for', async () => {
    const { data } = await schedules.handlers.listReportSchedules({ filter: {}, sort: 'created', pageSize: 20 }, clerk)
    const [own] = data.list
    const id = own?.id ?? 0
    await schedules.handlers.switchReportSchedule({ id, state: 'paused' }, clerk)
    kit.clock.advance(3 * dayMs)
    expect((await schedules.run()).due).toBe(0)
    await schedules.handlers.switchReportSchedule({ id, state: 'active' }, clerk)
    expect((await schedules.run()).due).toBe(0)
    kit.clock.advance(dayMs)
    expect((await schedules.run()).due).toBe(1)
  })

  it('fails for somebody who may not see it any more when it is made, and says so', async () => {
    held.set(reader, ['1101'])
    expect(await exports.work()).toBe(true)
    await schedules.run()
    expect(told.at(-1)).toMatchObject({ isReady: false, operatorId: reader })
    held.set(reader, permissions)
    expect((await deliveries()).map(({ state }) => state)).toContain('failed')
  })

  it('is for people of the company, of a report that its author may read, at a time that exists', async () => {
    const create = (input: Partial<ScheduleInput>, call = clerk) =>
      schedules.handlers.createReportSchedule({ ...daily, ...input }, call)
    await expect(create({ receiverIds: [9_999] })).rejects.toMatchObject({ code: 'foreign_scope' })
    await expect(create({ areaIds: [41] })).rejects.toMatchObject({ code: 'foreign_scope' })
    await expect(create({ frequency: 'weekly' })).rejects.toMatchObject({ code: 'bad_request' })
    await expect(create({ by: 'model', report: 'deposit' })).rejects.toMatchObject({ code: 'bad_request' })
    const only = sessionCall({
      operatorId: other,
      agentId: 3,
      grant: clerk.grant,
      permissions: [reports.wallet.permission],
    })
    await expect(create({}, only)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('can be the financial reconciliation, for those who may see it', async () => {
    const input = { ...daily, name: '对账', report: 'reconciliation', by: 'channel', span: 'last_7_days' } as const
    const create = (part: Partial<ScheduleInput>, call = treasurer) =>
      schedules.handlers.createReportSchedule({ ...input, ...part }, call)
    await expect(create({}, clerk)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(create({ areaIds: [31] })).rejects.toMatchObject({ code: 'bad_request' })
    await expect(create({ by: 'model' })).rejects.toMatchObject({ code: 'bad_request' })
    held.set(reader, codes)
    const { data: made } = await create({ receiverIds: [reader, other] })
    kit.clock.advance(made.nextAt - kit.clock.now())
    await schedules.run()
    while (await exports.work()) await schedules.run()
    await schedules.run()
    const own = (await deliveries()).filter(({ name }) => name === '对账')
    expect(own.map(({ operatorName, state }) => [operatorName, state]).toSorted()).toEqual([
      [`person ${reader}`, 'ready'],
      [`person ${other}`, 'forbidden'],
    ])
    const { data: files } = await exports.handlers.listOwnExports({ filter: {}, sort: 'at', pageSize: 1 }, treasurer)
    expect(files.list).toMatchObject([{ state: 'done', action: 'report.export_reconciliation' }])
    held.set(reader, permissions)
  })

  it('reaches the inbox of its receiver, with the areas that they have when it is made', async () => {
    const real = createReportSchedules({ kit, audit, exports, accessOf })
    const notices = createNotices(kit, { audit, openPhone: (sealed) => sealed, sendText: null })
    const { data: made } = await real.handlers.createReportSchedule(
      { ...daily, name: '按区', receiverIds: [reader] },
      clerk,
    )
    const at = businessDayStart(businessDayOf(made.nextAt)) - hourMs
    await addOrders(
      [0, 1].map((area) => ({ area, vehicle: 0, placedAt: at, minutes: 10, cents: 300, state: 'paid' as const })),
    )
    await world.reports.runRollups()
    kit.clock.advance(made.nextAt - kit.clock.now())
    areasOfReader = [32]
    const deliver = async (): Promise<void> => {
      await real.run()
      while (await exports.work()) await real.run()
      await real.run()
      await notices.spread()
    }
    await deliver()
    const { data: files } = await exports.handlers.listOwnExports({ filter: {}, sort: 'at', pageSize: 1 }, clerk)
    expect(files.list).toMatchObject([{ state: 'done', rows: 1 }])
    const inbox = await notices.handlers.listOwnNotices({ filter: {}, sort: 'at', pageSize: 50 }, clerk)
    expect(inbox.data.list.filter(({ title }) => title.startsWith('按区'))).toMatchObject([
      { event: 'report_ready', path: '/exports', readAt: null },
    ])
    // The right goes between the hour of the schedule and the making of the file.
    kit.clock.advance(dayMs)
    await real.run()
    held.set(reader, ['1101'])
    await deliver()
    held.set(reader, permissions)
    const after = await notices.handlers.listOwnNotices({ filter: {}, sort: 'at', pageSize: 50 }, clerk)
    expect(after.data.list.filter(({ title }) => title.startsWith('按区')).map(({ event }) => event)).toEqual([
      'report_failed',
      'report_ready',
    ])
    // Only the schedule tells: nobody asked the export centre for these files.
    expect(after.data.list.filter(({ event }) => event.startsWith('export_'))).toEqual([])
    areasOfReader = [31, 32]
    await notices.close()
  })

  it('is removed with its deliveries', async () => {
    const { data } = await schedules.handlers.listReportSchedules({ filter: {}, sort: 'created', pageSize: 20 }, clerk)
    for (const { id } of data.list) await schedules.handlers.removeReportSchedule({ id }, treasurer)
    expect(await deliveries()).toEqual([])
    expect((await db.systemRead((k) => k.selectFrom('report_schedule').select('id').compile())).length).toBe(0)
  })
})
