import { sql } from 'kysely'
import { paymentChannels } from '@saddle/contract/finance/payments.ts'
import type { ReportFilter, ReportRow } from '@saddle/contract/reports/figures.ts'
import { dimensionsOfReport, reportNames, reports, type ReportName } from '@saddle/contract/reports/reports.ts'
import { addDays, dayMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues, type RowOf } from '#kit/db/rows.ts'
import { mostLeast, readFigures, type Run } from '../figures/read.ts'
import { answeredMetrics } from '../figures/rules.ts'
import type { FigureTables } from '../figures/store.ts'
import { moneyHours, selectBooksBehind, takeInEntries } from '../rollups/money.ts'
import { isCounted, makeRideHours, rideSums, takeBacklogHours, takeStaleHours } from '../rollups/rides.ts'
import { below, pick, type Draw } from './draw.ts'
import { verifyReconciliation } from './reconciliation.ts'

/** Days around a span: wherever a company's day begins, its hours lie within them. */
const slackDays = 2

/** The rows that figures are made of, in the form of the tables that the job fills. */
export const rawTables: FigureTables = {
  rides: (_grain, { areaIds, agentIds, from, to }) => sql`(
    select o.agent_id, o.area_id, case when grouping(v.model) = 1 then 'all' else 'model' end as cut,
      coalesce(v.model, '') as value, b.hour, b.day, ${rideSums}
    from ride_order o join vehicle v on v.id = o.vehicle_id
    left join report_calendar c on c.agent_id = o.agent_id
    cross join lateral (select date_trunc('hour', o.placed_at, 'UTC') as hour,
      report_day(o.placed_at, c.zone, c.day_starts_at) as day) b
    where o.area_id = any (${areaIds}::bigint[]) and o.agent_id = any (${agentIds}::bigint[]) and ${isCounted}
      and o.placed_at >= ${addDays(from, -slackDays)}::date and o.placed_at < ${addDays(to, slackDays)}::date
    group by grouping sets ((o.agent_id, o.area_id, b.hour, b.day), (o.agent_id, o.area_id, b.hour, b.day, v.model)))`,
  money: (_grain, { agentIds, from, to }) =>
    sql`(${moneyHours(sql`e.agent_id = any (${agentIds}::bigint[])
      and e.occurred_at >= ${addDays(from, -slackDays)}::date and e.occurred_at < ${addDays(to, slackDays)}::date`)})`,
}

const areaRow = rowOfValues({
  agent_id: computed('bigint', sql`a.agent_id`),
  area_ids: computed('bigint[]', sql`array_agg(a.id order by a.id)`),
  models: computed(
    'text[]',
    sql`(select coalesce(array_agg(distinct v.model), '{}') from vehicle v where v.agent_id = a.agent_id)`,
  ),
  first: computed(
    'text?',
    sql`to_char((select min(d.day) from report_money_day d where d.agent_id = a.agent_id), 'YYYY-MM-DD')`,
  ),
  last: computed(
    'text?',
    sql`to_char((select max(d.day) from report_money_day d where d.agent_id = a.agent_id), 'YYYY-MM-DD')`,
  ),
})
type Company = RowOf<typeof areaRow>

/** The seven pages: those of the registry, and financial reconciliation. */
export const verifiedReports = [...reportNames, 'reconciliation'] as const
type VerifiedReport = (typeof verifiedReports)[number]

export type Verdict = { readonly cells: number; readonly differ: number; readonly faults: readonly string[] }

const faultsMax = 20
const stepsMax = 1_000_000
/** Draws for one report, should they have few cells. */
const drawsMax = 200
const longestSpanDays = 35

/**
 * Recomputes random cells of every report from orders, payments, lines of bills and entries. Whatever waits to be made is made first, from the same
 * snapshot, so that it may run beside a busy platform.
 */
export async function verifyReports(
  { db, random }: Pick<Kit, 'db' | 'random'>,
  { cellsPerReport }: { readonly cellsPerReport: number },
): Promise<Verdict> {
  return db.system(async (tx) => {
    await sql`set transaction isolation level repeatable read`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    // Nobody changes figures until the end. A lock takes no snapshot: what is read begins when it is held.
    await sql`lock table report_ride_hour in share row exclusive mode`.execute(tx)
    await finish(tx)
    return verifyAll(tx, { random, cellsPerReport })
  })
}

