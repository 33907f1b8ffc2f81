import { expect, it } from 'vitest'
import { couponStates } from '@saddle/contract/marketing/coupons.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { createRiders } from '#rider/public.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { mutation } from '#test/statementMutation.ts'
import { marketingWorld } from '../marketing.fixture.ts'
import { createRiderCouponHandlers } from '../riderCoupons/handlers.ts'
import { couponBenefits } from './benefits.ts'
import type { CouponDeps } from './deps.ts'
import { expireCoupons } from './expire.ts'
import { issueToRiders, makeCodes } from './issue.ts'
import { revokeCoupons } from './revoke.ts'
import { couponsThatDisagree } from './verify.ts'

/** Each condition that keeps a limit or a counter, and what stands in its place when it is gone. */
const mutants: readonly (readonly [limit: string, find: string, instead: string])[] = [
  ['the budget in uses', 't.uses < t.budget_uses', 't.uses < t.budget_uses + 1000'],
  ['the budget in cents', ' <= t.budget_cents', ' <= t.budget_cents + 1000000'],
  ['the end of a budget whose rest bears no use', '::numeric * ', '::numeric * 1000000 * '],
  ['the count of uses', 'set uses = t.uses + 1', 'set uses = t.uses'],
  ['the count of cents', 'used_cents = t.used_cents + ', 'used_cents = t.used_cents + 0 * '],
  ['one use of a coupon', "rider_id is not null and state = 'open'", "rider_id is not null and state <> 'revoked'"],
  ['the end of a coupon', "state = 'open' and ends_at > ", "state = 'open' and ends_at + interval '9 years' > "],
  ['the rider of a coupon', 'and rider_id is not null and', 'and'],
  ['coupons that a rider holds', 'and c.template_id = ', 'and c.template_id <> '],
  ['coupons that a rider holds and that are open', "and c.state = 'open' and c.ends_at > ", 'and c.ends_at > '],
  ['giving back once', ' and returned_at is null', ''],
  ['giving back before the end', 'returned_at is null and ends_at > ', 'returned_at is null and issued_at < '],
  ['giving uses back to the budget', 'set uses = uses - 1', 'set uses = uses'],
  ['giving cents back to the budget', 'used_cents = used_cents - ', 'used_cents = used_cents - 0 * '],
  ['the used of a batch', 'set used = used + 1', 'set used = used'],
  ['the used of a batch after giving back', 'set used = used - 1', 'set used = used'],
  ['the claimed of a batch', 'set claimed = claimed + 1', 'set claimed = claimed'],
  ['the expired and revoked of a batch', ' + n.count from', ' + 0 from'],
  ['taking back what is open alone', "c.state = 'open' order by c.id for update", "c.state <> 'revoked' order by c.id"],
  ['the time at which coupons expire', "c.state = 'open' and c.ends_at <= ", "c.state = 'open' and c.issued_at <= "],
]

const world = await marketingWorld()
const { db, kit, agentId, clerk, app, newRiders, create, couponsOf, template, handlers } = world
const deps = { audit: createAudit(kit), riders: createRiders(kit) }
const riding: CouponDeps['riding'] = { tryBenefit: () => Promise.reject(new Error('there are no past rides')) }

/** The database, with each transaction changed. */
const changed = (change: (tx: Tx) => Tx): Database => ({
  ...db,
  system: (work) => db.system((tx) => work(change(tx))),
  withScope: (scope, work) => db.withScope(scope, (tx) => work(change(tx))),
})

