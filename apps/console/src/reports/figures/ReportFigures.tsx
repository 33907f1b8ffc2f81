import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { reportFigureEndpoints } from '@saddle/contract/reports/figures.ts'
import { metricOf, type MetricName } from '@saddle/contract/reports/metrics.ts'
import { reports, type ReportName } from '@saddle/contract/reports/reports.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { changeOf } from '#kit/span.ts'
import '#kit/charts/figures.css'
import { figureText } from './figureText.ts'

type Figures = AnswerOf<typeof reportFigureEndpoints.readReport>['data']

/** Figures that are shown large. */
const largeMax = 6

interface Props {
  readonly report: ReportName
  readonly figures: Figures
  /** The rows behind a figure. */
  readonly linkOf: (name: MetricName) => string
}

/** The first figures of a report over the whole span, with their formulas and what they were before. */
export function ReportFigures({ report, figures, linkOf }: Props): ReactNode {
  return (
    <div className="figures report-figures">
      {reports[report].metrics.slice(0, largeMax).map((name) => (
        <Large key={name} name={name} figures={figures} to={linkOf(name)} />
      ))}
    </div>
  )
}

function Large({ name, figures, to }: { readonly name: MetricName; readonly figures: Figures; readonly to: string }) {
  const { total, compared, before, yearBefore } = figures
  const { title, formula } = metricOf(name)
  return (
    <Link className="figure" to={to}>
      <span>{t(title)}</span>
      <b>{figureText(name, total[name])}</b>
      <small>
        <Change name={name} title={t('较前一时段')} now={compared[name]} then={before.total[name]} />
        <Change name={name} title={t('较去年同期')} now={compared[name]} then={yearBefore.total[name]} />
      </small>
      <small className="report-formula">{t(formula)}</small>
    </Link>
  )
}

/** Beside next to nothing a percentage says nothing. */
const shownMaxPercent = 999

const changeText = (change: number): string =>
  change > shownMaxPercent ? `>+${shownMaxPercent}%` : `${change > 0 ? '+' : ''}${change.toFixed(1)}%`

type Value = number | null | undefined

function Change(props: {
  readonly name: MetricName
  readonly title: string
  readonly now: Value
  readonly then: Value
}) {
  const { name, title, now, then } = props
  if (now === null || now === undefined || then === null || then === undefined) return null
  const change = changeOf(now, then)
  if (change === null) return null
  const isBetter = metricOf(name).isBad === true ? change < 0 : change > 0
  const tone = Math.abs(change) < 0.05 ? undefined : isBetter ? 'good' : 'warn'
  return (
    <span className="report-change" data-tone={tone}>
      {title} {changeText(change)}
    </span>
  )
}
