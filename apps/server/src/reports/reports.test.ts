import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import type { ReportFilter, ReportValues } from '@saddle/contract/reports/figures.ts'
import { metricOf, type MetricName } from '@saddle/contract/reports/metrics.ts'
import { dimensionsOfReport, reportNames, reports } from '@saddle/contract/reports/reports.ts'
import type { FigurePart } from '@saddle/contract/reports/sources.ts'
import { addDays, businessDayOf, businessDayStart, dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { createSeededRandom, randomBelow } from '#kit/random.ts'
import { sessionCall } from '#test/kit.ts'
import { answeredMetrics } from './figures/rules.ts'
import { figuresEveryMs } from './rollups/job.ts'
import { rebuildFigures } from './rollups/rebuild.ts'
import { reportWorld, type NewOrder } from './reports.fixture.ts'
import { verdictLine, verifiedReports, verifyReports } from './verify/verify.ts'

const world = await reportWorld()
const { db, owner, kit, addOrders, addMoney, refund } = world
const reporting = world.reports
const { handlers } = reporting
const permissions = reportNames.map((name) => reports[name].permission)
const clerk = sessionCall({ operatorId: 7, agentId: 3, grant: { agentIds: [3], areaIds: [31, 32] }, permissions })
const cellsPerReport = 100
const random = createSeededRandom(15)
const below = (bound: number): number => randomBelow({ random, bound })
const nowMs = kit.clock.now()
const today = businessDayOf(nowMs)
const firstDay = addDays(today, -30)
const firstMs = businessDayStart(firstDay)

/** What random cells of every report differ in; too few cells are a fault, too. */
const faultsNow = async (): Promise<readonly string[]> => {
  const { faults, cells } = await verifyReports({ db, random }, { cellsPerReport })
  return cells < cellsPerReport * verifiedReports.length ? [`only ${cells} cells`, ...faults] : faults
}
const read = async (filter: Partial<ReportFilter>, call = clerk) => {
  const whole = { report: 'daily', by: 'day', from: firstDay, to: today, ...filter } as const
  return (await handlers.readReport({ filter: whole }, call)).data
}

function drawOrder(fromMs: number, spanMs: number): NewOrder {
  const state = (['paid', 'paid', 'paid', 'due', 'cancelled', 'failed'] as const)[below(6)] ?? 'paid'
  return {
    area: below(3),
    vehicle: below(2),
    placedAt: fromMs + below(spanMs / 1_000) * 1_000,
    minutes: below(40),
    cents: below(5) === 0 ? 0 : 100 + below(400),
    state,
  }
}

describe('figures of a month', () => {
  it('are what the orders and the ledger say', async () => {
    await addOrders(Array.from({ length: 400 }, () => drawOrder(firstMs, 29 * dayMs)))
    await addMoney(firstMs, 30)
    await reporting.runRollups()
    expect(await faultsNow()).toEqual([])
    const { total, rows } = await read({ report: 'orders' })
    const { rows: own } = await sql<{ rides: number; cents: number }>`
      select count(*)::integer as rides, sum(charged_cents)::bigint as cents from ride_order
      where agent_id = 3 and charged_cents is not null`.execute(owner)
    expect(total).toMatchObject({ rides: own[0]?.rides, chargedCents: own[0]?.cents })
    expect(rows).toHaveLength(31)
    expect(rows.reduce((sum, { values }) => sum + (values.rides ?? 0), 0)).toBe(total.rides)
  })

  it('follow late rides, refunds, corrected prices, waived amounts and moved vehicles into the past', async () => {
    const { total: before } = await read({ report: 'orders' })
    const paid = (await owner.selectFrom('ride_order').selectAll().where('state', '=', 'paid').execute()).filter(
      ({ charged_cents: cents }) => (cents ?? 0) > 50,
    )
    for (const { id } of paid.slice(0, 20)) await refund(id, 50)
    await addOrders(Array.from({ length: 40 }, () => ({ ...drawOrder(firstMs + dayMs, dayMs), minutes: 3 * 24 * 60 })))
    await sql`
      update ride_order set charged_cents = charged_cents / 2, state = case when charged_cents < 200 then 'paid' else 'due' end
      where state = 'due'`.execute(owner)
    // A vehicle that moves takes no ride with it; one whose model is put right takes all of its rides.
    await sql`update vehicle set area_id = 32 where number = 'RP311'`.execute(owner)
    await sql`update vehicle set model = 'model 3' where number = 'RP412'`.execute(owner)
    await reporting.runRollups()
    expect(await faultsNow()).toEqual([])
    const { total } = await read({ report: 'orders' })
    expect(total.refundedCents).toBeGreaterThan(before.refundedCents ?? 0)
    expect(total.rides).toBeGreaterThan(before.rides ?? 0)
  })

  it('move to other days with the calendar, and their sum stays', async () => {
    const wide = { report: 'orders', from: addDays(firstDay, -1), to: addDays(today, 1) } as const
    const before = await read(wide)
    const changed = { zone: 'Asia/Urumqi', dayStartsAt: 4 } as const
    const { data: asked } = await handlers.changeReportCalendar(changed, clerk)
    expect(asked.before).toEqual({ zone: 'Asia/Shanghai', dayStartsAt: 0 })
    expect((await handlers.readReportCalendar({}, clerk)).data).toMatchObject({ ...asked.before, pending: changed })
    expect(await read(wide)).toMatchObject({ rows: before.rows })
    expect((await reporting.runRollups()).calendars).toBe(1)
    expect((await handlers.readReportCalendar({}, clerk)).data).toMatchObject({ ...changed, pending: null })
    expect(await faultsNow()).toEqual([])
    const after = await read(wide)
    expect(after.total).toEqual(before.total)
    expect(after.rows.map(({ values }) => values)).not.toEqual(before.rows.map(({ values }) => values))
    // The first instant of the day: four o'clock in Urumqi is six in Shanghai.
    expect(after.rows[2]?.fromAt).toBe((before.rows[2]?.fromAt ?? 0) + 6 * hourMs)
    await addOrders(Array.from({ length: 30 }, () => drawOrder(firstMs, 29 * dayMs)))
    await reporting.runRollups()
    expect(await faultsNow()).toEqual([])
  })

  it('are told apart by whatever a report knows, and add up', async () => {
    for (const by of ['day', 'month', 'hour', 'company', 'area', 'model'] as const) {
      const { total, rows } = await read({ report: 'orders', by })
      expect(rows.reduce((sum, { values }) => sum + (values.chargedCents ?? 0), 0)).toBe(total.chargedCents)
    }
    const { total, rows } = await read({ report: 'wallet', by: 'channel' })
    expect(rows.reduce((sum, { values }) => sum + (values.recharged ?? 0), 0)).toBe(total.recharged)
    expect(rows.map(({ key }) => key)).toContain('alipay')
    const cards = await Promise.all(
      (['ridingCard', 'discountCard'] as const).map(
        async (report) => (await read({ report, from: addDays(firstDay, -1) })).total.cardsSold,
      ),
    )
    expect(cards).toEqual([20, 10])
  })

  it('are the same after they were made from nothing', async () => {
    const before = await Promise.all(reportNames.map(async (report) => (await read({ report })).rows))
    await rebuildFigures(kit)
    const after = await Promise.all(reportNames.map(async (report) => (await read({ report })).rows))
    expect(after).toEqual(before)
    expect(await faultsNow()).toEqual([])
  })
})

/** A figure of a row, and what the rows behind it add up to. */
async function behind(filter: ReportFilter, { metric, key }: { metric: MetricName; key?: string }) {
  const sumOf = async (part: FigurePart) => {
    const { data } = await handlers.sumSourceRows(
      { filter: { ...filter, metric, part, ...(key !== undefined && { key }) } },
      clerk,
    )
    return { rows: data.rows, value: data.sums?.value ?? Number.NaN }
  }
  const { over, unit, scale = 1 } = metricOf(metric)
  const top = await sumOf('top')
  if (over === undefined) return top.value
  const bottom = await sumOf('bottom')
  if (bottom.value === 0) return null
  const quotient = (top.value / bottom.value) * scale
  return unit === 'cents' ? Math.round(quotient) : Math.round(quotient * 10_000) / 10_000
}

describe('a report of some models', () => {
  it('has the orders of their vehicles, and what no model tells apart is empty', async () => {
    const { data } = await handlers.listReportModels({}, clerk)
    expect(data.list.toSorted()).toEqual(['model 1', 'model 2'])
    const of = async (models?: string[]) => (await read({ ...(models !== undefined && { models }) })).total
    const [all, first, both] = await Promise.all([of(), of(['model 1']), of(['model 1', 'model 2'])])
    expect(first.rides).toBeGreaterThan(0)
    expect(first.rides).toBeLessThan(all.rides ?? 0)
    expect(both.rides).toBe(all.rides)
    expect(first).toMatchObject({ income: null, ridesPerVehicleDay: null })
    const filter: ReportFilter = { report: 'orders', by: 'day', from: firstDay, to: today, models: ['model 1'] }
    expect(await behind(filter, { metric: 'chargedCents' })).toBe(first.chargedCents)
  })
})

describe('the file of a report', () => {
  it.each(reportNames)('of %s adds up to its list and to the report', async (report) => {
    const filter: ReportFilter = { report, by: 'day', from: firstDay, to: today }
    const { data: listed } = await handlers.listReportRows({ filter, sort: 'key', pageSize: 100 }, clerk)
    const { data: file } = await handlers.exportReportRows({ filter, sort: 'key' }, clerk)
    const [titles = [], ...lines] = file.text
      .replace(/^\uFEFF/, '')
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))
    expect(lines).toHaveLength(listed.list.length)
    const total = (await read(filter)).total
    for (const metric of answeredMetrics(filter).filter((name) => metricOf(name).over === undefined)) {
      const { title, unit } = metricOf(metric)
      const at = titles.findIndex((text) => text === title || text.startsWith(`${title}(`))
      const scale = unit === 'cents' ? 100 : 1
      const filed = Math.round(lines.reduce((sum, line) => sum + Number(line[at]) * scale, 0))
      expect([metric, filed]).toEqual([metric, listed.list.reduce((sum, row) => sum + (row[metric] ?? 0), 0)])
      expect([metric, filed]).toEqual([metric, total[metric]])
    }
  })
})

