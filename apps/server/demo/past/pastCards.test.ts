import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { ChargeLine } from '@saddle/contract/riding/price.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { cardsThatDisagree, createFinance, proveMoney } from '#finance/public.ts'
import { createRiders } from '#rider/public.ts'
import { testDatabase } from '#test/database.ts'
import { testKit } from '#test/kit.ts'
import { insertDemoPrices } from '#demo/prices.ts'
import { seedDemo } from '#demo/seed.ts'
import { franchiseeId } from '#demo/tenants.ts'
import { together } from './benefits.ts'
import { openPastCards } from './pastCards.ts'
import { insertPastRides, pastRide } from './rides.fixture.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db, { DEMO: 'true' })
await seedDemo(kit)
await insertDemoPrices(kit)
const finance = createFinance(kit)
const agentId = franchiseeId('lvtu')
const phones = Array.from({ length: 120 }, (_, index) => `1700050${String(index).padStart(4, '0')}`)
const riderIds = await db.system((tx) =>
  createRiders(kit).ensure(
    tx,
    phones.map((phone) => ({ agentId, phone, name: null })),
  ),
)

const insertRides = (rides: readonly { readonly riderId: number; readonly endedAt: number }[]) =>
  insertPastRides(owner, agentId, rides, 0)
const rideAt = (riderId: number, endedAt: number) => pastRide(agentId, { riderId, endedAt })
type Ride = ReturnType<typeof rideAt>
const lineOf = (kind: string, id: number) =>
  [{ code: kind, benefit: `${kind}:${id}`, amountCents: -50 }] as unknown as ChargeLine[]

/** Books rides as the past does, one transaction for all of them. Resolves to the benefit of each. */
async function book(past: ReturnType<typeof together>, rides: readonly Ride[]) {
  await past.plan(rides)
  const booked = rides.map((ride) => {
    const [benefit] = past.held(ride).benefits
    const lines = benefit === undefined ? [] : lineOf(benefit.kind, benefit.id)
    past.take(ride, lines)
    return { ...ride, lines, benefit }
  })
  const ids = await insertRides(booked)
  await db.system((tx) =>
    past.store(
      tx,
      booked.map((ride, index) => ({ ...ride, orderId: ids[index] ?? 0 })),
    ),
  )
  return booked
}

it('sells cards to riders of the past, which lower their rides as far as they reach, and leaves sound books', async () => {
  const past = together([await openPastCards({ kit, ledger: finance.ledger })])
  const startsAt = kit.clock.now() - 12 * dayMs
  let lowered = 0
  for (let turn = 0; turn < 10; turn += 1) {
    const rides = riderIds.flatMap((riderId, index) =>
      [0, 1].map((n) => rideAt(riderId, startsAt + turn * dayMs + n * hourMs + index * minuteMs)),
    )
    const booked = await book(past, rides)
    lowered += booked.filter(({ benefit }) => benefit !== undefined).length
  }
  expect(lowered).toBeGreaterThan(40)
  const { rows } = await sql<{ name: string; cards: number; rides: number | null; ridden: number; uses: number }>`
    select c.name, count(*)::int as cards, max(c.rides) as rides, max(c.ridden) as ridden,
      sum((select count(*) from card_use u where u.card_id = c.id))::int as uses
    from rider_card c where c.agent_id = ${agentId} and c.paid_by = 'sandbox' group by 1`.execute(owner)
  expect(rows.length, 'cards of several kinds').toBeGreaterThan(2)
  expect(rows.reduce((sum, { uses }) => sum + uses, 0)).toBe(lowered)
  for (const { rides, ridden } of rows) if (rides !== null) expect(ridden).toBeLessThanOrEqual(rides)
  // Bought before the first ride that used it, and used on days on which it was valid.
  const { rows: wrong } = await sql`
    select from card_use u join rider_card c on c.id = u.card_id join ride_order o on o.id = u.order_id
    where o.started_at < c.bought_at or u.used_on < c.begins_on or u.used_on >= c.ends_on`.execute(owner)
  expect(wrong).toEqual([])
  await finance.cards.earn()
  expect(await cardsThatDisagree(db, kit.clock.now())).toEqual([])
  expect((await proveMoney(db)).faults).toEqual([])
})

it('goes on with the cards that were sold when the booking was cut short', async () => {
  const first = together([await openPastCards({ kit, ledger: finance.ledger })])
  const at = kit.clock.now() - dayMs
  const rides = riderIds.map((riderId, index) => rideAt(riderId, at + index * minuteMs))
  const known = (await book(first, rides)).find(({ benefit }) => benefit?.effect.off === 'minutes')
  const second = together([await openPastCards({ kit, ledger: finance.ledger })])
  const later = rideAt(known!.riderId, at + 5 * hourMs)
  await second.plan([later])
  const { benefits, skipped } = second.held(later)
  expect([...benefits, ...skipped].map(({ id }) => id)).toContain(known!.benefit!.id)
  const { rows } = await sql`
    select from card_product where agent_id = ${agentId} group by name having count(*) > 1`.execute(owner)
  expect(rows, 'one mall').toEqual([])
})
