import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { demoPriceRules } from '@saddle/contract/demo/prices.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { createFinance } from '#finance/public.ts'
import { createFleet } from '#fleet/public.ts'
import { createGeography } from '#geography/public.ts'
import { createRiders } from '#rider/public.ts'
import { createRiding, reconcileRides, reconciliationLine } from '#riding/public.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, TEST_START_MS, testKit } from '#test/kit.ts'
import { insertDemoPrices } from '../prices.ts'
import { seedDemo } from '../seed.ts'
import { bookOrders } from '../past/orders.ts'
import { readManifest } from './files.ts'
import { importHistory } from './import.ts'

const simulator = fileURLToPath(new URL('../../../simulator/src/history/main.ts', import.meta.url))
const { db, owner } = await testDatabase()
const kit = testKit(db, { DEMO: 'true' })
const audit = createAudit(kit)
const fleet = createFleet(kit, { audit })
const finance = createFinance(kit)
const geography = createGeography(kit, { audit })
const riding = createRiding(kit, { audit, fleet, geography, finance, riders: createRiders(kit) })
const grant = { agentIds: [2, 3, 4, 5], areaIds: [1, 2, 3, 4, 5, 6] }
const operator = sessionCall({ operatorId: 1, agentId: 2, grant })
const days = 3

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'history-'))
  const end = new Date(TEST_START_MS - minuteMs).toISOString()
  const args = [simulator, '--out', folder, '--days', String(days), '--end', end, '--vehicles', '200', '--seed', '7']
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`no history: ${stderr}`)
  await seedDemo(kit)
  await insertDemoPrices(kit)
  await importHistory({ kit, fleet, folder, manifest: (await readManifest(folder))! })
  // The last day's rides have their length when their stretches are put together.
  await fleet.makeBooks()
  await bookOrders(
    { kit, riders: createRiders(kit), geography, ledger: finance.ledger, benefits: null },
    demoPriceRules,
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The ids of some paid orders, spread over the days. */
async function someOrders(every: number): Promise<{ id: number; charged_cents: number; agent_id: number }[]> {
  const { rows } = await sql<{ id: number; charged_cents: number; agent_id: number }>`
    select id, charged_cents, agent_id from ride_order where state = 'paid' and charged_cents > 100 and id % ${every} = 0
    order by id`.execute(owner)
  return rows
}

it('brings as much by its orders as by the ledger and by the report of its days, to the cent', async () => {
  const found = await reconcileRides(db)
  expect(found.disagreements).toEqual([])
  expect(found.orderCents).toBeGreaterThan(100_000)
  expect([found.ledgerCents, found.reportCents]).toEqual([found.orderCents, found.orderCents])
  expect(found.days.reduce((sum, { net_cents: cents }) => sum + cents, 0)).toBe(found.orderCents)
  expect(reconciliationLine(found)).toMatch(/, reconciled$/)
  // Each ride of the simulated days is an order, and the fleet's own figures count as many.
  const { rows } = await sql<{ rides: number; due: number; trips: number; balance: number }>`
    select (select count(*) from trip where ended_at is not null) as trips,
      (select count(*) from ride_order) as rides, (select count(*) from ride_order where state = 'due') as due,
      (select sum(b.balance_cents)::bigint from ledger_balance b join ledger_account a on a.id = b.account_id
        where a.kind = 'agent_revenue') as balance`.execute(owner)
  expect(rows).toEqual([{ trips: found.orders, rides: found.orders, due: 0, balance: found.ledgerCents }])
})

it('closes the no-stop zones of one franchisee for the rides to come, once, and leaves its past as it was charged', async () => {
  await insertDemoPrices(kit)
  const { rows } = await sql<{ areas: number; versions: number; closed: number; used: number }>`
    select count(distinct area_id) as areas, count(*) as versions,
      count(*) filter (where not (rules ->> 'noStopReturnAllowed')::boolean and valid_from = ${new Date(TEST_START_MS)}) as closed,
      (select count(*) from ride_order o join price_version p on p.id = o.price_version_id
        where p.name = '禁停区不可还车') as used
    from price_version where agent_id = 5`.execute(owner)
  const [found] = rows
  expect(found).toEqual({ areas: 2, versions: 4, closed: 2, used: 0 })
})

it('still does after refunds, in part, in full and by line, and after fees that were waived', async () => {
  const before = await reconcileRides(db)
  let given = 0
  for (const [n, { id, charged_cents: charged }] of (await someOrders(23)).entries()) {
    const cents = n % 3 === 0 ? charged : 100
    await riding.handlers.refundOrder({ orderId: id, cents, reason: '核对' }, operator)
    given += cents
  }
  const { rows: reviews } = await sql<{ order_id: number }>`
    select order_id from return_review r join ride_order o on o.id = r.order_id
    where r.state = 'open' and o.state = 'paid' limit 5`.execute(owner)
  expect(given).toBeGreaterThan(1_000)
  expect(reviews).toHaveLength(5)
  await riding.handlers.decideReturns(
    { orderIds: reviews.map(({ order_id: id }) => id), decision: 'waived', note: '核对' },
    operator,
  )
  const after = await reconcileRides(db)
  expect(after.disagreements).toEqual([])
  expect(after.orderCents).toBeLessThan(before.orderCents - given)
  expect([after.ledgerCents, after.reportCents]).toEqual([after.orderCents, after.orderCents])
})

it('says which order differs when one cent does, in the order, its lines or the ledger', async () => {
  const [one, two, three] = await someOrders(31)
  await sql`update ride_order set charged_cents = charged_cents + 1 where id = ${one!.id}`.execute(owner)
  await sql`insert into order_line (order_id, n, agent_id, area_id, code, reason, quantity, unit_cents, amount_cents)
    select id, 99, agent_id, area_id, 'start', 'one cent', 1, 1, 1 from ride_order where id = ${two!.id}`.execute(owner)
  await finance.ledger.post({
    agentId: three!.agent_id,
    kind: 'adjustment',
    reference: `order:${three!.id}`,
    lines: [
      { account: { kind: 'adjustment' }, amountCents: -1 },
      { account: { kind: 'agent_revenue' }, amountCents: 1 },
    ],
  })
  const found = await reconcileRides(db)
  expect(found.disagreements.map(({ order_id: id }) => id)).toEqual([one!.id, two!.id, three!.id])
  expect(reconciliationLine(found)).toContain(`not reconciled: order ${one!.id}`)
})
