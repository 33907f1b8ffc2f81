import { sql } from 'kysely'
import { activityCommonSchema, type ActivityCommon } from '@saddle/contract/marketing/activities.ts'
import { fixedTermsSchema } from '@saddle/contract/marketing/fixedActivities.ts'
import type { Reward, RewardCause } from '@saddle/contract/marketing/rewards.ts'
import { taskTermsSchema } from '@saddle/contract/marketing/taskActivities.ts'
import { priceRulesSchema } from '@saddle/contract/riding/price.ts'
import { dayMs, minuteMs } from '@saddle/contract/time.ts'
import type { z } from 'zod'
import { marketingWorld } from './marketing.fixture.ts'

const rules = priceRulesSchema.parse({
  freeSeconds: 0,
  startCents: 150,
  timeSteps: [{ fromMinute: 10, everyMinutes: 10, cents: 50 }],
  distance: null,
  bands: [],
  dayCapCents: 3_000,
  insuranceCents: 0,
  outOfPlaceCents: 500,
  outsideAreaCents: 1_000,
  noStopCents: 800,
  noStopReturnAllowed: true,
})

/** Companies with riders, activities that give rewards, and rides. */
export async function rewardWorld() {
  const world = await marketingWorld()
  const { owner, db, kit, handlers, clerk, agentId, marketing } = world
  const now = kit.clock.now()
  const { rewards, facts } = marketing
  await owner
    .insertInto('price_version')
    .values({
      id: 1,
      agent_id: agentId,
      area_id: 31,
      name: '价格',
      rules: JSON.stringify(rules),
      valid_from: new Date(now),
      author_name: '周可',
      created_at: new Date(now),
    })
    .execute()
  let names = 0
  const commonWith = (changes: Partial<z.input<typeof activityCommonSchema>> = {}): ActivityCommon => {
    names += 1
    return activityCommonSchema.parse({ name: `活动 ${names}`, startsAt: now - dayMs, ...changes })
  }
  const createFixed = async (
    terms: z.input<typeof fixedTermsSchema>,
    changes: Parameters<typeof commonWith>[0] = {},
  ) => {
    const input = { agentId, common: commonWith(changes), terms: fixedTermsSchema.parse(terms) }
    const { id } = (await handlers.createFixedActivity(input, clerk)).data
    await handlers.switchFixedActivity({ id, state: 'on' }, clerk)
    return id
  }
  const createTask = async (terms: z.input<typeof taskTermsSchema>, changes: Parameters<typeof commonWith>[0] = {}) => {
    const input = { agentId, common: commonWith(changes), terms: taskTermsSchema.parse(terms) }
    const { id } = (await handlers.createTaskActivity(input, clerk)).data
    await handlers.switchTaskActivity({ id, state: 'on' }, clerk)
    return id
  }
  const endAll = async () => {
    await owner.updateTable('activity').set({ state: 'ended' }).execute()
  }
  const newRider = async (): Promise<number> => (await world.newRiders(1)).riderIds[0] ?? 0
  let vehicles = 0
  /** A ride that is paid, of so many minutes. */
  const ride = async (
    riderId: number,
    { minutes = 10, cents = 200, metres = 2_000, endedAt = now, areaId = 31 } = {},
  ): Promise<number> => {
    if (vehicles === 0) vehicles = await anyVehicle()
    const { id } = await owner
      .insertInto('ride_order')
      .values({
        agent_id: agentId,
        area_id: areaId,
        vehicle_id: vehicles,
        vehicle_number: 'TEST1',
        rider_id: riderId,
        state: 'due',
        placed_at: new Date(endedAt - minutes * minuteMs),
        started_at: new Date(endedAt - minutes * minuteMs),
        ended_at: new Date(endedAt),
        distance_m: metres,
        price_version_id: 1,
        charged_cents: cents,
        changed_at: new Date(endedAt),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`update ride_order set state = 'paid' where id = ${id}`.execute(owner)
    return id
  }
  const anyVehicle = async (): Promise<number> => {
    const { id } = await owner
      .insertInto('vehicle')
      .values({
        agent_id: agentId,
        area_id: 31,
        number: 'TEST1',
        model: 'model',
        protocol: 'mqtt',
        state: 'available',
        state_changed_at: new Date(now),
        created_at: new Date(now),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const refund = async (orderId: number): Promise<void> => {
    await sql`
      update ride_order set state = 'refunded', refunded_cents = charged_cents, changed_at = ended_at
      where id = ${orderId}`.execute(owner)
  }
  /** What the worker does now and again. */
  const work = async (): Promise<void> => {
    await facts.run()
    await rewards.giveDue()
  }
  const rewardsOf = async (riderId: number) =>
    (await handlers.listUserRewards({ filter: { riderId }, sort: 'granted', pageSize: 100 }, clerk)).data.list.toSorted(
      (a, b) => a.id - b.id,
    )
  const grant = (
    riderId: number,
    given: readonly Reward[],
    more: { activityId?: number; cause?: { kind: RewardCause; id: number }; dueAt?: Date } = {},
  ) =>
    db.system((tx) =>
      rewards.grant(tx, {
        agentId,
        riderId,
        activityId: more.activityId ?? null,
        version: null,
        rewards: given,
        cause: more.cause ?? { kind: 'campaign', id: 1 },
        at: new Date(now),
        dueAt: more.dueAt,
      }),
    )
  const activity = async (id: number) =>
    owner.selectFrom('activity').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return {
    ...world,
    now,
    commonWith,
    rewards,
    facts,
    createFixed,
    createTask,
    endAll,
    newRider,
    ride,
    refund,
    work,
    rewardsOf,
    grant,
    activity,
  }
}
