import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { AppError } from '@saddle/contract/errors.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { priceAndUse } from '#riding/rides/benefits.ts'
import { testPriceRules } from '#test/rides.ts'
import { createSeededRandom } from '#kit/random.ts'
import { marketingWorld } from '../marketing.fixture.ts'
import { couponsThatDisagree } from './verify.ts'
import { thorough } from '../../../../../scripts/lib/thorough.mjs'

const world = await marketingWorld()
const { db, kit, finance, agentId, newRiders, create, issue, couponsOf } = world

let orders = 0
/** The charge of a ride of 20 minutes, which costs 3 yuan without a coupon; the order itself plays no part. */
async function ride(riderId: number, orderId = (orders += 1)) {
  const endedAt = kit.clock.now()
  const facts = {
    startedAt: endedAt - 1_200_000,
    endedAt,
    distanceM: 2_000,
    returnKind: 'in_place',
    areaId: 31,
  } as const
  return db.system((tx) =>
    priceAndUse(finance.benefits, tx, {
      orderId,
      agentId,
      riderId,
      rules: testPriceRules,
      ride: { ...facts, model: null, spentByDay: {} },
      weatherThen: async () => null,
    }),
  )
}

const mixed = <T>(list: readonly T[], seed: number): T[] => {
  const { fraction } = createSeededRandom(seed)
  return list
    .map((value) => ({ value, rank: fraction() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ value }) => value)
}

/** SEEDS says how many, such as 1000 by hand. */
const seeds = Number(process.env['SEEDS'] ?? thorough({ normal: 3, long: 30, full: 60 }))
/** Races of the same conditions with other limits need fewer. */
const otherSeedsMax = 60
const seedsUpTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const { riderIds: crowd, phones: crowdPhones } = await newRiders(200)
const takeBack = async (batchId: number | null): Promise<void> => {
  const revoked = world.handlers.revokeCouponBatch({ batchId: batchId ?? 0, reason: '测试结束' }, world.clerk)
  await revoked.catch((error: unknown) => {
    // All of it was used.
    if (!(error instanceof AppError) || error.code !== 'coupon_batch_closed') throw error
  })
}

describe.each(seedsUpTo(seeds))('with seed %i', (seed) => {
  it('200 rides at once use a budget for 50 fifty times, and all others hear why', async () => {
    const id = await create({ budgetCents: 50 * 200 })
    const { batchId } = await issue(id, crowd)
    const prices = await Promise.all(mixed(crowd, seed).map((riderId) => ride(riderId)))
    expect(prices.filter(({ totalCents }) => totalCents === 100)).toHaveLength(50)
    const others = prices.filter(({ totalCents }) => totalCents === 300)
    expect(others).toHaveLength(150)
    for (const { skipped, lines } of others) {
      expect(skipped).toMatchObject([{ kind: 'coupon', why: 'budget_spent' }])
      expect(lines.every(({ benefit }) => benefit === null)).toBe(true)
    }
    expect(await world.template(id)).toMatchObject({ used: 50, open: 150, usedCents: 10_000 })
    await takeBack(batchId)
  })

  it('50 rides at once use one coupon once', async () => {
    const id = await create()
    const [riderId = 0] = mixed(crowd, seed)
    await issue(id, [riderId])
    const prices = await Promise.all(Array.from({ length: 50 }, () => ride(riderId)))
    expect(prices.filter(({ totalCents }) => totalCents === 100)).toHaveLength(1)
    expect(await world.template(id)).toMatchObject({ used: 1, open: 0, usedCents: 200 })
  })
})

