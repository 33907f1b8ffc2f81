import type { ReactNode } from 'react'
import { LineChart } from '#kit/charts/LineChart.tsx'
import { t } from '#kit/i18n/index.ts'
import { daysBetween, spanBefore, type Span } from '#kit/span.ts'

interface Props<Sum> {
  readonly span: Span
  readonly days: readonly Sum[]
  readonly before: readonly Sum[]
  readonly curves: readonly {
    readonly title: string
    readonly unit?: string
    readonly digits?: number
    readonly value: (sum: Sum) => number | null
  }[]
}

/** Figures day by day, beside those of the span before. */
export function DayCurves<Sum extends { readonly name: string }>(props: Props<Sum>): ReactNode {
  const { span, days, before, curves } = props
  const names = daysBetween(span.from, span.to)
  const old = spanBefore(span.from, span.to)
  const series = (list: readonly Sum[], of: readonly string[], value: (sum: Sum) => number | null) => {
    const byDay = new Map(list.map((row) => [row.name, row]))
    return of.map((day) => {
      const row = byDay.get(day)
      return row === undefined ? 0 : value(row)
    })
  }
  return (
    <section className="page-card">
      <h2>{t('按天')}</h2>
      <p className="work-hint">{t('虚线为前一个同样长的时段，今日未完时与其同一时刻相比')}</p>
      <div className="work-curves">
        {curves.map(({ title, unit = '', digits = 0, value }) => (
          <LineChart
            key={title}
            title={title}
            unit={unit}
            digits={digits}
            min={0}
            labels={names}
            values={series(days, names, value)}
            before={series(before, daysBetween(old.from, old.to), value)}
          />
        ))}
      </div>
    </section>
  )
}
