import type { ReactNode } from 'react'
import { LineChart } from '#kit/charts/LineChart.tsx'
import { t } from '#kit/i18n/index.ts'
import { daysBetween, openDayOf, spanBefore, type Span } from '#kit/span.ts'

interface Props<Sum> {
  readonly span: Span
  readonly days: readonly Sum[]
  readonly before: readonly Sum[]
  readonly curves: readonly {
    readonly title: string
    readonly unit?: string
    readonly digits?: number
    readonly value: (sum: Sum) => number | null
    /** Of a day without a row; 0 where it is left out. */
    readonly none?: number | null
  }[]
  /** Opens what is behind a day. */
  readonly onDay?: (day: string) => void
}

/** Figures day by day, beside those of the span before. */
export function DayCurves<Sum extends { readonly name: string }>(props: Props<Sum>): ReactNode {
  const { span, days, before, curves, onDay } = props
  const names = daysBetween(span.from, span.to)
  const select = (index: number): void => {
    const day = names[index]
    if (day !== undefined) onDay?.(day)
  }
  const old = spanBefore(span.from, span.to)
  const series = (
    list: readonly Sum[],
    of: readonly string[],
    value: (sum: Sum) => number | null,
    none: number | null,
  ) => {
    const byDay = new Map(list.map((row) => [row.name, row]))
    return of.map((day) => {
      const row = byDay.get(day)
      return row === undefined ? none : value(row)
    })
  }
  return (
    <section className="page-card">
      <h2>{t('按天')}</h2>
      <p className="work-hint">
        {t('灰线为前一个同样长的时段，今日未完时与其同一时刻相比')}
        {onDay !== undefined && ` · ${t('点选某天，查看这一天')}`}
      </p>
      <div className="work-curves">
        {curves.map(({ title, unit = '', digits = 0, value, none = 0 }) => (
          <LineChart
            key={title}
            title={title}
            unit={unit}
            digits={digits}
            min={0}
            labels={names}
            openFrom={openDayOf(names)}
            {...(onDay !== undefined && { onSelect: select })}
            values={series(days, names, value, none)}
            before={series(before, daysBetween(old.from, old.to), value, none)}
          />
        ))}
      </div>
    </section>
  )
}
