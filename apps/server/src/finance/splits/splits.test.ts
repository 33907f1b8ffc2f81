import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { AppError } from '@saddle/contract/errors.ts'
import type { SplitTermsInput } from '@saddle/contract/finance/splitRules.ts'
import type { TermChangeFilter } from '@saddle/contract/finance/termChanges.ts'
import { addDays, businessDayEnd, businessDayOf, dayMs, hourMs } from '@saddle/contract/time.ts'
import { sessionCall } from '#test/kit.ts'
import { toldOf } from '#test/toldOf.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { rideCharge, rideRefund } from '../ledger/recipes.ts'
import { moneyWorld } from '../wallet/money.fixture.ts'
import type { ChannelDay } from './settle.ts'
import { verifyStatementFile } from '../splitBills/statementPages.ts'
import { verifyStatement } from '../splitBills/statementText.ts'
import { splitsThatDisagree } from './verify.ts'

const world = await moneyWorld()
const { db, owner, kit, finance, agentId, clerk, outsider } = world
const { handlers, ledger, splits } = finance
/** Of the company above both. */
const ofRoot = { agentId: 2, grant: { agentIds: [2, 3, 4], areaIds: [31, 41] } }
const root = sessionCall({ ...ofRoot, operatorId: 1, name: '总部财务', permissions: ['financial_02'] })
const second = sessionCall({ ...ofRoot, operatorId: 2, name: '总部会计', permissions: ['financial_02'] })
const today = businessDayOf(kit.clock.now())