let orders = 0
/** What comes out of a use of each limit, one after the other. */
async function outcome(change: (tx: Tx) => Tx): Promise<unknown[]> {
  kit.clock.set(TEST_START_MS)
  const own = { ...deps, riding, kit: { ...kit, db: changed(change) } }
  const { system } = own.kit.db
  const { riderIds, phones } = await newRiders(3)
  const [one = 0] = riderIds
  const issue = (templateId: number) => issueToRiders(own, clerk, { templateId, riderIds, note: '' })
  const idsOf = async (templateId: number) =>
    (await couponsOf({ templateId })).toSorted((a, b) => a.id - b.id).map(({ id }) => id)
  const ride = async (id: number, orderId = (orders += 1), savedCents = 100) => {
    const times = { startedAt: kit.clock.now(), endedAt: kit.clock.now() }
    const uses = [{ id, savedCents }]
    try {
      return await system(async (tx) => {
        const refused = await couponBenefits.recordUses(tx, { agentId, riderId: one, orderId, ...times, uses })
        if (refused.length > 0) throw new Refused(refused[0]!.why)
        return 'used'
      })
    } catch (error) {
      if (error instanceof Refused) return error.message
      throw error
    }
  }
  const giveBack = (orderId: number) =>
    system(async (tx) => couponBenefits.giveBack?.(tx, { agentId, orderId, at: kit.clock.now() }))
  const found: unknown[] = []
  const kinds: number[] = []
  const kind = async (terms: Parameters<typeof create>[0] = {}) => {
    const id = await create(terms)
    kinds.push(id)
    return id
  }

  for (const budget of [{ budgetUses: 2 }, { budgetCents: 250 }]) {
    const id = await kind(budget)
    await issue(id)
    for (const coupon of await idsOf(id)) found.push(await ride(coupon))
  }
  const dry = await kind({ budgetCents: 200 })
  await issue(dry)
  for (const [at, coupon] of (await idsOf(dry)).entries())
    found.push(await ride(coupon, (orders += 1), [100, 95, 5][at]))
  const capped = await kind({ riderMax: 1 })
  await issue(capped)
  const full = (await issue(capped)).skipped.map(({ why }) => why)
  const [first = 0] = await idsOf(capped)
  found.push(full, await ride(first), await ride(first))
  found.push((await issue(capped)).issued)

  const back = await kind({ budgetUses: 2 })
  await issue(back)
  const [given = 0, late = 0] = await idsOf(back)
  const [before, after, lapsing] = [(orders += 1), (orders += 1), (orders += 1)]
  found.push(await ride(given, before))
  await giveBack(before)
  await giveBack(before)
  found.push(await ride(given, after))
  await giveBack(after)
  found.push(await ride(late, lapsing))
  const codes = await kind()
  await makeCodes(own, clerk, { templateId: codes, count: 1, claimUntil: kit.clock.now() + dayMs, note: '' })
  const [code] = await couponsOf({ templateId: codes })
  found.push(await ride(code!.id).catch(() => 'refused by the database'))
  const rider = createRiderCouponHandlers(own)
  await rider.riderClaimCoupon({ phone: phones[0]!, code: code!.code! }, app)
  found.push(await revokeCoupons(own, clerk, { ids: [given, late, code!.id], reason: '误发' }))

  const ending = await kind({ validDays: 1 })
  await issue(ending)
  found.push(await expireCoupons(own.kit))
  kit.clock.advance(3 * dayMs)
  found.push(await ride((await idsOf(ending))[0]!), await expireCoupons(own.kit))
  kit.clock.advance(9 * dayMs)
  await giveBack(lapsing)

  for (const id of kinds) {
    const { issued, open, used, expired, revoked, usedCents } = await template(id)
    const batches = (
      await handlers.listCouponBatches({ filter: { templateId: id }, sort: 'made', pageSize: 20 }, clerk)
    ).data.list
    const coupons = await couponsOf({ templateId: id })
    const states = couponStates.map((state) => coupons.filter((coupon) => coupon.state === state).length)
    found.push(
      [issued, open, used, expired, revoked, usedCents],
      batches.map(({ claimed }) => claimed),
      states,
    )
  }
  // What a later outcome finds to expire is its own.
  await expireCoupons(kit)
  return found
}

class Refused extends Error {}

const expected = await outcome((tx) => tx)

it('every limit holds, and every batch says what became of its coupons', async () => {
  const refusals = expected.filter((answer) => typeof answer === 'string')
  expect(refusals.filter((answer) => answer === 'budget_spent')).toHaveLength(3)
  expect(refusals).toContain('used_up')
  expect(refusals).toContain('lapsed')
  expect(expected).toContainEqual(['cap', 'cap', 'cap'])
  // The uses here are of no order.
  expect((await couponsThatDisagree(db)).filter((fault) => !fault.includes('that order'))).toEqual([])
})

it('statements that are what they were do the same', async () => {
  const { plugin, hits } = mutation('t.uses < t.budget_uses', 't.uses < t.budget_uses')
  expect(await outcome((tx) => tx.withPlugin(plugin))).toEqual(expected)
  expect(hits()).toBeGreaterThan(0)
})

it.each(mutants)('a statement without %s is noticed', async (_limit, find, instead) => {
  const { plugin, hits } = mutation(find, instead)
  const result = await outcome((tx) => tx.withPlugin(plugin)).catch((error: unknown) => String(error))
  expect(hits(), 'the condition is in a statement').toBeGreaterThan(0)
  expect(result).not.toEqual(expected)
})
