import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { isBudgetUsedUp } from '@saddle/contract/marketing/activities.ts'
import { couponBudgetMaxCents, couponBudgetMaxUses } from '@saddle/contract/marketing/couponTerms.ts'
import { dayMs, minuteMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { mutation } from '#test/statementMutation.ts'
import { activityWorld } from './activities.fixture.ts'
import { isUsedUp } from '../usedUp.ts'
import { giveBackBudget, recordUses, takeBudget } from './budget.ts'
import { activitiesThatDisagree } from './verify.ts'

/** Each condition that keeps a limit, and what stands in its place when it is gone: what comes out must then differ. */
const mutants: readonly (readonly [limit: string, find: string, instead: string])[] = [
  ['the budget in uses, and the stop', 'a.dry_at is null', 'true'],
  ['the budget in cents', '::bigint <= a.budget_cents', '::bigint <= a.budget_cents + 1000000'],
  ['the stop at the end of a budget', 'dry_at = case when', 'dry_at = case when false and'],
  ['the stop at a rest that bears no use', '::numeric * ', '::numeric * 1000000 * '],
  ['the state', "a.state = 'on'", "a.state <> 'draft'"],
  ['the beginning', 'a.starts_at <= ', "a.starts_at - interval '9 years' <= "],
  ['the end', 'a.ends_at > ', "a.ends_at + interval '9 years' > "],
  ['the uses of a day', 'and u.day = ', 'and u.day <> '],
  ['the cause', 'exists (select from activity_use u where', 'exists (select from activity_use u where false and'],
  ['giving back once', ' and given_back_at is null', ''],
  ['the uses on a telephone', 's.device_hash = d.device_hash', 'false and s.device_hash = d.device_hash'],
  ['the count of a rider', 'update activity_rider set uses = uses + 1', 'update activity_rider set uses = uses'],
]

const world = await activityWorld()
const { db, kit, agentId, newRiders, shareTelephone, start, activity, handlers, clerk } = world

let causes = 0
/** What comes out of a use of each limit, one after the other. */
async function outcome(change: (tx: Tx) => Tx): Promise<unknown[]> {
  const now = kit.clock.now()
  const { riderIds } = await newRiders(3)
  const [one = 0, two = 0] = riderIds
  const take = (activityId: number, riderId: number, cause = (causes += 1), at = now, cents = 100) =>
    db.system((tx) =>
      takeBudget(change(tx), {
        activityId,
        agentId,
        riderId,
        cents,
        at: new Date(at),
        cause: { kind: 'ride', id: cause },
      }),
    )
  const giveBack = (cause: number) =>
    db.system((tx) => giveBackBudget(change(tx), { agentId, cause: { kind: 'ride', id: cause }, at: new Date(now) }))
  const found: unknown[] = []
  const state = async (id: number) => {
    const { shown, uses, usedCents, riders } = await activity(id)
    return [shown, uses, usedCents, riders]
  }
  const byUses = await start({ budgetUses: 2 })
  for (const riderId of riderIds) found.push(await take(byUses, riderId))
  const byCents = await start({ budgetCents: 250 })
  for (const riderId of riderIds) found.push(await take(byCents, riderId))
  const byRest = await start({ budgetCents: 200 })
  for (const cents of [100, 95, 5]) found.push(await take(byRest, one, (causes += 1), now, cents))
  const byRider = await start({ riderUses: 1 })
  found.push(await take(byRider, one), await take(byRider, one), await take(byRider, two))
  await shareTelephone([one, two], `telephone ${one}`)
  const byDevice = await start({ deviceUses: 1 })
  for (const riderId of riderIds) found.push(await take(byDevice, riderId))
  const byDay = await start({ riderDayUses: 1 })
  found.push(await take(byDay, one), await take(byDay, one), await take(byDay, one, (causes += 1), now + dayMs))
  const paused = await start()
  await handlers.switchRidingActivity({ id: paused, state: 'paused' }, clerk)
  const early = await start({ startsAt: now + dayMs })
  const late = await start({ endsAt: now - 1, startsAt: now - dayMs }).catch(() => 0)
  const ending = await start({ endsAt: now + 1_000 })
  found.push(late, await take(paused, one), await take(early, one), await take(ending, one, (causes += 1), now + 2_000))
  const cause = (causes += 1)
  const again = await start()
  found.push(await take(again, one, cause), await take(again, one, cause), await state(again))
  found.push(...(await Promise.all([giveBack(cause), giveBack(cause), giveBack(cause)])).toSorted(), await state(again))
  for (const id of [byUses, byCents, byRest, byRider, byDay]) found.push(await state(id))
  return found
}

const expected = await outcome((tx) => tx)

it('every limit holds', () => {
  expect(expected).toContain('budget_spent')
  expect(expected).toContain('rider_cap')
  expect(expected).toContain('rider_day_cap')
  expect(expected).toContain('device_cap')
  expect(expected.filter((answer) => answer === 'not_on')).toHaveLength(3)
})

it('an activity stops at a rest that bears no use, tells it once, and runs again with more of it', async () => {
  const { riderIds } = await newRiders(1)
  const [riderId = 0] = riderIds
  const common = { name: '停车优惠', budgetCents: 20_000 }
  const id = await start(common)
  const firstCause = causes + 1
  const newUse = (cents: number) => {
    causes += 1
    const cause = { kind: 'ride', id: causes }
    return { activityId: id, agentId, riderId, cents, at: kit.clock.now(), cause }
  }
  const take = async (cents: number) => {
    kit.clock.advance(minuteMs)
    const taken = newUse(cents)
    return db.system((tx) => takeBudget(tx, { ...taken, at: new Date(taken.at) }))
  }
  const giveBack = (cause: number) =>
    db.system((tx) =>
      giveBackBudget(tx, { agentId, cause: { kind: 'ride', id: cause }, at: new Date(kit.clock.now()) }),
    )
  const told = async () => {
    const rows = await world.owner
      .selectFrom('notice')
      .select('event')
      .where('subject', '=', `activity ${id}`)
      .orderBy('id')
      .execute()
    return rows.map(({ event }) => event)
  }
  const past = Array.from({ length: 398 }, () => newUse(50))
  await db.system((tx) => recordUses(tx, past))
  expect(await take(50), '199.50 of 200.00 at 0.50 a use leave one more').toBeNull()
  expect([(await activity(id)).shown, await told()]).toEqual(['on', []])
  expect(await take(40)).toBeNull()
  const dryAt = kit.clock.now()
  expect(await activity(id)).toMatchObject({ shown: 'dry', dryAt, usedCents: 19_990, uses: 400 })
  expect(await take(50)).toBe('budget_spent')
  expect(await take(10), 'even what it has left').toBe('budget_spent')
  expect(await told()).toEqual(['budget_dry'])

  expect(await giveBack(firstCause)).toBe(1)
  expect(await activity(id)).toMatchObject({ shown: 'on', dryAt: null, usedCents: 19_940, uses: 399 })
  expect(await take(50)).toBeNull()
  expect((await activity(id)).shown).toBe('dry')
  const raised = { id, version: 1, ...world.inputWith({ ...common, budgetCents: 20_040 }) }
  await handlers.changeRidingActivity(raised, clerk)
  expect(await activity(id)).toMatchObject({ shown: 'on', dryAt: null })
  expect(await take(50)).toBeNull()
  expect(await activity(id)).toMatchObject({ shown: 'dry', usedCents: 20_040 })
  // The uses here are of no order.
  expect((await activitiesThatDisagree(db)).filter((fault) => !fault.includes('that order'))).toEqual([])
})

it('giving back a small use stops nothing, though the others cost more on average', async () => {
  const { riderIds } = await newRiders(1)
  const [riderId = 0] = riderIds
  const id = await start({ budgetCents: 100_000 })
  const at = kit.clock.now()
  const uses = [10, 5_090, ...Array.from({ length: 18 }, () => 5_000)].map((cents) => {
    causes += 1
    return { activityId: id, agentId, riderId, cents, at, cause: { kind: 'ride', id: causes } }
  })
  await db.system((tx) => recordUses(tx, uses))
  expect(await activity(id)).toMatchObject({ shown: 'on', warnedAt: at, usedCents: 95_100, uses: 20 })
  const [small] = uses
  await db.system((tx) => giveBackBudget(tx, { agentId, cause: small!.cause, at: new Date(at) }))
  const { shown, usedCents, uses: left } = await activity(id)
  expect(isBudgetUsedUp({ budgetCents: 100_000, budgetUses: null, usedCents, uses: left })).toBe(true)
  expect(shown).toBe('on')
})

it('the database counts a budget as used up where the contract does', async () => {
  const cases = [null, 200, 20_000, couponBudgetMaxCents].flatMap((budgetCents) =>
    [null, 3, couponBudgetMaxUses].flatMap((budgetUses) =>
      [0, 0.8, 0.9499, 0.95, 0.97, 0.9995, 1].flatMap((share) =>
        [0, 1, 2, 3, 20, 34, 400, couponBudgetMaxUses].map((uses) => {
          const usedCents = Math.floor((budgetCents ?? 20_000) * share)
          return { budgetCents, budgetUses, usedCents, uses }
        }),
      ),
    ),
  )
  const { rows } = await sql<{ is_used_up: boolean }>`
    select ${isUsedUp({
      budgetCents: sql`b.budget_cents`,
      budgetUses: sql`b.budget_uses`,
      usedCents: sql`b.used_cents`,
      uses: sql`b.uses`,
    })} as is_used_up
    from jsonb_to_recordset(${JSON.stringify(
      cases.map(({ budgetCents, budgetUses, usedCents, uses }, at) => ({
        at,
        budget_cents: budgetCents,
        budget_uses: budgetUses,
        used_cents: usedCents,
        uses,
      })),
    )}::jsonb) as b (at integer, budget_cents bigint, budget_uses bigint, used_cents bigint, uses bigint)
    order by b.at`.execute(world.owner)
  const found = rows.map((row, at) => [cases[at], row.is_used_up])
  expect(found).toEqual(cases.map((budget) => [budget, isBudgetUsedUp(budget)]))
  expect(new Set(rows.map((row) => row.is_used_up)).size).toBe(2)
})

it.each(mutants)('a statement without %s is noticed', async (_limit, find, instead) => {
  const { plugin, hits } = mutation(find, instead)
  const result = await outcome((tx) => tx.withPlugin(plugin)).catch((error: unknown) => String(error))
  expect(hits(), 'the condition is in a statement').toBeGreaterThan(0)
  expect(result).not.toEqual(expected)
  await sql`update activity set state = 'ended'`.execute(world.owner)
})
