import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { reasonOf } from '@saddle/contract/riding/reasons.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { lockAllRiders } from '../coupons/issue.ts'
import { rewardWorld } from '../rewards.fixture.ts'
import { wakeRiders } from './wake.ts'

let world: Awaited<ReturnType<typeof rewardWorld>>
let templateId: number
beforeEach(async () => {
  world = await rewardWorld()
  templateId = await world.create()
})
afterEach(async () => {
  await world.db.close()
})
const rewards = () => [{ kind: 'coupon', templateId, count: 1 } as const]

it('greets new riders once, and no other company', async () => {
  const id = await world.createFixed({ event: 'rider_new', rewards: rewards() })
  const { riderIds } = await world.newRiders(3)
  await world.work()
  await world.work()
  for (const riderId of riderIds)
    expect(await world.rewardsOf(riderId)).toMatchObject([{ state: 'given', cause: 'rider' }])
  expect(await world.activity(id)).toMatchObject({ uses: 3, used_cents: 600 })
})

it('rewards the first ride alone, from its least minutes on', async () => {
  await world.createFixed({ event: 'first_ride', rewards: rewards(), minMinutes: 5 })
  const [riderId, shortId] = [await world.newRider(), await world.newRider()]
  await world.ride(riderId, { endedAt: world.now - hourMs })
  await world.ride(riderId)
  await world.ride(shortId, { minutes: 2 })
  await world.work()
  expect(await world.rewardsOf(riderId)).toHaveLength(1)
  expect(await world.rewardsOf(shortId)).toEqual([])
})

it('rewards the first recharge, and one that went back because of the limit for prepaid money is none', async () => {
  const { agentId, owner } = world
  await world.createFixed({ event: 'first_recharge', rewards: rewards() })
  const [riderId, otherId] = [await world.newRider(), await world.newRider()]
  const recharge = async (payer: number, refund?: string) => {
    const { rows } = await sql<{ id: number }>`
      insert into payment (agent_id, rider_id, purpose, became, channel, number, cents, state, trade_number, created_at, paid_at)
      select ${agentId}, ${payer}, 'recharge', 'recharge', 'sandbox', n, 2000, 'paid', n, ${new Date(world.now)},
        ${new Date(world.now)} from md5(random()::text) as n returning id`.execute(owner)
    if (refund === undefined) return
    await sql`
      insert into payment_refund (agent_id, payment_id, number, cents, reason, state, created_at)
      values (${agentId}, ${rows[0]!.id}, md5(random()::text), 2000, ${refund}, 'waiting', ${new Date(world.now)})`.execute(
      owner,
    )
  }
  await recharge(riderId, reasonOf('abovePrepaidCap'))
  await recharge(otherId, '骑行者申请退余额')
  await recharge(riderId)
  await recharge(otherId)
  await recharge(riderId)
  await world.work()
  expect(await world.rewardsOf(riderId)).toMatchObject([{ state: 'given', cause: 'recharge' }])
  expect(await world.rewardsOf(otherId)).toEqual([])
})

it('has one activity for an event at a time', async () => {
  await world.createFixed({ event: 'identified', rewards: rewards() })
  await expect(world.createFixed({ event: 'identified', rewards: rewards() })).rejects.toMatchObject({
    code: 'fixed_activity_taken',
  })
})

it('wakes riders who were away, once for each time', async () => {
  await world.createFixed({ event: 'wake', rewards: rewards(), idleDays: 10, againDays: 30 })
  const [awayId, activeId, newId] = [await world.newRider(), await world.newRider(), await world.newRider()]
  await world.ride(awayId, { endedAt: world.now - 12 * dayMs })
  await world.ride(activeId, { endedAt: world.now - 2 * dayMs })
  expect(await wakeRiders(world.kit, world.rewards)).toBe(1)
  expect(await wakeRiders(world.kit, world.rewards)).toBe(0)
  await world.work()
  expect(await world.rewardsOf(awayId)).toMatchObject([{ state: 'given', cause: 'wake' }])
  expect([...(await world.rewardsOf(activeId)), ...(await world.rewardsOf(newId))]).toEqual([])
})

it('leaves out whom the holdout keeps', async () => {
  await world.createFixed({ event: 'rider_new', rewards: rewards() }, { holdoutPercent: 50 })
  const { riderIds } = await world.newRiders(40)
  await world.work()
  const given = await Promise.all(riderIds.map((id) => world.rewardsOf(id)))
  const count = given.filter((list) => list.length > 0).length
  expect(count).toBeGreaterThan(5)
  expect(count).toBeLessThan(35)
})

it('locks the riders of a batch in one order, whatever the order of the facts', async () => {
  await world.endAll()
  const activityId = await world.createFixed(
    { event: 'first_ride', rewards: [{ kind: 'gift', cents: 100, validDays: 7 }] },
    { startsAt: world.now - hourMs },
  )
  const [lower, higher] = [await world.newRider(), await world.newRider()]
  await world.facts.run()
  await world.ride(higher)
  await world.ride(lower)
  const isWaiting = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(world.owner)
    return (rows[0]?.count ?? 0) > 0
  }
  let followed: Promise<number> = Promise.resolve(0)
  await world.db.system(async (tx) => {
    await lockAllRiders(tx, [lower])
    followed = world.facts.run()
    await vi.waitFor(async () => expect(await isWaiting()).toBe(true), { timeout: 60_000 })
    await lockAllRiders(tx, [higher])
  })
  await followed
  expect(await world.activity(activityId)).toMatchObject({ uses: 2 })
})