async function finish(tx: Tx): Promise<void> {
  for (const take of [takeStaleHours, takeBacklogHours]) {
    for (let step = 0; step < stepsMax; step += 1) {
      const hours = await take(tx)
      if (hours.length === 0) break
      await makeRideHours(tx, hours)
    }
  }
  for (const { agent_id: agentId } of (await selectBooksBehind({ limit: stepsMax }).execute(tx)).rows) {
    for (let step = 0; step < stepsMax && (await takeInEntries(tx, agentId)); step += 1);
  }
}

type Options = { readonly random: Kit['random']; readonly cellsPerReport: number }

async function verifyAll(tx: Tx, { random, cellsPerReport }: Options): Promise<Verdict> {
  const { rows } = await areaRow.select`from service_area a group by a.agent_id order by a.agent_id`.execute(tx)
  const companies = rows.filter(({ first }) => first !== null)
  const run: Run = async (query) => (await query.execute(tx)).rows
  const faults: string[] = []
  let [cells, differ] = [0, 0]
  const drawOf: Readonly<Record<VerifiedReport, (company: Company) => Promise<Draw>>> = {
    ...(Object.fromEntries(
      reportNames.map((report) => [report, (company: Company) => drawCells(run, { random, report, company })]),
    ) as Record<ReportName, (company: Company) => Promise<Draw>>),
    reconciliation: (company) => verifyReconciliation(run, { random, company, longestSpanDays }),
  }
  for (const report of companies.length === 0 ? [] : verifiedReports) {
    let own = 0
    for (let count = 0; own < cellsPerReport && count < drawsMax; count += 1) {
      const found = await drawOf[report](pick(random, companies))
      own += found.cells
      differ += found.faults.length
      faults.push(...found.faults)
    }
    cells += own
  }
  return { cells, differ, faults: faults.slice(0, faultsMax) }
}

/** All cells of a question about a company. */
async function drawCells(
  run: Run,
  { random, report, company }: { random: Kit['random']; report: ReportName; company: Company },
): Promise<Draw> {
  const filter = drawFilter(random, report, company)
  const params = {
    filter,
    scope: { agentIds: [company.agent_id], areaIds: company.area_ids },
    agentId: company.agent_id,
  }
  const { rows: made } = await readFigures(run, params, { span: filter })
  const { rows: raw } = await readFigures(run, params, { span: filter, tables: rawTables })
  return compare(filter, made, raw)
}

function drawFilter(random: Kit['random'], report: ReportName, company: Company): ReportFilter {
  const { area_ids: areaIds, models, first, last } = company
  const days = (Date.parse(last ?? '') - Date.parse(first ?? '')) / dayMs + 1
  const from = addDays(first ?? '', below(random, days))
  const by = pick(random, dimensionsOfReport(report))
  const narrow = below(random, 6)
  const isOfRides = reports[report].metrics.includes('rides')
  return {
    report,
    by,
    from,
    to: addDays(from, below(random, longestSpanDays)),
    ...(narrow === 0 && { areaIds: [pick(random, areaIds)] }),
    ...(narrow === 3 && areaIds.length > mostLeast && { areaIds: areaIds.toSpliced(below(random, areaIds.length), 1) }),
    ...(narrow === 1 && isOfRides && models.length > 0 && by !== 'channel' && { models: [pick(random, models)] }),
    ...(narrow === 2 && by !== 'model' && { channels: [pick(random, paymentChannels)] }),
  }
}

/** Every figure of every row, where one of both has something. */
function compare(filter: ReportFilter, made: readonly ReportRow[], raw: readonly ReportRow[]): Draw {
  const rawOf = new Map(raw.map((row) => [row.key, row.values]))
  const madeOf = new Map(made.map((row) => [row.key, row.values]))
  const names = answeredMetrics(filter)
  const faults: string[] = []
  let cells = 0
  for (const key of new Set([...madeOf.keys(), ...rawOf.keys()])) {
    for (const name of names) {
      const [is, should] = [madeOf.get(key)?.[name] ?? null, rawOf.get(key)?.[name] ?? null]
      if ((is ?? 0) === 0 && (should ?? 0) === 0) continue
      cells += 1
      if (is !== should) faults.push(`${JSON.stringify(filter)} ${key} ${name}: ${is}, the rows say ${should}`)
    }
  }
  return { cells, faults }
}

/** The closing line of `npm run report:verify`. */
export const verdictLine = ({ cells, differ }: Verdict): string => `report: ${cells} cells, ${differ} differ`
