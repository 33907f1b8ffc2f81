import { expect, it } from 'vitest'
import type { ActivityCommon } from '@saddle/contract/marketing/activities.ts'
import { ridingTermsSchema, type RidingTerms } from '@saddle/contract/marketing/ridingActivities.ts'
import { hourMs, minuteMs as minute } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { recordWeather } from '#geography/public.ts'
import { createMarketing } from '#marketing/public.ts'
import { createRiders } from '#rider/public.ts'
import { testActivityCommon } from '#test/activities.ts'
import { ridesByApp } from '#riding/rides/rides.fixture.ts'
import { activitiesThatDisagree } from '../activities/verify.ts'

const { app, db, finance, first, handlers, kit, ledger, obey, one, operator, owner, phone, riding } = await ridesByApp()
const deps = { audit: createAudit(kit), finance, riders: createRiders(kit), riding }
const marketing = createMarketing(kit, deps).handlers
const agentId = 3

const start = async (common: Partial<ActivityCommon>, terms: Parameters<typeof ridingTermsSchema.parse>[0]) => {
  const { data } = await marketing.createRidingActivity(
    {
      agentId,
      common: { ...testActivityCommon, name: `活动 ${kit.clock.now()}`, ...common },
      terms: ridingTermsSchema.parse(terms) satisfies RidingTerms,
    },
    operator,
  )
  await marketing.switchRidingActivity({ id: data.id, state: 'on' }, operator)
  return data.id
}
const activity = async (id: number) => {
  const { data } = await marketing.listRidingActivities({ filter: { id }, sort: 'created', pageSize: 20 }, operator)
  return data.list[0]
}
/** A ride of twenty minutes, which costs three yuan, from its beginning to its end. */
async function ride(): Promise<number> {
  const { orderId } = (await handlers.unlockRide(first, app)).data
  await obey(one)
  kit.clock.advance(20 * minute)
  await handlers.endRide({ phone, orderId }, app)
  await obey(one)
  // How it is paid plays no part here, but a rider with a debt does not ride.
  await owner.updateTable('ride_order').set({ state: 'paid' }).where('id', '=', orderId).execute()
  return orderId
}
const skipsOf = async (orderId: number) => (await handlers.orderDetail({ id: orderId }, operator)).data.skippedBenefits

it('lowers the charge of a ride by an activity, once a day, and gives it back with a refund of the whole ride', async () => {
  const id = await start({ riderDayUses: 1, budgetCents: 1_000 }, { effect: { off: 'cents', cents: 100 } })
  const orderId = await ride()
  const taken = await activity(id)
  expect(taken).toMatchObject({ shown: 'on', uses: 1, usedCents: 100, riders: 1 })
  kit.clock.advance(minute)
  const second = await ride()
  expect(await activity(id)).toMatchObject({ uses: 1 })
  expect(await skipsOf(second)).toMatchObject([{ kind: 'activity', id, why: 'used_up_today' }])
  expect(await activitiesThatDisagree(db)).toEqual([])
  const uses = async (states?: ('counted' | 'given_back')[], permission: '1706' | '1701' = '1706') => {
    const caller = { ...operator, caller: { ...operator.caller, permissions: new Set([permission]) } }
    const ask = { filter: { activityId: id, ...(states && { states }) }, sort: 'used' as const, pageSize: 20 }
    return (await marketing.listActivityUses(ask, caller)).data.list
  }
  expect(await uses()).toMatchObject([{ kind: 'riding', cause: 'ride', orderId, state: 'counted', cents: 100 }])
  expect(await uses(undefined, '1701'), 'of a kind that the caller may not open').toEqual([])
  await db.system((tx) => finance.benefits.giveBack(tx, { agentId, orderId, at: kit.clock.now() }))
  await db.system((tx) => finance.benefits.giveBack(tx, { agentId, orderId, at: kit.clock.now() }))
  expect(await activity(id)).toMatchObject({ uses: 0, usedCents: 0, riders: 0 })
  expect(await uses(['counted'])).toEqual([])
  expect(await uses(['given_back'])).toHaveLength(1)
  expect(await activitiesThatDisagree(db)).toEqual([])
  await marketing.switchRidingActivity({ id, state: 'ended' }, operator)
})

