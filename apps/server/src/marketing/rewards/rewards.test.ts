import { userRewardEndpoints } from '@saddle/contract/marketing/userRewards.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withinCall } from '#kit/runningCall.ts'
import { activitiesThatDisagree } from '../activities/verify.ts'
import { rewardWorld } from '../rewards.fixture.ts'

let world: Awaited<ReturnType<typeof rewardWorld>>
beforeAll(async () => {
  world = await rewardWorld()
})
afterAll(async () => {
  await world.db.close()
})

const giftOf = (cents: number) => ({ kind: 'gift', cents, validDays: 7 }) as const
const balances = async (riderId: number): Promise<number> => {
  const row = await world.owner
    .selectFrom('gift_lot')
    .select(({ fn }) => fn.sum<string>('open_cents').as('cents'))
    .where('rider_id', '=', riderId)
    .executeTakeFirst()
  return Number(row?.cents ?? 0)
}

it('gives coupons and gift balance once for an occasion, and the batch counts them', async () => {
  const templateId = await world.create()
  const riderId = await world.newRider()
  const given = [giftOf(300), { kind: 'coupon', templateId, count: 2 } as const]
  expect(await world.grant(riderId, given)).toMatchObject({ outcome: 'given', why: null })
  expect(await world.grant(riderId, given)).toMatchObject({ outcome: 'already' })
  expect(await world.couponsOf({ riderId, states: ['open'] })).toHaveLength(2)
  expect(await balances(riderId)).toBe(300)
  const { riderIds } = await world.newRiders(3)
  for (const id of riderIds) await world.grant(id, [{ kind: 'coupon', templateId, count: 1 }])
  const batches = await world.handlers.listCouponBatches(
    { filter: { templateId }, sort: 'made', pageSize: 20 },
    world.clerk,
  )
  expect(batches.data.list).toMatchObject([{ source: 'rewards', wanted: 5, issued: 5, open: 5 }])
})

it('counts the coupons of each activity in batches of its own, and the page of the coupon names what issued it', async () => {
  const templateId = await world.create()
  const coupon = { kind: 'coupon', templateId, count: 1 } as const
  const starting = { startsAt: world.now - hourMs }
  const name = '注册礼'
  const activityId = await world.createFixed({ event: 'rider_new', rewards: [coupon] }, { ...starting, name })
  const { riderIds } = await world.newRiders(2)
  for (const id of riderIds) await world.grant(id, [coupon], { activityId, cause: { kind: 'rider', id } })
  await world.grant(await world.newRider(), [coupon])
  const sourcesOf = async (call: typeof world.clerk) =>
    (await world.handlers.couponTemplateSources({ id: templateId }, call)).data.list
  const own = { source: 'rewards', campaign: null, batches: 1, used: 0 }
  expect(await sourcesOf(world.clerk)).toEqual([
    { ...own, activity: { id: activityId, name, kind: 'fixed' }, issued: 2 },
    { ...own, activity: null, issued: 1 },
  ])
  expect(await sourcesOf(world.outsider)).toEqual([])
  const ask = { filter: { templateId, activityId }, sort: 'made' as const, pageSize: 20 }
  expect((await world.handlers.listCouponBatches(ask, world.clerk)).data.list).toMatchObject([{ issued: 2 }])
})

it('keeps what could not be given with the reason, and gives it when it can be', async () => {
  const templateId = await world.create()
  await world.handlers.switchCouponTemplate({ id: templateId, state: 'off' }, world.clerk)
  const riderId = await world.newRider()
  const refused = await world.grant(riderId, [{ kind: 'coupon', templateId, count: 1 }])
  expect(refused).toMatchObject({ outcome: 'refused', why: 'coupon_off' })
  expect(await world.rewardsOf(riderId)).toMatchObject([{ state: 'refused', endReason: 'coupon_off' }])
  await world.handlers.switchCouponTemplate({ id: templateId, state: 'on' }, world.clerk)
  await world.handlers.restoreUserRewards({ ids: [...refused.ids] }, world.clerk)
  expect(await world.rewardsOf(riderId)).toMatchObject([{ state: 'given', endReason: '' }])
})

