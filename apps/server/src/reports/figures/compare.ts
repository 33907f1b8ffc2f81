import { reportRowsMax, type ReportRow, type ReportValues } from '@saddle/contract/reports/figures.ts'
import { addDays, dayMs } from '@saddle/contract/time.ts'
import {
  readBounds,
  readCompanies,
  readFigures,
  readSums,
  readTotal,
  rowsOf,
  totalOf,
  type FigureParams,
  type Run,
} from './read.ts'
import { keysOf, spanBefore, spanYearBefore, type DaySpan } from './rules.ts'

/** Today and the hour that has begun, by the company's calendar. */
interface Now {
  readonly today: string
  readonly hour: Date
}

/** A span, or what it has until a moment of its last day. */
interface Cut {
  readonly span: DaySpan
  readonly until?: Date
}

interface Spans {
  readonly span: DaySpan
  readonly before: DaySpan
  readonly yearBefore: DaySpan
  /** The span is not over. */
  readonly isOpen: boolean
  /** What of a span is compared. */
  readonly cutOf: (span: DaySpan) => Cut
  readonly companies: ReturnType<typeof readCompanies>
}

/** What a report has of its span, and of those that it is compared with. */
interface Compared {
  readonly total: ReportValues
  readonly rows: ReportRow[]
  /** The total of what is compared. */
  readonly compared: ReportValues
  readonly before: ReportValues
  readonly yearBefore: ReportValues
  readonly rowsBefore: ReportRow[]
  /** Empty where rows are of times. */
  readonly rowsYearBefore: ReportRow[]
}

interface CompareOptions {
  readonly now: Now | undefined
  /** Those of the question, where they were asked for before. */
  readonly companies?: ReturnType<typeof readCompanies>
}

/**
 * A report with the span before and the year before. A span that is not over is compared up to the last full hour: the same
 * hours of the last day of the other spans. Days that have not begun are left out of the comparison.
 */
export async function compareFigures(
  run: Run,
  params: FigureParams,
  { now, companies = readCompanies(run, params) }: CompareOptions,
) {
  const { filter } = params
  const span: DaySpan = { from: filter.from, to: filter.to }
  const open = now !== undefined && now.today >= span.from && now.today <= span.to ? now : null
  const spans: Spans = {
    span,
    before: spanBefore(span),
    yearBefore: spanYearBefore(span),
    isOpen: open !== null,
    cutOf: (other) => (open === null ? { span: other } : cutAt(open, span, other)),
    companies,
  }
  const { by } = filter
  const read = await (by === 'day'
    ? readByDay(run, params, spans)
    : by === 'month' || by === 'hour'
      ? readByTime(run, params, spans)
      : readByThing(run, params, spans))
  return {
    total: read.total,
    rows: read.rows,
    isCut: read.rows.length >= reportRowsMax,
    comparedUntil: open?.hour.getTime() ?? null,
    compared: read.compared,
    before: { ...spans.before, total: read.before, rows: read.rowsBefore },
    yearBefore: { ...spans.yearBefore, total: read.yearBefore, rows: read.rowsYearBefore },
  }
}

/** Another span until the same hour of the day that stands for today. */
function cutAt({ today, hour }: Now, span: DaySpan, other: DaySpan): Cut {
  const daysLeft = (Date.parse(span.to) - Date.parse(today)) / dayMs
  const until = new Date(hour.getTime() - (Date.parse(span.to) - Date.parse(other.to)))
  const to = addDays(other.to, -daysLeft)
  return to < other.from ? { span: { from: other.from, to: other.from }, until } : { span: { ...other, to }, until }
}

const isSame = (a: DaySpan, b: DaySpan): boolean => a.from === b.from && a.to === b.to

/** The days of both spans are asked for at once; whatever is made of days is added up from them. */
async function readByDay(run: Run, params: FigureParams, spans: Spans): Promise<Compared> {
  const { span, before, yearBefore, cutOf, companies } = spans
  const all: DaySpan = { from: before.from, to: span.to }
  const days = keysOf('day', all)
  const daysIn = ({ from, to }: DaySpan) => days.filter((day) => day >= from && day <= to)
  const asked = readSums(run, params, { by: 'day', span: all, companies })
  const ofDays = async (some: DaySpan) => {
    const sums = await asked
    return daysIn(some).flatMap((day) => sums.get(day) ?? [])
  }
  const totalUntil = async (other: DaySpan): Promise<ReportValues> => {
    const { span: cut, until } = cutOf(other)
    if (cut.from < all.from) return readTotal(run, params, { ...cutOf(other), companies })
    if (until === undefined) return totalOf(params, await ofDays(cut))
    const lastDay: DaySpan = { from: cut.to, to: cut.to }
    const [wholeDays, hours] = await Promise.all([
      ofDays({ from: cut.from, to: addDays(cut.to, -1) }),
      readSums(run, params, { by: null, span: lastDay, until, companies }),
    ])
    return totalOf(params, [...wholeDays, ...hours.values()])
  }
  const totalBefore = totalUntil(before)
  const [sums, boundsOf, own, compared, beforeTotal, yearTotal] = await Promise.all([
    asked,
    readBounds(run, params, all),
    ofDays(span),
    totalUntil(span),
    totalBefore,
    isSame(before, yearBefore) ? totalBefore : totalUntil(yearBefore),
  ])
  const rowsIn = (some: DaySpan) => rowsOf(params, { keys: daysIn(some), sums, names: new Map(), boundsOf })
  return {
    total: totalOf(params, own),
    rows: rowsIn(span),
    compared,
    before: beforeTotal,
    yearBefore: yearTotal,
    rowsBefore: rowsIn(before),
    rowsYearBefore: [],
  }
}

/** Months and hours: each span by a question of its own. */
async function readByTime(run: Run, params: FigureParams, spans: Spans): Promise<Compared> {
  const { span, before, yearBefore, isOpen, cutOf, companies } = spans
  const totalUntil = (other: DaySpan) => readTotal(run, params, { ...cutOf(other), companies })
  const past = readFigures(run, params, { span: before, companies })
  const totalBefore = isOpen ? totalUntil(before) : past.then(({ total }) => total)
  const [{ total, rows }, compared, beforeTotal, yearTotal, { rows: rowsBefore }] = await Promise.all([
    readFigures(run, params, { span, companies }),
    isOpen ? totalUntil(span) : null,
    totalBefore,
    isSame(before, yearBefore) ? totalBefore : totalUntil(yearBefore),
    past,
  ])
  return {
    total,
    rows,
    compared: compared ?? total,
    before: beforeTotal,
    yearBefore: yearTotal,
    rowsBefore,
    rowsYearBefore: [],
  }
}

/** Companies, areas, models and channels: each stands beside itself in the other spans, up to the same moment. */
async function readByThing(run: Run, params: FigureParams, spans: Spans): Promise<Compared> {
  const { span, before, yearBefore, isOpen, cutOf, companies } = spans
  const figuresUntil = (other: DaySpan) => readFigures(run, params, { ...cutOf(other), companies })
  const past = figuresUntil(before)
  const [own, compared, ofBefore, ofYearBefore] = await Promise.all([
    readFigures(run, params, { span, companies }),
    isOpen ? readTotal(run, params, { ...cutOf(span), companies }) : null,
    past,
    isSame(before, yearBefore) ? past : figuresUntil(yearBefore),
  ])
  return {
    ...own,
    compared: compared ?? own.total,
    before: ofBefore.total,
    yearBefore: ofYearBefore.total,
    rowsBefore: ofBefore.rows,
    rowsYearBefore: ofYearBefore.rows,
  }
}
