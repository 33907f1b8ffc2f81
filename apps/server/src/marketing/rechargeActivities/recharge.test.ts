import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { ActivityCommon } from '@saddle/contract/marketing/activities.ts'
import {
  rechargeTermsSchema,
  rewardsOfTier,
  type RechargeTerms,
} from '@saddle/contract/marketing/rechargeActivities.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { verdictLine, verifyLedger } from '#finance/ledger/verify.ts'
import { proveMoney } from '#finance/public.ts'
import { testActivityCommon } from '#test/activities.ts'
import { marketingWorld } from '../marketing.fixture.ts'
import { tierOf, tierReached } from './rules.ts'

const world = await marketingWorld({ DEMO: 'true' })
const { db, owner, kit, finance, handlers, agentId, clerk, outsider, app, newRiders } = world
const sandbox = finance.sandbox!
const { payments, ledger, handlers: handlersOfMoney } = finance

const tiers = [
  { payCents: 2_000, giftCents: 200 },
  { payCents: 5_000, giftCents: 800, giftDays: 30 },
]
const termsWith = (changes: object = {}): RechargeTerms => rechargeTermsSchema.parse({ tiers, ...changes })
let names = 0
const start = async (common: Partial<ActivityCommon> = {}, terms: RechargeTerms = termsWith()) => {
  names += 1
  const own = { ...testActivityCommon, name: `充值 ${names}`, ...common }
  const { id } = (await handlers.createRechargeActivity({ agentId, common: own, terms }, clerk)).data
  await handlers.switchRechargeActivity({ id, state: 'on' }, clerk)
  return id
}
const end = (id: number) => handlers.switchRechargeActivity({ id, state: 'ended' }, clerk)
const newRider = async () => {
  const { phones, riderIds } = await newRiders(1)
  const [phone = '', riderId = 0] = [phones[0], riderIds[0]]
  const ask = (activityId: number, cents: number, more: { requestId?: string; areaId?: number } = {}) =>
    handlers.riderRechargeWithOffer({ phone, activityId, cents, ...more }, app)
  return {
    phone,
    riderId,
    ask,
    pay: async (activityId: number, cents: number) => sandbox.pay((await ask(activityId, cents)).data.number),
    page: async (areaId?: number) => (await handlers.riderRechargeOffers({ phone, areaId }, app)).data,
    wallet: () =>
      ledger.balancesOf({
        agentId,
        accounts: [
          { kind: 'rider_balance', ownerId: riderId },
          { kind: 'rider_gift', ownerId: riderId },
        ],
      }),
  }
}
const activity = async (id: number) => {
  const { data } = await handlers.listRechargeActivities({ filter: { id }, sort: 'created', pageSize: 20 }, clerk)
  return data.list[0]!
}

describe('the rules', () => {
  it('find the tier of an amount, and the one that a past amount reaches', () => {
    expect(tierOf(termsWith(), 2_000)?.giftCents).toBe(200)
    expect(tierOf(termsWith(), 2_001)).toBeUndefined()
    expect([1_999, 2_000, 4_999, 90_000].map((cents) => tierReached(termsWith(), cents)?.giftCents)).toEqual([
      undefined,
      200,
      200,
      800,
    ])
  })

  it('take no tier twice and none that gives nothing, and put the gift last', () => {
    const twice = { tiers: [tiers[0], tiers[0]] }
    expect(rechargeTermsSchema.safeParse(twice).success).toBe(false)
    expect(rechargeTermsSchema.safeParse({ tiers: [{ payCents: 500 }] }).success).toBe(false)
    const coupon = { kind: 'coupon', templateId: 7, count: 1 } as const
    const [tier] = rechargeTermsSchema.parse({ tiers: [{ ...tiers[0], rewards: [coupon] }] }).tiers
    expect(rewardsOfTier(tier!).map(({ kind }) => kind)).toEqual(['coupon', 'gift'])
  })
})

