import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import { bookOrders } from '#demo/past/orders.ts'
import { proveMoney, rideChargeByChannel, type Ledger } from '#finance/public.ts'
import type { AppCall } from '#kit/call.ts'
import { createRiders } from '#rider/public.ts'
import { verdictLine, verifyLedger } from '#finance/ledger/verify.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { testDatabase } from '#test/database.ts'
import { publicCall, TEST_START_MS } from '#test/kit.ts'
import { testPriceRules } from '#test/rides.ts'
import { ridingWorld } from '../riding.fixture.ts'

const database = await testDatabase()
const { db, owner } = database
const { kit, finance, ledger, riding, vehicleIds, past, call: operator } = await ridingWorld(database)
const { handlers } = riding
const sandbox = finance.sandbox!
const agentId = 3
const app: AppCall = { ...publicCall(), app: { id: 1, agentIds: [agentId] } }
const versionId = await owner
  .insertInto('price_version')
  .values({
    agent_id: agentId,
    area_id: 31,
    name: '首版',
    rules: JSON.stringify(testPriceRules),
    valid_from: new Date(TEST_START_MS - hourMs),
    created_at: new Date(TEST_START_MS - hourMs),
    author_name: '平台',
  })
  .returning('id')
  .executeTakeFirstOrThrow()

