import { reports } from '@saddle/contract/reports/reports.ts'
import {
  reportRowsMax,
  type ReportFilter,
  type ReportRow,
  type ReportValues,
} from '@saddle/contract/reports/figures.ts'
import type { Measure } from '@saddle/contract/reports/measures.ts'
import { addDays } from '@saddle/contract/time.ts'
import type { RawBuilder } from 'kysely'
import type { Scope } from '#kit/db/scope.ts'
import { answeredMetrics, daysOfKey, keysOf, measuresOfAll, splitByMonth, valuesOf, type DaySpan } from './rules.ts'
import {
  addSums,
  fleetQueries,
  selectAreaNames,
  selectCompanyNames,
  selectDayStarts,
  selectWhole,
  sumQueries,
  type Buckets,
  type FigureTables,
  type Sums,
} from './store.ts'

/** How a statement is run: as a request within its scope, or within a transaction of the system. */
export type Run = <R>(query: RawBuilder<R>) => Promise<R[]>

export interface FigureParams {
  readonly filter: ReportFilter
  readonly scope: Pick<Scope, 'agentIds' | 'areaIds'>
  /** Whose calendar says when a day begins. */
  readonly agentId: number
}

interface SumOptions {
  readonly by: Buckets['by']
  /** The last day has only the hours before this moment. */
  readonly until?: Date | undefined
  readonly tables?: FigureTables | undefined
}

/** What is added up, as the sums of areas by day. */
function bucketsOf({ filter, scope }: FigureParams, span: DaySpan, by: Buckets['by']): Buckets {
  const { agentIds, areaIds, models, channels, report } = filter
  return {
    by,
    grain: 'day',
    isWhole: false,
    ...span,
    agentIds: scope.agentIds.filter((id) => agentIds === undefined || agentIds.includes(id)),
    areaIds: scope.areaIds.filter((id) => areaIds === undefined || areaIds.includes(id)),
    hasOfCompany: areaIds === undefined,
    models,
    channels,
    cardKind: reports[report].cardKind,
  }
}

/** The same of companies as a whole, and of the areas of the others. */
async function levelsOf(run: Run, all: Buckets, { by, tables }: SumOptions): Promise<Buckets[]> {
  const isWholeKept = tables === undefined && by !== 'area' && all.hasOfCompany
  const whole = isWholeKept ? await run(selectWhole(all)) : []
  const wholeIds = new Set(whole.map((row) => row.agent_id))
  const wholeAreas = new Set(whole.flatMap((row) => row.area_ids))
  const rest = {
    ...all,
    agentIds: all.agentIds.filter((id) => !wholeIds.has(id)),
    areaIds: all.areaIds.filter((id) => !wholeAreas.has(id)),
  }
  return [
    ...(wholeIds.size > 0 ? [{ ...all, isWhole: true, agentIds: [...wholeIds] }] : []),
    ...(rest.agentIds.length > 0 ? [rest] : []),
  ]
}

/** The hours, days and months that make up a span. */
function partsOf(level: Buckets, { by, until, tables }: SumOptions): Buckets[] {
  if (by === 'hour') return [{ ...level, grain: 'hour', ...(until !== undefined && { before: until }) }]
  const isByMonth = by !== 'day' && !level.isWhole && tables === undefined
  const days = (span: DaySpan): Buckets[] =>
    isByMonth
      ? splitByMonth(span).map((part) => Object.assign({}, level, part))
      : [{ ...level, from: span.from, to: span.to }]
  if (until === undefined) return days(level)
  const { from, to } = level
  const last: Buckets = { ...level, grain: 'hour', from: to, before: until }
  return [...(from < to ? days({ from, to: addDays(to, -1) }) : []), last]
}

