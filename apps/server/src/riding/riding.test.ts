import { beforeAll, describe, expect, it } from 'vitest'
import { demoRider, demoRiderPhone, demoRidersPerAgent } from '@saddle/contract/demo/riders.ts'
import { orderCell, orderStates, type Order, type OrderFilter } from '@saddle/contract/riding/orders.ts'
import type { ReviewDecision, ReviewFilter } from '@saddle/contract/riding/returns.ts'
import { sql } from 'kysely'
import { minuteMs as minute } from '@saddle/contract/time.ts'
import { bookOrders } from '#demo/past/orders.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, TEST_START_MS } from '#test/kit.ts'
import { testPriceRules } from '#test/rides.ts'
import { writeCursor } from '#kit/list/cursor.ts'
import { placeAt, ridingWorld } from './riding.fixture.ts'

const database = await testDatabase()
const { owner } = database
const world = await ridingWorld(database)
const { kit, ledger, riding, past, vehicleIds, call, oneArea, foreign } = world
const { handlers } = riding

const day = 24 * 60 * minute
type Ride = { vehicle: number; agentId?: number; areaId: number; agoMs: number; minutes: number; eastM: number }
const rides: readonly Ride[] = [
  { vehicle: 0, areaId: 31, agoMs: 5 * day, minutes: 10, eastM: 0 },
  { vehicle: 0, areaId: 31, agoMs: day, minutes: 40, eastM: 300 },
  { vehicle: 1, areaId: 31, agoMs: 2 * 60 * minute, minutes: 16, eastM: 2_500 },
  { vehicle: 2, areaId: 32, agoMs: 60 * minute, minutes: 0.5, eastM: 0 },
  { vehicle: 3, agentId: 4, areaId: 41, agoMs: 30 * minute, minutes: 20, eastM: 0 },
]

async function addTrips(): Promise<void> {
  for (const { vehicle, agentId = 3, areaId, agoMs, minutes, eastM } of rides) {
    const startedAt = new Date(TEST_START_MS - agoMs)
    const end = placeAt(0, eastM)
    await owner
      .insertInto('trip')
      .values({
        vehicle_id: vehicleIds[vehicle]!,
        agent_id: agentId,
        area_id: areaId,
        started_at: startedAt,
        ended_at: new Date(startedAt.getTime() + minutes * minute),
        duration_s: minutes * 60,
        distance_m: 2_000,
        start_lat: placeAt(0).lat,
        start_lng: placeAt(0).lng,
        end_lat: end.lat,
        end_lng: end.lng,
      })
      .execute()
  }
}

const search = async (filter: OrderFilter, by = call) => {
  const { data } = await handlers.searchOrders({ filter, sort: 'placed', pageSize: 20 }, by)
  return data.list
}
const revenueOf = (agentId: number) => ledger.balanceOf({ agentId, account: { kind: 'agent_revenue' } })
const amounts = async (filter: OrderFilter, by = call) => (await search(filter, by)).map((order) => order.chargedCents)

beforeAll(async () => {
  await addTrips()
  await bookOrders(past, testPriceRules)
})