describe('the rows behind a figure', () => {
  const span = { from: addDays(firstDay, 3), to: addDays(today, -2) }
  it.each(reportNames)('of %s add up to it, for each figure, row and total', async (report) => {
    await owner.deleteFrom('fleet_day').execute()
    await sql`
      insert into fleet_day (area_id, agent_id, day, vehicles, ridden, trips, ride_seconds, distance_m, low_battery, made_at)
      select a.id, a.agent_id, ${firstDay}::date + d, 2 + d % 3, 1, 1, 1, 1, 0, now()
      from service_area a, generate_series(0, 30) d`.execute(owner)
    let cells = 0
    for (const by of dimensionsOfReport(report)) {
      const filter: ReportFilter = { report, by, ...span }
      const { rows, total } = await read(filter)
      for (const metric of answeredMetrics(filter)) {
        const value = await behind(filter, { metric })
        expect([by, metric, value]).toEqual([by, metric, total[metric] ?? null])
        const drawn = rows.filter(({ values }) => (values[metric] ?? 0) !== 0).slice(0, 2)
        for (const { key, values } of drawn) {
          cells += 1
          expect([by, metric, key, await behind(filter, { metric, key })]).toEqual([by, metric, key, values[metric]])
        }
      }
    }
    expect(cells).toBeGreaterThan(20)
  })

  it('are paged without a gap, filed whole, and opened by those who may read the report', async () => {
    const filter = { report: 'wallet', by: 'day', ...span, metric: 'recharged', part: 'top' } as const
    const { data: sums } = await handlers.sumSourceRows({ filter }, clerk)
    const ids: string[] = []
    let cursor: string | undefined
    for (let page = 0; page < 20; page += 1) {
      const { data } = await handlers.listSourceRows({ filter, sort: 'at', pageSize: 5, cursor }, clerk)
      ids.push(...data.list.map(({ id }) => id))
      if (data.nextCursor === null) break
      cursor = data.nextCursor
    }
    expect(new Set(ids).size).toBe(sums.rows)
    const { data: file } = await handlers.exportSourceRows({ filter, sort: 'at' }, clerk)
    expect(file.rows).toBe(sums.rows)
    const other = sessionCall({
      operatorId: 9,
      agentId: 3,
      grant: clerk.grant,
      permissions: [reports.daily.permission],
    })
    await expect(handlers.listSourceRows({ filter, sort: 'at', pageSize: 5 }, other)).rejects.toMatchObject({
      code: 'forbidden',
    })
    const strange = handlers.sumSourceRows({ filter: { ...filter, metric: 'rides' } }, clerk)
    await expect(strange).rejects.toMatchObject({ code: 'bad_request' })
  })
})

