import { dimensionsOf, figureOf, measuresOf, metricOf, type MetricName } from '@saddle/contract/reports/metrics.ts'
import { sourceOf, type Measure } from '@saddle/contract/reports/measures.ts'
import { reports } from '@saddle/contract/reports/reports.ts'
import type { ReportFilter, ReportValues } from '@saddle/contract/reports/figures.ts'
import { addDays, dayMs, utcDayOf } from '@saddle/contract/time.ts'

/** The figures of a report that a question can tell: others have no meaning for it and stay empty. */
export function answeredMetrics({ report, by, models, channels }: Omit<ReportFilter, 'from' | 'to'>): MetricName[] {
  return reports[report].metrics.filter((name) => {
    const sources = measuresOf(metricOf(name)).map(sourceOf)
    return (
      dimensionsOf(name).includes(by) &&
      (models === undefined || sources.every((source) => source === 'rides')) &&
      (channels === undefined || sources.every((source) => source === 'money'))
    )
  })
}

export const measuresOfAll = (names: readonly MetricName[]): Measure[] => [
  ...new Set(names.flatMap((name) => measuresOf(metricOf(name)))),
]

/** Makes the figures of a report from sums; what was not asked for is null. */
export function valuesOf(
  report: ReportFilter['report'],
  answered: readonly MetricName[],
): (sums: Partial<Record<Measure, number>>) => ReportValues {
  const known = new Set(answered)
  const figures = reports[report].metrics.map((name) => [name, known.has(name) ? metricOf(name) : null] as const)
  // A loop: a report of a year has as many values as 365 lists of pairs would.
  return (sums) => {
    const values: ReportValues = {}
    for (const [name, metric] of figures) values[name] = metric === null ? null : figureOf(metric, sums)
    return values
  }
}

export type DaySpan = { readonly from: string; readonly to: string }
const lengthOf = ({ from, to }: DaySpan): number => (Date.parse(to) - Date.parse(from)) / dayMs + 1
const isWholeMonth = ({ from, to }: DaySpan): boolean =>
  from.endsWith('-01') && addDays(to, 1).endsWith('-01') && from.slice(0, 7) === to.slice(0, 7)

/** The span of the same length just before; before a whole month the month before. */
export function spanBefore(span: DaySpan): DaySpan {
  const to = addDays(span.from, -1)
  return isWholeMonth(span) ? { from: `${to.slice(0, 7)}-01`, to } : { from: addDays(span.from, -lengthOf(span)), to }
}

/** The same days of the year before; 29 February becomes 28 February. */
export function spanYearBefore({ from, to }: DaySpan): DaySpan {
  const shifted = (day: string): string => {
    const year = String(Number(day.slice(0, 4)) - 1)
    return day.endsWith('02-29') ? `${year}-02-28` : `${year}${day.slice(4)}`
  }
  return { from: shifted(from), to: shifted(to) }
}

/** Every day or month of a span. */
export function keysOf(by: 'day' | 'month', { from, to }: DaySpan): string[] {
  const days: string[] = []
  const end = Date.parse(to)
  for (let at = Date.parse(from); at <= end; at += dayMs) days.push(utcDayOf(at))
  return by === 'day' ? days : [...new Set(days.map((day) => day.slice(0, 7)))]
}

/** The days of a key of a day or month within a span. */
export function daysOfKey(by: 'day' | 'month', key: string, span: DaySpan): DaySpan {
  if (by === 'day') return { from: key, to: key }
  const days = keysOf('day', span).filter((day) => day.startsWith(key))
  return { from: days[0] ?? span.from, to: days.at(-1) ?? span.to }
}

/** A span as its whole months and the days around them. */
export function splitByMonth({ from, to }: DaySpan): (DaySpan & { readonly grain: 'day' | 'month' })[] {
  const firstOf = (day: string): string => `${day.slice(0, 7)}-01`
  const first = from.endsWith('-01') ? from : firstOf(addDays(firstOf(from), 31))
  const end = firstOf(addDays(to, 1))
  if (first >= end) return [{ from, to, grain: 'day' }]
  return [
    ...(from < first ? [{ from, to: addDays(first, -1), grain: 'day' as const }] : []),
    { from: first, to: addDays(end, -1), grain: 'month' as const },
    ...(end <= to ? [{ from: end, to, grain: 'day' as const }] : []),
  ]
}
