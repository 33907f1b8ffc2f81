import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { addDays, businessDayOf, dayMs } from '@saddle/contract/time.ts'
import { testActivityCommon, testRidingTerms } from '#test/activities.ts'
import { campaignWorld } from '../campaigns/campaigns.fixture.ts'
import { compareArms } from './rules.ts'
import { armsOf, heldOutBy, simulateRiders } from './population.fixture.ts'

const world = await campaignWorld()
const { owner, kit, handlers, marketing, agentId, clerk, outsider, segment, campaign, act, manyRiders } = world
const effect = async (id: number) => (await handlers.marketingEffect({ of: 'campaign', id }, clerk)).data

it.each([
  [11, 0.3, 'up'],
  [12, 0, 'none'],
] as const)('with seed %i and an uplift of %f the statement says %s', async (seed, uplift, verdict) => {
  await handlers.setMarketingSetting({ agentId, setting: { controlPercent: 0, weeklyMax: null } }, clerk)
  await manyRiders(6_000)
  const { rows } = await sql<{ id: number }>`
    select id from rider where agent_id = ${agentId} order by id desc limit 6000`.execute(owner)
  const first = Math.min(...rows.map(({ id }) => id))
  const tag = `效果 ${seed}`
  await sql`
    insert into rider_tag (rider_id, tag, agent_id, made_at, made_by)
    select id, ${tag}, ${agentId}, now(), 'test' from rider where id >= ${first}`.execute(owner)
  const id = await campaign({ segmentId: await segment({ tags: [tag] }), holdoutPercent: 30 })
  await act(id, 'start')
  await marketing.sendCampaigns()
  const held = heldOutBy(id, 30)
  const riders = simulateRiders({ seed, riders: 6_000, uplift, isHeldOut: (rider) => held(rider - 1_001 + first) })
  const today = businessDayOf(kit.clock.now())
  const days = [
    { day: addDays(today, -5), of: (rider: (typeof riders)[number]) => rider.before },
    { day: addDays(today, 3), of: (rider: (typeof riders)[number]) => rider.after },
  ]
  for (const { day, of } of days) {
    const ridden = riders.filter((rider) => of(rider) > 0)
    await sql`
      insert into rider_day (rider_id, agent_id, day, last_area_id, rides, cents)
      select n.id, ${agentId}, ${day}::date, 31, n.rides, n.rides * 150
      from unnest(${ridden.map((rider) => rider.riderId - 1_001 + first)}::bigint[],
        ${ridden.map(of)}::integer[]) as n (id, rides)`.execute(owner)
  }
  // What lies outside of the days that count changes nothing.
  await sql`
    insert into rider_day (rider_id, agent_id, day, last_area_id, rides, cents)
    select id, ${agentId}, d.day::date, 31, 50, 0
    from rider cross join unnest(array[${addDays(today, -40)}, ${addDays(today, 40)}]) as d (day)
    where id = ${first}`.execute(owner)
  kit.clock.advance(7 * dayMs)
  const found = await effect(id)
  const pure = compareArms(armsOf(riders))
  expect(found).toMatchObject({ verdict, treatedRiders: 6_000 - found.heldOutRiders })
  expect(found.rides?.difference, 'the statement sums what the riders are').toBeCloseTo(pure.difference, 8)
  expect(found.rides?.low).toBeCloseTo(pure.low, 8)
  expect(found.cents?.difference).toBeCloseTo(pure.difference * 150, 6)
  expect(found.rides!.low).toBeLessThanOrEqual(3 * uplift)
  expect(found.rides!.high).toBeGreaterThanOrEqual(3 * uplift)
  await expect(handlers.marketingEffect({ of: 'campaign', id }, outsider)).rejects.toMatchObject({ code: 'not_found' })
})

