import { beforeAll, expect, it } from 'vitest'
import { errorText } from '@saddle/contract/errors.ts'
import { meters } from '@saddle/contract/finance/meters.ts'
import { businessDayStart, hourMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { createServiceBills } from '#finance/public.ts'
import { createManualClock } from '#kit/clock.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import type { MeterSource } from '../meters/deps.ts'

const { db, owner } = await testDatabase()
const clock = createManualClock(businessDayStart('2026-09-02') + 2 * hourMs)
const kit = { ...testKit(db), clock }
const asked: string[] = []
const read = (quantity: number, areaId: number | null): MeterSource => ({
  count: async ({ day }) => {
    asked.push(day)
    return [
      { agentId: 3, areaId, quantity },
      { agentId: 2, areaId: null, quantity: 1 },
    ]
  },
  events: async ({ from }) => [{ subject: 'A', at: from.getTime(), quantity }],
})
const held = new Map<string, () => Promise<readonly string[]>>()
const bills = createServiceBills(kit, {
  audit: createAudit(kit),
  books: { hold: (name, reconciler) => void held.set(name, reconciler) },
  sources: { vehicle_day: read(40, 31), device_data: read(12_345, 31), certification: read(2, null) },
})
const { handlers } = bills
const of = (agentId: number) =>
  sessionCall({
    operatorId: agentId * 10,
    agentId,
    grant: { agentIds: agentId === 2 ? [2, 3] : [agentId], areaIds: agentId === 4 ? [] : [31] },
  })
const page = { filter: {}, sort: 'issued' as const, pageSize: 50 }

beforeAll(async () => {
  await owner
    .insertInto('agent')
    .values([
      { id: 2, company: '平台' },
      { id: 3, parent_id: 2, company: '东湖' },
      { id: 4, parent_id: 2, company: '西山' },
    ])
    .execute()
  await owner
    .insertInto('service_area')
    .values({
      id: 31,
      agent_id: 3,
      name: '东区',
      ring: '[[120,31],[120.1,31],[120.1,31.1],[120,31]]',
      centre_lat: 31,
      centre_lng: 120,
    })
    .execute()
})

it('counts each day once and bills a month when all of it is counted', async () => {
  bills.tally('sms', 3)
  bills.tally('sms', 3)
  clock.set(businessDayStart('2026-09-01') + hourMs)
  await bills.close()
  clock.set(businessDayStart('2026-09-02') + 2 * hourMs)
  expect(await bills.makeBills()).toEqual({ days: meters.length, bills: 0 })
  expect(await bills.makeBills()).toEqual({ days: 0, bills: 0 })
  clock.set(businessDayStart('2026-10-01') + 2 * hourMs)
  expect(await bills.makeBills()).toEqual({ days: meters.length * 29, bills: 1 })
  expect(await bills.makeBills()).toEqual({ days: 0, bills: 0 })
  expect(asked.filter((day) => day === '2026-09-15')).toHaveLength(3)

  const { data } = await handlers.listServiceBills(page, of(3))
  // 30 days of 40 vehicles at 0.20, 370,350 messages at 1.00 for 10,000, 60 certificates at 0.50, 2 messages at 0.05.
  expect(data.list).toMatchObject([
    {
      number: 'FW202609-3',
      month: '2026-09',
      state: 'unpaid',
      amountCents: 24_000 + 3_704 + 3_000 + 10,
      company: '东湖',
    },
  ])
  expect((await handlers.listServiceBills(page, of(2))).data.list).toHaveLength(1)
  expect((await handlers.listServiceBills(page, of(4))).data.list).toEqual([])
  expect(await held.get('service bills')?.()).toEqual([])
})

it('opens a line down to the days and the events of a day', async () => {
  const { data } = await handlers.listBillLines({ filter: {}, sort: 'amount', pageSize: 50 }, of(3))
  expect(data.list.map(({ meter, quantity }) => [meter, quantity])).toEqual([
    ['vehicle_day', 1_200],
    ['device_data', 370_350],
    ['certification', 60],
    ['sms', 2],
  ])
  const id = data.list[0]?.id ?? 0
  const opened = (await handlers.billLineDetails({ id, day: '2026-09-03' }, of(3))).data
  expect(opened.price).toMatchObject({ meter: 'vehicle_day', version: 1 })
  expect(opened.days).toHaveLength(30)
  expect(opened.days.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(1_200)
  expect(opened.events).toEqual([{ subject: 'A', at: businessDayStart('2026-09-03'), quantity: 40 }])
  expect((await handlers.billLineDetails({ id, day: '2026-10-03' }, of(3))).data.events).toBeNull()
  await expect(handlers.billLineDetails({ id }, of(4))).rejects.toThrow(errorText('not_found'))

  const areas = (await handlers.listBillAreas({ filter: { month: '2026-09' }, sort: 'amount', pageSize: 50 }, of(3)))
    .data
  expect(areas.list.map(({ area, vehicleDays, amountCents }) => [area, vehicleDays, amountCents])).toEqual([
    ['东区', 1_200, 27_704],
    [null, 0, 3_010],
  ])
})

it('prices each day by the version that holds on it, and changes no bill', async () => {
  const price = { meter: 'vehicle_day', priceCents: 30, perQuantity: 1, reason: '年度调价' } as const
  const early = handlers.setMeterPrice({ ...price, firstDay: '2026-10-01' }, of(2))
  await expect(early).rejects.toThrow(errorText('meter_price_too_early'))
  await expect(handlers.setMeterPrice({ ...price, firstDay: '2026-10-11' }, of(3))).rejects.toThrow(
    errorText('forbidden'),
  )
  const made = (await handlers.setMeterPrice({ ...price, firstDay: '2026-10-11' }, of(2))).data
  expect(made).toMatchObject({ version: 2, firstDay: '2026-10-11' })
  clock.set(businessDayStart('2026-11-01') + 2 * hourMs)
  expect((await bills.makeBills()).bills).toBe(1)
  const filter = { month: '2026-10', meters: ['vehicle_day' as const] }
  const { list } = (await handlers.listBillLines({ filter, sort: 'amount', pageSize: 50 }, of(3))).data
  expect(list.map(({ quantity, amountCents }) => [quantity, amountCents])).toEqual([
    [840, 25_200],
    [400, 8_000],
  ])
  const opened = (await handlers.billLineDetails({ id: list[0]?.id ?? 0 }, of(3))).data
  expect(opened.days[0]?.day).toBe('2026-10-11')
  expect(opened.days).toHaveLength(21)
  const sums = (await handlers.sumServiceBills({ filter: { month: '2026-09' } }, of(3))).data
  expect(sums.sums?.amountCents).toBe(30_714)
})

it('is waived by the platform alone, once, and only what is open', async () => {
  const { list } = (await handlers.listServiceBills({ ...page, filter: { month: '2026-09' } }, of(3))).data
  const id = list[0]?.id ?? 0
  await expect(handlers.waiveServiceBill({ id, reason: '试运营' }, of(3))).rejects.toThrow(errorText('forbidden'))
  const waived = (await handlers.waiveServiceBill({ id, reason: '试运营' }, of(2))).data
  expect(waived).toMatchObject({ state: 'free', openCents: 0, freeCents: 30_714, freeReason: '试运营' })
  const again = handlers.waiveServiceBill({ id, reason: '试运营' }, of(2))
  await expect(again).rejects.toThrow(errorText('service_bill_not_open'))
  const file = await handlers.exportServiceBills({ filter: {}, sort: 'issued' }, of(3))
  expect(file.data.rows).toBe(2)
  expect(file.data.text).toContain('307.14')
})