const terms: SplitTermsInput = {
  feeBasisPoints: 60,
  feeBearer: 'company',
  parties: [
    { name: '平台', share: { of: 'rest', basisPoints: 1_000 } },
    { name: '场地方', share: { of: 'ride', cents: 20 } },
  ],
}
const page = { filter: {}, sort: 'day', pageSize: 50 } as const
let orders = 0
const charge = async (cents: number, at = kit.clock.now()): Promise<number> => {
  orders += 1
  const ended = new Date(at)
  await owner.transaction().execute(async (tx) => {
    // The vehicle and the prices of the ride do not matter here.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into ride_order (id, agent_id, area_id, vehicle_id, vehicle_number, rider_id, state, placed_at, started_at,
        ended_at, distance_m, price_version_id, return_kind, charged_cents, changed_at)
      values (${orders}, ${agentId}, 31, 1, 'BX000001', 1, 'paid', ${ended}, ${ended}, ${ended}, 1800, 1, 'in_place', ${cents},
        ${ended})`.execute(tx)
  })
  const sources = [{ account: { kind: 'clearing_sandbox' } as const, cents }]
  await ledger.post(rideCharge({ agentId, orderId: orders, at, cents, sources }))
  return orders
}
/** To an hour and more after the end of today. */
const nextDay = async () => {
  kit.clock.set(businessDayEnd(businessDayOf(kit.clock.now())) + 2 * hourMs)
  return splits.run({ beginsNew: true })
}
const balances = async () => {
  const kinds = ['agent_revenue', 'agent_in_transit', 'agent_available', 'agent_reserve', 'agent_receivable'] as const
  return ledger.balancesOf({ agentId, accounts: kinds.map((kind) => ({ kind })) })
}
const refused = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof AppError ? error.code : String(error)
}
const proved = async () => {
  expect(await splitsThatDisagree(db)).toEqual([])
  expect((await verifyLedger(db)).faults).toEqual([])
}

describe('terms', () => {
  it('are set from above, from tomorrow at the earliest', async () => {
    const wanted = { agentId, firstDay: addDays(today, 1), terms, reason: '合同' }
    expect(await refused(handlers.saveSplitTerms(wanted, clerk))).toBe('split_set_above')
    expect(await refused(handlers.saveSplitTerms(wanted, outsider))).toBe('foreign_scope')
    expect(await refused(handlers.saveSplitTerms({ ...wanted, firstDay: today }, root))).toBe('split_day_closed')
    expect(await refused(handlers.saveSplitTerms({ ...wanted, areaId: 41 }, root))).toBe('not_found')
    const { data } = await handlers.saveSplitTerms(wanted, root)
    expect(data.version).toBe(1)
    // A later version replaces one that has not begun.
    await handlers.saveSplitTerms({ ...wanted, firstDay: addDays(today, 3) }, root)
    await handlers.saveSplitTerms({ ...wanted, firstDay: addDays(today, 1), reason: '改正' }, root)
    const { data: listed } = await handlers.listSplitTerms({ filter: {}, sort: 'madeAt', pageSize: 20 }, clerk)
    expect(listed.list.map(({ version, state }) => [version, state]).toSorted()).toEqual([
      [1, 'replaced'],
      [2, 'replaced'],
      [3, 'coming'],
    ])
    expect(listed.list[0]).toMatchObject({ madeBy: '总部财务', ownerBasisPoints: 9_000 })
    const { data: foreign } = await handlers.listSplitTerms({ filter: {}, sort: 'madeAt', pageSize: 20 }, outsider)
    expect(foreign.list).toEqual([])
    const { data: places } = await handlers.listSplitPlaces({}, clerk)
    expect(places.list).toMatchObject([
      { areaId: null, comingDay: addDays(today, 1), canChange: false, terms: null },
      { areaId: 31, inherits: true, canChange: false },
    ])
  })

  it('give a name of a party one id in all versions', async () => {
    const { data } = await handlers.listSplitTerms({ filter: {}, sort: 'madeAt', pageSize: 20 }, clerk)
    const ids = data.list.map((row) => row.terms.parties.map(({ partyId }) => partyId).join())
    expect(new Set(ids).size).toBe(1)
  })
})

describe('days', () => {
  it('close after their grace, once, and leave income in transit', async () => {
    await charge(1_000)
    const late = await charge(333)
    expect(await splits.run({ beginsNew: true })).toMatchObject({ closedDays: 0 })
    const run = await nextDay()
    expect(run).toMatchObject({ closedDays: 1, bills: 1, settledDays: 0 })
    expect(await splits.run({ beginsNew: true })).toMatchObject({ closedDays: 0, bills: 0 })
    // No terms held on that day: the company has everything but the fee.
    expect(await balances()).toEqual([0, 1_333 - 6 - 2, 0, 0, 0])
    const { data } = await handlers.listSplitBills(page, clerk)
    expect(data.list).toMatchObject([
      { day: today, lines: 2, paidCents: 1_333, feeCents: 8, ownerCents: 1_325, state: 'in_transit' },
    ])
    // A refund of a closed day counts for the open one, by the ratio of its ride.
    const targets = [{ account: { kind: 'clearing_sandbox' } as const, cents: 100 }]
    await ledger.post(
      rideRefund({ agentId, orderId: late, refundId: 1, at: kit.clock.now() - dayMs, cents: 100, targets }),
    )
    await charge(2_000)
    await nextDay()
    const { data: lines } = await handlers.listSplitLines(
      { filter: { kinds: ['ride_refund'] }, sort: 'day', pageSize: 20 },
      clerk,
    )
    expect(lines.list).toMatchObject([{ day: addDays(today, 1), paidCents: -100, orderId: late }])
    await proved()
  })

  it('divide by the terms of their day and show each line with its version', async () => {
    const { data } = await handlers.listSplitLines({ filter: {}, sort: 'day', pageSize: 20 }, clerk)
    const line = data.list.find(({ paidCents }) => paidCents === 2_000)
    expect(line).toMatchObject({ termsVersion: 3, feeCents: 12, partiesCents: 218, ownerCents: 1_770 })
    expect(line?.parties).toMatchObject([
      { name: '平台', cents: 198 },
      { name: '场地方', cents: 20 },
    ])
    const { data: other } = await handlers.listSplitLines({ filter: {}, sort: 'day', pageSize: 20 }, outsider)
    expect(other.list).toEqual([])
  })

  it('can be read by company, area, day and party, each with the same sum', async () => {
    for (const by of ['company', 'area', 'day'] as const) {
      const { data } = await handlers.listSplitGroups({ by, filter: {} }, clerk)
      expect(data.list.reduce((sum, { paidCents }) => sum + paidCents, 0)).toBe(3_233)
    }
    const { data } = await handlers.listSplitGroups({ by: 'party', filter: {} }, clerk)
    expect(data.list.map(({ name, partiesCents }) => [name, partiesCents])).toEqual([
      ['平台', 198],
      ['场地方', 20],
    ])
    const { data: totals } = await handlers.splitTotals({ filter: {} }, clerk)
    expect(totals).toMatchObject({ paidCents: 3_233, now: { inTransitCents: (await balances())[1] } })
  })

  it('show what other terms would have changed', async () => {
    const { data } = await handlers.previewSplitTerms({ agentId, terms: { ...terms, parties: [] } }, root)
    expect(data).toMatchObject({ charges: 3, paidCents: 3_333, refundedCents: 100 })
    expect(data.after.ownerCents).toBe(3_333 - data.after.feeCents)
    expect(data.now.parties).toEqual([
      { name: '场地方', cents: 20 },
      { name: '平台', cents: 198 },
    ])
    const same = await handlers.previewSplitTerms({ agentId, areaId: 31, terms }, root)
    expect(same.data.charges).toBe(3)
  })

  it('are corrected in the open day from above, with the bill named', async () => {
    const { data } = await handlers.listSplitBills({ ...page, filter: { id: undefined } }, root)
    const bill = data.list.at(-1)!
    expect(await refused(handlers.correctSplitBill({ id: bill.id, cents: 500, reason: '漏计' }, clerk))).toBe(
      'split_set_above',
    )
    expect(await refused(handlers.correctSplitBill({ id: bill.id, cents: 500, reason: '漏计' }, outsider))).toBe(
      'not_found',
    )
    const { data: made } = await handlers.correctSplitBill({ id: bill.id, cents: 500, reason: '漏计' }, root)
    await handlers.confirmMoneyAct({ id: made.actId }, second)
    await nextDay()
    const { data: lines } = await handlers.listSplitLines(
      { filter: { kinds: ['adjustment'] }, sort: 'day', pageSize: 20 },
      clerk,
    )
    expect(lines.list).toMatchObject([{ day: addDays(today, 2), paidCents: 500, areaId: bill.areaId }])
    await proved()
  })
})

/** What a channel's bill says of a payment that it does not have. */
const missing = { code: 'channel_difference', channel: 'sandbox', count: 1, cents: 300 } as const

describe('settlement', () => {
  const channelDays = new Map<string, ChannelDay>()
  splits.registerChannelDays({
    of: async (_, { day }) => channelDays.get(day) ?? { state: 'waiting', heldCents: 0, reasons: [] },
  })

  it('waits for the bill of the channel, keeps what is parked, and fills the reserve first', async () => {
    expect(await splits.run({ beginsNew: true })).toMatchObject({ settledDays: 0 })
    await handlers.saveSplitReserve({ agentId, cents: 1_000, reason: '试运营' }, root)
    expect(await refused(handlers.saveSplitReserve({ agentId, cents: 0, reason: '不想要' }, clerk))).toBe(
      'split_set_above',
    )
    channelDays.set(today, { state: 'parked', heldCents: 300, reasons: [missing] })
    expect(await splits.run({ beginsNew: true })).toMatchObject({ settledDays: 1 })
    expect((await balances()).slice(2)).toEqual([25, 1_000, 0])
    const { data } = await handlers.listSplitBills(page, clerk)
    expect(data.list.at(-1)).toMatchObject({ state: 'held', heldCents: 300, heldFor: [missing] })
    expect(await splits.run({ beginsNew: true })).toMatchObject({ settledDays: 0 })
    channelDays.set(today, { state: 'matched', heldCents: 0, reasons: [] })
    expect(await splits.run({ beginsNew: true })).toMatchObject({ settledDays: 1 })
    expect((await balances()).slice(2)).toEqual([325, 1_000, 0])
    await proved()
  })

  it('turns a day below zero into a debt that later days repay', async () => {
    const big = await charge(5_000)
    await nextDay()
    const targets = [{ account: { kind: 'clearing_sandbox' } as const, cents: 5_000 }]
    await ledger.post(rideRefund({ agentId, orderId: big, refundId: 2, at: kit.clock.now(), cents: 5_000, targets }))
    const refundDay = businessDayOf(kit.clock.now())
    await nextDay()
    channelDays.set(refundDay, { state: 'matched', heldCents: 0, reasons: [] })
    await splits.run({ beginsNew: true })
    const [, , available = 0, reserve, receivable = 0] = await balances()
    expect([available, reserve]).toEqual([325, 1_000])
    expect(receivable).toBeLessThan(-4_000)
    channelDays.set(addDays(refundDay, -1), { state: 'matched', heldCents: 0, reasons: [] })
    await splits.run({ beginsNew: true })
    expect((await balances()).slice(2)).toEqual([325, 1_000, 0])
    await proved()
  })
})

describe('statements', () => {
  const fileOf = (id: number, form: 'csv' | 'pdf' = 'csv', call = clerk) =>
    handlers.splitStatementFile({ id, form }, call).then(({ data }) => data)
  const list = async () =>
    (await handlers.listSplitStatements({ filter: {}, sort: 'lastDay', pageSize: 20 }, clerk)).data.list

  it('are sealed when all days of their half of the month are closed, and can be proved by their file', async () => {
    const half = { agentId, period: 'half_month', reason: '合同' } as const
    expect(await refused(handlers.saveStatementPeriod(half, clerk))).toBe('split_set_above')
    expect(await refused(handlers.saveStatementPeriod(half, outsider))).toBe('foreign_scope')
    await handlers.saveStatementPeriod(half, root)
    const { data: places } = await handlers.listSplitPlaces({}, clerk)
    expect(places.list[0]).toMatchObject({ statementPeriod: 'half_month' })
    for (let day = 0; day < 16 && businessDayOf(kit.clock.now()) < '2026-12-16'; day += 1) {
      await charge(1_234)
      await nextDay()
    }
    kit.clock.set(businessDayEnd('2026-12-16') + 2 * hourMs)
    await splits.run({ beginsNew: true })
    const statements = await list()
    expect(statements.map(({ firstDay, lastDay }) => [firstDay, lastDay])).toEqual([
      ['2026-12-01', '2026-12-15'],
      ['2026-11-16', '2026-11-30'],
    ])
    expect(statements[1]).toMatchObject({ correctionsCents: 500 })
    for (const { firstDay } of statements)
      expect(await toldOf(owner, `statement ${firstDay}`)).toEqual(['statement_sealed'])
    for (const { id, hash, paidCents } of statements) {
      const file = await fileOf(id)
      expect(file.hash).toBe(hash)
      expect(verifyStatement(file.text, hash)).toMatchObject({ hash, paidCents, faults: [] })
      expect(verifyStatement(file.text.replace('12.34', '12.35')).faults).not.toEqual([])
      expect(await refused(fileOf(id, 'csv', outsider))).toBe('not_found')
    }
    // A new name of an area or a later correction changes no file.
    await owner.updateTable('service_area').set({ name: '城北二' }).where('id', '=', 31).execute()
    await splits.run({ beginsNew: true })
    expect((await fileOf(statements[1]!.id)).hash).toBe(statements[1]!.hash)
    expect(await list()).toEqual(statements)
    await proved()
  })

  it('are among the changes of terms that the company sees, with who made each and what held before', async () => {
    const changes = async (filter: TermChangeFilter = {}, call = clerk) =>
      (await handlers.listTermChanges({ filter, sort: 'madeAt', pageSize: 20 }, call)).data.list
    const all = await changes()
    expect(all.map(({ kind, madeBy }) => [kind, madeBy])).toEqual([
      ['statement_period', '总部财务'],
      ['reserve', '总部财务'],
      ...Array.from({ length: 3 }, () => ['shares', '总部财务']),
    ])
    expect(all[1]).toMatchObject({ before: null, after: { kind: 'reserve', cents: 1_000 }, reason: '试运营' })
    const [corrected, ...others] = await changes({ name: '改正' })
    expect(others).toEqual([])
    expect(corrected?.before).toMatchObject({ kind: 'shares', firstDay: addDays(today, 3) })
    expect(corrected?.after).toMatchObject({ kind: 'shares', firstDay: addDays(today, 1) })
    expect(await changes({ kinds: ['reserve'], to: 1 })).toEqual([])
    expect(await changes({}, outsider)).toEqual([])
    const { data: file } = await handlers.exportTermChanges({ filter: {}, sort: 'madeAt' }, clerk)
    expect(file.text).toContain('10.00 元')
  })

  it('have pages that are proved by the file that is attached to them', async () => {
    const [{ id, hash, paidCents } = { id: 0, hash: '', paidCents: 0 }] = await list()
    const { pdf } = await fileOf(id, 'pdf')
    const pages = Buffer.from(pdf ?? '', 'base64')
    expect(await verifyStatementFile(pages, hash)).toMatchObject({ hash, paidCents, faults: [] })
    expect((await verifyStatementFile(pages, 'f'.repeat(64))).faults).toHaveLength(1)
    const forged = Buffer.from(pages)
    // Somewhere in what the pages show, behind the file that is attached.
    const at = pages.lastIndexOf('stream') - 40
    forged[at] = (forged[at] ?? 0) ^ 1
    expect((await verifyStatementFile(forged, hash)).faults).toEqual(['the pages are not those of the attached file'])
    expect((await verifyStatementFile(pages.subarray(0, 400))).faults).toHaveLength(1)
  })

  it('go on with another period from the next one, without a gap', async () => {
    await handlers.saveStatementPeriod({ agentId, period: 'month', reason: '改为月结' }, root)
    kit.clock.set(businessDayEnd('2026-12-31') + 2 * hourMs)
    await splits.run({ beginsNew: true })
    await handlers.saveStatementPeriod({ agentId, period: 'day', reason: '改为日结' }, root)
    kit.clock.set(businessDayEnd('2027-01-02') + 2 * hourMs)
    await splits.run({ beginsNew: true })
    expect((await list()).slice(0, 3).map(({ firstDay, lastDay }) => [firstDay, lastDay])).toEqual([
      ['2027-01-02', '2027-01-02'],
      ['2027-01-01', '2027-01-01'],
      ['2026-12-16', '2026-12-31'],
    ])
    await proved()
  })

  it('are never changed by anybody', async () => {
    const run = (table: 'split_statement' | 'split_bill') =>
      db.system((tx) => tx.updateTable(table).set({ paid_cents: 1 }).execute())
    await expect(run('split_statement')).rejects.toThrow('permission denied')
    await expect(run('split_bill')).rejects.toThrow('permission denied')
  })
})
