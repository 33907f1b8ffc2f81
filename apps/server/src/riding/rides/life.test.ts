import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { minuteMs as minute } from '@saddle/contract/time.ts'
import { proveMoney } from '#finance/public.ts'
import { placeAt } from '../riding.fixture.ts'
import { ridesByApp } from './rides.fixture.ts'

const {
  owner,
  kit,
  fleet,
  finance,
  ledger,
  riding,
  operator,
  handlers,
  phone,
  photo,
  first,
  app,
  report,
  obey,
  one,
  stateOf,
  vehicleState,
  revenue,
  world,
} = await ridesByApp()

describe('a ride', () => {
  it('begins in no service area that is stopped', async () => {
    const area = owner.updateTable('service_area').where('id', '=', 31)
    await area.set({ state: 'disabled' }).execute()
    await expect(handlers.unlockRide(first, app)).rejects.toMatchObject({ code: 'vehicle_unavailable' })
    await expect(handlers.reserveRide(first, app)).rejects.toMatchObject({ code: 'vehicle_unavailable' })
    await area.set({ state: 'enabled' }).execute()
    expect((await handlers.reserveRide(first, app)).data.state).toBe('reserved')
  })

  it('ends by itself when its vehicle signs in again after the server died that had told it to lock', async () => {
    const { data } = await handlers.unlockRide(first, app)
    await obey(one)
    kit.clock.advance(20 * minute)
    expect((await handlers.endRide({ phone, orderId: data.orderId }, app)).data.state).toBe('returning')
    const told = await fleet.commands.claim(one)
    expect(await fleet.commands.claim(one), 'the vehicle has been told').toBe(null)
    // Here the server dies; the next one starts half a minute later, and a vehicle that signs in asks for its commands.
    kit.clock.advance(29_000)
    expect(await fleet.commands.takeOver()).toBe(1)
    kit.clock.advance(minute / 2)
    await fleet.commands.expire()
    await riding.sweep()
    expect(await fleet.commands.claim(one)).toEqual(told)
    await report(one, { locked: true })
    await fleet.commands.move({ ...told!, to: 'confirmed' })
    await riding.sweep()
    expect(await stateOf(data.orderId)).toBe('due')
  })

  it('begins for nobody who has gone: an unlocking keeps its time when the server dies', async () => {
    const { data } = await handlers.unlockRide(first, app)
    await fleet.commands.claim(one)
    kit.clock.advance(29_000)
    await fleet.commands.takeOver()
    kit.clock.advance(32_000)
    expect(await fleet.commands.claim(one)).toBe(null)
    await fleet.commands.expire()
    await riding.sweep()
    expect(await stateOf(data.orderId)).toBe('failed')
  })

  it('begins when the lock has opened, and is charged when it has closed', async () => {
    const before = await revenue()
    const { data } = await handlers.unlockRide(first, app)
    expect(data).toMatchObject({ state: 'unlocking', startedAt: null })
    expect((await handlers.unlockRide(first, app)).data.orderId, 'asked twice').toBe(data.orderId)
    await obey(one)
    expect(await stateOf(data.orderId)).toBe('riding')
    kit.clock.advance(20 * minute)
    await report(one, { place: placeAt(10) })
    expect((await handlers.endRide({ phone, orderId: data.orderId }, app)).data.state).toBe('returning')
    await obey(one)
    const { data: ended } = await handlers.readRide({ phone, orderId: data.orderId }, app)
    expect(ended).toMatchObject({ state: 'due', chargedCents: 300, returnKind: 'in_place' })
    expect(ended.lines.map(({ code }) => code)).toEqual(['start', 'time'])
    expect(await revenue(), 'nothing is posted before it is paid').toBe(before)
    await expect(handlers.unlockRide(first, app), 'first pay').rejects.toThrow('待支付')
    const { data: asked } = await handlers.payRide({ phone, orderId: data.orderId }, app)
    expect(asked).toMatchObject({ state: 'due', payment: { channel: 'sandbox', cents: 300 } })
    await finance.sandbox?.pay(asked.payment?.number ?? '')
    const { data: paid } = await handlers.payRide({ phone, orderId: data.orderId }, app)
    expect(paid).toMatchObject({ state: 'paid', payment: null })
    expect(await revenue()).toBe(before + 300)
    const { data: detail } = await handlers.orderDetail({ id: data.orderId }, operator)
    expect(detail.commands.map(({ kind }) => kind)).toEqual(['unlock', 'lock'])
    expect(detail.entries).toHaveLength(1)
  })

  it('is paid at once from gift and balance, the gift first', async () => {
    const wealthy = { ...first, phone: '13800138100' }
    const { orderId } = (await handlers.unlockRide(wealthy, app)).data
    const order = owner.selectFrom('ride_order').select('rider_id').where('id', '=', orderId)
    const { rider_id: ownerId } = await order.executeTakeFirstOrThrow()
    const account = (kind: 'rider_balance' | 'rider_gift') => ({ kind, ownerId })
    await ledger.post({
      agentId: 3,
      kind: 'recharge',
      reference: 'test:1',
      lines: [
        { account: { kind: 'clearing_sandbox' }, amountCents: -400 },
        { account: account('rider_balance'), amountCents: 400 },
      ],
    })
    const gift = { agentId: 3, riderId: ownerId, name: '新客礼', bearer: 'company', at: kit.clock.now() } as const
    const lotIds = await kit.db.system(async (tx) => [
      await finance.gifts.grant(tx, { ...gift, cents: 60, validDays: null, source: { kind: 'reward', id: 1 } }),
      await finance.gifts.grant(tx, { ...gift, cents: 90, validDays: 30, source: { kind: 'reward', id: 2 } }),
      await finance.gifts.grant(tx, {
        ...gift,
        cents: 40,
        validDays: 1,
        areaIds: [32],
        source: { kind: 'reward', id: 3 },
      }),
    ])
    await obey(one)
    kit.clock.advance(10 * minute)
    await report(one, {})
    await handlers.endRide({ phone: wealthy.phone, orderId }, app)
    await obey(one)
    expect((await handlers.readRide({ phone: wealthy.phone, orderId }, app)).data.state).toBe('paid')
    const left = () => ledger.balancesOf({ agentId: 3, accounts: [account('rider_gift'), account('rider_balance')] })
    expect(await left(), 'what holds in another area pays for nothing here').toEqual([40, 350])
    const { data: detail } = await handlers.orderDetail({ id: orderId }, operator)
    expect(detail.gifts.map(({ lotId, cents }) => [lotId, cents])).toEqual([
      [lotIds[1], 90],
      [lotIds[0], 60],
    ])
    expect(detail.skippedBenefits).toEqual([{ kind: 'gift', id: lotIds[2], name: '新客礼', why: 'area' }])
    await handlers.refundOrder({ orderId, cents: 120, reason: '补偿' }, operator)
    expect(await left(), 'what was paid goes back first, and the gift lapses').toEqual([40, 400])
    await handlers.refundOrder({ orderId, reason: '整单' }, operator)
    expect(await left()).toEqual([40, 400])
    const { rows } = await sql<{ used: number; expired: number }>`
      select sum(used_cents)::bigint as used, sum(expired_cents)::bigint as expired from gift_lot`.execute(owner)
    expect(rows).toEqual([{ used: 0, expired: 150 }])
    expect((await proveMoney(kit.db)).faults).toEqual([])
  })

  it('that was never unlocked costs nothing', async () => {
    const { data } = await handlers.unlockRide(first, app)
    kit.clock.advance(5 * minute)
    await fleet.commands.expire()
    await riding.sweep()
    expect((await handlers.readRide({ phone, orderId: data.orderId }, app)).data).toMatchObject({
      state: 'failed',
      chargedCents: null,
    })
    await report(one, { locked: true })
    kit.clock.advance(1_000)
    const { orderId } = (await handlers.unlockRide(first, app)).data
    expect(orderId, 'and the rider may try again').not.toBe(data.orderId)
    kit.clock.advance(3_000)
    const commandsOf = async (id: number) => (await handlers.orderDetail({ id }, operator)).data.commands
    const [failed, again] = [await commandsOf(data.orderId), await commandsOf(orderId)]
    expect([failed.length, again.length], 'each has its own commands').toEqual([1, 1])
    expect(failed[0]?.id).not.toBe(again[0]?.id)
  })

  it('goes on through a pause, and ends where it was paused', async () => {
    const { data } = await handlers.unlockRide(first, app)
    const asked = { phone, orderId: data.orderId }
    await obey(one)
    kit.clock.advance(10 * minute)
    expect((await handlers.pauseRide(asked, app)).data.state).toBe('pausing')
    expect((await handlers.pauseRide(asked, app)).data.state, 'asked twice').toBe('pausing')
    await expect(handlers.resumeRide(asked, app), 'not before the lock has closed').rejects.toThrow('当前状态')
    await obey(one)
    expect(await stateOf(data.orderId)).toBe('paused')
    kit.clock.advance(10 * minute)
    await riding.sweep()
    expect(await stateOf(data.orderId), 'a closed lock does not end it').toBe('paused')
    expect(await vehicleState(one), 'nobody else finds it free').toBe('reserved')
    await expect(handlers.unlockRide({ ...first, phone: '13800138001' }, app)).rejects.toThrow('已被预约')
    expect((await handlers.resumeRide(asked, app)).data.state).toBe('resuming')
    await obey(one)
    expect(await stateOf(data.orderId)).toBe('riding')
    expect(await vehicleState(one)).toBe('on_trip')
    kit.clock.advance(5 * minute)
    await report(one, {})
    await handlers.pauseRide(asked, app)
    await obey(one)
    kit.clock.advance(10 * minute)
    const { data: ended } = await handlers.endRide(asked, app)
    expect(ended, 'locked already: charged at once, to the moment of returning').toMatchObject({
      state: 'due',
      chargedCents: 400,
    })
    expect(await vehicleState(one)).toBe('available')
    await expect(handlers.resumeRide(asked, app)).rejects.toThrow('当前状态')
  })

  it('is not called paused while the lock is open, and a lock that failed is forgotten when it is over', async () => {
    const { data } = await handlers.unlockRide(first, app)
    const asked = { phone, orderId: data.orderId }
    const lost = async () => {
      kit.clock.advance(5 * minute)
      await fleet.commands.expire()
      await riding.sweep()
    }
    const told = async () => {
      const { data: ride } = await handlers.readRide(asked, app)
      return [ride.state, ride.failure !== null]
    }
    await obey(one)
    await handlers.pauseRide(asked, app)
    expect(await told()).toEqual(['pausing', false])
    await lost()
    expect(await told(), 'it has stayed open').toEqual(['riding', true])
    await handlers.pauseRide(asked, app)
    expect(await told(), 'a new attempt').toEqual(['pausing', false])
    await report(one, {})
    await obey(one)
    await handlers.resumeRide(asked, app)
    await lost()
    expect(await told(), 'it has stayed shut').toEqual(['paused', true])
    await report(one, { locked: true })
    await handlers.endRide(asked, app)
    expect(await told()).toEqual(['due', false])
    const { data: detail } = await handlers.orderDetail({ id: data.orderId }, operator)
    expect(detail.failure).toBeNull()
  })

  it('is refused where nobody may stop, and costs a fee outside of places', async () => {
    await owner
      .insertInto('fence')
      .values({
        agent_id: 3,
        area_id: 31,
        kind: 'no_stop',
        name: '学校',
        centre_lat: placeAt(0, 800).lat,
        centre_lng: placeAt(0, 800).lng,
        radius_m: 50,
        west: 120,
        east: 121,
        south: 31,
        north: 32,
        valid_from: new Date(0),
      })
      .execute()
    const { data } = await handlers.unlockRide(first, app)
    const asked = { phone, orderId: data.orderId }
    await obey(one)
    kit.clock.advance(5 * minute)
    await report(one, { place: placeAt(0, 800) })
    await expect(handlers.endRide(asked, app)).rejects.toThrow('禁停区')
    expect(await stateOf(data.orderId)).toBe('riding')
    await report(one, { place: placeAt(0, 400) })
    await handlers.endRide({ ...asked, photos: [photo] }, app)
    await handlers.endRide({ ...asked, photos: [photo] }, app)
    await obey(one, placeAt(0, 400))
    const { data: detail } = await handlers.orderDetail({ id: data.orderId }, operator)
    expect(detail.order).toMatchObject({ chargedCents: 700, returnKind: 'out_of_place' })
    expect(detail.checks.map(({ kind, accepted }) => [kind, accepted])).toEqual([
      ['no_stop', false],
      ['out_of_place', true],
    ])
    expect(detail.review).toMatchObject({ state: 'open', cause: 'fee', feeCents: 500 })
    await handlers.disputeRide({ ...asked, claim: '停车点已满', photos: [photo, photo] }, app)
    expect((await handlers.orderDetail({ id: data.orderId }, operator)).data.review).toMatchObject({
      cause: 'dispute',
      claim: '停车点已满',
    })
    const { data: shown } = await handlers.returnPhotos({ orderId: data.orderId }, operator)
    expect(shown.list.map(({ kind }) => kind)).toEqual(['jpeg', 'jpeg', 'jpeg'])
    expect((await handlers.returnPhotos({ orderId: data.orderId }, world.foreign)).data.list).toEqual([])
    const disputed = { filter: { disputed: true }, sort: 'opened', pageSize: 10 } as const
    const { data: reviews } = await handlers.listReturnReviews(disputed, operator)
    expect(reviews.list[0]).toMatchObject({ orderId: data.orderId, photoCount: 3 })
    const notOne = { ...asked, claim: '不是照片', photos: ['AAAA'] }
    await expect(handlers.disputeRide(notOne, app)).rejects.toThrow('无法识别')
    const tooMany = { ...asked, claim: '再补照片', photos: [photo, photo, photo] }
    await handlers.disputeRide(tooMany, app)
    await handlers.disputeRide(tooMany, app)
    await expect(handlers.disputeRide(tooMany, app)).rejects.toThrow('照片已达上限')
    await handlers.decideReturns({ orderIds: [data.orderId], decision: 'kept', note: '已核对' }, operator)
    const late = handlers.disputeRide({ ...asked, claim: '再看一次' }, app)
    await expect(late, 'a claim that nobody will read').rejects.toMatchObject({ code: 'review_decided' })
  })

  it('whose server died is ended by the next one, once', async () => {
    const { data } = await handlers.unlockRide(first, app)
    await obey(one)
    kit.clock.advance(16 * minute)
    // The rider locks by hand, and the platform learns of it later.
    await report(one, { locked: true })
    const endedAt = kit.clock.now()
    kit.clock.advance(60 * minute)
    const turns = await Promise.all(Array.from({ length: 5 }, () => riding.sweep()))
    expect(turns.reduce((sum, taken) => sum + taken, 0)).toBe(1)
    expect((await handlers.readRide({ phone, orderId: data.orderId }, app)).data).toMatchObject({
      state: 'due',
      endedAt,
      chargedCents: 300,
    })
    const lines = await owner.selectFrom('order_line').select('n').where('order_id', '=', data.orderId).execute()
    expect(lines).toHaveLength(2)
  })

  it('that cannot be charged is not ended either: all of it or nothing', async () => {
    const { data } = await handlers.unlockRide(first, app)
    await obey(one)
    kit.clock.advance(5 * minute)
    await sql`alter table order_line add constraint broken check (amount_cents < 0) not valid`.execute(owner)
    try {
      await handlers.endRide({ phone, orderId: data.orderId }, app)
      await obey(one)
      expect(await stateOf(data.orderId)).toBe('returning')
      expect(await owner.selectFrom('return_check').selectAll().execute()).toEqual([])
    } finally {
      await sql`alter table order_line drop constraint broken`.execute(owner)
    }
    await riding.sweep()
    expect(await stateOf(data.orderId)).toBe('due')
  })
})
