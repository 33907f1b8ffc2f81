import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { ChargeLine } from '@saddle/contract/riding/price.ts'
import { createRiders } from '#rider/public.ts'
import { testDatabase } from '#test/database.ts'
import { testKit } from '#test/kit.ts'
import { insertDemoPrices } from '#demo/prices.ts'
import { seedDemo } from '#demo/seed.ts'
import { franchiseeId } from '#demo/tenants.ts'
import type { PastSource } from '../benefits.ts'
import { openPastRiding } from './riding.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db, { DEMO: 'true' })
await seedDemo(kit)
await insertDemoPrices(kit)
const agentId = franchiseeId('qinghe')
const [riderId = 0] = await db.system((tx) =>
  createRiders(kit).ensure(tx, [{ agentId, phone: '17000300001', name: null }]),
)
const endedAt = kit.clock.now() - 3 * dayMs
const night = '夜间半价'

const rideAt = (at: number) => ({ agentId, riderId, areaId: 2, startedAt: at - 20 * minuteMs, endedAt: at })
const benefitsAt = (past: PastSource | null, at: number) => past?.held?.(rideAt(at)).benefits ?? []
const namesAt = (past: PastSource | null, at: number) => benefitsAt(past, at).map(({ name }) => name)
const namesOf = (past: PastSource | null) => namesAt(past, endedAt)

async function insertRide(): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into ride_order (agent_id, area_id, vehicle_id, vehicle_number, rider_id, state, placed_at, started_at, ended_at,
      distance_m, price_version_id, return_kind, charged_cents, changed_at)
    select ${agentId}, v.area_id, v.id, v.number, ${riderId}, 'paid', ${new Date(endedAt - hourMs)},
      ${new Date(endedAt - 20 * minuteMs)}, ${new Date(endedAt)}, 2000, p.id, 'in_place', 100, ${new Date(endedAt)}
    from vehicle v join price_version p on p.area_id = v.area_id
    where v.agent_id = ${agentId} order by v.id, p.id limit 1
    returning id`.execute(owner)
  return Number(rows[0]?.id)
}

it('leaves to the live city what its riders have used of a budget meanwhile', async () => {
  const past = await openPastRiding(kit)
  const ride = rideAt(endedAt)
  const parked = benefitsAt(past, endedAt).find(({ name }) => name === '停车点还车优惠')
  const lines = [{ code: 'activity', benefit: `activity:${parked?.id}`, amountCents: -50 }] as unknown as ChargeLine[]
  await past?.reach(endedAt)
  expect(past?.refused(ride, lines)).toEqual([])
  await sql`update activity set used_cents = budget_cents - 60 where id = ${parked?.id}`.execute(owner)
  await past?.reach(endedAt)
  expect(past?.refused(ride, lines)).toEqual([])
  past?.take(ride, lines)
  expect(past?.refused(ride, lines)).toEqual([`activity:${parked?.id}`])
  await sql`update activity set used_cents = 0 where id = ${parked?.id}`.execute(owner)
})

it('goes on with what was used when the booking was cut short, and is done after its last step', async () => {
  const first = await openPastRiding(kit)
  expect(namesOf(first)).toEqual(['雨天立减', night, '停车点还车优惠'])
  const benefit = benefitsAt(first, endedAt).find(({ name }) => name === night)
  const lines = [{ code: 'activity', benefit: `activity:${benefit?.id}`, amountCents: -75 }] as unknown as ChargeLine[]
  const ride = rideAt(endedAt)
  expect(first?.refused(ride, lines)).toEqual([])
  first?.take(ride, lines)
  expect(namesOf(first), 'once a day').not.toContain(night)
  const orderId = await insertRide()
  await db.system((tx) => first?.store(tx, [{ ...ride, orderId, lines }]) ?? Promise.resolve())

  const second = await openPastRiding(kit)
  expect(namesOf(second)).toEqual(['雨天立减', '停车点还车优惠'])
  expect(namesAt(second, endedAt + dayMs)).toContain(night)
  const earlier = endedAt - 22 * dayMs
  expect(namesAt(second, earlier)).toEqual(namesAt(first, earlier))
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from activity where kind = 'riding'`.execute(owner)
  expect(rows[0]?.count).toBe(24)

  await second?.finish()
  expect(await openPastRiding(kit)).toBeNull()
})
