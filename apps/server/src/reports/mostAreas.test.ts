import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { ReportFilter } from '@saddle/contract/reports/figures.ts'
import { dimensionsOfReport, reportNames } from '@saddle/contract/reports/reports.ts'
import { addDays, businessDayOf, businessDayStart, dayMs } from '@saddle/contract/time.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { compilingKysely } from '#kit/db/transaction.ts'
import { createSeededRandom, randomBelow } from '#kit/random.ts'
import { compareFigures } from './figures/compare.ts'
import { readFigures, readTotal, type FigureParams, type Run } from './figures/read.ts'
import { spanBefore, spanYearBefore, type DaySpan } from './figures/rules.ts'
import { rollupTables } from './figures/store.ts'
import { reportWorld } from './reports.fixture.ts'
import { rawTables, verdictLine, verifyReports } from './verify/verify.ts'

const leftOut = 36
const most = [31, 32, 33, 34, 35]
const world = await reportWorld({ more: [33, 34, 35, leftOut] })
const { db, owner, kit, addOrders, addMoney } = world
const random = createSeededRandom(70)
const below = (bound: number): number => randomBelow({ random, bound })
const today = businessDayOf(kit.clock.now())
const span = { from: addDays(today, -40), to: addDays(today, -1) }
const firstMs = businessDayStart(span.from)
const scopeOf = (areaIds: number[]) => scopeOfAgent(3, areaIds)
const compiler = compilingKysely()

/** Reads as a request, and keeps what it sent. */
function runOf(areaIds: number[]): { run: Run; sent: string[] } {
  const sent: string[] = []
  const run: Run = (query) => {
    sent.push(query.compile(compiler).sql)
    return db.read(scopeOf(areaIds), (k) => query.compile(k))
  }
  return { run, sent }
}
const asSystem: Run = (query) => db.system(async (tx) => (await query.execute(tx)).rows)

await addOrders(
  Array.from({ length: 500 }, () => ({
    area: below(7),
    vehicle: below(2),
    placedAt: firstMs + below((40 * dayMs) / 1_000) * 1_000,
    minutes: below(40),
    cents: below(5) === 0 ? 0 : 100 + below(400),
    state: (['paid', 'paid', 'due', 'cancelled', 'failed'] as const)[below(5)] ?? 'paid',
  })),
)
await addMoney(firstMs, 30)
await sql`update vehicle set model = 'model of ' || area_id where area_id = ${leftOut}`.execute(owner)
await sql`
  insert into fleet_day (area_id, agent_id, day, vehicles, ridden, trips, ride_seconds, distance_m, low_battery, made_at)
  select a.id, a.agent_id, ${span.from}::date + d, a.id + d % 3, 1 + d % 7, 1, 1, 1, 0, now()
  from service_area a, generate_series(0, 39) d`.execute(owner)
await world.reports.runRollups()

const asked = reportNames.flatMap((report) => dimensionsOfReport(report).map((by) => [report, by] as const))

/** Of a report with all sources, and of two for what it cannot tell apart. */
const askedOnce = asked.filter(([report]) => report === 'daily' || report === 'orders' || report === 'wallet')
const isTime = (by: string): boolean => by === 'day' || by === 'month' || by === 'hour'

describe('figures of all areas but one', () => {
  it.each(asked)('are what the other areas add up to: %s by %s', async (report, by) => {
    const filter: ReportFilter = { report, by, ...span }
    const params: FigureParams = { filter, scope: scopeOf(most), agentId: 3 }
    const { run, sent } = runOf(most)
    const { rows, total } = await readFigures(run, params, { span })
    expect(sent.some((text) => /report_(?:ride|money)_rest_/.test(text))).toBe(
      by !== 'area' && !(by === 'hour' && report !== 'daily' && report !== 'orders'),
    )
    const plain = await readFigures(run, params, { span, tables: rollupTables })
    expect({ rows, total }).toEqual(plain)
    expect(rows.map(({ values }) => values)).toEqual(
      (await readFigures(asSystem, params, { span, tables: rawTables })).rows.map(({ values }) => values),
    )
    // The same by choice, without what belongs to the company and to none of its areas.
    const chosen = { ...params, filter: { ...filter, areaIds: most }, scope: scopeOf([...most, leftOut]) }
    const { run: runAll } = runOf([...most, leftOut])
    expect(await readFigures(runAll, chosen, { span })).toEqual(
      await readFigures(runAll, chosen, { span, tables: rollupTables }),
    )
  })

  it('until an hour of the last day', async () => {
    const filter: ReportFilter = { report: 'daily', by: 'day', ...span }
    const params: FigureParams = { filter, scope: scopeOf(most), agentId: 3 }
    const { run } = runOf(most)
    const until = new Date(businessDayStart(span.to) + dayMs / 2)
    expect(await readTotal(run, params, { span, until })).toEqual(
      await readTotal(run, params, { span, until, tables: rollupTables }),
    )
  })

  it('are in the random cells that are recomputed', async () => {
    expect(verdictLine(await verifyReports({ db, random }, { cellsPerReport: 100 }))).toMatch(/ 0 differ$/)
  })
})

