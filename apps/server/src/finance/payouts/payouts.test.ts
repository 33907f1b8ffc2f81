import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { AppError } from '@saddle/contract/errors.ts'
import { businessDayEnd, businessDayOf, businessDayStart, hourMs } from '@saddle/contract/time.ts'
import { sessionCall } from '#test/kit.ts'
import { rideCharge, rideRefund, withdrawalRequest } from '../ledger/recipes.ts'
import { moneyWorld } from '../wallet/money.fixture.ts'

const { db, owner, kit, finance, agentId } = await moneyWorld()
const { handlers, ledger, splits } = finance
const permissions = ['financial_01', 'financial_02', 'financial_06']
const clerk = sessionCall({ operatorId: 7, agentId, grant: { agentIds: [3], areaIds: [31, 32] }, permissions })
/** Of one of the two areas. */
const local = sessionCall({ operatorId: 9, agentId, grant: { agentIds: [3], areaIds: [31] }, permissions })
const outsider = sessionCall({ operatorId: 8, agentId: 4, grant: { agentIds: [4], areaIds: [41] }, permissions })
const place = { centre_lat: 31, centre_lng: 120, ring: '[[120,31],[120.1,31],[120.1,31.1],[120,31]]' }
await owner
  .insertInto('service_area')
  .values({ id: 32, agent_id: agentId, name: '城北二区', ...place })
  .execute()
splits.registerChannelDays({ of: async () => ({ state: 'matched', heldCents: 0, reasons: [] }) })

let orders = 0
const charge = async (cents: number, areaId = 31): Promise<number> => {
  orders += 1
  const at = new Date(kit.clock.now())
  await owner.transaction().execute(async (tx) => {
    // The vehicle and the prices of the ride do not matter here.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into ride_order (id, agent_id, area_id, vehicle_id, vehicle_number, rider_id, state, placed_at, started_at,
        ended_at, distance_m, price_version_id, return_kind, charged_cents, changed_at)
      values (${orders}, ${agentId}, ${areaId}, 1, 'BX000001', 1, 'paid', ${at}, ${at}, ${at}, 1800, 1, 'in_place', ${cents},
        ${at})`.execute(tx)
  })
  const sources = [{ account: { kind: 'clearing_sandbox' } as const, cents }]
  await ledger.post(rideCharge({ agentId, orderId: orders, at: kit.clock.now(), cents, sources }))
  return orders
}
const refund = (orderId: number, refundId: number, cents: number) =>
  ledger.post(
    rideRefund({
      agentId,
      orderId,
      refundId,
      at: kit.clock.now(),
      cents,
      targets: [{ account: { kind: 'clearing_sandbox' }, cents }],
    }),
  )
const nextDay = async () => {
  const at = businessDayEnd(businessDayOf(kit.clock.now())) + 2 * hourMs
  kit.clock.set(at)
  await splits.run({ beginsNew: true })
}
const withdraw = async (id: number, cents: number, state = 'paid') => {
  const at = new Date(kit.clock.now())
  await owner.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into withdrawal (id, agent_id, number, card_id, cents, fee_cents, state, terms_version, needs_second, day, asked_at,
        asked_by, expires_at, changed_at)
      values (${id}, ${agentId}, md5(${String(id)}), 1, ${cents}, 0, ${state}, 0, false, ${businessDayOf(kit.clock.now())}, ${at},
        '周可', ${at}, ${at})`.execute(tx)
    await sql`
      insert into bank_card (id, agent_id, number, state, check_kind, card_sealed, mobile_sealed, holder_sealed, last_digits,
        bank_name, added_at, added_by)
      values (1, ${agentId}, md5('card'), 'checking', 'code', 'x', 'x', 'x', '1234', '银行', ${at}, '周可')
      on conflict do nothing`.execute(tx)
  })
  await ledger.post(withdrawalRequest({ agentId, withdrawalId: id, cents, at: kit.clock.now() }))
}
const balance = async (kind: 'agent_available' | 'agent_reserve'): Promise<number> =>
  (await ledger.balancesOf({ agentId, accounts: [{ kind }] }))[0] ?? 0
const linesOf = async (withdrawalId: number, call = clerk, day?: string) => {
  const filter = { withdrawalId, ...(day !== undefined && { day }) }
  const rows = []
  let cursor: string | undefined
  for (let page = 0; page < 20; page += 1) {
    const { data } = await handlers.listPayoutLines({ filter, sort: 'source', pageSize: 2, cursor }, call)
    rows.push(...data.list)
    if (data.nextCursor === null) break
    cursor = data.nextCursor
  }
  const { data: sums } = await handlers.sumPayoutLines({ filter }, call)
  expect(sums.sums?.cents ?? 0).toBe(rows.reduce((sum, { cents }) => sum + cents, 0))
  expect(sums.rows).toBe(rows.length)
  return rows
}
const refused = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )

const root = sessionCall({ operatorId: 1, agentId: 2, grant: { agentIds: [2, 3, 4], areaIds: [31, 32, 41] } })
kit.clock.set(businessDayStart(businessDayOf(kit.clock.now())) + 30 * hourMs)
await handlers.saveSplitReserve({ agentId, cents: 300, reason: '合同' }, root)
const firstDay = businessDayOf(kit.clock.now())
const [early, other] = [await charge(1_000), await charge(2_000, 32)]
await refund(early, 1, 400)
await nextDay()
const secondDay = businessDayOf(kit.clock.now())
const late = await charge(500)
await refund(other, 2, 100)
await nextDay()
await withdraw(1, 2_300)
await withdraw(2, await balance('agent_available'), 'queued')
const today = await charge(700)
await splits.run({ beginsNew: true })

describe('lines of a withdrawal', () => {
  it('are the rides behind each cent, by settled days, without refunds and the reserve', async () => {
    // The channel's fee is the company's: 600 − 4 and 2,000 − 12 cents on the first day, less 300 of reserve.
    expect(await linesOf(1)).toMatchObject([
      { source: 1, day: firstDay, orderId: early, cents: 296, ownerCents: 596 },
      { source: 1, day: firstDay, orderId: other, cents: 1_988, areaName: '城北二区' },
      // 99 cents of the second day are the refund of a ride of the first.
      { source: 2, day: secondDay, orderId: late, cents: 16, ownerCents: 497 },
    ])
    const second = await linesOf(2)
    expect(second).toMatchObject([{ source: 1, day: secondDay, orderId: late, cents: 497 - 99 - 16 }])
    expect(await linesOf(1, clerk, secondDay)).toHaveLength(1)
    const { data } = await handlers.withdrawalDetail({ id: 1 }, clerk)
    expect(data.sources).toMatchObject([
      { day: firstDay, cents: 2_284, isOfReserve: false },
      { day: secondDay, cents: 16 },
    ])
    const { data: file } = await handlers.exportPayoutLines({ filter: { withdrawalId: 1 }, sort: 'source' }, clerk)
    expect(file.rows).toBe(3)
    expect(file.text).toContain('19.88')
    const { rows } = await sql`select action from audit_record where action = 'withdrawal.lines_export'`.execute(owner)
    expect(rows).toHaveLength(1)
  })

  it('are only for who has the company and all of its areas', async () => {
    const ask = (call: typeof clerk) =>
      handlers.listPayoutLines({ filter: { withdrawalId: 1 }, sort: 'source', pageSize: 20 }, call)
    expect(await refused(ask(outsider))).toBe('not_found')
    expect(await refused(ask(local))).toBe('foreign_scope')
    // A selection of one area does not change what a day is.
    expect((await ask({ ...clerk, scope: { ...clerk.scope, areaIds: [31] } })).data.list).toHaveLength(3)
  })
})

describe('money of a ride', () => {
  const moneyOf = async (orderId: number, call = clerk) => (await handlers.moneyOfRide({ orderId }, call)).data

  it('is in places that sum to the part of the company', async () => {
    const placesOf = async (orderId: number) =>
      (await moneyOf(orderId)).days.map(({ ownerCents, places }) => {
        expect(places?.reduce((sum, { cents }) => sum + cents, 0)).toBe(ownerCents)
        return places?.map(({ place: of, cents, withdrawalId, withdrawalState }) =>
          withdrawalId === null ? [of, cents] : [of, cents, withdrawalId, withdrawalState],
        )
      })
    expect(await placesOf(early)).toEqual([
      [
        ['reserved', 300],
        ['withdrawal', 296, 1, 'paid'],
      ],
    ])
    expect(await placesOf(other)).toEqual([[['withdrawal', 1_988, 1, 'paid']], [['deducted', -99]]])
    expect(await placesOf(late)).toEqual([
      [
        ['deducted', 99],
        ['withdrawal', 16, 1, 'paid'],
        ['withdrawal', 382, 2, 'queued'],
      ],
    ])
    expect(await placesOf(today)).toEqual([[['open_day', 696]]])
  })

  it('is shown within the areas of the caller, and without the book of the company to who has not all', async () => {
    expect((await moneyOf(early, local)).days).toMatchObject([{ ownerCents: 596, places: null }])
    expect(await moneyOf(other, local)).toEqual({ lines: [], days: [] })
    expect(await moneyOf(early, outsider)).toEqual({ lines: [], days: [] })
    expect((await moneyOf(early)).lines).toMatchObject([{ paidCents: 1_000 }, { paidCents: -400 }])
    expect(await moneyOf(999_999)).toEqual({ lines: [], days: [] })
  })
})

it('follows what comes out of a lowered reserve', async () => {
  await handlers.saveSplitReserve({ agentId, cents: 0, reason: '信用良好' }, root)
  await nextDay()
  expect(await balance('agent_reserve')).toBe(0)
  await withdraw(3, await balance('agent_available'))
  const lines = await linesOf(3)
  expect(lines).toMatchObject([
    { source: 1, orderId: today, cents: 696, isOfReserve: false },
    { source: 2, day: firstDay, orderId: early, cents: 300, isOfReserve: true },
  ])
  const { data } = await handlers.moneyOfRide({ orderId: early }, clerk)
  expect(data.days[0]?.places).toMatchObject([
    { withdrawalId: 1, cents: 296 },
    { withdrawalId: 3, cents: 300 },
  ])
  expect(await db.systemRead((k) => k.selectFrom('withdrawal').select('id').compile())).toHaveLength(3)
})
