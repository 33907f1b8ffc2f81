import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { rewardWorld } from '../rewards.fixture.ts'

let world: Awaited<ReturnType<typeof rewardWorld>>
let templateId: number
beforeEach(async () => {
  world = await rewardWorld()
  templateId = await world.create()
})
afterEach(async () => {
  await world.db.close()
})

const coupon = () => ({ kind: 'coupon', templateId, count: 1 }) as const
const levels = (...targets: number[]) => targets.map((target) => ({ target, rewards: [coupon()] }))
const progress = async (activityId: number) =>
  world.owner.selectFrom('task_progress').selectAll().where('activity_id', '=', activityId).execute()

it('gives each level once while rides come in', async () => {
  const id = await world.createTask({ measure: 'rides', days: 7, levels: levels(2, 4) })
  const riderId = await world.newRider()
  for (let n = 0; n < 3; n += 1) await world.ride(riderId)
  await world.work()
  expect(await progress(id)).toMatchObject([{ value: 3, level: 1 }])
  await world.ride(riderId)
  await world.work()
  await world.work()
  expect(await world.rewardsOf(riderId)).toMatchObject([
    { state: 'given', cause: 'level' },
    { state: 'given', cause: 'level' },
  ])
  expect(await world.activity(id)).toMatchObject({ uses: 2, riders: 1 })
})

it('counts days once each, and only rides of the activity', async () => {
  const id = await world.createTask({ measure: 'days', days: 7, levels: levels(2), rides: { minMinutes: 5 } })
  const riderId = await world.newRider()
  await world.ride(riderId)
  await world.ride(riderId)
  await world.ride(riderId, { minutes: 2, endedAt: world.now - hourMs })
  await world.work()
  expect(await progress(id)).toMatchObject([{ value: 1, level: 0 }])
})

it('takes a refunded ride back with its pending reward, and gives it again for another ride', async () => {
  await world.createTask({ measure: 'rides', days: 7, levels: levels(2), delayHours: 24 })
  const riderId = await world.newRider()
  await world.ride(riderId)
  const second = await world.ride(riderId)
  await world.work()
  expect(await world.rewardsOf(riderId)).toMatchObject([{ state: 'pending' }])
  await world.refund(second)
  await world.work()
  expect(await world.rewardsOf(riderId)).toMatchObject([{ state: 'revoked', endedBy: null }])
  await world.ride(riderId)
  await world.work()
  expect(await world.rewardsOf(riderId)).toMatchObject([{ state: 'pending' }])
  world.kit.clock.advance(dayMs)
  await world.work()
  expect(await world.rewardsOf(riderId)).toMatchObject([{ state: 'given' }])
})

it('counts no ride that was refunded before it was looked at', async () => {
  const id = await world.createTask({ measure: 'rides', days: 7, levels: levels(1) })
  const riderId = await world.newRider()
  await world.refund(await world.ride(riderId))
  await world.work()
  expect(await progress(id)).toEqual([])
})

it('gives no more levels than its budget has, and stops', async () => {
  const id = await world.createTask({ measure: 'rides', days: 7, levels: levels(1) }, { budgetUses: 3 })
  const { riderIds } = await world.newRiders(6)
  for (const riderId of riderIds) await world.ride(riderId)
  await world.work()
  expect(await world.activity(id)).toMatchObject({ uses: 3 })
  expect((await world.couponsOf({ templateId })).length).toBe(3)
})

it('shows the rider the progress, and previews what it would have given', async () => {
  await world.createTask({ measure: 'rides', days: 7, levels: levels(2, 4) })
  const { phones, riderIds } = await world.newRiders(1)
  for (let n = 0; n < 3; n += 1) await world.ride(riderIds[0] ?? 0)
  await world.work()
  const { data } = await world.handlers.riderActivities({ phone: phones[0] ?? '' }, world.app)
  expect(data.list).toMatchObject([
    {
      value: 3,
      levels: [
        { target: 2, isReached: true },
        { target: 4, isReached: false },
      ],
    },
  ])
  const terms = { measure: 'rides', days: 7, levels: levels(1, 3), repeats: true, delayHours: 0 } as const
  const preview = await world.handlers.previewTaskActivity(
    {
      agentId: world.agentId,
      common: world.commonWith(),
      terms: { ...terms, rides: { hours: null, weekdays: [], minMinutes: 0, minMetres: 0, minCents: 0 } },
      weeks: 1,
    },
    world.clerk,
  )
  expect(preview.data).toMatchObject({
    considered: 3,
    reached: 2,
    riders: 1,
    costCents: 400,
    levels: [
      { target: 1, reached: 1, costCents: 200 },
      { target: 3, reached: 1, costCents: 200 },
    ],
  })
})
