import type { ReactNode } from 'react'
import { figureOf, type MetricUnit } from '@saddle/contract/reports/metrics.ts'
import { statisticsMetrics, type StatisticsMetricName } from '@saddle/contract/reports/statisticsMetrics.ts'
import { Figure } from '#kit/charts/Figure.tsx'
import { versus } from '#kit/charts/versus.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'

/** The sums of an answer, by name; other fields are left alone. */
type Sums = object

const digitsOf: Readonly<Partial<Record<MetricUnit, number>>> = { percent: 1, ratio: 1 }

/** A figure of the registry made of the sums of an answer; null where it has nothing to divide by. */
export const statisticsValue = (name: StatisticsMetricName, sums: Sums): number | null =>
  figureOf(statisticsMetrics[name], sums as Readonly<Record<string, number>>)

/** A value as it is written; `--` where there is none. */
export function statisticsText(name: StatisticsMetricName, value: number | null): string {
  if (value === null) return '--'
  const { unit } = statisticsMetrics[name]
  return unit === 'cents' ? money(value) : value.toFixed(digitsOf[unit] ?? 0)
}

function unitOf(name: StatisticsMetricName): string {
  const { unit } = statisticsMetrics[name]
  if (unit === 'percent') return '%'
  if (unit === 'minutes') return t('分钟')
  return unit === 'cents' ? t('元') : ''
}

interface Props {
  readonly name: StatisticsMetricName
  readonly total: Sums
  readonly before: Sums
  /** Of what is counted; absent: the registry's unit. */
  readonly unit?: string
  /** Instead of the comparison. */
  readonly note?: string
  readonly to?: string
}

/** A figure of the registry with its formula, beside what it was. */
export function StatisticsFigure({ name, total, before, unit = unitOf(name), note, to }: Props): ReactNode {
  const { title, formula, isBad = false } = statisticsMetrics[name]
  const value = statisticsValue(name, total)
  const compared = versus(value ?? 0, statisticsValue(name, before), isBad)
  return (
    <Figure
      label={t(title)}
      value={value !== null && statisticsMetrics[name].unit === 'count' ? value : statisticsText(name, value)}
      formula={t(formula)}
      {...(unit !== '' && { unit })}
      {...(note === undefined ? compared : { note })}
      {...(to !== undefined && { to })}
    />
  )
}

/** A figure of the registry day by day. */
export function statisticsCurve(name: StatisticsMetricName) {
  const { title, unit } = statisticsMetrics[name]
  const word = unitOf(name)
  return {
    title: t(title),
    unit: word === '%' ? word : ` ${word}`.trimEnd(),
    digits: digitsOf[unit] ?? 0,
    value: (sum: Sums) => statisticsValue(name, sum),
    none: statisticsValue(name, {}),
  }
}