it('goes back to the budget with the refund of the whole order, and not with a part of it', async () => {
  const id = await start({ budgetCents: 1_000, riderUses: 1 }, { effect: { off: 'cents', cents: 100 } })
  const { orderId } = (await handlers.unlockRide(first, app)).data
  const { rider_id: ownerId } = await owner
    .selectFrom('ride_order')
    .select('rider_id')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  await ledger.post({
    agentId,
    kind: 'recharge',
    reference: `test:${orderId}`,
    lines: [
      { account: { kind: 'clearing_sandbox' }, amountCents: -200 },
      { account: { kind: 'rider_balance', ownerId }, amountCents: 200 },
    ],
  })
  await obey(one)
  kit.clock.advance(20 * minute)
  await handlers.endRide({ phone, orderId }, app)
  await obey(one)
  const shown = async () => (await handlers.readRide({ phone, orderId }, app)).data
  expect(await shown()).toMatchObject({ state: 'paid', chargedCents: 200 })
  expect((await shown()).lines.find(({ benefit }) => benefit !== null)).toMatchObject({
    benefit: `activity:${id}`,
    amountCents: -100,
    bearer: 'company',
  })
  await handlers.refundOrder({ orderId, cents: 50, reason: '补偿' }, operator)
  expect(await shown()).toMatchObject({ state: 'part_refunded', refundedCents: 50 })
  expect(await activity(id), 'the ride was still cheaper by it').toMatchObject({ uses: 1, usedCents: 100, riders: 1 })
  await handlers.refundOrder({ orderId, reason: '整单' }, operator)
  expect(await shown()).toMatchObject({ state: 'refunded', refundedCents: 200 })
  expect(await activity(id)).toMatchObject({ uses: 0, usedCents: 0, riders: 0 })
  await expect(handlers.refundOrder({ orderId, reason: '整单' }, operator)).rejects.toThrow()
  expect(await activity(id)).toMatchObject({ uses: 0, usedCents: 0 })
  const faults = await activitiesThatDisagree(db)
  expect(faults.filter((fault) => fault.startsWith(`activity ${id} `))).toEqual([])
  const again = await ride()
  expect(await skipsOf(again), 'the rider may use it again').toEqual([])
  expect(await activity(id)).toMatchObject({ uses: 1, usedCents: 100 })
  await marketing.switchRidingActivity({ id, state: 'ended' }, operator)
})

it('asks for the weather in which the ride began, and does not hold where nobody knows it', async () => {
  const id = await start({}, { effect: { off: 'cents', cents: 100 }, conditions: { weathers: ['rain'] } })
  const unknown = await ride()
  expect(await skipsOf(unknown)).toMatchObject([{ id, why: 'weather' }])
  const hour = new Date(Math.floor(kit.clock.now() / hourMs) * hourMs)
  await db.system((tx) => recordWeather(tx, [{ agentId, areaId: 31, hour, weather: 'rain' }]))
  const wet = await ride()
  expect(await skipsOf(wet)).toEqual([])
  expect(await activity(id)).toMatchObject({ uses: 1, usedCents: 100 })
  await marketing.switchRidingActivity({ id, state: 'ended' }, operator)
})

it('says what it would have done over the past weeks, within its limits', async () => {
  for (let rides = 0; rides < 3; rides += 1) {
    await ride()
    kit.clock.advance(minute)
  }
  const common = { ...testActivityCommon, name: '试算' }
  const terms = ridingTermsSchema.parse({ effect: { off: 'percent', percent: 50, maxCents: 120 } })
  const asked = { agentId, common, terms, weeks: 1 } as const
  const { data } = await marketing.previewRidingActivity(asked, operator)
  expect(data).toMatchObject({ weeks: 1, considered: 3, reached: 3, riders: 1, costCents: 360, dryAt: null })
  expect(data.byArea).toMatchObject([{ areaId: 31, reached: 3, costCents: 360 }])
  const scarce = { ...asked, common: { ...common, budgetCents: 240 } }
  const { data: limited } = await marketing.previewRidingActivity(scarce, operator)
  expect(limited).toMatchObject({ reached: 2, costCents: 240 })
  expect(limited.dryAt).not.toBeNull()
  const daily = { ...asked, common: { ...common, riderDayUses: 1 } }
  expect((await marketing.previewRidingActivity(daily, operator)).data).toMatchObject({ reached: 1 })
  const elsewhere = { ...asked, common: { ...common, areaIds: [32] } }
  expect((await marketing.previewRidingActivity(elsewhere, operator)).data).toMatchObject({ considered: 0, reached: 0 })
})