describe('a recharge with an offer', () => {
  it('is offered, given when it is paid, listed, and taken back with its refund', async () => {
    const id = await start({ budgetCents: 10_000 })
    const rider = await newRider()
    const { offers, roomCents } = await rider.page()
    expect(offers).toMatchObject([
      { activityId: id, payCents: 2_000, giftCents: 200, firstOnly: false },
      { activityId: id, payCents: 5_000, giftCents: 800 },
    ])
    expect(roomCents).toBe(10_000)
    const { number } = (await rider.ask(id, 5_000)).data
    expect(await rider.wallet(), 'nothing before it is paid').toEqual([0, 0])
    expect((await activity(id)).uses).toBe(0)
    await Promise.all([sandbox.pay(number), sandbox.pay(number)])
    expect(await rider.wallet()).toEqual([5_000, 800])
    expect(await activity(id)).toMatchObject({ uses: 1, usedCents: 800, riders: 1 })
    const { data } = await handlers.listRechargeUses({ filter: { activityId: id }, sort: 'asked', pageSize: 20 }, clerk)
    expect(data.list).toMatchObject([{ state: 'given', cents: 5_000, giftCents: 800, riderId: rider.riderId }])
    const { data: sums } = await handlers.sumRechargeUses({ filter: { activityId: id } }, clerk)
    expect(sums.sums).toEqual({ cents: 5_000, giftCents: 800 })
    expect(
      (await handlers.exportRechargeUses({ filter: { activityId: id }, sort: 'asked' }, clerk)).data.text,
    ).toContain('已赠送')
    expect((await rider.page()).mine).toMatchObject([{ state: 'given', giftCents: 800, why: null }])
    const paymentId = data.list[0]!.id
    await payments.refund({ agentId, paymentId, cents: 5_000, reason: '退款' })
    await sandbox.settled()
    expect(await rider.wallet()).toEqual([0, 0])
    expect(await activity(id), 'nothing was used, so the budget has it back').toMatchObject({ uses: 0, usedCents: 0 })
    expect((await rider.page()).mine).toMatchObject([{ state: 'revoked' }])
    await end(id)
  })

  it('gives without a gift when the budget ran dry meanwhile, says why, and the balance can be taken back', async () => {
    const id = await start({ budgetUses: 1 })
    const [first, second] = [await newRider(), await newRider()]
    const asked = await Promise.all([first.ask(id, 2_000), second.ask(id, 2_000)])
    await Promise.all(asked.map(({ data }) => sandbox.pay(data.number)))
    const wallets = [await first.wallet(), await second.wallet()]
    expect(wallets.map(([balance]) => balance)).toEqual([2_000, 2_000])
    expect(wallets.map(([, gift]) => gift).toSorted()).toEqual([0, 200])
    const loser = wallets[0]![1] === 0 ? first : second
    const page = await loser.page()
    expect(page.mine).toMatchObject([{ state: 'refused', why: '支付完成时活动预算已用完' }])
    expect(page.offers).toEqual([])
    await expect(loser.ask(id, 2_000)).rejects.toMatchObject({ code: 'recharge_offer_over' })
    const { data } = await handlersOfMoney.takeBalanceBack({ phone: loser.phone }, app)
    expect(data.refundedCents).toBe(2_000)
    await end(id)
  })

  it('is for a first recharge only, where it says so, also of two that are paid at once', async () => {
    const id = await start({}, termsWith({ firstOnly: true }))
    const rider = await newRider()
    const asked = await Promise.all([rider.ask(id, 2_000), rider.ask(id, 5_000)])
    await Promise.all(asked.map(({ data }) => sandbox.pay(data.number)))
    const [balance, gift = 0] = await rider.wallet()
    expect(balance).toBe(7_000)
    expect([200, 800]).toContain(gift)
    expect((await rider.page()).offers).toEqual([])
    await expect(rider.ask(id, 2_000)).rejects.toMatchObject({ code: 'recharge_offer_first' })
    await end(id)
  })

  it('is for a first recharge also after one that went back because it passed the limit for prepaid money', async () => {
    const id = await start({}, termsWith({ firstOnly: true }))
    const rider = await newRider()
    const credit = (key: string, cents: number) =>
      ledger.post({
        agentId,
        kind: 'adjustment',
        reference: `test:${rider.riderId}`,
        key,
        lines: [
          { account: { kind: 'rider_balance', ownerId: rider.riderId }, amountCents: cents },
          { account: { kind: 'adjustment' }, amountCents: -cents },
        ],
      })
    const asked = await rider.ask(id, 5_000)
    await credit('in', 9_000)
    await sandbox.pay(asked.data.number)
    await sandbox.settled()
    await credit('out', -9_000)
    expect(await rider.wallet()).toEqual([0, 0])
    expect((await rider.page()).mine).toMatchObject([{ state: 'refused' }])
    expect((await rider.page()).offers.map(({ payCents }) => payCents)).toEqual([2_000, 5_000])
    await rider.pay(id, 2_000)
    expect(await rider.wallet()).toEqual([2_000, 200])
    expect((await rider.page()).offers).toEqual([])
    await end(id)
  })

  it('holds per rider and day, by area, and for whoever it is for', async () => {
    const id = await start({ riderUses: 1, areaIds: [31] })
    const rider = await newRider()
    expect((await rider.page()).offers).toEqual([])
    expect((await rider.page(31)).offers).toHaveLength(2)
    const asked = [await rider.ask(id, 2_000, { areaId: 31 }), await rider.ask(id, 2_000, { areaId: 31 })]
    for (const { data } of asked) await sandbox.pay(data.number)
    expect(await rider.wallet()).toEqual([4_000, 200])
    expect((await rider.page(31)).mine.map(({ why }) => why)).toEqual(['已达每人可参加的次数', null])
    await expect(rider.ask(id, 2_000, { areaId: 31 })).rejects.toMatchObject({ code: 'recharge_offer_used' })
    await end(id)
    const held = await start({ holdoutPercent: 50 })
    const pages = await Promise.all(
      Array.from({ length: 12 }, async () => (await (await newRider()).page()).offers.length),
    )
    expect(new Set(pages)).toEqual(new Set([0, 2]))
    await end(held)
  })

  it('keeps what was promised when the activity changes before it is paid', async () => {
    const id = await start()
    const rider = await newRider()
    const { number } = (await rider.ask(id, 2_000)).data
    const { version, name } = await activity(id)
    const common = { ...testActivityCommon, name }
    const terms = termsWith({ tiers: [{ payCents: 2_000, giftCents: 1 }] })
    await handlers.changeRechargeActivity({ id, version, common, terms }, clerk)
    await sandbox.pay(number)
    expect(await rider.wallet()).toEqual([2_000, 200])
    await end(id)
  })

  it('is asked for once under a request, and the limit for prepaid money holds', async () => {
    const id = await start()
    const rider = await newRider()
    const asked = await Promise.all([1, 2, 3].map(() => rider.ask(id, 5_000, { requestId: 'request-77' })))
    expect(new Set(asked.map(({ data }) => data.number)).size).toBe(1)
    await sandbox.pay(asked[0]!.data.number)
    expect(await rider.wallet()).toEqual([5_000, 800])
    await rider.pay(id, 2_000)
    expect((await rider.page()).roomCents, 'gift balance is not prepaid').toBe(3_000)
    await expect(rider.ask(id, 5_000)).rejects.toMatchObject({ code: 'prepaid_cap', values: { room: '30.00' } })
    const plain = handlersOfMoney.recharge({ phone: rider.phone, cents: 3_001 }, app)
    await expect(plain).rejects.toMatchObject({ code: 'prepaid_cap' })
    await end(id)
  })

  it('a company takes less prepaid money than the platform allows, and never more', async () => {
    const id = await start()
    const choose = (value: number) =>
      sql`insert into setting_change (agent_id, code, value, made_at, made_by)
        values (${agentId}, 'prepaid_cap_yuan', ${String(value)}::jsonb, now(), 'test')`.execute(owner)
    const rider = await newRider()
    await choose(60)
    await rider.pay(id, 5_000)
    expect((await rider.page()).roomCents).toBe(1_000)
    const refused = { code: 'prepaid_cap', values: { cap: '60', room: '10.00' } }
    await expect(rider.ask(id, 2_000)).rejects.toMatchObject(refused)
    // Paid after the company has lowered it: the money goes back.
    const { number } = (await handlersOfMoney.recharge({ phone: rider.phone, cents: 1_000 }, app)).data
    await choose(55)
    await sandbox.pay(number)
    await sandbox.settled()
    expect(await rider.wallet()).toEqual([5_000, 800])
    await choose(100)
    expect((await rider.page()).roomCents).toBe(5_000)
    await end(id)
  })

  it('goes back whole, without a gift, when payments together pass the limit for prepaid money', async () => {
    const id = await start()
    const rider = await newRider()
    const asked = await Promise.all([1, 2, 3].map(() => rider.ask(id, 5_000)))
    await Promise.all(asked.map(({ data }) => sandbox.pay(data.number)))
    await sandbox.settled()
    expect(await rider.wallet()).toEqual([10_000, 1_600])
    expect(await activity(id)).toMatchObject({ uses: 2, usedCents: 1_600 })
    const { mine } = await rider.page()
    expect(mine.map(({ state }) => state).toSorted()).toEqual(['given', 'given', 'refused'])
    expect(mine.find(({ state }) => state === 'refused')?.why).toBe('余额超过预付上限，充值款已原路退回')
    const { rows } = await sql<{ cents: number; state: string; reason: string }>`
      select r.cents::integer as cents, r.state, r.reason from payment_refund r join payment p on p.id = r.payment_id
      where p.rider_id = ${rider.riderId}`.execute(owner)
    expect(rows).toEqual([{ cents: 5_000, state: 'done', reason: '余额超过预付上限，充值款原路退回' }])
    await end(id)
  })

  it('gives coupons beside the gift, and goes on where they are not there any more', async () => {
    const templateId = await world.create()
    const coupon = { kind: 'coupon', templateId, count: 1 } as const
    const id = await start({}, termsWith({ tiers: [{ ...tiers[0], rewards: [coupon] }] }))
    const [first, second] = [await newRider(), await newRider()]
    await first.pay(id, 2_000)
    expect(await world.couponsOf({ riderId: first.riderId })).toMatchObject([{ state: 'open' }])
    const { number } = (await second.ask(id, 2_000)).data
    await handlers.switchCouponTemplate({ id: templateId, state: 'off' }, clerk)
    await sandbox.pay(number)
    expect(await second.wallet(), 'all of it or nothing').toEqual([2_000, 0])
    expect((await second.page()).mine).toMatchObject([{ state: 'refused', why: '奖励已停止发放' }])
    await end(id)
    const foreign = {
      common: { ...testActivityCommon, name: 'x' },
      terms: termsWith({ tiers: [{ payCents: 500, rewards: [{ ...coupon, templateId: 999_999 }] }] }),
    }
    await expect(handlers.createRechargeActivity({ agentId, ...foreign }, clerk)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('shows what the recharges of the last weeks would have been given', async () => {
    const common = { ...testActivityCommon, name: 'x', budgetUses: 3 }
    const asked = { agentId, common, terms: termsWith(), weeks: 4 as const }
    const { data } = await handlers.previewRechargeActivity(asked, clerk)
    expect(data).toMatchObject({ weeks: 4, reached: 3, isCut: false })
    expect(data.considered).toBeGreaterThan(3)
    expect(data.dryAt).not.toBeNull()
    const first = await handlers.previewRechargeActivity(
      { ...asked, common: { ...common, budgetUses: null }, terms: termsWith({ firstOnly: true }) },
      clerk,
    )
    expect(first.data.reached).toBe(first.data.riders)
    kit.clock.advance(30 * dayMs)
    expect((await handlers.previewRechargeActivity(asked, clerk)).data.considered).toBe(0)
    await expect(handlers.previewRechargeActivity(asked, outsider)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('leaves sound books', async () => {
    await sandbox.settled()
    expect((await proveMoney(db)).faults).toEqual([])
    expect(verdictLine(await verifyLedger(db))).toMatch(/sound$/)
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from recharge_use u
      where u.state = 'given' and not exists (select from reward r where r.cause_kind = 'recharge' and r.cause_id = u.id
        and r.state = 'given')`.execute(owner)
    expect(rows[0]?.count).toBe(0)
  })
})
