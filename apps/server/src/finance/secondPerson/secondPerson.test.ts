import { describe, expect, it } from 'vitest'
import { moneyActLifetimeMs } from '@saddle/contract/finance/secondPerson.ts'
import { sessionCall } from '#test/kit.ts'
import { toldOf } from '#test/toldOf.ts'
import { moneyWorld } from '../wallet/money.fixture.ts'

const { owner, kit, finance, sandbox, agentId, day, newRider } = await moneyWorld()
const { handlers } = finance
const grant = { agentIds: [3], areaIds: [31] }
const all = ['07010111', '07010112', '07010113', '160101']
const person = (operatorId: number, permissions: readonly string[] = all) =>
  sessionCall({ operatorId, agentId, grant, permissions, name: `n${operatorId}` })
const [teller, second] = [person(11), person(12)]
const outsider = sessionCall({ operatorId: 8, agentId: 4, grant: { agentIds: [4], areaIds: [41] }, permissions: all })

const page = { sort: 'asked', pageSize: 20 } as const
const waiting = async (call = second) =>
  (await handlers.listMoneyActs({ filter: { states: ['waiting'] }, ...page }, call)).data.list
const charge = (riderId: number, cents: number) =>
  ({ riderId, account: 'gift', direction: 'credit', cents, reason: '补偿' }) as const
const balances = async (rider: Awaited<ReturnType<typeof newRider>>) => {
  const { wallet } = await rider.wallet()
  return [wallet.balanceCents, wallet.giftCents]
}
const logged = async () =>
  (
    await owner
      .selectFrom('audit_record')
      .select('action')
      .where('action', 'like', 'money_action.%')
      .orderBy('id')
      .execute()
  ).map(({ action }) => action)

describe('what one person may move in a day', () => {
  it('is held above the sum, and done once when another person confirms it', async () => {
    kit.clock.advance(day)
    const rider = await newRider()
    await handlers.platformCharge(charge(rider.riderId, 60_000), teller)
    const big = charge(rider.riderId, 40_001)
    await expect(handlers.platformCharge(big, teller)).rejects.toMatchObject({ code: 'money_held' })
    await expect(handlers.platformCharge(big, teller), 'the same request').rejects.toMatchObject({ code: 'money_held' })
    expect(await balances(rider), 'nothing of it is done').toEqual([0, 60_000])
    const [one, ...others] = await waiting()
    expect(others).toEqual([])
    expect(one).toMatchObject({
      act: 'charge',
      cents: 40_001,
      operatorName: 'n11',
      isOwn: false,
      isCredit: true,
      canDecide: true,
      billId: null,
    })
    expect((await waiting(teller))[0]).toMatchObject({ isOwn: true })
    const id = one!.id
    expect(await toldOf(owner, `money action ${id}`), 'once').toEqual(['money_waiting'])
    await expect(handlers.confirmMoneyAct({ id }, teller), 'never the same person').rejects.toMatchObject({
      code: 'second_person_same',
    })
    await expect(handlers.confirmMoneyAct({ id }, outsider)).rejects.toMatchObject({ code: 'not_found' })
    const other = person(13, ['07010113'])
    await expect(handlers.confirmMoneyAct({ id }, other), 'the same right').rejects.toMatchObject({ code: 'not_found' })
    expect(await waiting(other)).toEqual([])
    const tries = await Promise.allSettled([
      handlers.confirmMoneyAct({ id }, second),
      handlers.confirmMoneyAct({ id }, second),
    ])
    expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await balances(rider)).toEqual([0, 100_001])
    expect(await logged()).toEqual(['money_action.asked', 'money_action.confirmed'])
    // Amounts below the limit are booked at once, even for a person with a pending request.
    await handlers.platformCharge(charge(rider.riderId, 40_000), teller)
    expect(await balances(rider)).toEqual([0, 140_001])
    kit.clock.advance(day)
    await handlers.platformCharge({ ...charge(rider.riderId, 100_000), direction: 'debit' }, teller)
    expect(await balances(rider), 'a new day').toEqual([0, 40_001])
  })

  it('is not got around by many at once', async () => {
    kit.clock.advance(day)
    const rider = await newRider()
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => handlers.platformCharge(charge(rider.riderId, 30_000 + n), teller)),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await waiting()).toHaveLength(5)
    for (const { id } of await waiting()) await handlers.rejectMoneyAct({ id, note: '' }, teller)
    expect(await waiting()).toEqual([])
  })

  it('counts refunds and deposits too, and what cannot be done any more stays waiting', async () => {
    kit.clock.advance(day)
    const rider = await newRider()
    await rider.recharge(90_000)
    await rider.recharge(20_000)
    const [later, first] = await rider.payments()
    await handlers.refundPayment({ paymentId: first!.id, cents: 90_000, reason: '退' }, teller)
    const asked = { paymentId: later!.id, cents: 20_000, reason: '退' }
    await expect(handlers.refundPayment(asked, teller)).rejects.toMatchObject({ code: 'money_held' })
    const [held] = await waiting()
    expect(held).toMatchObject({ act: 'balance_refund', riderId: rider.riderId })
    await handlers.platformCharge({ ...charge(rider.riderId, 1_000), account: 'balance', direction: 'debit' }, second)
    await expect(handlers.confirmMoneyAct({ id: held!.id }, second)).rejects.toMatchObject({
      code: 'balance_insufficient',
    })
    expect(await waiting(), 'nothing of it is done').toHaveLength(1)
    await handlers.platformCharge({ ...charge(rider.riderId, 1_000), account: 'balance' }, second)
    await handlers.confirmMoneyAct({ id: held!.id }, second)
    await sandbox.settled()
    expect(await balances(rider)).toEqual([0, 0])
  })

  it('ends by itself when nobody decides, and is rejected or withdrawn once', async () => {
    kit.clock.advance(day)
    const rider = await newRider()
    const ask = async (cents: number) => {
      await expect(handlers.platformCharge(charge(rider.riderId, cents), teller)).rejects.toMatchObject({
        code: 'money_held',
      })
      return (await waiting())[0]!.id
    }
    const rejected = await ask(100_001)
    expect((await handlers.rejectMoneyAct({ id: rejected, note: '金额不对' }, second)).data.state).toBe('rejected')
    await expect(handlers.confirmMoneyAct({ id: rejected }, second)).rejects.toMatchObject({
      code: 'money_action_decided',
    })
    const withdrawn = await ask(100_002)
    expect((await handlers.rejectMoneyAct({ id: withdrawn, note: '' }, teller)).data.state).toBe('withdrawn')
    const late = await ask(100_003)
    kit.clock.advance(moneyActLifetimeMs)
    await expect(handlers.confirmMoneyAct({ id: late }, second)).rejects.toMatchObject({ code: 'money_action_decided' })
    expect(await finance.expireRequests()).toBe(1)
    expect(await finance.expireRequests()).toBe(0)
    const { data } = await handlers.listMoneyActs(
      { filter: { states: ['rejected', 'withdrawn', 'expired'] }, ...page },
      second,
    )
    expect(data.list.slice(0, 3).map(({ state, note }) => [state, note])).toEqual([
      ['expired', ''],
      ['withdrawn', ''],
      ['rejected', '金额不对'],
    ])
    expect(await waiting()).toEqual([])
    expect((await logged()).slice(-5)).toEqual([
      'money_action.rejected',
      'money_action.asked',
      'money_action.withdrawn',
      'money_action.asked',
      'money_action.expired',
    ])
    expect(await balances(rider)).toEqual([0, 0])
  })
})
