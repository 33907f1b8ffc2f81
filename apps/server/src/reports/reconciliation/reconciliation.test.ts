import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import {
  reconciliationSides,
  type ReconciliationFilter,
  type ReconciliationRowFilter,
} from '@saddle/contract/reports/reconciliation.ts'
import { businessDayStart, hourMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { billWorld, compare, days, fill, optionsOf } from '#finance/channelBills/channelBills.fixture.ts'
import { reconcileFinance } from '#finance/channelBills/reconcile.ts'
import { createSeededRandom } from '#kit/random.ts'
import { createReports } from '../public.ts'
import { verifyReports } from '../verify/verify.ts'

const [first, second, third] = days
const of = await billWorld()
await fill(of, 7, 240)
const options = optionsOf(of, 7, 120_000)
const reports = createReports(of.kit, { audit: createAudit(of.kit) })
const { handlers } = reports
const clerk = of.person(1)
const span = { from: first, to: third } as const

const read = async (filter: Partial<ReconciliationFilter> = {}, call = clerk) =>
  (await handlers.readReconciliation({ filter: { by: 'day', ...span, ...filter } }, call)).data
const rowsBy = async (filter: Partial<ReconciliationFilter> = {}, call = clerk) => {
  const whole = { by: 'day', ...span, ...filter } as const
  return (await handlers.listReconciliation({ filter: whole, sort: 'key', pageSize: 100 }, call)).data.list
}
const sumOf = async (filter: Partial<ReconciliationRowFilter>, call = clerk) =>
  (await handlers.sumReconciliationRows({ filter: { ...span, side: 'bill', ...filter } }, call)).data.sums?.cents

describe('the sides of a span', () => {
  it('say what the proof of finance says, with a day whose bill has not come', async () => {
    for (const day of [first, second]) await compare(of, options, day)
    await reports.runRollups()
    const total = await read()
    const proof = await reconcileFinance(of.db, { first, last: third })
    expect(total.billPaidCents - total.billRefundedCents).toBe(proof.billCents)
    expect(total.ownPaidCents - total.ownRefundedCents).toBe(proof.ownCents)
    expect(total.ledgerPaidCents - total.ledgerRefundedCents).toBe(proof.ledgerCents)
    expect(total.missingBills).toBe(1)
    expect(total.openDifferences).toBeGreaterThan(0)
    expect(total.ledgerDifferenceCents).toBe(0)
    expect(total.rechargeCents).toBe(total.ownPaidCents)
    expect((await rowsBy()).map(({ key, state }) => [key, state])).toEqual([
      [third, 'waiting'],
      [second, 'parked'],
      [first, 'parked'],
    ])
  })

  it('add up to the total however they are grouped, and to the rows behind', async () => {
    const total = await read()
    for (const by of ['day', 'month', 'company', 'channel'] as const) {
      const rows = await rowsBy({ by })
      const { groups } = await read({ by })
      expect(groups.map(({ key }) => key)).toEqual([...new Set(rows.map(({ key }) => key))].toSorted())
      for (const side of reconciliationSides) {
        const net = groups.reduce((sum, group) => sum + group[`${side}Cents`], 0)
        expect(net).toBe(total[`${side}PaidCents`] - total[`${side}RefundedCents`])
      }
      for (const name of ['billPaidCents', 'ownRefundedCents', 'ledgerPaidCents', 'billDifferenceCents'] as const) {
        expect(rows.reduce((sum, row) => sum + row[name], 0)).toBe(total[name])
      }
    }
    const waiting = await read({ states: ['waiting'] })
    expect(waiting.groups).toMatchObject([{ key: third, ownCents: waiting.groups[0]?.ledgerCents }])
    for (const row of await rowsBy()) {
      for (const side of reconciliationSides) {
        const own = { side, from: row.from, to: row.to, channels: [row.channel] }
        expect(await sumOf({ ...own, isRefund: false })).toBe(row[`${side}PaidCents`])
        expect(await sumOf({ ...own, isRefund: true })).toBe(0 - row[`${side}RefundedCents`])
      }
    }
  })

  it('are in the random cells that are recomputed, and a sum that is wrong is found', async () => {
    const verify = () => verifyReports({ db: of.db, random: createSeededRandom(15) }, { cellsPerReport: 100 })
    await sql`
      insert into service_area (agent_id, name, centre_lat, centre_lng, ring)
      select id, company, 31, 120, '[[120, 31], [121, 31], [121, 32], [120, 31]]' from agent where id in (3, 4)`.execute(
      of.owner,
    )
    const verdict = await verify()
    expect(verdict.faults).toEqual([])
    expect(verdict.cells).toBeGreaterThan(400)
    const shift = async (cents: number): Promise<void> => {
      await sql`update channel_day set bill_paid_cents = bill_paid_cents + ${cents}`.execute(of.owner)
      await sql`update report_money_company_hour set credit_cents = credit_cents + ${cents}`.execute(of.owner)
    }
    await shift(1)
    const faults = (await verify()).faults.join('\n')
    await shift(-1)
    for (const name of ['billPaidCents', 'billDifferenceCents', 'ledgerRefundedCents'])
      expect(faults).toContain(` ${name}: `)
  })

  it('are paged whole, and filed', async () => {
    const filter = { ...span, side: 'own' } as const
    const ids = new Set<string>()
    let cursor: string | undefined
    for (let page = 0; page < 40; page += 1) {
      const { data } = await handlers.listReconciliationRows({ filter, sort: 'at', pageSize: 50, cursor }, clerk)
      for (const { id } of data.list) ids.add(id)
      if (data.nextCursor === null) break
      cursor = data.nextCursor
    }
    const { data } = await handlers.exportReconciliationRows({ filter, sort: 'at' }, clerk)
    expect(data.rows).toBe(ids.size)
    const file = await handlers.exportReconciliation({ filter: { by: 'day', ...span }, sort: 'key' }, clerk)
    expect(file.data.rows).toBe(3)
  })

  it('are compared with the days before and the year before, day for day', async () => {
    const whole = await read()
    expect(whole).toMatchObject({
      comparedTo: third,
      before: { from: '2026-11-07', to: '2026-11-09', ownPaidCents: 0 },
    })
    expect(whole.compared).toMatchObject({ ownPaidCents: whole.ownPaidCents, feeCents: whole.feeCents })
    const late = await read({ from: third, to: third })
    expect(late.before.from).toBe(second)
    expect(late.before.ownPaidCents).toBe((await read({ from: second, to: second })).ownPaidCents)
    // Three of the seven days are over, on the 14th at noon four of them.
    const open = await read({ from: first, to: '2026-11-16' })
    expect(open).toMatchObject({ comparedTo: '2026-11-13', before: { from: '2026-11-03', to: '2026-11-06' } })
    expect(open.compared.ownPaidCents).toBe(whole.ownPaidCents)
    expect(await read({ from: '2026-11-14', to: '2026-11-14' })).toMatchObject({ comparedTo: null })
    expect(whole.yearBefore).toMatchObject({ from: '2025-11-10', to: '2025-11-12', ownPaidCents: 0 })
  })

  it('are not compared where only the span is asked for', async () => {
    const { comparedTo: _to, compared: _compared, before: _before, yearBefore: _year, ...whole } = await read()
    const { data: alone } = await handlers.readReconciliation({ filter: { by: 'day', ...span }, compare: false }, clerk)
    expect(alone).toMatchObject(whole)
    expect(alone).toMatchObject({ comparedTo: null, compared: { ownPaidCents: 0 }, before: { ownPaidCents: 0 } })
  })

  it('name the payments and entries that the other side does not have', async () => {
    const rowsOf = async (filter: Partial<ReconciliationRowFilter>) => {
      const asked = { ...span, side: 'unmatched' as const, ...filter }
      return (await handlers.listReconciliationRows({ filter: asked, sort: 'at', pageSize: 50 }, clerk)).data.list
    }
    expect(await rowsOf({})).toEqual([])
    const [known] = await of.owner
      .selectFrom('payment')
      .selectAll()
      .where('agent_id', '=', 3)
      .where('paid_at', '<', new Date(businessDayStart(second)))
      .orderBy('id')
      .limit(1)
      .execute()
    if (known === undefined) throw new Error('no payment')
    const { id: _id, ...same } = known
    // Of two payments of one amount the ledger has the older one.
    const later = new Date((known.paid_at?.getTime() ?? 0) + 1_000)
    const number = 'c'.repeat(32)
    await of.owner
      .insertInto('payment')
      .values({ ...same, number, trade_number: 'c', paid_at: later })
      .execute()
    const at = businessDayStart(second) + hourMs
    await of.finance.ledger.post({
      agentId: 4,
      kind: 'recharge',
      reference: 'payment:999999',
      occurredAt: at,
      lines: [
        { account: { kind: 'clearing_sandbox' }, amountCents: -777 },
        { account: { kind: 'rider_balance', ownerId: of.riders[1] ?? 0 }, amountCents: 777 },
      ],
    })
    await reports.runRollups()
    expect(await rowsOf({})).toMatchObject([
      { side: 'ledger', number: 'payment:999999', at, cents: -777, agentId: 4 },
      { side: 'own', number, at: later.getTime(), cents: known.cents, agentId: 3 },
    ])
    const total = await read()
    expect(total.ledgerDifferenceCents).toBe(known.cents - 777)
    expect(await sumOf({ side: 'unmatched' })).toBe(total.ledgerDifferenceCents)
    for (const row of await rowsBy()) {
      expect(await sumOf({ side: 'unmatched', from: row.from, to: row.to })).toBe(row.ledgerDifferenceCents)
    }
    const filter = { ...span, side: 'unmatched' as const }
    const { data: file } = await handlers.exportReconciliationRows({ filter, sort: 'at' }, clerk)
    expect(file.rows).toBe(2)
    expect(await sumOf({ side: 'unmatched' }, of.person(5, 3))).toBe(known.cents)
  })

  it('are those of the companies of the caller', async () => {
    const north = of.person(5, 3)
    const own = await read({}, north)
    const all = await read({}, clerk)
    expect(own.ownPaidCents).toBeLessThan(all.ownPaidCents)
    expect((await rowsBy({ by: 'company' }, north)).map(({ name }) => name)).toEqual(['城北'])
    expect(await sumOf({ side: 'ledger', isRefund: false }, north)).toBe(own.ledgerPaidCents)
    expect(await read({ agentIds: [4] }, north)).toMatchObject({ ownPaidCents: 0, ledgerPaidCents: 0 })
  })
})
