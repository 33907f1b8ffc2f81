import { AppError } from '@saddle/contract/errors.ts'
import {
  reportFieldsOf,
  reportRowList,
  type ReportFilter,
  type reportFigureEndpoints,
  type ReportListRow,
} from '@saddle/contract/reports/figures.ts'
import type { MetricName } from '@saddle/contract/reports/metrics.ts'
import { reportNames, reports, type ReportName } from '@saddle/contract/reports/reports.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { serveComputedList } from '#kit/list/computedList.ts'
import { chosenFile } from '#kit/list/listFile.ts'
import { compareFigures } from './compare.ts'
import { readCompanies, readFigures, type FigureParams, type Run } from './read.ts'
import { selectModels, selectNow } from './store.ts'

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
      const { agentId } = call.caller
      const run = runIn(kit, call)
      // Before the figures are read: they are as fresh or fresher.
      const params = paramsOf(filter, call)
      const [[now], companies] = await Promise.all([
        run(selectNow({ agentId, at: new Date(kit.clock.now()) })),
        readCompanies(run, params),
      ])
      const compared = await compareFigures(run, params, { now, companies: Promise.resolve(companies) })
      return { suc: true, data: { ...compared, freshAt: now?.fresh_at?.getTime() ?? null } }
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