describe('orders of the past', () => {
  it('are one for each ride, whoever asks again', async () => {
    expect(await bookOrders(past, testPriceRules)).toBe(0)
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
    const { data } = await handlers.riderOrders({ phone: phone!, pageSize: 20 }, call)
    expect(data.list.map(({ id }) => id)).toContain(order!.id)
    expect(order!.riderPhone).toBe(`${phone!.slice(0, 3)}****${phone!.slice(7)}`)
    expect((await handlers.riderOrders({ phone: phone!, pageSize: 20 }, foreign)).data.list).toEqual([])
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
    const order = { list: 'orders', sort: 'placed', direction: 'desc' } as const
    const cursor = writeCursor(order, [(kit.clock.now() + 1) * 1_000, 1])
    const part = { sort: 'placed' as const, filter: { areaIds: [31] }, cursor, exportId: first.data.exportId }
    await handlers.exportOrders(part, call)
    expect(await lines(), 'a later part belongs to the line of the first').toBe(1)
    await handlers.exportOrders({ ...part, filter: {} }, call)
    expect(await lines(), 'other rows than those of that file').toBe(2)
    await handlers.exportOrders({ filter: {}, sort: 'placed', cursor }, call)
    expect(await lines(), 'a made-up cursor does not get around the log').toBe(3)
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

describe('price versions', () => {
  it('begin in the future, and what is past keeps its own', async () => {
    const validFrom = TEST_START_MS + 60 * minute
    const dearer = { ...testPriceRules, startCents: 300 }
    await handlers.publishPriceVersion({ areaIds: [31, 32], name: '冬季', rules: dearer, validFrom }, call)
    const of31 = async () => (await handlers.listPriceVersions({ areaId: 31 }, call)).data.list
    expect((await of31()).map(({ name, inForce }) => [name, inForce])).toEqual([
      ['冬季', false],
      ['首版计价', true],
    ])
    const ride = { areaId: 31, distanceM: 0, returnKind: 'in_place' as const, benefits: [] }
    const cost = async (startedAt: number) =>
      (await handlers.itineraryCost({ ride: { ...ride, startedAt, endedAt: startedAt + 5 * minute } }, call)).data
    expect(await cost(validFrom - 1)).toMatchObject({ totalCents: 200, version: { name: '首版计价' } })
    expect(await cost(validFrom)).toMatchObject({ totalCents: 300, version: { name: '冬季' } })
    kit.clock.set(validFrom)
    expect((await of31()).map(({ inForce }) => inForce)).toEqual([true, false])
    expect((await handlers.listPriceVersions({}, call)).data.list.map(({ areaId, name }) => [areaId, name])).toEqual([
      [31, '冬季'],
      [32, '冬季'],
    ])
    expect((await handlers.listPriceVersions({ areaId: 31 }, foreign)).data.list).toEqual([])
    kit.clock.set(TEST_START_MS)
  })

  it('are taken back before they begin and not after, by whoever may set prices there', async () => {
    const validFrom = TEST_START_MS + 30 * minute
    const asked = { areaIds: [32], name: '涨价', rules: testPriceRules, validFrom }
    await handlers.publishPriceVersion(asked, call)
    const next = async () =>
      (await handlers.listPriceVersions({}, call)).data.list.find(({ areaId }) => areaId === 32)?.next
    expect(await next()).toEqual({ name: '涨价', validFrom })
    await expect(handlers.withdrawPriceVersions({ areaIds: [32, 41] }, call)).rejects.toThrow('权限范围')
    await expect(handlers.withdrawPriceVersions({ areaIds: [32] }, foreign)).rejects.toThrow('权限范围')
    const withdrawn = await handlers.withdrawPriceVersions({ areaIds: [32] }, call)
    expect(withdrawn.data.list.map(({ name }) => name).toSorted()).toEqual(['冬季', '涨价'])
    expect(await next()).toBeNull()
    kit.clock.set(validFrom + 2 * 60 * minute)
    const [before, ...history] = (await handlers.listPriceVersions({ areaId: 32 }, call)).data.list
    expect([before, ...history].map((version) => [version?.name, version?.inForce, version?.withdrawn?.by])).toEqual([
      ['冬季', false, '周可'],
      ['涨价', false, '周可'],
      ['首版计价', true, undefined],
    ])
    const again = await handlers.withdrawPriceVersions({ areaIds: [31, 32] }, call)
    expect(again.data.list, 'what has begun stays').toEqual([])
    kit.clock.set(TEST_START_MS)
  })

  it('are missing where an area is new, and the list says so', async () => {
    const shape = ['agent_id', 'centre_lat', 'centre_lng', 'ring'] as const
    const old = await owner.selectFrom('service_area').select(shape).where('id', '=', 31).executeTakeFirstOrThrow()
    const area = { ...old, id: 33, name: '城北三区', ring: JSON.stringify(old.ring) }
    const wider = sessionCall({ operatorId: 7, agentId: 3, grant: { agentIds: [3], areaIds: [31, 33] }, name: '周可' })
    await owner.insertInto('service_area').values(area).execute()
    const unpriced = async (by = wider) => (await handlers.listPriceVersions({}, by)).data.unpriced
    expect(await unpriced()).toEqual([{ areaId: 33, areaName: '城北三区' }])
    expect(await unpriced(foreign)).toEqual([])
    await handlers.publishPriceVersion({ areaIds: [33], name: '首版', rules: testPriceRules }, wider)
    expect(await unpriced()).toEqual([])
  })

  it('are refused for the past and for areas of others', async () => {
    const version = { areaIds: [31], name: '旧', rules: testPriceRules }
    await expect(handlers.publishPriceVersion({ ...version, validFrom: TEST_START_MS - 1 }, call)).rejects.toThrow(
      '生效',
    )
    await expect(handlers.publishPriceVersion({ ...version, areaIds: [31, 41] }, call)).rejects.toThrow('权限范围')
    const change = database.db.system((tx) => tx.updateTable('price_version').set({ name: '改' }).execute())
    await expect(change, 'not even by the platform').rejects.toThrow('permission denied')
  })
})

describe('a return that cost a fee', () => {
  const decide = (orderIds: number[], decision: ReviewDecision, by = call) =>
    handlers.decideReturns({ orderIds, decision, note: '停车点已满' }, by)
  const list = async (by = call, filter: ReviewFilter = {}) =>
    (await handlers.listReturnReviews({ filter, sort: 'opened', pageSize: 20 }, by)).data

  it('waits for a person of its own franchisee', async () => {
    const { list: waiting, count } = await list()
    expect(waiting.map(({ feeCents, returnKind, vehicleNumber }) => [feeCents, returnKind, vehicleNumber])).toEqual([
      [1_500, 'outside_area', 'SD000002'],
      [500, 'out_of_place', 'SD000001'],
    ])
    expect(count).toBe(2)
    expect((await list(foreign)).list).toEqual([])
    const ids = waiting.map(({ orderId }) => orderId)
    expect((await decide(ids, 'kept', foreign)).data).toMatchObject({ decided: [], refused: [{}, {}] })
    expect((await list()).count).toBe(2)
  })

  it('is kept, or waived and given back, once', async () => {
    const waiting = (await list()).list
    const place = waiting.find(({ returnKind }) => returnKind === 'out_of_place')!
    const before = await revenueOf(3)
    await decide([place.orderId], 'kept')
    expect((await decide([place.orderId], 'waived')).data.decided).toEqual([place.orderId])
    expect(await revenueOf(3)).toBe(before - 500)
    const { data } = await handlers.orderDetail({ id: place.orderId }, call)
    expect(data).toMatchObject({
      order: { state: 'part_refunded', refundedCents: 500 },
      review: { state: 'waived', decidedBy: '周可', note: '停车点已满' },
      refunds: [{ cents: 500, parts: [{ n: 3, cents: 500 }] }],
    })
    await expect(decide([place.orderId], 'kept')).rejects.toThrow('已经审批')
    await expect(decide([place.orderId], 'open'), 'what was given back stays given').rejects.toThrow('已经审批')
    expect((await list()).count).toBe(1)
  })

  it('is thought over again after its fee was kept', async () => {
    const [review] = (await list()).list
    const id = review!.orderId
    await decide([id], 'kept')
    expect((await list()).list).toEqual([])
    expect((await decide([id], 'open')).data.decided).toEqual([id])
    expect((await list()).list).toEqual([review])
  })

  it('is found by any of its facts, and leaves the house as a file', async () => {
    const states = ['open', 'kept', 'waived'] as const
    const found = async (filter: ReviewFilter) =>
      (await list(call, { states: [...states], ...filter })).list.map(({ vehicleNumber }) => vehicleNumber)
    const [outside, place] = (await list(call, { states: [...states] })).list
    expect(await found({})).toEqual(['SD000002', 'SD000001'])
    expect(await found({ vehicleNumber: 'sd000001' })).toEqual(['SD000001'])
    expect(await found({ number: outside!.number })).toEqual(['SD000002'])
    expect(await found({ number: `999999${outside!.number.slice(6)}` }), 'of another day').toEqual([])
    expect(await found({ kinds: ['out_of_place'] })).toEqual(['SD000001'])
    expect(await found({ phone: '13900000000' })).toEqual([])
    expect(await found({ disputed: true })).toEqual([])
    expect(await found({ from: place!.openedAt, to: outside!.openedAt })).toEqual(['SD000001'])
    expect((await list(call, { states: [...states] })).count).toBe(2)
    const { data } = await handlers.exportReturnReviews({ filter: { states: [...states] }, sort: 'opened' }, call)
    expect(data.rows).toBe(2)
    expect(data.text).toContain('SD000002')
    expect(
      (await handlers.exportReturnReviews({ filter: { states: [...states] }, sort: 'opened' }, foreign)).data.rows,
    ).toBe(0)
  })
})

describe('a refund', () => {
  const refund = (orderId: number, asked: { cents?: number; lines?: number[] } = {}, by = call) =>
    handlers.refundOrder({ orderId, reason: '车辆故障', ...asked }, by)

  it('gives back by line, by amount and the rest, and never more than was paid', async () => {
    const [order] = await search({ vehicleNumber: 'SD000002' })
    const id = order!.id
    const paid = await revenueOf(3)
    await expect(refund(id, {}, foreign)).rejects.toThrow('未找到')
    await expect(refund(id, { cents: 1_801 })).rejects.toThrow('可退')
    const undecided = { state: 'open', decided_at: null, decided_by: null, decided_by_id: null, note: '' }
    await owner.updateTable('return_review').set(undecided).where('order_id', '=', id).execute()
    const reviewed = async () => (await handlers.orderDetail({ id }, call)).data.review
    expect((await refund(id, { lines: [3] })).data).toMatchObject({ refundedCents: 1_500 })
    expect(await reviewed(), 'nobody needs to decide about it any more').toMatchObject({
      state: 'waived',
      decidedBy: '周可',
      note: '还车费用已退款',
    })
    await owner.updateTable('return_review').set(undecided).where('order_id', '=', id).execute()
    await expect(refund(id, { lines: [3] })).rejects.toThrow('可退')
    expect((await refund(id, { cents: 100 })).data).toMatchObject({ refundedCents: 1_600 })
    const left = await handlers.refundOutlook({ orderId: id }, call)
    expect(left.data.refundableCents).toBe(200)
    expect(left.data.lines.map(({ refundableCents }) => refundableCents)).toEqual([200, 100, 0])
    expect((await search({ vehicleNumber: 'SD000002' }))[0]).toMatchObject({ state: 'part_refunded' })
    expect((await refund(id)).data).toMatchObject({ refund: { cents: 200 }, refundedCents: 1_800 })
    expect((await search({ vehicleNumber: 'SD000002' }))[0]).toMatchObject({ state: 'refunded' })
    expect(await revenueOf(3), 'the ledger gave back as much').toBe(paid - 1_800)
    await expect(refund(id)).rejects.toThrow('可退')
  })

  it('of two at once the sum stays within what was paid', async () => {
    const [order] = await search({ vehicleNumber: 'SD000001' })
    const tries = await Promise.allSettled(Array.from({ length: 6 }, () => refund(order!.id, { cents: 200 })))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    const { rows } = await sql<{ sum: number }>`
      select sum(cents)::bigint as sum from order_refund where order_id = ${order!.id}`.execute(owner)
    expect(rows[0]!.sum, 'with the 500 of the waived fee').toBe(900)
  })

  it('of a free ride there is none', async () => {
    const [order] = await search({ vehicleNumber: 'SD000003' })
    await expect(refund(order!.id)).rejects.toThrow('没有收费')
  })
})
