import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { dayMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { mutation } from '#test/statementMutation.ts'
import { activityWorld } from './activities.fixture.ts'
import { giveBackBudget, takeBudget } from './budget.ts'

/** Each condition that keeps a limit, and what stands in its place when it is gone: what comes out must then differ. */
const mutants: readonly (readonly [limit: string, find: string, instead: string])[] = [
  ['the budget in uses, and the stop', 'a.dry_at is null', 'true'],
  ['the budget in cents', '::bigint <= a.budget_cents', '::bigint <= a.budget_cents + 1000000'],
  ['the stop at the end of a budget', 'dry_at = case when', 'dry_at = case when false and'],
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
  const take = (activityId: number, riderId: number, cause = (causes += 1), at = now) =>
    db.system((tx) =>
      takeBudget(change(tx), {
        activityId,
        agentId,
        riderId,
        cents: 100,
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
  for (const id of [byUses, byCents, byRider, byDay]) found.push(await state(id))
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

it.each(mutants)('a statement without %s is noticed', async (_limit, find, instead) => {
  const { plugin, hits } = mutation(find, instead)
  const result = await outcome((tx) => tx.withPlugin(plugin)).catch((error: unknown) => String(error))
  expect(hits(), 'the condition is in a statement').toBeGreaterThan(0)
  expect(result).not.toEqual(expected)
  await sql`update activity set state = 'ended'`.execute(world.owner)
})