describe.each(seedsUpTo(Math.min(seeds, otherSeedsMax)))('with other limits and seed %i', (seed) => {
  it('200 rides at once use a number of uses as often as it says', async () => {
    const id = await create({ budgetUses: 50 })
    const { batchId } = await issue(id, crowd)
    await Promise.all(mixed(crowd, seed).map((riderId) => ride(riderId)))
    expect(await world.template(id)).toMatchObject({ used: 50, open: 150 })
    await takeBack(batchId)
  })

  it('200 riders at once claim a code each of 50, and each code once', async () => {
    const id = await create()
    const made = { templateId: id, count: 50, claimUntil: kit.clock.now() + dayMs, note: '' }
    const { batchId } = (await world.handlers.makeCouponCodes(made, world.clerk)).data
    const codes = (await couponsOf({ batchId })).map(({ code }) => code ?? '')
    const tries = await Promise.allSettled(
      mixed(crowdPhones, seed).map((phone, at) =>
        world.handlers.riderClaimCoupon({ phone, code: codes[at % codes.length]! }, world.app),
      ),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(50)
    expect(tries.filter(({ status }) => status === 'rejected')).toHaveLength(150)
    const holders = (await couponsOf({ batchId })).map(({ riderId }) => riderId)
    expect(new Set(holders).size).toBe(50)
    await takeBack(batchId)
  })
})

describe('a ride whose coupon is gone meanwhile', () => {
  it('takes the next best one, and keeps the reason', async () => {
    const { riderIds } = await newRiders(1)
    const riderId = riderIds[0]!
    const [better, other] = [await create({ effect: { off: 'cents', cents: 250 } }), await create()]
    for (const id of [better, other]) await issue(id, riderIds)
    const [best] = await couponsOf({ templateId: better })
    const { held } = finance.benefits
    const stale = {
      use: finance.benefits.use,
      // Somebody takes it back after it was read and before it is used.
      held: async (...args: Parameters<typeof held>) => {
        const found = await held(...args)
        await world.handlers.revokeCoupons({ ids: [best!.id], reason: '活动结束' }, world.clerk)
        return found
      },
    }
    const endedAt = kit.clock.now()
    const facts = { startedAt: endedAt - 1_200_000, endedAt, distanceM: 0, returnKind: 'in_place', areaId: 31 } as const
    const price = await db.system((tx) =>
      priceAndUse(stale, tx, {
        orderId: 77_001,
        agentId,
        riderId,
        rules: testPriceRules,
        ride: { ...facts, model: null, spentByDay: {} },
        weatherThen: async () => null,
      }),
    )
    expect(price.totalCents).toBe(100)
    expect(price.skipped).toMatchObject([{ id: best!.id, why: 'revoked' }])
    expect(await couponsOf({ templateId: other })).toMatchObject([{ state: 'used', orderId: 77_001, savedCents: 200 }])
  })

  it('has none that was used, has lapsed, or whose budget leaves less than it would save', async () => {
    const id = await create({ budgetCents: 150 })
    const { riderIds } = await newRiders(1)
    await issue(id, riderIds)
    const price = await ride(riderIds[0]!)
    expect(price).toMatchObject({ totalCents: 300, applied: [] })
    expect(price.skipped).toMatchObject([{ why: 'budget_spent' }])
    const { count } = (
      await sql<{ count: number }>`
      select count(*) as count from coupon where state = 'used' and template_id = ${id}`.execute(world.owner)
    ).rows[0]!
    expect(count).toBe(0)
  })
})

it('tells who runs a kind of coupon of each mark that its budget reaches, once', async () => {
  const id = await create({ effect: { off: 'cents', cents: 100 }, budgetCents: 550, budgetUses: 5 })
  const { riderIds } = await newRiders(6)
  await issue(id, riderIds)
  const told: string[][] = []
  for (const riderId of riderIds) {
    kit.clock.advance(60_000)
    await ride(riderId)
    const rows = await world.owner
      .selectFrom('notice')
      .select(['event', 'agent_id', 'codes'])
      .where('subject', '=', `coupon_template ${id}`)
      .orderBy('id')
      .execute()
    for (const row of rows) expect(row).toMatchObject({ agent_id: agentId, codes: ['1709'] })
    told.push(rows.map(({ event }) => event))
  }
  const [low, dry] = [['budget_low'], ['budget_low', 'budget_dry']]
  expect(told).toEqual([[], [], [], low, dry, dry])
})

it('a kind whose rest bears no use is dry, told once and given no more, until it has more again', async () => {
  const terms = { effect: { off: 'cents', cents: 100 }, budgetCents: 2_050 } as const
  const id = await create(terms)
  const { riderIds } = await newRiders(22)
  await issue(id, riderIds)
  const told = async () => {
    const rows = await world.owner
      .selectFrom('notice')
      .select('event')
      .where('subject', '=', `coupon_template ${id}`)
      .orderBy('id')
      .execute()
    return rows.map(({ event }) => event)
  }
  const listed = async () => {
    const found: string[] = []
    for (const budget of ['low', 'dry'] as const) {
      const asked = { filter: { id, budget }, sort: 'created', pageSize: 20 } as const
      if ((await world.handlers.listCouponTemplates(asked, world.clerk)).data.list.length > 0) found.push(budget)
    }
    return found
  }
  const [first = 0, last = 0, next = 0] = riderIds.splice(0, 3)
  const kept = (orders += 1)
  await ride(first, kept)
  for (const riderId of riderIds.slice(0, 18)) {
    kit.clock.advance(60_000)
    await ride(riderId)
  }
  expect([await told(), await listed()], '1900 of 2050').toEqual([['budget_low'], ['low']])
  kit.clock.advance(60_000)
  await ride(last)
  const dry = ['budget_low', 'budget_dry']
  expect([await told(), await listed()], '0.50 left at 1.00 a use').toEqual([dry, ['dry']])
  kit.clock.advance(60_000)
  expect((await ride(next)).skipped).toMatchObject([{ kind: 'coupon', why: 'budget_spent' }])
  await expect(issue(id, [first])).rejects.toMatchObject({ code: 'coupon_budget_spent' })
  expect(await told()).toEqual(dry)

  await db.system((tx) => finance.benefits.giveBack(tx, { agentId, orderId: kept, at: kit.clock.now() }))
  expect(await listed()).toEqual(['low'])
  expect((await ride(first)).totalCents).toBe(200)
  expect(await listed()).toEqual(['dry'])
  const raised = { id, version: 1, terms: { ...world.termsWith(terms), budgetCents: 2_150 } }
  await world.handlers.changeCouponTemplate(raised, world.clerk)
  expect(await listed()).toEqual(['low'])
  expect((await ride(next)).totalCents).toBe(200)
  expect(await world.template(id)).toMatchObject({ used: 21, usedCents: 2_100 })
})

it('a refund of the whole order gives the coupon back once', async () => {
  const id = await create({ budgetUses: 5 })
  const { riderIds } = await newRiders(1)
  await issue(id, riderIds)
  const giveBack = (orderId: number) =>
    db.system((tx) => finance.benefits.giveBack(tx, { agentId, orderId, at: kit.clock.now() }))
  await ride(riderIds[0]!, 88_001)
  await Promise.all([giveBack(88_001), giveBack(88_001)])
  expect(await world.template(id)).toMatchObject({ used: 0, open: 1, usedCents: 0 })
  expect(await couponsOf({ templateId: id })).toMatchObject([{ state: 'open', orderId: null, returnedOrderId: 88_001 }])
  await ride(riderIds[0]!, 88_002)
  await giveBack(88_002)
  expect(await couponsOf({ templateId: id })).toMatchObject([
    { state: 'used', orderId: 88_002, returnedOrderId: 88_001 },
  ])
})

it('a coupon that has lapsed is not given back', async () => {
  const id = await create({ validDays: 1 })
  const { riderIds } = await newRiders(1)
  await issue(id, riderIds)
  await ride(riderIds[0]!, 99_001)
  kit.clock.advance(5 * dayMs)
  await db.system((tx) => finance.benefits.giveBack(tx, { agentId, orderId: 99_001, at: kit.clock.now() }))
  expect(await couponsOf({ templateId: id })).toMatchObject([{ state: 'used' }])
})

it('a coupon that is given back after its batch was taken back falls as revoked', async () => {
  const id = await create()
  const { riderIds } = await newRiders(2)
  const { batchId } = await issue(id, riderIds)
  const { batchId: otherId } = await issue(id, riderIds.slice(0, 1))
  const giveBack = (orderId: number) =>
    db.system((tx) => finance.benefits.giveBack(tx, { agentId, orderId, at: kit.clock.now() }))
  await ride(riderIds[0]!, 77_001)
  await ride(riderIds[0]!, 77_002)
  await takeBack(batchId)
  await Promise.all([giveBack(77_001), giveBack(77_002)])
  expect(await couponsOf({ templateId: id, batchId: batchId! })).toMatchObject([
    { state: 'revoked', revokeReason: '测试结束' },
    { state: 'revoked', orderId: null, revokeReason: '测试结束' },
  ])
  expect(await couponsOf({ templateId: id, batchId: otherId! })).toMatchObject([{ state: 'open' }])
  expect(await world.template(id)).toMatchObject({ used: 0, open: 1, revoked: 2, usedCents: 0 })
  // The orders of this file have no lines.
  expect((await couponsThatDisagree(db)).filter((fault) => !fault.includes('its lines say'))).toEqual([])
})