let people = 0
/** A rider of their own with an order that is due. */
async function dueOrder(cents: number) {
  people += 1
  const phone = `1380013${String(people).padStart(4, '0')}`
  const [riderId = 0] = await db.system((tx) => createRiders(kit).ensure(tx, [{ agentId, phone, name: null }]))
  const at = new Date(TEST_START_MS)
  const { id: orderId } = await owner
    .insertInto('ride_order')
    .values({
      agent_id: agentId,
      area_id: 31,
      vehicle_id: vehicleIds[0]!,
      vehicle_number: 'SD000001',
      rider_id: riderId,
      state: 'due',
      placed_at: at,
      started_at: at,
      ended_at: at,
      price_version_id: versionId.id,
      charged_cents: cents,
      changed_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const asked = { phone, orderId }
  const account = (kind: 'rider_balance' | 'rider_gift') => ({ kind, ownerId: riderId })
  return {
    orderId,
    riderId,
    pay: async () => (await handlers.payRide(asked, app)).data,
    state: async () => (await handlers.readRide(asked, app)).data.state,
    /** Gift and balance. */
    wallet: () => ledger.balancesOf({ agentId, accounts: [account('rider_gift'), account('rider_balance')] }),
    entries: () =>
      ledger.entriesOf({
        scope: scopeOfAgent(agentId),
        reference: `order:${orderId}`,
      }),
    recharge: async (balanceCents: number, giftCents = 0) => {
      const wanted = {
        agentId,
        riderId,
        purpose: 'recharge',
        cents: balanceCents,
        description: '充值',
      } as const
      await sandbox.pay((await finance.payments.start(wanted)).number)
      if (giftCents === 0) return
      const source = { kind: 'reward', id: orderId } as const
      const gift = { agentId, riderId, cents: giftCents, source, name: '充值礼', bearer: 'company' } as const
      await db.system((tx) => finance.gifts.grant(tx, { ...gift, validDays: null, at: kit.clock.now() }))
    },
  }
}

type Due = Awaited<ReturnType<typeof dueOrder>>

const refundsOf = async (orderId: number) => {
  const { rows } = await sql<{ cents: number; state: string }>`
    select r.cents, r.state from payment_refund r join payment p on p.id = r.payment_id
    where p.subject_id = ${orderId} order by r.id`.execute(owner)
  return rows.map(({ cents, state }) => `${cents} ${state}`)
}

describe('paying for a ride', () => {
  it('asks the channel for what gift and balance do not cover, and posts when it says so: one entry', async () => {
    const order = await dueOrder(1_000)
    await order.recharge(300, 200)
    const { payment, state } = await order.pay()
    expect({ state, cents: payment?.cents, parameters: payment?.parameters['number'] }).toEqual({
      state: 'due',
      cents: 500,
      parameters: payment?.number,
    })
    expect(await order.wallet(), 'nothing moves before').toEqual([200, 300])
    expect((await order.pay()).payment?.number, 'asked twice').toBe(payment?.number)
    sandbox.setMood({ copies: 20 })
    for (let time = 0; time < 15; time += 1) await sandbox.pay(payment!.number)
    sandbox.setMood({ copies: 1 })
    expect(await order.state()).toBe('paid')
    expect(await order.wallet()).toEqual([0, 0])
    const [entry, ...others] = await order.entries()
    expect(others).toEqual([])
    expect(entry?.lines.map(({ account, amountCents }) => [account.kind, amountCents])).toEqual([
      ['clearing_sandbox', -500],
      ['rider_gift', -200],
      ['rider_balance', -300],
      ['agent_revenue', 1_000],
    ])
    expect((await order.pay()).payment).toBeNull()
  })

  it('needs no channel when the wallet has enough', async () => {
    const order = await dueOrder(400)
    await order.recharge(400)
    expect(await order.pay()).toMatchObject({ state: 'paid', payment: null })
  })

  it('turns what is paid for a paid order into balance, whatever comes first', async () => {
    const order = await dueOrder(600)
    const first = (await order.pay()).payment!
    await order.recharge(200)
    const second = (await order.pay()).payment!
    expect([first.cents, second.cents]).toEqual([600, 400])
    // Both call-backs are held back and leave in the opposite order.
    sandbox.setMood({ holdBack: 2 })
    await Promise.all([sandbox.pay(first.number), sandbox.pay(second.number)])
    sandbox.setMood({ holdBack: 0 })
    expect(await order.state()).toBe('paid')
    const [, balance] = await order.wallet()
    expect(balance, 'paid in 1,200, ridden for 600').toBe(600)
    expect(await order.entries()).toHaveLength(1)
  })

  it('gives what is above the charge to the balance when the charge has become less', async () => {
    const order = await dueOrder(900)
    const { payment } = await order.pay()
    await owner.updateTable('ride_order').set({ charged_cents: 250 }).where('id', '=', order.orderId).execute()
    await sandbox.pay(payment!.number)
    expect(await order.state()).toBe('paid')
    expect(await order.wallet()).toEqual([0, 650])
    await handlers.refundOrder({ orderId: order.orderId, reason: '整单' }, operator)
    await sandbox.settled()
    expect(await refundsOf(order.orderId), 'never more than it cost').toEqual(['250 done'])
    expect(await order.wallet()).toEqual([0, 650])
  })

  it('turns a payment for an order that was given back into balance', async () => {
    const order = await dueOrder(500)
    const late = (await order.pay()).payment!
    await order.recharge(500)
    expect((await order.pay()).state).toBe('paid')
    await handlers.refundOrder({ orderId: order.orderId, reason: '整单' }, operator)
    await sandbox.pay(late.number)
    expect(await order.state()).toBe('refunded')
    expect(await order.wallet()).toEqual([0, 1_000])
  })

  it('stays due when the wallet was emptied meanwhile, and the money is the rider’s', async () => {
    const order = await dueOrder(800)
    await order.recharge(500)
    const { payment } = await order.pay()
    const { id } = await owner
      .selectFrom('payment')
      .select('id')
      .where('rider_id', '=', order.riderId)
      .where('purpose', '=', 'recharge')
      .executeTakeFirstOrThrow()
    await finance.payments.refund({ agentId, paymentId: id, cents: 500, reason: '余额退款' })
    await sandbox.pay(payment!.number)
    expect(await order.state()).toBe('due')
    expect(await order.wallet()).toEqual([0, 300])
    expect((await order.pay()).payment?.cents).toBe(500)
  })

  it('asks nobody when the channel is down, and an unknown one never', async () => {
    const order = await dueOrder(300)
    sandbox.setMood({ isDown: true })
    await expect(order.pay()).rejects.toMatchObject({ code: 'payment_unavailable' })
    sandbox.setMood({ isDown: false })
    expect((await order.pay()).payment?.cents).toBe(300)
  })
})

describe('giving a ride back', () => {
  it('goes back the way it came, and again after the channel could not', async () => {
    const order = await dueOrder(700)
    await order.recharge(200)
    await sandbox.pay((await order.pay()).payment!.number)
    sandbox.setMood({ failsRefunds: true })
    await handlers.refundOrder({ orderId: order.orderId, cents: 600, reason: '部分' }, operator)
    await sandbox.settled()
    expect(await refundsOf(order.orderId)).toEqual(['500 failed'])
    expect(await order.wallet()).toEqual([0, 100])
    sandbox.setMood({ failsRefunds: false })
    const [failed] = await finance.payments.failedRefunds(operator.scope)
    await finance.payments.retryRefund({ agentId, refundId: failed!.id })
    await sandbox.settled()
    expect(await refundsOf(order.orderId)).toEqual(['500 done'])
  })

  it('asks again for a refund whose end nobody told', async () => {
    const order = await dueOrder(700)
    await sandbox.pay((await order.pay()).payment!.number)
    sandbox.setMood({ holdBack: 1_000 })
    await handlers.refundOrder({ orderId: order.orderId, reason: '整单' }, operator)
    expect(await refundsOf(order.orderId)).toEqual(['700 waiting'])
    expect(await finance.payments.askSilentAgain()).toBe(0)
    kit.clock.advance(11 * minuteMs)
    expect(await finance.payments.askSilentAgain()).toBe(1)
    sandbox.setMood({ holdBack: 0 })
    await sandbox.settled()
    expect(await refundsOf(order.orderId)).toEqual(['700 done'])
  })

  it('gives to the balance what came by a way that is not known', async () => {
    const order = await dueOrder(450)
    const charge = { agentId, riderId: order.riderId, orderId: order.orderId, cents: 450, at: TEST_START_MS }
    await ledger.post(rideChargeByChannel({ ...charge, channel: 'sandbox' }))
    await owner.updateTable('ride_order').set({ state: 'paid' }).where('id', '=', order.orderId).execute()
    await handlers.refundOrder({ orderId: order.orderId, reason: '整单' }, operator)
    expect(await order.wallet()).toEqual([0, 450])
  })
})

it('leaves a sound ledger', async () => {
  expect(verdictLine(await verifyLedger(db))).toMatch(/sound$/)
})

it('of the past is paid once, also by its rider at the moment at which it is booked as paid', async () => {
  const orders = [await dueOrder(210), await dueOrder(220), await dueOrder(230), await dueOrder(240)]
  const [untouched, byChannel, byBalance, later] = orders as [Due, Due, Due, Due]
  const [first, last] = [(await byChannel.pay()).payment!, (await later.pay()).payment!]
  const paidMeanwhile: Pick<Ledger, 'postMany'> = {
    postMany: async (entries) => {
      if ((await byChannel.state()) === 'due') {
        await sandbox.pay(first.number)
        await byBalance.recharge(500)
        await byBalance.pay()
      }
      return ledger.postMany(entries)
    },
  }
  await bookOrders({ ...past, ledger: paidMeanwhile, benefits: null }, testPriceRules)
  await sandbox.pay(last.number)
  await sandbox.settled()
  for (const order of orders) {
    expect(await order.state()).toBe('paid')
    expect(await order.entries()).toHaveLength(1)
  }
  expect(await byBalance.wallet()).toEqual([0, 270])
  expect(await later.wallet(), 'paid after it was booked as paid').toEqual([0, 240])
  const { rows } = await sql<{ id: number; count: number }>`
    select o.id, count(p.id)::int as count from ride_order o
    left join payment p on p.subject_id = o.id and p.state = 'paid' and p.became = 'ride'
    where o.id = any (${orders.map(({ orderId }) => orderId)}::bigint[]) group by 1 order by 1`.execute(owner)
  expect(rows.map(({ count }) => count)).toEqual([1, 1, 0, 1])
  expect(await untouched.wallet()).toEqual([0, 0])
  const references = orders.map(({ orderId }) => `order:${orderId} `)
  const { faults } = await proveMoney(db)
  expect(faults.filter((fault) => references.some((reference) => fault.startsWith(reference)))).toEqual([])
})