/** Adds up measures of areas by day, from whichever figures have them in the fewest rows. */
export async function sumMeasures(
  run: Run,
  { measures, all, ...options }: SumOptions & { readonly measures: readonly Measure[]; readonly all: Buckets },
): Promise<Sums> {
  const levels = await levelsOf(run, all, options)
  const queries = levels.flatMap((level) =>
    partsOf(level, options)
      .flatMap((part) => sumQueries(measures, part, options.tables))
      .concat(fleetQueries(measures, level)),
  )
  const sums: Sums = new Map()
  for (const rows of await Promise.all(queries.map(async (query) => run(query)))) addSums(sums, rows)
  return sums
}

const readSums = (run: Run, params: FigureParams, { span, ...options }: SumOptions & { readonly span: DaySpan }) =>
  sumMeasures(run, {
    ...options,
    measures: measuresOfAll(answeredMetrics(params.filter)),
    all: bucketsOf(params, span, options.by),
  })

/** The figures of all that is asked for, as one. */
export async function readTotal(
  run: Run,
  params: FigureParams,
  options: { readonly span: DaySpan; readonly until?: Date; readonly tables?: FigureTables },
): Promise<ReportValues> {
  const { filter } = params
  const sums = await readSums(run, params, { ...options, by: null })
  // What a total can tell does not depend on how rows are told apart, but then the columns would not add up to it.
  return valuesOf(filter.report, answeredMetrics(filter), sums.get('') ?? {})
}

/** A report's rows and what they add up to. */
interface FiguresOfSpan {
  readonly total: ReportValues
  readonly rows: ReportRow[]
}

/** The rows of a report, by key; days and months without figures stand there with zeros. */
export async function readFigures(
  run: Run,
  params: FigureParams,
  options: { readonly span: DaySpan; readonly tables?: FigureTables },
): Promise<FiguresOfSpan> {
  const { by, report } = params.filter
  const { span } = options
  const sums = await readSums(run, params, { ...options, by })
  const answered = answeredMetrics(params.filter)
  const keys = by === 'day' || by === 'month' ? keysOf(by, span) : [...sums.keys()]
  const [names, boundsOf] = await Promise.all([namesOf(run, params, keys), boundsOfKeys(run, params, { span, keys })])
  const rows = keys
    .map((key) => {
      const { fromAt, toAt } = boundsOf(key)
      return { key, name: names.get(key) ?? key, fromAt, toAt, values: valuesOf(report, answered, sums.get(key) ?? {}) }
    })
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, reportRowsMax)
  const all: Sums = new Map()
  addSums(
    all,
    [...sums.values()].map((values) => Object.assign({ key: '' }, values)),
  )
  return { total: valuesOf(report, answered, all.get('') ?? {}), rows }
}

async function namesOf(
  run: Run,
  { filter, scope }: FigureParams,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const { by } = filter
  if (by !== 'area' && by !== 'company') return new Map()
  const ids = keys.filter((key) => key !== '').map(Number)
  const rows = await run(by === 'area' ? selectAreaNames(ids, scope.agentIds) : selectCompanyNames(ids))
  return new Map(rows.map(({ id, name }) => [String(id), name]))
}

type Bounds = { readonly fromAt: number; readonly toAt: number }

/** When each row's bucket begins and ends, by the calendar of the caller's company. */
async function boundsOfKeys(
  run: Run,
  { filter: { by }, agentId }: FigureParams,
  { span, keys }: { readonly span: DaySpan; readonly keys: readonly string[] },
): Promise<(key: string) => Bounds> {
  const spans = new Map(
    by === 'day' || by === 'month' ? keys.map((key) => [key, daysOfKey(by, key, span)] as const) : [],
  )
  const days = new Set([span, ...spans.values()].flatMap(({ from, to }) => [from, addDays(to, 1)]))
  const rows = await run(selectDayStarts({ agentId, days: [...days] }))
  const startOf = new Map(rows.map(({ day, at }) => [day, at.getTime()]))
  return (key) => {
    const { from, to } = spans.get(key) ?? span
    return { fromAt: startOf.get(from) ?? 0, toAt: startOf.get(addDays(to, 1)) ?? 0 }
  }
}
