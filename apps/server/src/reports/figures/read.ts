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
  addedUp,
  addSums,
  fleetQueries,
  selectAreaNames,
  selectAreasOfCompanies,
  selectCompanyNames,
  selectDayStarts,
  sumQueries,
  type Buckets,
  type FigureTables,
  type CompanyAreas,
  type Level,
  type Sums,
  type SumsOfKey,
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
  /** Companies with their areas, where several spans are asked of them; otherwise they are read. */
  readonly companies?: Promise<readonly CompanyAreas[]> | undefined
}

/** What is added up, as the sums of areas by day. */
function bucketsOf({ filter, scope }: FigureParams, span: DaySpan, by: Buckets['by']): Buckets {
  const { agentIds, areaIds, models, channels, report } = filter
  return {
    by,
    grain: 'day',
    level: 'areas',
    ...span,
    agentIds: scope.agentIds.filter((id) => agentIds === undefined || agentIds.includes(id)),
    areaIds: scope.areaIds.filter((id) => areaIds === undefined || areaIds.includes(id)),
    hasOfCompany: areaIds === undefined,
    models,
    channels,
    cardKind: reports[report].cardKind,
  }
}

/** A company is read less its other areas when so many of them are asked for, and so many times as many as are left out. */
export const mostLeast = 4
const mostTimes = 2

/** The same of companies as a whole, of companies less a few areas, and of the areas of the others. */
async function levelsOf(run: Run, all: Buckets, { by, tables, companies: known }: SumOptions): Promise<Buckets[]> {
  const isKept = tables === undefined && by !== 'area'
  const companies = isKept ? await (known ?? run(selectAreasOfCompanies(all))) : []
  const asked = new Set(all.areaIds)
  const levels = Map.groupBy(companies, ({ area_ids: ids }) =>
    levelOf(all, ids.filter((id) => asked.has(id)).length, ids),
  )
  const bucketsOfLevel = (level: Level): Buckets[] => {
    const agentIds = (levels.get(level) ?? []).map((row) => row.agent_id)
    return agentIds.length > 0 ? [{ ...all, level, agentIds }] : []
  }
  const summed = [...(levels.get('company') ?? []), ...(levels.get('most') ?? [])]
  const summedIds = new Set(summed.map((row) => row.agent_id))
  const summedAreas = new Set(summed.flatMap((row) => row.area_ids))
  const rest = {
    ...all,
    agentIds: all.agentIds.filter((id) => !summedIds.has(id)),
    areaIds: all.areaIds.filter((id) => !summedAreas.has(id)),
  }
  return [...bucketsOfLevel('company'), ...bucketsOfLevel('most'), ...(rest.agentIds.length > 0 ? [rest] : [])]
}

function levelOf({ hasOfCompany }: Buckets, own: number, { length }: readonly number[]): Level {
  const leftOut = length - own
  if (leftOut === 0 && hasOfCompany) return 'company'
  return own >= Math.max(mostLeast, leftOut * mostTimes) ? 'most' : 'areas'
}

