import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { ChargeLine } from '@saddle/contract/riding/price.ts'
import { couponTermsSchema } from '@saddle/contract/marketing/couponTerms.ts'
import { createAudit } from '#audit/public.ts'
import { callOf } from '#demo/desk.ts'
import { createCouponHandlers } from '#marketing/demoDoor.ts'
import { couponsThatDisagree } from '#marketing/coupons/verify.ts'
import { createRiders } from '#rider/public.ts'
import type { Riding } from '#riding/public.ts'
import { testDatabase } from '#test/database.ts'
import { testKit } from '#test/kit.ts'
import { insertDemoPrices } from '#demo/prices.ts'
import { findDemoPeople, seedDemo } from '#demo/seed.ts'
import { franchiseeId } from '#demo/tenants.ts'
import { together } from '../benefits.ts'
import { insertPastRides, pastRide } from '../rides.fixture.ts'
import { openPastCoupons } from './pastCoupons.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db, { DEMO: 'true' })
await seedDemo(kit)
await insertDemoPrices(kit)
const agentId = franchiseeId('lvtu')
const phones = Array.from({ length: 300 }, (_, index) => `1700040${String(index).padStart(4, '0')}`)
const riderIds = await db.system((tx) =>
  createRiders(kit).ensure(
    tx,
    phones.map((phone) => ({ agentId, phone, name: null })),
  ),
)
const deps = { kit, riding: {} as Pick<Riding, 'tryBenefit'>, people: await findDemoPeople(kit) }

const insertRides = (rides: readonly { readonly riderId: number; readonly endedAt: number }[]) =>
  insertPastRides(owner, agentId, rides, 50)
const rideAt = (riderId: number, endedAt: number) => pastRide(agentId, { riderId, endedAt })
const couponLine = (id: number | undefined, cents: number) =>
  [{ code: 'coupon', benefit: `coupon:${id}`, amountCents: -cents }] as unknown as ChargeLine[]
const faults = async () =>
  // The orders of this test have no lines.
  (await couponsThatDisagree(db)).filter((fault) => !fault.includes('that order'))

it('hands out codes in the past month, of which some are used, forgotten or left', async () => {
  const past = together([await openPastCoupons(deps)])
  let used = 0
  for (const daysAgo of [24, 22, 14, 13, 5, 1]) {
    const at = kit.clock.now() - daysAgo * dayMs
    await past.reach(at - riderIds.length * minuteMs)
    const charged: (ReturnType<typeof rideAt> & { readonly lines: ChargeLine[] })[] = []
    for (const [index, riderId] of riderIds.entries()) {
      // Half of them ride again too late for a coupon of seven days.
      if (daysAgo === 22 && index % 2 === 1) continue
      const ride = rideAt(riderId, at - index * minuteMs)
      const [benefit, ...others] = past.held(ride).benefits
      expect(others).toEqual([])
      const lines = benefit === undefined ? [] : couponLine(benefit.id, 100)
      expect(past.refused(ride, lines)).toEqual([])
      past.take(ride, lines)
      expect(past.held(ride).benefits, 'a coupon is used once').toEqual([])
      charged.push({ ...ride, lines })
      if (benefit !== undefined) used += 1
    }
    const ids = await insertRides(charged)
    const booked = charged.map((ride, index) => Object.assign(ride, { orderId: ids[index] ?? 0 }))
    await db.system((tx) => past.store(tx, booked))
  }
  await past.finish()
  expect(used).toBeGreaterThan(8)
  const { rows } = await sql<{ state: string; claimed: number; count: number }>`
    select state, count(claimed_at)::int as claimed, count(*)::int as count from coupon where agent_id = ${agentId}
    group by 1 order by 1`.execute(owner)
  const of = (state: string) => rows.find((row) => row.state === state)
  expect(of('used')).toMatchObject({ claimed: used, count: used })
  expect(of('expired')?.claimed).toBe(of('expired')?.count)
  expect(of('expired')?.count).toBeGreaterThan(2)
  expect(of('open')?.count).toBeGreaterThan(400)
  expect(await faults()).toEqual([])
  const made = await openPastCoupons(deps)
  await made.reach?.(kit.clock.now())
  for (const riderId of riderIds) made.take?.(rideAt(riderId, kit.clock.now() - 2 * dayMs), [])
  await db.system((tx) => made.store?.(tx, []) ?? Promise.resolve())
  const { rows: after } = await sql<{ claimed: number }>`
    select count(claimed_at)::int as claimed from coupon where agent_id = ${agentId}`.execute(owner)
  expect(after[0]?.claimed, 'codes are made and handed out once').toBe(
    rows.reduce((sum, { claimed }) => sum + claimed, 0),
  )
})

it('offers what riders were issued from then on, within the budget of its kind', async () => {
  const person = deps.people.get('13800138000')!
  const call = callOf(person, '13800138000', { agentIds: [agentId], areaIds: [] })
  const at = kit.clock.now() - 10 * dayMs
  const then = { ...kit, clock: { ...kit.clock, now: () => at } }
  const office = createCouponHandlers({ ...deps, kit: then, audit: createAudit(then), riders: createRiders(then) })
  const terms = couponTermsSchema.parse({
    name: '小额券',
    effect: { off: 'cents', cents: 100 },
    validDays: 3,
    validUntil: null,
    budgetCents: 150,
  })
  const { id: templateId } = (await office.createCouponTemplate({ agentId, terms }, call)).data
  const [first = 0, second = 0] = await db.system((tx) =>
    createRiders(kit).ensure(
      tx,
      ['17000490001', '17000490002'].map((phone) => ({ agentId, phone, name: null })),
    ),
  )
  await office.issueCoupons({ templateId, riderIds: [first, second], note: '' }, call)
  const past = together([await openPastCoupons(deps)])
  await past.reach(at + hourMs)
  expect(past.held(rideAt(first, at - hourMs)).benefits, 'before it was issued').toEqual([])
  expect(past.held(rideAt(first, at + 5 * dayMs)).benefits, 'after its end').toEqual([])
  const ride = rideAt(first, at + hourMs)
  const [benefit] = past.held(ride).benefits
  expect(benefit?.name).toBe('小额券')
  const lines = couponLine(benefit?.id, 100)
  past.take(ride, lines)
  const [orderId = 0] = await insertRides([ride])
  await db.system((tx) => past.store(tx, [{ ...ride, orderId, lines }]))
  const other = rideAt(second, at + 2 * hourMs)
  const [left] = past.held(other).benefits
  expect(past.refused(other, couponLine(left?.id, 100))).toEqual([`coupon:${left?.id}`])
  expect(past.refused(other, couponLine(left?.id, 50))).toEqual([])
  expect(await faults()).toEqual([])
})
