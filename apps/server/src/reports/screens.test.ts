import { expect, it } from 'vitest'
import { reportNames, reports } from '@saddle/contract/reports/reports.ts'
import { screenPermissions } from '@saddle/contract/reports/screens.ts'
import { addDays, businessDayOf, businessDayStart, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { sessionCall } from '#test/kit.ts'
import { reportWorld } from './reports.fixture.ts'
import { createAnswerCache } from './screens/cache.ts'
import { createScreenHandlers } from './screens/handlers.ts'
import { sameDayOfMonthBefore } from './screens/revenue.ts'

const world = await reportWorld()
const { kit, addOrders, owner } = world
// Answers are kept for a moment, and the clock of these tests stands still.
const uncached = { ...kit, config: { ...kit.config, screenCacheSeconds: 0 } }
const handlers = { ...world.reports.handlers, ...createScreenHandlers(uncached) }
const permissions = [...Object.values(screenPermissions), ...reportNames.map((name) => reports[name].permission)]
const wall = sessionCall({ operatorId: 7, agentId: 3, grant: { agentIds: [3], areaIds: [31, 32] }, permissions })
const narrowed = { ...wall, token: { ...wall.token, opAreaIdsBigScreen: [31] } }
const nowMs = kit.clock.now()
const today = businessDayOf(nowMs)
const dayStart = businessDayStart(today)
const lastWeek = businessDayStart(addDays(today, -7))
const ride = (area: number, placedAt: number, cents: number) =>
  ({ area, vehicle: 0, placedAt, minutes: 10, cents, state: 'paid' }) as const

it('shows what the reports say of today, by hour and by area, and last week up to the same hour', async () => {
  const hoursBegun = Math.floor((nowMs - dayStart) / hourMs)
  expect(hoursBegun).toBeGreaterThan(0)
  await addOrders([
    ride(0, dayStart + minuteMs, 300),
    ride(1, dayStart + 2 * minuteMs, 200),
    ride(2, dayStart + minuteMs, 1_000),
    // In the hour that has begun: shown, and not compared with a whole one.
    ride(0, nowMs - (nowMs % hourMs), 400),
    ride(0, lastWeek + minuteMs, 100),
    // After the hour up to which both days are compared.
    ride(0, lastWeek + (hoursBegun + 1) * hourMs, 100),
  ])
  await world.reports.runRollups()
  const { data } = await handlers.readOperationsScreen({}, wall)
  const { data: report } = await handlers.readReport(
    { filter: { report: 'orders', by: 'hour', from: today, to: today } },
    wall,
  )
  expect(data.figures.today.rides).toBe(report.total.rides)
  expect(data.figures).toMatchObject({ today: { rides: 3 }, todayUntil: { rides: 2 }, lastWeekUntil: { rides: 1 } })
  expect(data.hours).toHaveLength(24)
  expect(data.hours[0]).toMatchObject({ hour: '00', today: 2, lastWeek: 1 })
  expect(data.hours.filter(({ today: rides }) => rides !== null)).toHaveLength(hoursBegun + 1)
  expect(data.areas.map((row) => [row.rides, row.ridesUntil, row.lastWeekUntil]).toSorted()).toEqual([
    [1, 1, 0],
    [2, 1, 1],
  ])
  const { data: money } = await handlers.readRevenueScreen({}, wall)
  const daily = await handlers.readReport({ filter: { report: 'daily', by: 'day', from: today, to: today } }, wall)
  for (const name of ['income', 'netCents', 'rides', 'channelPaid'] as const)
    expect(money.figures.today[name], name).toBe(daily.data.total[name])
  expect(money.hours.reduce((sum, { today: cents }) => sum + (cents ?? 0), 0)).toBe(money.figures.today.income)
  expect(money.channels).toEqual([{ channel: 'sandbox', paid: 900, refunded: 0 }])
  expect(money.days.at(-1)).toEqual({ day: today, income: 900, rides: 3 })
  expect(money.companies).toMatchObject([{ income: 900, incomeUntil: 500, lastWeekUntil: 100 }])
  expect(money.areas.map(({ net, netUntil }) => [net, netUntil])).toEqual([
    [700, 300],
    [200, 200],
  ])
  expect((money.month.now.income ?? 0) - (money.month.nowUntil.income ?? 0)).toBe(400)
})

it('is narrowed to the areas that were chosen for it', async () => {
  const { data } = await handlers.readOperationsScreen({}, narrowed)
  expect([data.areaCount, data.figures.today.rides]).toEqual([1, 2])
  const { data: money } = await handlers.readRevenueScreen({}, narrowed)
  expect(money.figures.today.netCents).toBe(700)
})

it('counts vehicles, alarms and rides in squares, and names nobody', async () => {
  const vehicles = await owner.selectFrom('vehicle').selectAll().where('area_id', '=', 31).execute()
  const [first] = vehicles
  const ids = { vehicle_id: first!.id, agent_id: 3, area_id: 31 }
  await owner
    .insertInto('vehicle_status')
    .values({ ...ids, lat: 31.051, lng: 120.051, position_at: new Date(nowMs), heard_at: new Date(nowMs) })
    .execute()
  await owner
    .insertInto('vehicle_alarm')
    .values({ ...ids, kind: 'fall', opened_at: new Date(nowMs), last_at: new Date(nowMs) })
    .execute()
  await owner
    .updateTable('ride_order')
    .set({ start_lat: 31.0512, start_lng: 120.0512, end_lat: 31.0712, end_lng: 120.0712, ended_at: new Date(nowMs) })
    .where('area_id', '=', 31)
    .where('placed_at', '>=', new Date(dayStart))
    .execute()
  const { data } = await handlers.readOperationsScreen({}, narrowed)
  expect(data.fleet).toMatchObject({ total: 1, available: 1 })
  expect(data.alarms).toMatchObject({ open: 1, kinds: [{ kind: 'fall', open: 1 }] })
  expect(data.map.cells).toEqual([
    { lng: expect.closeTo(120.05, 9), lat: expect.closeTo(31.05, 9), vehicles: 1, onTrip: 0 },
  ])
  const text = JSON.stringify(data)
  for (const { number } of vehicles) expect(text).not.toContain(number)
})

it('keeps an answer for a moment, and no failure', async () => {
  let nowAt = 0
  let reads = 0
  const cached = createAnswerCache<number>({ clock: { now: () => nowAt }, keptMs: 100 })
  const read = async (): Promise<number> => {
    reads += 1
    if (reads === 1) throw new Error('no answer')
    return reads
  }
  await expect(cached('a', read)).rejects.toThrow('no answer')
  expect(await Promise.all([cached('a', read), cached('a', read)])).toEqual([2, 2])
  nowAt = 99
  expect(await cached('a', read)).toBe(2)
  nowAt = 100
  expect([await cached('a', read), await cached('b', read)]).toEqual([3, 4])
})

it('compares a month with the same days of the month before', () => {
  expect(['2026-03-31', '2026-03-15', '2026-01-01'].map(sameDayOfMonthBefore)).toEqual([
    '2026-02-28',
    '2026-02-15',
    '2025-12-01',
  ])
})