it('gives a pending reward when it is due, once, by many servers at a time', async () => {
  const riderId = await world.newRider()
  const dueAt = new Date(world.now + hourMs)
  expect(await world.grant(riderId, [giftOf(500)], { dueAt })).toMatchObject({ outcome: 'pending' })
  await world.rewards.giveDue()
  expect(await balances(riderId)).toBe(0)
  world.kit.clock.advance(hourMs)
  await Promise.all([world.rewards.giveDue(), world.rewards.giveDue(), world.rewards.giveDue()])
  expect(await balances(riderId)).toBe(500)
  expect(await world.rewardsOf(riderId)).toMatchObject([{ state: 'given' }])
})

it('takes back what is not used, says what was, and undoes it', async () => {
  const templateId = await world.create()
  const [riderId, otherId] = [await world.newRider(), await world.newRider()]
  const { ids } = await world.grant(riderId, [{ kind: 'coupon', templateId, count: 2 }])
  const revoked = await world.handlers.revokeUserRewards({ ids: [...ids], reason: '错发' }, world.clerk)
  expect(revoked.data).toEqual({ revoked: ids, partly: [], kept: [] })
  expect(await world.couponsOf({ riderId, states: ['revoked'] })).toHaveLength(2)
  await world.handlers.restoreUserRewards({ ids: [...ids] }, world.clerk)
  expect(await world.couponsOf({ riderId, states: ['open'] })).toHaveLength(2)
  const used = await world.grant(otherId, [{ kind: 'coupon', templateId, count: 2 }])
  const [coupon] = await world.couponsOf({ riderId: otherId })
  const orderId = await world.ride(otherId)
  const use = { agentId: world.agentId, riderId: otherId, orderId, startedAt: world.now, endedAt: world.now }
  const lines = [
    { code: 'coupon', quantity: 1, unitCents: -150, amountCents: -150, benefit: `coupon:${coupon?.id ?? 0}` },
  ]
  await world.db.system((tx) => world.finance.benefits.use(tx, { ...use, lines: lines as never }))
  const partly = await world.handlers.revokeUserRewards({ ids: [...used.ids], reason: '错发' }, world.clerk)
  expect(partly.data).toEqual({ revoked: used.ids, partly: used.ids, kept: [] })
  expect(await world.rewardsOf(otherId)).toMatchObject([{ state: 'revoked', cents: 400, keptCents: 200 }])
  await expect(world.handlers.restoreUserRewards({ ids: [...used.ids] }, world.clerk)).rejects.toMatchObject({
    code: 'reward_not_restorable',
  })
  await expect(
    world.handlers.revokeUserRewards({ ids: [...used.ids], reason: '再次' }, world.clerk),
  ).rejects.toMatchObject({ code: 'reward_used' })
})

it('revokes gift balance through the ledger', async () => {
  const riderId = await world.newRider()
  const { ids } = await world.grant(riderId, [giftOf(700)])
  await world.handlers.revokeUserRewards({ ids: [...ids], reason: '错发' }, world.clerk)
  expect(await balances(riderId)).toBe(0)
  expect(await world.rewardsOf(riderId)).toMatchObject([{ state: 'revoked', keptCents: 0 }])
})