/** The hours, days and months that make up a span. */
function partsOf(level: Buckets, { by, until, tables }: SumOptions): Buckets[] {
  if (by === 'hour') return [{ ...level, grain: 'hour', ...(until !== undefined && { before: until }) }]
  const isByMonth = by !== 'day' && level.level === 'areas' && tables === undefined
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

/** The companies of a question with their areas: the same for each of its spans. */
export const readCompanies = (run: Run, params: FigureParams): Promise<CompanyAreas[]> =>
  run(selectAreasOfCompanies(bucketsOf(params, params.filter, null)))

type OfSpan = Omit<SumOptions, 'by'> & { readonly span: DaySpan }

/** The sums that a report's figures are made of. */
export const readSums = (run: Run, params: FigureParams, { span, ...options }: SumOptions & OfSpan): Promise<Sums> =>
  sumMeasures(run, {
    ...options,
    measures: measuresOfAll(answeredMetrics(params.filter)),
    all: bucketsOf(params, span, options.by),
  })

/** Makes the figures of a report from sums. */
const figuresOf = ({ filter }: FigureParams) => valuesOf(filter.report, answeredMetrics(filter))

/** The figures of what several sums add up to. */
export function totalOf(params: FigureParams, sums: Iterable<SumsOfKey>): ReportValues {
  return figuresOf(params)(addedUp(sums))
}

/** The figures of all that is asked for, as one. */
export async function readTotal(run: Run, params: FigureParams, options: OfSpan): Promise<ReportValues> {
  const sums = await readSums(run, params, { ...options, by: null })
  // What a total can tell does not depend on how rows are told apart, but then the columns would not add up to it.
  return totalOf(params, sums.values())
}

/** A report's rows and what they add up to. */
interface FiguresOfSpan {
  readonly total: ReportValues
  readonly rows: ReportRow[]
}

/** The rows of a report, by key; days and months without figures stand there with zeros. */
export async function readFigures(run: Run, params: FigureParams, options: OfSpan): Promise<FiguresOfSpan> {
  const { by } = params.filter
  const { span } = options
  const [sums, boundsOf] = await Promise.all([readSums(run, params, { ...options, by }), readBounds(run, params, span)])
  const keys = by === 'day' || by === 'month' ? keysOf(by, span) : [...sums.keys()]
  const names = await namesOf(run, params, keys)
  return { total: totalOf(params, sums.values()), rows: rowsOf(params, { keys, sums, names, boundsOf }) }
}

interface RowParts {
  readonly keys: readonly string[]
  readonly sums: Sums
  readonly names: ReadonlyMap<string, string>
  readonly boundsOf: BoundsOf
}

/** Rows of some keys, in their order. */
export function rowsOf(params: FigureParams, { keys, sums, names, boundsOf }: RowParts): ReportRow[] {
  const valuesOfSums = figuresOf(params)
  return keys
    .map((key) => {
      const { fromAt, toAt } = boundsOf(key)
      return { key, name: names.get(key) ?? key, fromAt, toAt, values: valuesOfSums(sums.get(key) ?? {}) }
    })
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, reportRowsMax)
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

type BoundsOf = (key: string) => { readonly fromAt: number; readonly toAt: number }

/** When each row's bucket begins and ends, by the calendar of the caller's company. */
export async function readBounds(
  run: Run,
  { filter: { by }, agentId }: FigureParams,
  span: DaySpan,
): Promise<BoundsOf> {
  const buckets = bucketsIn(by, span)
  const whole: Bucket = { from: span.from, end: addDays(span.to, 1) }
  const days = new Set([whole, ...buckets.values()].flatMap(({ from, end }) => [from, end]))
  const rows = await run(selectDayStarts({ agentId, days: [...days] }))
  const startOf = new Map(rows.map(({ day, at }) => [day, at.getTime()]))
  return (key) => {
    const { from, end } = buckets.get(key) ?? whole
    return { fromAt: startOf.get(from) ?? 0, toAt: startOf.get(end) ?? 0 }
  }
}

/** The first day of a bucket, and the first one behind it. */
type Bucket = { readonly from: string; readonly end: string }

/** The buckets of a span that its days or months are; of other rows none. */
function bucketsIn(by: ReportFilter['by'], span: DaySpan): Map<string, Bucket> {
  if (by === 'day') {
    const [first = span.from, ...days] = keysOf('day', { from: span.from, to: addDays(span.to, 1) })
    let from = first
    return new Map(
      days.map((end) => {
        const bucket = [from, { from, end }] as const
        from = end
        return bucket
      }),
    )
  }
  if (by !== 'month') return new Map()
  return new Map(
    keysOf('month', span).map((key) => {
      const { from, to } = daysOfKey('month', key, span)
      return [key, { from, end: addDays(to, 1) }] as const
    }),
  )
}
