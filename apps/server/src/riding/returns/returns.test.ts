import { describe, expect, it } from 'vitest'
import type { ReviewDecision, ReviewFilter } from '@saddle/contract/riding/returns.ts'
import { sql } from 'kysely'
import { pastWorld } from '../past.fixture.ts'

const { owner, call, foreign, handlers, search, revenueOf } = await pastWorld()

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
    const farM = Math.ceil(place!.distanceM!)
    expect(await found({ withinM: farM })).toEqual(['SD000001'])
    expect(await found({ withinM: farM - 1 })).toEqual([])
    expect(place!.lat, 'where it was left').not.toBeNull()
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
