import { AppError } from '@saddle/contract/errors.ts'
import {
  reportFieldsOf,
  reportRowList,
  reportRowsMax,
  type ReportFilter,
  type reportFigureEndpoints,
  type ReportListRow,
} from '@saddle/contract/reports/figures.ts'
import type { MetricName } from '@saddle/contract/reports/metrics.ts'
import { reportNames, reports, type ReportName } from '@saddle/contract/reports/reports.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { serveComputedList } from '#kit/list/computedList.ts'
import { chosenFile } from '#kit/list/listFile.ts'
import { readFigures, readTotal, type FigureParams, type Run } from './read.ts'
import { spanBefore, spanYearBefore, type DaySpan } from './rules.ts'
import { selectModels, selectNow } from './store.ts'

/** A change is in the figures after this at the latest, as long as the worker keeps up. */
const freshWithinMs = minuteMs

type Deps = { readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>; readonly audit: Audit }

const runIn =
  ({ db }: Pick<Kit, 'db'>, { scope }: SessionCall): Run =>
  (query) =>
    db.read(scope, (k) => query.compile(k))

const paramsOf = (filter: ReportFilter, { scope, caller }: SessionCall): FigureParams => ({
  filter,
  scope,
  agentId: caller.agentId,
})

/** One call serves every report: the code of the one that is asked for has to be held. */
function mayRead(call: SessionCall, report: ReportName): void {
  if (!call.caller.permissions.has(reports[report].permission)) throw new AppError('forbidden')
}

/** Reports: figures of the registry by day, area and more, with what was before. */
export function createFigureHandlers(deps: Deps): Handlers<typeof reportFigureEndpoints> {
  const { kit } = deps
  const listOf = (report: ReportName) =>
    serveComputedList(deps, reportRowList, {
      name: `report-${report}`,
      all: async (filter, call) => {
        mayRead(call, filter.report)
        const { rows } = await readFigures(runIn(kit, call), paramsOf(filter, call), { span: filter })
        return rows.map(({ values, ...row }) => Object.assign(row, values))
      },
      sorted: sortedBy,
      file: { action: 'report.export', fields: reportFieldsOf(report), present: fileRowOf },
    })
  const lists = Object.fromEntries(reportNames.map((name) => [name, listOf(name)])) as Record<
    ReportName,
    ReturnType<typeof listOf>
  >

  return {
    readReport: async ({ filter }, call) => {
      mayRead(call, filter.report)
      return { suc: true, data: await compared(kit, filter, call) }
    },
    listReportModels: async (_input, call) => {
      const rows = await kit.db.read(call.scope, (k) => selectModels(call.scope).compile(k))
      return { suc: true, data: { list: rows.map(({ model }) => model) } }
    },
    listReportRows: (params, call) => lists[params.filter.report].page(params, call),
    exportReportRows: chosenFile(lists.daily.file, ({ filter }) => lists[filter.report].file),
  }
}

const fileRowOf = ({ key, name, ...row }: ReportListRow): object => ({ ...row, name: name === '' ? key : name })

function sortedBy(rows: readonly ReportListRow[], sort: string, direction: 'asc' | 'desc'): ReportListRow[] {
  const sign = direction === 'asc' ? 1 : -1
  const valueOf = (row: ReportListRow): number =>
    sort === 'key' ? 0 : (row[sort as MetricName] ?? Number.NEGATIVE_INFINITY)
  return rows.toSorted((a, b) => {
    const byKey = a.key < b.key ? -1 : 1
    if (sort === 'key') return sign * byKey
    const [left, right] = [valueOf(a), valueOf(b)]
    return left === right ? byKey : sign * (left < right ? -1 : 1)
  })
}

/** How long before a span another one is. */
const shiftMs = (span: DaySpan, other: DaySpan): number => Date.parse(span.to) - Date.parse(other.to)

/**
 * A span that is not over is compared up to the last full hour: the same hours of the last day of the other spans. Days that
 * have not begun are left out of the comparison.
 */
async function compared(kit: Deps['kit'], filter: ReportFilter, call: SessionCall) {
  const at = new Date(kit.clock.now())
  const run = runIn(kit, call)
  const [now] = await run(selectNow({ agentId: call.caller.agentId, at }))
  const params = paramsOf(filter, call)
  const span: DaySpan = { from: filter.from, to: filter.to }
  const before = spanBefore(span)
  const yearBefore = spanYearBefore(span)
  const isOpen = now !== undefined && now.today >= span.from && now.today <= span.to
  // Until today's hour; in the other spans until the same hour of the day that stands for today.
  const ofSpan = (other: DaySpan) => {
    if (!isOpen) return { span: other }
    const daysLeft = Date.parse(span.to) - Date.parse(now.today)
    const until = new Date(now.hour.getTime() - shiftMs(span, other))
    const to = new Date(Date.parse(other.to) - daysLeft).toISOString().slice(0, 10)
    return to < other.from ? { span: { from: other.from, to: other.from }, until } : { span: { ...other, to }, until }
  }
  const [{ rows, total }, past, own, cutBefore, yearTotal] = await Promise.all([
    readFigures(run, params, { span }),
    readFigures(run, params, { span: before }),
    isOpen ? readTotal(run, params, ofSpan(span)) : null,
    isOpen ? readTotal(run, params, ofSpan(before)) : null,
    readTotal(run, params, ofSpan(yearBefore)),
  ])
  const isTime = filter.by === 'day' || filter.by === 'month' || filter.by === 'hour'
  return {
    total,
    rows,
    isCut: rows.length >= reportRowsMax,
    comparedUntil: isOpen ? now.hour.getTime() : null,
    compared: own ?? total,
    before: { ...before, total: cutBefore ?? past.total, rows: isTime ? past.rows : [] },
    yearBefore: { ...yearBefore, total: yearTotal },
    freshAt: at.getTime() - freshWithinMs,
  }
}