describe('freshness', () => {
  const cents = async () => (await read({ report: 'orders', from: addDays(firstDay, -1) })).total
  const freshAt = async () => (await read({ report: 'orders' })).freshAt

  it('a ride, a refund and a correction are in the figures within a minute, by the worker alone', async () => {
    // Only the pauses between runs are skipped: database and answers take the time that they take.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const stop = reporting.startBackground()
    try {
      await vi.waitFor(async () => expect(await freshAt()).toBe(kit.clock.now()), { timeout: 60_000, interval: 20 })
      const before = await cents()
      const [ridden = 0, refunded = 0] = await addOrders([
        { area: 0, vehicle: 0, placedAt: firstMs + dayMs, minutes: 5, cents: 500, state: 'paid' },
        { area: 1, vehicle: 1, placedAt: firstMs + 2 * dayMs, minutes: 5, cents: 700, state: 'paid' },
      ])
      await refund(refunded, 300)
      await sql`update ride_order set charged_cents = charged_cents - 200 where id = ${ridden}`.execute(owner)
      expect(await cents()).toEqual(before)
      expect(figuresEveryMs).toBeLessThan(minuteMs)
      kit.clock.advance(minuteMs)
      await vi.advanceTimersByTimeAsync(minuteMs)
      await stop()
      expect(await cents()).toMatchObject({
        rides: (before.rides ?? 0) + 2,
        chargedCents: (before.chargedCents ?? 0) + 1_000,
        refundedCents: (before.refundedCents ?? 0) + 300,
      })
      expect(await freshAt()).toBe(kit.clock.now())
      const { data } = await handlers.readReconciliation({ filter: { by: 'day', from: firstDay, to: today } }, clerk)
      expect(data.freshAt).toBe(kit.clock.now())
    } finally {
      vi.useRealTimers()
      await stop()
      kit.clock.set(nowMs)
    }
  })

  it('is told as it is while nobody makes figures, or another worker does', async () => {
    const known = await freshAt()
    await addOrders([{ ...drawOrder(firstMs, 29 * dayMs), state: 'cancelled' }])
    kit.clock.set((known ?? 0) + 5 * minuteMs)
    expect(await freshAt()).toBe(known)
    await owner.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('report_figures', 0))`.execute(tx)
      expect(await reporting.runRollups()).toMatchObject({ stale: 0 })
    })
    expect(await freshAt()).toBe(known)
    await reporting.runRollups()
    expect(await freshAt()).toBe(kit.clock.now())
    kit.clock.set(nowMs)
  })
})

describe('workers', () => {
  it('take each change once, however many they are, while riders ride', async () => {
    const riding = (async () => {
      for (let n = 0; n < 10; n += 1) await addOrders(Array.from({ length: 8 }, () => drawOrder(firstMs, 29 * dayMs)))
    })()
    const workers = Array.from({ length: 3 }, async () => {
      for (let n = 0; n < 8; n += 1) await reporting.runRollups()
    })
    await Promise.all([riding, ...workers])
    await reporting.runRollups()
    expect(await faultsNow()).toEqual([])
  })

  it('lose nothing when one of them dies within a step', async () => {
    await addOrders(Array.from({ length: 20 }, () => drawOrder(firstMs, 29 * dayMs)))
    const { count } = await owner
      .selectFrom('report_stale')
      .select((k) => k.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBeGreaterThan(0)
    // It may end before the statement that ends it does.
    const died = reporting.runRollups().catch(() => null)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where pid <> pg_backend_pid() and datname = current_database() and state <> 'idle'`.execute(owner)
    await died
    await reporting.runRollups()
    expect(await faultsNow()).toEqual([])
  })
})

