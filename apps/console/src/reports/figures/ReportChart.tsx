import { useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { reportFigureEndpoints, type ReportFilter, type ReportRow } from '@saddle/contract/reports/figures.ts'
import { metricOf, type Dimension, type MetricName } from '@saddle/contract/reports/metrics.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { Chart } from '#kit/charts/Chart.tsx'
import { serverNow } from '#kit/clock.ts'
import { t } from '#kit/i18n/index.ts'
import { One } from '#kit/list/Choices.tsx'
import { useEndpoint } from '#kit/query.ts'
import { drawnValue, lookOf, metricsBy, rowName } from './figureText.ts'

type Figures = AnswerOf<typeof reportFigureEndpoints.readReport>['data']
type Against = 'before' | 'yearBefore'

interface Props {
  readonly filter: ReportFilter
  readonly figures: Figures
  /** The rows behind a figure of a row. */
  readonly linkOf: (metric: MetricName, row: string | null) => string
}

/** One figure of a report, drawn with the span before or the year before. */
export function ReportChart({ filter, figures, linkOf }: Props): ReactNode {
  const { report, by } = filter
  const names = metricsBy(report, by)
  const [chosen, choose] = useState<MetricName | null>(null)
  const [against, setAgainst] = useState<Against>('before')
  const isTime = by === 'day' || by === 'month' || by === 'hour'
  const yearBefore = useYearBefore(filter, figures, isTime && against === 'yearBefore')
  const navigate = useNavigate()
  const name = names.find((one) => one === chosen) ?? names[0]
  if (name === undefined || figures.rows.length === 0) return null
  const { unit, digits } = lookOf(name)
  const { rows, before } = figures
  const now = serverNow()
  const openFrom = isTime && by !== 'hour' ? rows.findIndex(({ toAt }) => toAt > now) : -1
  const kind = isTime && by !== 'hour' ? ('line' as const) : ('bar' as const)
  const own = {
    name: t(metricOf(name).title),
    // What has not begun has no value yet.
    values: rows.map((row, index) => (index > openFrom && openFrom >= 0 ? null : drawnValue(name, row.values[name]))),
    unit,
    digits,
    kind,
  }
  const pastRows = rowsByKey(figures[against].rows)
  const oldRow = (row: ReportRow, index: number): ReportRow | undefined => {
    if (!isTime) return pastRows.get(row.key)
    return against === 'before' ? before.rows[index] : yearBefore.get(yearBeforeKey(by, row.key))
  }
  const old = {
    name: t(againstLabels[against]),
    values: rows.map((row, index) => drawnValue(name, oldRow(row, index)?.values[name])),
    unit,
    digits,
    kind,
    isBefore: true,
  }
  const open = (index: number): void => {
    const row = rows[index]
    if (row !== undefined) void navigate(linkOf(name, row.key))
  }
  return (
    <section className="page-card">
      <div className="report-choice">
        <One
          label={t('图中的指标')}
          value={name}
          options={names.map((one) => ({ value: one, label: t(metricOf(one).title) }))}
          onChange={(next) => choose(next ?? null)}
          isRequired
        />
        <One
          label={t('图中的对比')}
          value={against}
          options={spans.map((one) => ({ value: one, label: t(againstLabels[one]) }))}
          onChange={(next) => setAgainst(next ?? 'before')}
          isRequired
        />
      </div>
      <Chart
        title={t(metricOf(name).title)}
        labels={rows.map((row) => rowName(by, row))}
        openFrom={openFrom < 0 ? undefined : openFrom}
        series={[own, old]}
        height={280}
        hasZoom={rows.length > 60}
        onSelect={open}
      />
    </section>
  )
}

const spans: readonly Against[] = ['before', 'yearBefore']
const againstLabels: Readonly<Record<Against, string>> = { before: '前一时段', yearBefore: '去年同期' }

/** Days, months or hours of the year before by their keys; they are asked for only while they are drawn. */
function useYearBefore(
  filter: ReportFilter,
  { yearBefore }: Figures,
  enabled: boolean,
): ReadonlyMap<string, ReportRow> {
  const { from, to } = yearBefore
  const { data } = useEndpoint(
    reportFigureEndpoints.readReport,
    { filter: { ...filter, from, to } },
    { enabled, keepPrevious: true },
  )
  return rowsByKey(data?.data.rows ?? [])
}

const rowsByKey = (rows: readonly ReportRow[]): ReadonlyMap<string, ReportRow> =>
  new Map(rows.map((row) => [row.key, row]))

/** The same day or month of the year before; an hour of the day has the same key. */
const yearBeforeKey = (by: Dimension, key: string): string =>
  by === 'hour' ? key : `${Number(key.slice(0, 4)) - 1}${key.slice(4)}`
