import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { ChargeLine } from '@saddle/contract/riding/price.ts'
import { couponsThatDisagree } from '#marketing/coupons/verify.ts'
import { createRiders } from '#rider/public.ts'
import type { Riding } from '#riding/public.ts'
import { testDatabase } from '#test/database.ts'
import { testKit } from '#test/kit.ts'
import { insertDemoPrices } from '#demo/prices.ts'
import { findDemoPeople, seedDemo } from '#demo/seed.ts'
import { franchiseeId } from '#demo/tenants.ts'
import { withPastCoupons } from './pastCoupons.ts'
import type { PastRiding } from './riding.ts'

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
const none: PastRiding = {
  benefitsOf: () => [],
  take: () => [],
  store: () => Promise.resolve(),
  finish: () => Promise.resolve(),
}
const deps = { kit, riding: {} as Pick<Riding, 'tryBenefit'>, people: await findDemoPeople(kit) }

async function insertRide(riderId: number, endedAt: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into ride_order (agent_id, area_id, vehicle_id, vehicle_number, rider_id, state, placed_at, started_at, ended_at,
      distance_m, price_version_id, return_kind, charged_cents, changed_at)
    select ${agentId}, v.area_id, v.id, v.number, ${riderId}, 'paid', ${new Date(endedAt - hourMs)},
      ${new Date(endedAt - 20 * minuteMs)}, ${new Date(endedAt)}, 2000, p.id, 'in_place', 50, ${new Date(endedAt)}
    from vehicle v join price_version p on p.area_id = v.area_id
    where v.agent_id = ${agentId} order by v.id, p.id limit 1
    returning id`.execute(owner)
  return Number(rows[0]?.id)
}

it('hands out codes in the past month, of which some are used, forgotten or left', async () => {
  const past = await withPastCoupons(deps, none)
  let used = 0
  for (const daysAgo of [24, 14, 5, 1]) {
    for (const [index, riderId] of riderIds.entries()) {
      const endedAt = kit.clock.now() - daysAgo * dayMs - index * minuteMs
      const ride = { agentId, riderId, areaId: 1, endedAt }
      const [benefit, ...others] = past.benefitsOf(ride)
      expect(others).toEqual([])
      if (benefit === undefined) continue
      const lines = [{ code: 'coupon', benefit: `coupon:${benefit.id}`, amountCents: -100 }] as unknown as ChargeLine[]
      expect(past.take(ride, lines)).toEqual([])
      expect(past.benefitsOf(ride), 'a coupon is used once').toEqual([])
      const orderId = await insertRide(riderId, endedAt)
      await db.system((tx) => past.store(tx, [{ ...ride, orderId, lines }]))
      used += 1
    }
  }
  await past.finish()
  expect(used).toBeGreaterThan(15)
  const { rows } = await sql<{ state: string; claimed: number; count: number }>`
    select state, count(claimed_at)::int as claimed, count(*)::int as count from coupon where agent_id = ${agentId}
    group by 1 order by 1`.execute(owner)
  const of = (state: string) => rows.find((row) => row.state === state)
  expect(of('used')).toMatchObject({ claimed: used, count: used })
  expect(of('expired')?.claimed).toBe(of('expired')?.count)
  expect(of('expired')?.count).toBeGreaterThan(2)
  expect(of('open')?.count).toBeGreaterThan(400)
  // The orders of this test have no lines.
  expect((await couponsThatDisagree(db)).filter((fault) => !fault.includes('that order'))).toEqual([])
  expect(await withPastCoupons(deps, none), 'once').toBe(none)
})
