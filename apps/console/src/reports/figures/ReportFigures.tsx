import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { reportFigureEndpoints } from '@saddle/contract/reports/figures.ts'
import { metricOf, type Dimension, type MetricName } from '@saddle/contract/reports/metrics.ts'
import type { ReportName } from '@saddle/contract/reports/reports.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import '#kit/charts/figures.css'
import { Change } from './Change.tsx'
import { figureText, metricsBy } from './figureText.ts'

type Figures = AnswerOf<typeof reportFigureEndpoints.readReport>['data']

/** Figures that are shown large. */
const largeMax = 6

interface Props {
  readonly report: ReportName
  readonly by: Dimension
  readonly figures: Figures
  /** The rows behind a figure. */
  readonly linkOf: (name: MetricName) => string
}

/** The first figures of a report that its rows have, over the whole span, with their formulas and what they were before. */
export function ReportFigures({ report, by, figures, linkOf }: Props): ReactNode {
  return (
    <div className="figures report-figures">
      {metricsBy(report, by)
        .slice(0, largeMax)
        .map((name) => (
          <Large key={name} name={name} figures={figures} to={linkOf(name)} />
        ))}
    </div>
  )
}

function Large({ name, figures, to }: { readonly name: MetricName; readonly figures: Figures; readonly to: string }) {
  const { total, compared, before, yearBefore } = figures
  const { title, formula, isBad = false } = metricOf(name)
  return (
    <Link className="figure" to={to}>
      <span>{t(title)}</span>
      <b>{figureText(name, total[name])}</b>
      <small>
        <Change isBad={isBad} title={t('较前一时段')} now={compared[name]} then={before.total[name]} />
        <Change isBad={isBad} title={t('较去年同期')} now={compared[name]} then={yearBefore.total[name]} />
      </small>
      <small className="report-formula">{t(formula)}</small>
    </Link>
  )
}