it('gives, takes back and gives again gift balance within the calls of a person', async () => {
  const { riderIds } = await world.newRiders(1)
  const [riderId = 0] = riderIds
  const { giveUserRewards, revokeUserRewards, restoreUserRewards } = userRewardEndpoints
  const { agentId, clerk, handlers } = world
  const asked = { agentId, riderIds, rewards: [giftOf(300)], note: '投诉补偿' }
  const { data } = await withinCall({ name: 'giveUserRewards', writes: giveUserRewards.writes }, () =>
    handlers.giveUserRewards(asked, clerk),
  )
  expect(data).toMatchObject({ given: 1, refused: 0 })
  const { ids } = data
  for (const reason of ['误发', '再次误发']) {
    await withinCall({ name: 'revokeUserRewards', writes: revokeUserRewards.writes }, () =>
      handlers.revokeUserRewards({ ids, reason }, clerk),
    )
    expect(await balances(riderId)).toBe(0)
    await withinCall({ name: 'restoreUserRewards', writes: restoreUserRewards.writes }, () =>
      handlers.restoreUserRewards({ ids }, clerk),
    )
    expect(await balances(riderId)).toBe(300)
    expect(await world.rewardsOf(riderId)).toMatchObject([{ state: 'given', keptCents: null }])
  }
})

it('gives by hand, skips whom it does not know, and reaches no other company', async () => {
  const templateId = await world.create()
  const { phones, riderIds } = await world.newRiders(2)
  const rewards = [{ kind: 'coupon', templateId, count: 1 } as const]
  const asked = {
    agentId: world.agentId,
    phones: [...phones, '13900000000', phones[0] ?? ''],
    rewards,
    note: '投诉补偿',
  }
  const { data } = await world.handlers.giveUserRewards(asked, world.clerk)
  expect(data).toMatchObject({
    given: 2,
    refused: 0,
    skipped: [
      { at: 2, why: 'unknown' },
      { at: 3, why: 'twice' },
    ],
  })
  expect(await world.rewardsOf(riderIds[0] ?? 0)).toMatchObject([
    { cause: 'hand', grantedBy: '周可', note: '投诉补偿' },
  ])
  await expect(world.handlers.giveUserRewards(asked, world.outsider)).rejects.toMatchObject({ code: 'not_found' })
  await expect(world.handlers.revokeUserRewards({ ids: data.ids, reason: 'r' }, world.outsider)).rejects.toMatchObject({
    code: 'not_found',
  })
})

it('waits for a second person above what one may give in a day', async () => {
  const riderId = await world.newRider()
  const asked = {
    agentId: world.agentId,
    riderIds: [riderId],
    rewards: Array.from({ length: 5 }, () => giftOf(100_000)),
    note: '大额补偿',
  }
  await expect(world.handlers.giveUserRewards(asked, world.clerk)).rejects.toMatchObject({ code: 'money_held' })
  expect(await world.rewardsOf(riderId)).toEqual([])
})

it('takes the budget of an activity, never more, and gives it back', async () => {
  const templateId = await world.create()
  const reward = { kind: 'coupon', templateId, count: 1 } as const
  const activityId = await world.createFixed(
    { event: 'identified', rewards: [reward] },
    { budgetUses: 5, startsAt: world.now - hourMs },
  )
  const { riderIds } = await world.newRiders(12)
  const outcomes = await Promise.all(
    riderIds.map((id) => world.grant(id, [reward], { activityId, cause: { kind: 'identity', id } })),
  )
  expect(outcomes.filter(({ outcome }) => outcome === 'given')).toHaveLength(5)
  expect(await world.activity(activityId)).toMatchObject({ uses: 5, used_cents: 1_000 })
  const given = outcomes.find(({ outcome }) => outcome === 'given')
  await world.handlers.revokeUserRewards({ ids: [...(given?.ids ?? [])], reason: '错发' }, world.clerk)
  expect(await world.activity(activityId)).toMatchObject({ uses: 4, used_cents: 800 })
})

it('counts a coupon without an amount as what it takes off at most', async () => {
  await world.endAll()
  const templateId = await world.create({ effect: { off: 'minutes', minutes: 30 } })
  const reward = { kind: 'coupon', templateId, count: 2 } as const
  // 1.50 and two units of 0.50 each.
  const activityId = await world.createFixed(
    { event: 'identified', rewards: [reward] },
    { budgetCents: 900, startsAt: world.now - hourMs },
  )
  const { riderIds } = await world.newRiders(2)
  const outcomes: string[] = []
  for (const id of riderIds) {
    outcomes.push((await world.grant(id, [reward], { activityId, cause: { kind: 'identity', id } })).outcome)
  }
  expect(outcomes).toEqual(['given', 'refused'])
  expect(await world.activity(activityId)).toMatchObject({ uses: 1, used_cents: 500 })
  const { data } = await world.handlers.rewardChoices({}, world.clerk)
  expect(data.coupons.find(({ id }) => id === templateId)?.cents).toBe(250)
})

