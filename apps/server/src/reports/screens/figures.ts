import { figureOf, measuresOf, metricOf, type Dimension, type MetricName } from '@saddle/contract/reports/metrics.ts'
import type { ScreenValues } from '@saddle/contract/reports/screens.ts'
import type { Measure } from '@saddle/contract/reports/measures.ts'
import { addDays, dayMs } from '@saddle/contract/time.ts'
import { sumMeasures, type Run } from '#reports/figures/read.ts'
import type { DaySpan } from '#reports/figures/rules.ts'

/** What a screen is about: companies, areas, and whose calendar says when a day begins. */
export interface ScreenReach {
  readonly agentIds: readonly number[]
  readonly areaIds: readonly number[]
  /** Also what belongs to a company and to none of its areas. */
  readonly hasOfCompany: boolean
  readonly agentId: number
}

export interface FiguresAsked {
  readonly metrics: readonly MetricName[]
  readonly span: DaySpan
  readonly by?: Dimension
  /** The last day has only the hours before this moment. */
  readonly until?: Date
}

type Figures = ReadonlyMap<string, ScreenValues>

/** Figures of the registry over a span, by what they are told apart by; all together under the empty key. */
export async function readScreenFigures(run: Run, reach: ScreenReach, asked: FiguresAsked): Promise<Figures> {
  const { metrics, span, by = null, until } = asked
  const measures: Measure[] = [...new Set(metrics.flatMap((name) => measuresOf(metricOf(name))))]
  const none = { models: undefined, channels: undefined, cardKind: undefined }
  const all = { ...reach, ...none, ...span, by, grain: 'day' as const, level: 'areas' as const }
  const sums = await sumMeasures(run, { measures, all, by, until })
  return new Map([...sums].map(([key, values]) => [key, valuesOf(metrics, values)]))
}

const valuesOf = (metrics: readonly MetricName[], sums: Parameters<typeof figureOf>[1]): ScreenValues =>
  Object.fromEntries(metrics.map((name) => [name, figureOf(metricOf(name), sums)]))

/** The figures of all that is asked for, as one. */
export async function readScreenTotal(run: Run, reach: ScreenReach, asked: FiguresAsked): Promise<ScreenValues> {
  return (await readScreenFigures(run, reach, asked)).get('') ?? valuesOf(asked.metrics, {})
}

/** Today, and the same day of last week: both until the hour that has begun. */
export interface ScreenDay {
  readonly day: string
  readonly until: Date
}
export const weekBefore = (day: string): string => addDays(day, -7)
const weekMs = 7 * dayMs

export async function readCompared(
  run: Run,
  reach: ScreenReach,
  { metrics, day, until }: ScreenDay & { readonly metrics: readonly MetricName[] },
) {
  const span = { from: day, to: day }
  const before = { from: weekBefore(day), to: weekBefore(day) }
  const [today, todayUntil, lastWeekUntil] = await Promise.all([
    readScreenTotal(run, reach, { metrics, span }),
    readScreenTotal(run, reach, { metrics, span, until }),
    readScreenTotal(run, reach, { metrics, span: before, until: new Date(until.getTime() - weekMs) }),
  ])
  return { today, todayUntil, lastWeekUntil, until: until.getTime() }
}

/** A figure by hour of the day; hours of today that have not begun are null. */
export async function readHours(
  run: Run,
  reach: ScreenReach,
  {
    metric,
    day,
    hoursBegun,
  }: { readonly metric: MetricName; readonly day: string; readonly hoursBegun: readonly string[] },
) {
  const ofDay = (one: string) =>
    readScreenFigures(run, reach, { metrics: [metric], by: 'hour', span: { from: one, to: one } })
  const [today, lastWeek] = await Promise.all([ofDay(day), ofDay(weekBefore(day))])
  const begun = new Set(hoursBegun)
  return hoursOfDay.map((hour) => ({
    hour,
    today: begun.has(hour) ? (today.get(hour)?.[metric] ?? 0) : null,
    lastWeek: lastWeek.get(hour)?.[metric] ?? 0,
  }))
}

export const hoursOfDay = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))
