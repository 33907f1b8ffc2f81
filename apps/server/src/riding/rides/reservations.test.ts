import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { reservationMs } from '@saddle/contract/riding/rides.ts'
import { minuteMs as minute } from '@saddle/contract/time.ts'
import { createRiders } from '#rider/public.ts'
import { ridesByApp } from './rides.fixture.ts'

const {
  owner,
  kit,
  fleet,
  finance,
  riding,
  operator,
  db,
  handlers,
  phone,
  first,
  app,
  otherApp,
  platformApp,
  report,
  obey,
  one,
  stateOf,
  vehicleState,
} = await ridesByApp()

describe('a deposit', () => {
  const whenSettledOrWaiting = async (work: Promise<unknown>): Promise<void> => {
    const settled = work.then(
      () => true,
      () => true,
    )
    const waiting = sql<{ count: number }>`
      select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while (!(await Promise.race([settled, Promise.resolve(false)]))) {
      if ((await waiting.execute(owner)).rows[0]?.count !== 0) return
    }
  }

  it('is not taken back while the ride that needs it begins', async () => {
    const free = { freeStudents: false, freeProfessions: false, freeCardHolders: false, freeProductIds: [] }
    const setting = { areaIds: [31], inherits: false, ...free }
    await finance.handlers.setDeposit({ ...setting, cents: 9_900 }, operator)
    const cautious = { ...first, phone: '13800138700' }
    const [riderId = 0] = await db.system((tx) =>
      createRiders(kit).ensure(tx, [{ agentId: 3, phone: cautious.phone, name: null }]),
    )
    const who = { agentId: 3, riderId }
    const deposit = { ...who, purpose: 'deposit', cents: 9_900, description: '押金' } as const
    await finance.sandbox?.pay((await finance.payments.start(deposit)).number)
    let beginning: Promise<unknown> = Promise.resolve()
    await db.system(async (tx) => {
      expect(await finance.deposits.takeBack(tx, who)).toBe(9_900)
      beginning = handlers.unlockRide(cautious, app)
      await whenSettledOrWaiting(beginning)
    })
    await expect(beginning).rejects.toMatchObject({ code: 'deposit_missing' })
    await finance.handlers.setDeposit({ ...setting, cents: 0 }, operator)
  })
})

describe('a reservation', () => {
  it('keeps the vehicle for one rider, for a while', async () => {
    const { data } = await handlers.reserveRide(first, app)
    expect(data.state).toBe('reserved')
    await expect(handlers.reserveRide({ ...first, phone: '13800138001' }, app)).rejects.toThrow('已被预约')
    await expect(handlers.reserveRide({ phone, vehicleNumber: 'SD000002' }, app)).rejects.toThrow('尚未结束')
    expect(await vehicleState(one)).toBe('reserved')
    expect((await handlers.reserveRide(first, app)).data.orderId, 'asked twice').toBe(data.orderId)
    kit.clock.advance(reservationMs)
    await riding.sweep()
    expect(await stateOf(data.orderId)).toBe('cancelled')
    expect(await vehicleState(one)).toBe('available')
    await report(one, { locked: true })
    expect((await handlers.reserveRide({ ...first, phone: '13800138001' }, app)).data.state).toBe('reserved')
  })

  it('lets the vehicle go when it is cancelled, when its lock stays shut, and when it fell silent in between', async () => {
    const { data } = await handlers.reserveRide(first, app)
    await handlers.cancelRide({ phone, orderId: data.orderId }, app)
    expect(await vehicleState(one)).toBe('available')
    await handlers.reserveRide(first, app)
    const { data: unlocking } = await handlers.unlockRide(first, app)
    expect(await vehicleState(one), 'kept while it is being unlocked').toBe('reserved')
    kit.clock.advance(5 * minute)
    await fleet.commands.expire()
    await riding.sweep()
    expect(await stateOf(unlocking.orderId)).toBe('failed')
    expect(await vehicleState(one)).toBe('available')
    await report(one, { locked: true })
    await handlers.reserveRide(first, app)
    await fleet.vehicles.markDisconnectedLost([{ vehicleId: one, at: kit.clock.now() }])
    expect(await vehicleState(one)).toBe('non_contactable')
    kit.clock.advance(reservationMs)
    await riding.sweep()
    await report(one, {})
    expect(await vehicleState(one)).toBe('available')
    const events = await owner
      .selectFrom('vehicle_event')
      .select(['event', 'cause'])
      .where('vehicle_id', '=', one)
      .where('cause', '=', 'rider')
      .orderBy('id', 'desc')
      .limit(3)
      .execute()
    expect(events.map(({ event }) => event)).toEqual(['reservation_start', 'reservation_cancel', 'reservation_start'])
  })

  it('becomes a ride when its lock opens', async () => {
    await handlers.reserveRide(first, app)
    const { data } = await handlers.unlockRide(first, app)
    await obey(one)
    expect(await stateOf(data.orderId)).toBe('riding')
    expect(await vehicleState(one)).toBe('on_trip')
    const { data: rides } = await handlers.ownRides({ phone }, app)
    expect(rides[0]).toMatchObject({ orderId: data.orderId, state: 'riding' })
    expect((await handlers.ownRides({ phone }, otherApp)).data).toEqual([])
  })

  it('of two at once one rider gets the vehicle', async () => {
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => handlers.reserveRide({ ...first, phone: `1380013801${n}` }, app)),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('an application', () => {
  it('reaches its own franchisee and those below, and rides of the rider whom it names', async () => {
    await expect(handlers.reserveRide(first, otherApp)).rejects.toThrow('没有找到这辆车')
    const { data } = await handlers.reserveRide(first, platformApp)
    const asked = { phone, orderId: data.orderId }
    await expect(handlers.cancelRide(asked, otherApp)).rejects.toThrow('未找到')
    await expect(handlers.cancelRide({ ...asked, phone: '13800138009' }, app)).rejects.toThrow('未找到')
    expect((await handlers.cancelRide(asked, app)).data.state).toBe('cancelled')
    expect(await riding.appOfKey('a key that nobody has')).toBeNull()
  })
})

it('a rider on the blacklist reserves and unlocks nothing, and ends what was begun before', async () => {
  const { orderId } = (await handlers.reserveRide(first, app)).data
  const { rider_id: riderId } = await owner
    .selectFrom('ride_order')
    .select('rider_id')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const at = new Date(kit.clock.now() - minute)
  const ban = { agent_id: 3, rider_id: riderId, reason: '恶意损坏', begun_at: at, operator_name: '周可' }
  const until = new Date(kit.clock.now() + minute)
  await owner.insertInto('rider_ban').values(Object.assign({ until }, ban)).execute()
  await expect(handlers.unlockRide(first, app)).rejects.toMatchObject({ code: 'rider_banned' })
  expect((await handlers.cancelRide({ phone, orderId }, app)).data.state).toBe('cancelled')
  await expect(handlers.reserveRide(first, app)).rejects.toMatchObject({ code: 'rider_banned' })
  kit.clock.advance(minute)
  expect((await handlers.reserveRide(first, app)).data.state, 'its term is over').toBe('reserved')
})