describe('the budget of an occasion with several rewards', () => {
  beforeEach(() => world.endAll())
  const used = async (activityId: number) => {
    const { uses, used_cents: cents } = await world.activity(activityId)
    return [uses, cents]
  }
  /** Three rewards of 200, 200 and 300 cents that are due in an hour. */
  const pending = async () => {
    const templateIds = [await world.create(), await world.create()]
    const rewards = [
      ...templateIds.map((templateId) => ({ kind: 'coupon', templateId, count: 1 }) as const),
      giftOf(300),
    ]
    const activityId = await world.createFixed({ event: 'identified', rewards }, { startsAt: world.now - hourMs })
    const riderId = await world.newRider()
    const cause = { kind: 'identity', id: riderId } as const
    const { ids } = await world.grant(riderId, rewards, {
      activityId,
      cause,
      dueAt: new Date(world.kit.clock.now() + hourMs),
    })
    const off = (at: number) =>
      world.handlers.switchCouponTemplate({ id: templateIds[at] ?? 0, state: 'off' }, world.clerk)
    const due = async () => {
      world.kit.clock.advance(hourMs)
      await world.rewards.giveDue()
    }
    return { activityId, riderId, templateIds, ids, off, due }
  }

  it('gets the share of one that is refused when it is due, whichever it is', async () => {
    const { activityId, off, due, ids, templateIds } = await pending()
    expect(await used(activityId)).toEqual([1, 700])
    await off(0)
    await due()
    expect(await used(activityId)).toEqual([1, 500])
    await world.handlers.switchCouponTemplate({ id: templateIds[0] ?? 0, state: 'on' }, world.clerk)
    await world.handlers.restoreUserRewards({ ids: ids.slice(0, 1) }, world.clerk)
    expect(await used(activityId), 'given after all, so it is paid again').toEqual([1, 700])
  })

  it('gets all of it when the last one falls, and the use with it', async () => {
    const { activityId, off, due, ids } = await pending()
    await off(1)
    await due()
    expect(await used(activityId)).toEqual([1, 500])
    await world.handlers.revokeUserRewards({ ids: [...ids].slice(0, 1), reason: '错发' }, world.clerk)
    expect(await used(activityId)).toEqual([1, 300])
    await world.handlers.revokeUserRewards({ ids: [...ids].slice(2), reason: '错发' }, world.clerk)
    expect(await used(activityId)).toEqual([0, 0])
    await world.handlers.restoreUserRewards({ ids: ids.slice(0, 1) }, world.clerk)
    expect(await used(activityId)).toEqual([1, 200])
  })

  it('is given back for one side of an invite and kept for the other', async () => {
    const activityId = await world.createFixed(
      { event: 'identified', rewards: [giftOf(300)] },
      { startsAt: world.now - hourMs },
    )
    const { riderIds } = await world.newRiders(2)
    const cause = { kind: 'invite', id: 9_001 } as const
    const dueAt = new Date(world.kit.clock.now() + hourMs)
    const granted = await Promise.all(
      riderIds.map((riderId) => world.grant(riderId, [giftOf(300)], { activityId, cause, dueAt })),
    )
    await world.handlers.revokeUserRewards({ ids: [...(granted[0]?.ids ?? [])], reason: '错发' }, world.clerk)
    expect(await used(activityId)).toEqual([1, 300])
  })

  it('agrees with its uses after all of that', async () => {
    expect(await activitiesThatDisagree(world.db)).toEqual([])
  })
})
