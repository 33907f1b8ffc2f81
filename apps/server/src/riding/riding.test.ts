import { describe, expect, it } from 'vitest'
import { demoRider, demoRiderPhone, demoRidersPerAgent } from '@saddle/contract/demo/riders.ts'
import { orderCell, orderStates, type Order, type OrderFilter } from '@saddle/contract/riding/orders.ts'
import { sql } from 'kysely'
import { minuteMs as minute } from '@saddle/contract/time.ts'
import { bookOrders } from '#demo/past/orders.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { testPriceRules } from '#test/rides.ts'
import { pastWorld } from './past.fixture.ts'

const { owner, kit, past, call, oneArea, foreign, handlers, search, revenueOf } = await pastWorld()
const day = 24 * 60 * minute
const amounts = async (filter: OrderFilter, by = call) => (await search(filter, by)).map((order) => order.chargedCents)

describe('orders of the past', () => {
  it('are one for each ride, whoever asks again', async () => {
    expect(await bookOrders({ ...past, benefits: null }, testPriceRules)).toBe(0)
    const { rows } = await sql<{ trips: number; orders: number; charged: number; lines: number }>`
      select (select count(*) from trip) as trips, count(*) as orders, sum(charged_cents)::bigint as charged,
        (select sum(amount_cents)::bigint from order_line) as lines from ride_order`.execute(owner)
    expect(rows).toEqual([{ trips: 5, orders: 5, charged: 3_300, lines: 3_300 }])
  })

  it('are paid in the ledger, to the cent', async () => {
    expect(await revenueOf(3)).toBe(3_000)
    expect(await revenueOf(4)).toBe(300)
    const [order] = await search({ vehicleNumber: 'SD000002' })
    const { data } = await handlers.orderDetail({ id: order!.id }, call)
    expect(data.entries).toMatchObject([
      {
        kind: 'ride_charge',
        lines: [
          { account: 'clearing_sandbox', amountCents: -1_800 },
          { account: 'agent_revenue', amountCents: 1_800 },
        ],
      },
    ])
  })

  it('are listed newest first, within the scope', async () => {
    expect(await amounts({})).toEqual([0, 1_800, 1_000, 200])
    expect(await amounts({}, oneArea)).toEqual([1_800, 1_000, 200])
    expect(await amounts({}, foreign)).toEqual([300])
  })

  it('are found by any condition and any number of them', async () => {
    const [newest] = await search({})
    const found: [OrderFilter, (number | null)[]][] = [
      [{ vehicleNumber: 'sd000001' }, [1_000, 200]],
      [{ number: newest!.number }, [0]],
      [{ number: `000101${newest!.number.slice(6)}` }, []],
      [{ areaIds: [32] }, [0]],
      [{ areaIds: [32, 41] }, [0]],
      [{ areaIds: [41] }, []],
      [{ states: ['paid'] }, [0, 1_800, 1_000, 200]],
      [{ states: ['refunded', 'cancelled'] }, []],
      [{ amountFromCents: 1_000 }, [1_800, 1_000]],
      [{ amountBelowCents: 300 }, [0, 200]],
      [{ amountFromCents: 200, amountBelowCents: 1_000 }, [200]],
      [{ amountFromCents: 1_000, states: ['paid'], areaIds: [31] }, [1_800, 1_000]],
      [{ from: TEST_START_MS - day }, [0, 1_800, 1_000]],
      [{ to: TEST_START_MS - day }, [200]],
      [{ from: TEST_START_MS - day, to: TEST_START_MS - 90 * minute, vehicleNumber: 'SD000001' }, [1_000]],
      [{ phone: '17000000000' }, []],
    ]
    for (const [filter, expected] of found) expect(await amounts(filter), JSON.stringify(filter)).toEqual(expected)
    const asked = { filter: { amountFromCents: 1_000 }, sort: 'placed', pageSize: 20 } as const
    const { data } = await handlers.searchOrders(asked, call)
    expect(data).toMatchObject({ count: 2, isCountCut: false, nextCursor: null })
  })

  it('come page by page in every order, none twice and none left out', async () => {
    const ids = (await search({})).map(({ id }) => id)
    for (const sort of ['placed', 'charged'] as const) {
      for (const direction of ['asc', 'desc'] as const) {
        const seen: Order[] = []
        for (let cursor: string | undefined; ;) {
          const question = { filter: { states: ['paid' as const] }, sort, direction, cursor, pageSize: 1 }
          const { data } = await handlers.searchOrders(question, call)
          seen.push(...data.list)
          if (data.nextCursor === null) break
          cursor = data.nextCursor
        }
        expect(seen.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
        const keys = seen.map((order) => (sort === 'placed' ? order.placedAt : (order.chargedCents ?? 0)))
        expect(keys).toEqual(keys.toSorted((x, y) => (direction === 'asc' ? x - y : y - x)))
      }
    }
    const broken = { filter: {}, sort: 'placed', cursor: 'x', pageSize: 1 } as const
    await expect(handlers.searchOrders(broken, call)).rejects.toThrow('cursor')
  })

  it('add up what was charged and given back', async () => {
    const sumOf = async (filter: OrderFilter, by = call) => (await handlers.sumOrders({ filter }, by)).data
    expect(await sumOf({})).toEqual({ rows: 4, isCut: false, sums: { chargedCents: 3_000, refundedCents: 0 } })
    expect(await sumOf({ amountFromCents: 201 })).toMatchObject({ rows: 2, sums: { chargedCents: 2_800 } })
    expect(await sumOf({ areaIds: [32] }, oneArea)).toMatchObject({ rows: 0, sums: { chargedCents: 0 } })
  })

  it('are found by any amount, by time and by amount', async () => {
    const found: [OrderFilter, number[]][] = [
      [{ amountFromCents: 201 }, [1_800, 1_000]],
      [{ amountFromCents: 200, amountBelowCents: 1_001 }, [1_000, 200]],
      [{ amountBelowCents: 1 }, [0]],
      [{ amountFromCents: 1_001, amountBelowCents: 1_800 }, []],
      [{ amountFromCents: 150, amountBelowCents: 1_799, states: ['paid'] }, [1_000, 200]],
    ]
    for (const [filter, expected] of found) {
      for (const sort of ['placed', 'charged'] as const) {
        const { data } = await handlers.searchOrders({ filter, sort, pageSize: 20 }, call)
        expect(data.list.map(({ chargedCents }) => chargedCents).toSorted((x, y) => (y ?? 0) - (x ?? 0))).toEqual(
          expected,
        )
        expect(data.count).toBe(expected.length)
      }
    }
  })

  it('of one rider, by phone', async () => {
    const [order] = await search({ vehicleNumber: 'SD000003' })
    const { phone_hash: hash } = await owner
      .selectFrom('rider')
      .select('phone_hash')
      .where('id', '=', order!.riderId)
      .executeTakeFirstOrThrow()
    const phone = Array.from({ length: demoRidersPerAgent }, (_, index) => demoRiderPhone(demoRider(3, index))).find(
      (one) => kit.secrets.hmac({ purpose: 'rider', text: one }) === hash,
    )
    const { data } = await handlers.riderOrders({ filter: { phone: phone! }, sort: 'placed', pageSize: 20 }, call)
    expect(data.list.map(({ id }) => id)).toContain(order!.id)
    expect(order!.riderPhone).toBe(`${phone!.slice(0, 3)}****${phone!.slice(7)}`)
    expect(
      (await handlers.riderOrders({ filter: { phone: phone! }, sort: 'placed', pageSize: 20 }, foreign)).data.list,
    ).toEqual([])
  })

  it('state and amount make the same cell here and in the database', async () => {
    for (const state of orderStates) {
      for (const cents of [0, 1, 199, 200, 299, 300, 499, 500, 999, 1_000, 1_999, 2_000, 4_999, 5_000, 90_000]) {
        const { rows } = await sql<{ cell: number }>`select order_cell(${state}, ${cents}) as cell`.execute(owner)
        expect(rows[0]!.cell, `${state} ${cents}`).toBe(orderCell(state, cents))
      }
    }
  })

  it('leave the house as a file without formulas, and a line in the log', async () => {
    const first = await handlers.exportOrders({ filter: { areaIds: [31] }, sort: 'placed' }, call)
    expect(first.data.rows).toBe(3)
    expect(first.data.text).toContain('停车点外')
    const [titles, row, ...others] = first.data.text.split('\r\n')
    expect(titles).toMatch(/^\ufeff订单编号,.*,导出编号,导出人$/)
    expect(row, 'plain digits, and the origin at the end').toMatch(
      new RegExp(`^\\d{16},.*,${first.data.exportId},[^,]+$`),
    )
    expect(others).toHaveLength(3)
    const lines = async () =>
      (await owner.selectFrom('audit_record').select('id').where('action', '=', 'order.export').execute()).length
    expect(await lines()).toBe(1)
  })
})

describe('why this charge', () => {
  it('tells lines, return, price version and fences', async () => {
    const [order] = await search({ vehicleNumber: 'SD000002' })
    const { data } = await handlers.orderDetail({ id: order!.id }, call)
    expect(data.lines.map(({ code, amountCents }) => [code, amountCents])).toEqual([
      ['start', 200],
      ['time', 100],
      ['outside_area', 1_500],
    ])
    expect(data.checks).toMatchObject([{ kind: 'outside_area', accepted: true }])
    expect(data.review).toMatchObject({ state: 'open', feeCents: 1_500, cause: 'fee' })
    expect(data.priceVersion).toMatchObject({ rules: testPriceRules, name: '首版计价' })
    expect(data.fences.map(({ name, version }) => [name, version])).toEqual([['车站 31', 2]])
    await expect(handlers.orderDetail({ id: order!.id }, foreign)).rejects.toThrow('未找到')
  })

  it('computes the same charge again, and another one under other rules', async () => {
    const [order] = await search({ vehicleNumber: 'SD000002' })
    const again = await handlers.itineraryCost({ orderId: order!.id }, call)
    expect(again.data).toMatchObject({ totalCents: 1_800, chargedCents: 1_800 })
    const dearer = { ...testPriceRules, startCents: 300 }
    const other = await handlers.itineraryCost({ orderId: order!.id, rules: dearer }, call)
    expect(other.data).toMatchObject({ totalCents: 1_900, version: null })
    await expect(handlers.itineraryCost({ orderId: order!.id }, foreign)).rejects.toThrow('未找到')
  })
})

describe('other rules', () => {
  it('over the rides of the last month, before anybody is charged by them', async () => {
    const rules = { ...testPriceRules, startCents: 300, outsideAreaCents: 0 }
    const { data } = await handlers.comparePrices({ areaIds: [31], rules }, call)
    expect(data).toMatchObject({ rides: 3, chargedCents: 3_000, currentCents: 3_000, newCents: 1_800 })
    expect(data).toMatchObject({ dearer: 2, cheaper: 1, isCut: false })
    expect(data.examples[0]).toMatchObject({ currentCents: 1_800, newCents: 400 })
    const both = await handlers.comparePrices({ areaIds: [31, 32], rules }, call)
    expect(both.data.rides).toBe(4)
    const others = await handlers.comparePrices({ areaIds: [31], rules }, foreign)
    expect(others.data, 'nothing of others').toMatchObject({ rides: 0, chargedCents: 0, examples: [] })
  })

  it('count what a rider spent on one day together, as the rules in force do', async () => {
    const columns = ['id', 'rider_id', 'started_at', 'ended_at'] as const
    const before = await owner.selectFrom('ride_order').select(columns).where('area_id', '=', 31).execute()
    const oneDay = { started_at: new Date(TEST_START_MS), ended_at: new Date(TEST_START_MS + 10 * minute) }
    const ofArea = owner.updateTable('ride_order').where('area_id', '=', 31)
    await ofArea.set({ rider_id: before[0]!.rider_id, ...oneDay }).execute()
    const capped = { ...testPriceRules, dayCapCents: 300, outOfPlaceCents: 0, outsideAreaCents: 0 }
    const { data } = await handlers.comparePrices({ areaIds: [31], rules: capped }, call)
    expect(data, 'three starts of 2 yuan, cut at 3').toMatchObject({ rides: 3, newCents: 300 })
    for (const { id, ...was } of before) await owner.updateTable('ride_order').set(was).where('id', '=', id).execute()
  })
})