describe('a question', () => {
  it('is compared with the span before and the year before, up to the last full hour', async () => {
    const { comparedUntil, before, yearBefore } = await read({ report: 'orders', from: addDays(today, -6) })
    expect(before).toMatchObject({ from: addDays(today, -13), to: addDays(today, -7) })
    expect(yearBefore.from.slice(0, 4)).toBe('2025')
    expect(comparedUntil).toBe(Math.floor(nowMs / hourMs) * hourMs)
    const closed = await read({ report: 'orders', from: addDays(today, -10), to: addDays(today, -4) })
    expect(closed.comparedUntil).toBeNull()
    expect(closed.compared).toEqual(closed.total)
    expect(closed.before.rows).toHaveLength(7)
  })

  it.each(['company', 'area', 'model', 'channel'] as const)(
    'by %s has the same rows of the spans before',
    async (by) => {
      const report = by === 'channel' ? 'wallet' : 'orders'
      const metric = by === 'channel' ? 'recharged' : 'rides'
      const valuesOf = (rows: readonly { key: string; values: ReportValues }[]) =>
        rows.flatMap(({ key, values }) => ((values[metric] ?? 0) === 0 ? [] : [[key, values[metric]]]))
      const asked = { report, by, from: addDays(today, -10), to: addDays(today, -4) } as const
      const { before, yearBefore } = await read(asked)
      expect(valuesOf(before.rows).length).toBeGreaterThan(0)
      expect(valuesOf(before.rows)).toEqual(valuesOf((await read({ ...asked, from: before.from, to: before.to })).rows))
      expect(valuesOf(yearBefore.rows)).toEqual([])
      // Of a span that is not over they are those of the same hours.
      const open = await read({ report, by, from: addDays(today, -6), to: today })
      const sum = open.before.rows.reduce((all, { values }) => all + (values[metric] ?? 0), 0)
      expect(sum).toBe(open.before.total[metric])
    },
  )

  it('needs the permission of its report', async () => {
    const { permission } = reports.wallet
    const only = sessionCall({ operatorId: 9, agentId: 3, grant: clerk.grant, permissions: [permission] })
    expect((await read({ report: 'wallet' }, only)).rows).toHaveLength(31)
    await expect(read({ report: 'deposit' }, only)).rejects.toMatchObject({ code: 'forbidden' })
    const listed = handlers.exportReportRows(
      { filter: { report: 'daily', by: 'day', from: firstDay, to: today }, sort: 'key' },
      only,
    )
    await expect(listed).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('is answered within the areas and companies of the caller', async () => {
    const narrow = sessionCall({ operatorId: 8, agentId: 3, grant: { agentIds: [3], areaIds: [32] }, permissions })
    const { rows } = await read({ report: 'orders', by: 'area', areaIds: [31, 32, 41] }, narrow)
    expect(rows.map(({ key, name }) => [key, name])).toEqual([['32', '城东']])
  })

  it('is listed and filed with the same figures', async () => {
    const filter = { report: 'orders', by: 'area', from: firstDay, to: today } as const
    const { data } = await handlers.listReportRows({ filter, sort: 'rides', pageSize: 20 }, clerk)
    const rides = data.list.map((row) => row.rides ?? 0)
    expect(rides).toEqual(rides.toSorted((a, b) => b - a))
    const file = await handlers.exportReportRows({ filter, sort: 'rides' }, clerk)
    expect(file.data.rows).toBe(data.list.length)
    expect(file.data.text).toContain('城东')
  })
})

it('says what a broken figure is', async () => {
  await sql`update report_ride_day set rides = rides + 1 where area_id = 31`.execute(owner)
  await sql`update report_ride_company_day set rides = rides + 1`.execute(owner)
  const verdict = await verifyReports({ db, random }, { cellsPerReport })
  expect(verdict.differ).toBeGreaterThan(0)
  expect(verdictLine(verdict)).toMatch(/^report: \d+ cells, [1-9]\d* differ$/)
})
