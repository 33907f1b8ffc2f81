import { describe, expect, it } from 'vitest'
import { isHeldOut } from '@saddle/contract/marketing/holdout.ts'
import { ridingTermsSchema } from '@saddle/contract/marketing/ridingActivities.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { activityWorld } from './activities.fixture.ts'
import { inForce, recordUses, takeBudget } from './budget.ts'
import { activitiesThatDisagree } from './verify.ts'

const world = await activityWorld()
const { db, owner, kit, handlers, agentId, clerk, outsider, newRiders, inputWith, draft, start, activity, endAll } =
  world
const { riderIds } = await newRiders(100)
const [riderId = 0] = riderIds

const change = async (id: number, version: number, common: Parameters<typeof inputWith>[0]) =>
  handlers.changeRidingActivity({ id, version, ...inputWith(common) }, clerk)
const take = (activityId: number, cents = 100, cause = 1, at = kit.clock.now()) =>
  db.system((tx) =>
    takeBudget(tx, { activityId, agentId, riderId, cents, at: new Date(at), cause: { kind: 'ride', id: cause } }),
  )

describe('an activity', () => {
  it('has versions, of which the last one may be changed by whoever saw it', async () => {
    const id = await draft({ name: '开学季' })
    await expect(draft({ name: '开学季' })).rejects.toMatchObject({ code: 'name_taken' })
    expect((await change(id, 1, { name: '开学季', riderUses: 3 })).data).toEqual({ id, version: 2 })
    await expect(change(id, 1, {})).rejects.toMatchObject({ code: 'conflict' })
    const { list } = (await handlers.ridingActivityVersions({ id }, clerk)).data
    expect(list.map(({ version, madeBy, common }) => [version, madeBy, common.riderUses])).toEqual([
      [2, '周可', 3],
      [1, '周可', null],
    ])
    await expect(handlers.ridingActivityVersions({ id }, outsider)).rejects.toMatchObject({ code: 'not_found' })
    await expect(handlers.changeRidingActivity({ id, version: 2, ...inputWith() }, outsider)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('is for areas of its company, and at the platform’s cost only where the platform says so', async () => {
    await expect(draft({ areaIds: [41] })).rejects.toMatchObject({ code: 'foreign_scope' })
    await expect(draft({ bearer: 'platform' })).rejects.toMatchObject({ code: 'activity_platform_bears' })
    await expect(handlers.createRidingActivity({ agentId: 4, ...inputWith() }, clerk)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('goes through its states, and does not come back from the last one', async () => {
    const now = kit.clock.now()
    const id = await draft({ startsAt: now + dayMs, endsAt: now + 2 * dayMs })
    const turn = (state: 'on' | 'paused' | 'ended') => handlers.switchRidingActivity({ id, state }, clerk)
    const shown = async () => (await activity(id)).shown
    expect(await shown()).toBe('draft')
    await expect(turn('paused')).rejects.toMatchObject({ code: 'activity_step_refused' })
    await turn('on')
    expect(await shown()).toBe('scheduled')
    kit.clock.set(now + dayMs)
    expect(await shown()).toBe('on')
    await turn('paused')
    expect([await shown(), await take(id, 100, 1, now + dayMs)]).toEqual(['paused', 'not_on'])
    kit.clock.set(now + 3 * dayMs)
    expect(await shown()).toBe('over')
    await expect(turn('on')).rejects.toMatchObject({ code: 'activity_over' })
    await turn('ended')
    await expect(turn('on')).rejects.toMatchObject({ code: 'activity_step_refused' })
    await expect(change(id, 1, {})).rejects.toMatchObject({ code: 'activity_ended' })
    kit.clock.set(now)
  })

  it('runs again when its budget is raised, and may not get less than is used', async () => {
    const id = await start({ budgetCents: 100 })
    expect(await take(id)).toBeNull()
    expect(await activity(id)).toMatchObject({ shown: 'dry' })
    await expect(change(id, 1, { budgetCents: 99 })).rejects.toMatchObject({ code: 'activity_below_used' })
    await change(id, 1, { budgetCents: 120 })
    expect(await activity(id)).toMatchObject({ shown: 'on', warnedAt: kit.clock.now() })
    await change(id, 2, { budgetCents: 1_000 })
    expect(await activity(id)).toMatchObject({ shown: 'on', warnedAt: null })
    await change(id, 3, { budgetUses: 1 })
    expect(await activity(id)).toMatchObject({ shown: 'dry' })
  })
})

it('lists by what activities amount to now, by area and by what is left of their budgets', async () => {
  await endAll()
  const now = kit.clock.now()
  const ids = {
    on: await start(),
    low: await start({ budgetCents: 120, areaIds: [31] }),
    dry: await start({ budgetUses: 1 }),
    scheduled: await start({ startsAt: now + dayMs }),
  }
  await take(ids.low)
  await take(ids.dry)
  const list = async (filter: Parameters<typeof handlers.listRidingActivities>[0]['filter']) => {
    const { data } = await handlers.listRidingActivities({ filter, sort: 'created', pageSize: 50 }, clerk)
    return data.list.map(({ id }) => id).toSorted((a, b) => a - b)
  }
  expect(await list({ states: ['on'] })).toEqual([ids.on, ids.low])
  expect(await list({ states: ['dry', 'scheduled'] })).toEqual([ids.dry, ids.scheduled])
  expect(await list({ low: true })).toEqual([ids.low, ids.dry])
  expect(await list({ areaIds: [31], states: ['on', 'dry'] })).toEqual([ids.on, ids.low, ids.dry])
  expect(await list({ areaIds: [41], states: ['on', 'dry'] })).toEqual([ids.on, ids.dry])
  const { data } = await handlers.exportRidingActivities({ filter: { states: ['on'] }, sort: 'created' }, clerk)
  expect(data.rows).toBe(2)
})

it('holds riders out of an activity, and the control group out of all', async () => {
  await endAll()
  const id = await start({ holdoutPercent: 30 })
  const at = new Date(kit.clock.now())
  const reached = async () => {
    const found = await Promise.all(
      riderIds.map((rider) =>
        db.system((tx) => inForce(tx, { agentId, kind: 'riding', terms: ridingTermsSchema, at, riderId: rider })),
      ),
    )
    return riderIds.filter((_, index) => (found[index]?.length ?? 0) > 0)
  }
  const expected = riderIds.filter((rider) => !isHeldOut({ agentId, id, percent: 30, riderId: rider }))
  expect(await reached()).toEqual(expected)
  expect(expected.length).toBeGreaterThan(50)
  expect(expected.length).toBeLessThan(90)
})

it('uses that are recorded together count as those that are taken, once', async () => {
  await endAll()
  const id = await start({ budgetCents: 700 })
  const at = kit.clock.now()
  const uses = riderIds.slice(0, 3).flatMap((rider, index) =>
    [1, 2].map((turn) => ({
      activityId: id,
      agentId,
      riderId: rider,
      cents: 100,
      at,
      cause: { kind: 'ride', id: 10 * index + turn },
    })),
  )
  await db.system((tx) => recordUses(tx, uses))
  await db.system((tx) => recordUses(tx, uses))
  expect(await activity(id)).toMatchObject({ shown: 'on', uses: 6, usedCents: 600, riders: 3, warnedAt: at })
  expect(await take(id, 100, 99)).toBeNull()
  expect(await activity(id)).toMatchObject({ shown: 'dry', uses: 7, riders: 3 })
})

it('counters that differ from the uses are found', async () => {
  // Uses of these tests have no orders.
  const counters = async () => (await activitiesThatDisagree(db)).filter((fault) => !fault.includes('that order'))
  expect(await counters()).toEqual([])
  const id = await start()
  await owner.updateTable('activity').set({ uses: 1 }).where('id', '=', id).execute()
  expect(await counters()).toEqual([expect.stringMatching(/^activity .* says 1 uses/)])
  await owner.updateTable('activity').set({ uses: 0 }).where('id', '=', id).execute()
})