describe('a report beside the spans before', () => {
  const hour = new Date(businessDayStart(span.to) + dayMs / 2)
  const spans = [
    ['over', { from: addDays(today, -20), to: addDays(today, -11) }, false],
    ['not over', { from: addDays(today, -6), to: span.to }, true],
    ['of a year that is not over', { from: addDays(today, -365), to: span.to }, true],
  ] as const

  it.each(spans)('has what each of them has alone, for one that is %s', async (_name, asked, isOpen) => {
    const { run } = runOf(most)
    for (const [report, by] of askedOnce) {
      const params: FigureParams = { filter: { report, by, ...asked }, scope: scopeOf(most), agentId: 3 }
      const found = await compareFigures(run, params, { now: { today: isOpen ? asked.to : today, hour } })
      const until = (other: DaySpan) => new Date(hour.getTime() - (Date.parse(asked.to) - Date.parse(other.to)))
      const cutOf = (other: DaySpan) => ({ span: other, ...(isOpen && { until: until(other) }) })
      const totalOf = (other: DaySpan) => readTotal(run, params, cutOf(other))
      const rowsUntil = async (other: DaySpan) => (await readFigures(run, params, cutOf(other))).rows
      const [before, yearBefore] = [spanBefore(asked), spanYearBefore(asked)]
      const past = await readFigures(run, params, { span: before })
      expect([report, by, found]).toEqual([
        report,
        by,
        {
          ...(await readFigures(run, params, { span: asked })),
          isCut: false,
          comparedUntil: isOpen ? hour.getTime() : null,
          compared: await totalOf(asked),
          before: { ...before, total: await totalOf(before), rows: isTime(by) ? past.rows : await rowsUntil(before) },
          yearBefore: {
            ...yearBefore,
            total: await totalOf(yearBefore),
            rows: isTime(by) ? [] : await rowsUntil(yearBefore),
          },
        },
      ])
      if (!isOpen) expect(found.before.total).toEqual(past.total)
    }
  })

  it('asks for the days of a year and the year before in one statement for each source', async () => {
    const areaIds = [...most, leftOut]
    const scope = scopeOf(areaIds)
    const { run, sent } = runOf(areaIds)
    const year = { from: addDays(today, -365), to: addDays(today, -1) }
    await compareFigures(
      run,
      { filter: { report: 'daily', by: 'day', ...year }, scope, agentId: 3 },
      { now: { today, hour } },
    )
    // Companies, orders, money, vehicles, and when the days begin.
    expect(sent).toHaveLength(5)
  })
})

describe('a request that asks for more than its scope', () => {
  const all = sql`${[3, 4]}::bigint[], ${[...most, leftOut, 41]}::bigint[]`
  const days = sql`${span.from}::date, ${span.to}::date`
  const sumIn = async (areaIds: number[]) => {
    const [row] = await db.read(scopeOf(areaIds), (k) =>
      sql<Record<string, number>>`
        select (select coalesce(sum(rides), 0) from report_ride_rest_day(${all}, 'all', ${days}))::integer as days,
          (select coalesce(sum(rides), 0) from report_ride_rest_hour(${all}, 'all', ${days}))::integer as hours,
          (select coalesce(sum(credits), 0)
            from report_money_rest_day(${all}, false, array['agent_revenue'], ${days}))::integer as postings,
          (select coalesce(sum(vehicles), 0) from report_fleet_rest_day(${all}, ${days}))::integer as vehicles`.compile(
        k,
      ),
    )
    return row
  }
  const ownOf = async (areaIds: number[]) => {
    const { rows } = await sql<Record<string, number>>`
      select (select coalesce(sum(rides), 0) from report_ride_day where cut = 'all' and area_id = any (${areaIds}))::integer as days,
        (select coalesce(sum(rides), 0) from report_ride_hour where cut = 'all' and area_id = any (${areaIds}))::integer as hours,
        (select coalesce(sum(credits), 0) from report_money_day
          where account = 'agent_revenue' and area_id = any (${areaIds}))::integer as postings,
        (select coalesce(sum(vehicles), 0) from fleet_day where area_id = any (${areaIds}))::integer as vehicles`.execute(
      owner,
    )
    return rows[0]
  }

  it.each([[[31]], [[31, 32, 33, 34]], [most]])('is answered for its own areas: %j', async (areaIds) => {
    const own = await ownOf(areaIds)
    expect(await sumIn(areaIds)).toEqual(own)
    expect(own?.['days']).toBeGreaterThan(0)
    expect(own?.['postings']).toBeGreaterThan(0)
  })

  it('learns nothing without an area', async () => {
    expect(await sumIn([])).toEqual({ days: 0, hours: 0, postings: 0, vehicles: 0 })
  })
})

describe('the areas of a company', () => {
  it('are noted with the first money of an area, before its rides are counted', async () => {
    await sql`delete from report_company`.execute(owner)
    await addOrders([{ area: 3, vehicle: 0, placedAt: firstMs, minutes: 5, cents: 300, state: 'paid' }])
    await sql`delete from report_stale`.execute(owner)
    await world.reports.runRollups()
    const { rows } = await sql<{
      ids: number[]
    }>`select area_ids as ids from report_company where agent_id = 3`.execute(owner)
    expect(rows[0]?.ids).toEqual([33])
  })
})