it('says that nobody was held out, and what the coupons have cost', async () => {
  const { phones, riderIds } = await world.newRiders(3)
  await handlers.tagRiders({ agentId, tag: '无对照', phones, isRemoved: false }, clerk)
  const templateId = await world.create()
  const segmentId = await segment({ tags: ['无对照'] })
  const id = await campaign({ segmentId, channel: 'coupon', templateId, holdoutPercent: 0 })
  expect(await effect(id), 'not started').toMatchObject({ verdict: 'no_holdout', from: null })
  await act(id, 'start')
  await marketing.sendCampaigns()
  await sql`
    update coupon set state = 'used', used_at = issued_at + interval '1 hour', order_id = 1, saved_cents = 200
    where rider_id = ${riderIds[0]!} and template_id = ${templateId}`.execute(owner)
  expect(await effect(id)).toMatchObject({
    verdict: 'no_holdout',
    treatedRiders: 3,
    heldOutRiders: 0,
    rides: null,
    costCents: 200,
    costPerRideCents: null,
  })
})

it('lists the riders of both groups of an activity, with the rides that it compares', async () => {
  await handlers.setMarketingSetting({ agentId, setting: { controlPercent: 10, weeklyMax: null } }, clerk)
  // The riders of the tests before rode then, too.
  await sql`delete from rider_day`.execute(owner)
  const { riderIds } = await world.newRiders(60)
  kit.clock.advance(40 * dayMs)
  const startsAt = kit.clock.now()
  const today = businessDayOf(startsAt)
  const late = (await world.newRiders(4)).riderIds
  const days = sql.join([-30, -10, -1, 0, 3].map((offset) => sql`(${addDays(today, offset)}::date)`))
  await sql`
    insert into rider_day (rider_id, agent_id, day, last_area_id, rides, cents)
    select r.id, ${agentId}, d.day, 31, 1 + r.id % 3, 150 from unnest(${[...riderIds, ...late]}::bigint[]) r (id)
      cross join (values ${days}) d (day)
    where r.id % 5 > 0 and not (r.id = any (${late}::bigint[]) and d.day < ${today}::date)`.execute(owner)
  const { data } = await handlers.createRidingActivity(
    {
      agentId,
      common: { ...testActivityCommon, startsAt, endsAt: null, holdoutPercent: 40 },
      terms: testRidingTerms,
    },
    clerk,
  )
  await handlers.switchRidingActivity({ id: data.id, state: 'on' }, clerk)
  kit.clock.advance(5 * dayMs)
  const found = (await handlers.marketingEffect({ of: 'activity', id: data.id }, clerk)).data
  const listed = async (arm: 'treated' | 'heldOut', call = clerk) =>
    (await handlers.listEffectRiders({ filter: { activityId: data.id, arm }, sort: 'registered', pageSize: 100 }, call))
      .data
  for (const [arm, riders] of [
    ['treated', found.treatedRiders],
    ['heldOut', found.heldOutRiders],
  ] as const) {
    const { count, list } = await listed(arm)
    expect(count, arm).toBe(riders)
    expect(riders).toBeGreaterThan(5)
    for (const { id, rides, ridesBefore, cents } of list) {
      const perDay = id % 5 === 0 ? 0 : 1 + (id % 3)
      const isLate = late.includes(id)
      expect({ rides, ridesBefore, cents }).toEqual({
        rides: 2 * perDay,
        ridesBefore: isLate ? 0 : 2 * perDay,
        cents: perDay === 0 ? 0 : 300,
      })
    }
  }
  const heldOut = await listed('heldOut')
  const both = [...heldOut.list, ...(await listed('treated')).list].map(({ id }) => id)
  expect(new Set(both).size, 'nobody is in both').toBe(both.length)
  const file = await handlers.exportEffectRiders(
    { filter: { activityId: data.id, arm: 'heldOut' }, sort: 'registered' },
    clerk,
  )
  expect(file.data.rows).toBe(heldOut.count)
  await expect(listed('treated', outsider)).rejects.toMatchObject({ code: 'not_found' })
})
