import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { overviewMetrics, type Overview } from '@saddle/contract/reports/overview.ts'
import { metricOf, type MetricName } from '@saddle/contract/reports/metrics.ts'
import { t } from '#kit/i18n/index.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { signedTenths } from '#kit/number.ts'
import { changeOf } from '#kit/span.ts'
import '#kit/charts/figures.css'
import { figureText } from '../figures/figureText.ts'
import { rowsLink } from '../figures/rowsLink.ts'
import { comparedIn } from './useOverview.ts'

const ordersCode = '1601'

interface Props {
  readonly overview: Overview
}

/** The figures of the day beside the day and the week before; each opens its orders where a list can show them. */
export function OverviewFigures({ overview }: Props): ReactNode {
  const mayOpen = usePermissions().held.has(ordersCode)
  const { fromAt, toAt } = overview
  const { day } = comparedIn(overview)
  return (
    <div className="figures home-overview">
      {overviewMetrics.map((name, index) => {
        const figure = overview.figures[index]
        if (figure === undefined) return null
        const to = mayOpen ? rowsLink(name, { by: 'day', narrow: {}, bounds: { fromAt, toAt } }) : null
        const body = (
          <>
            <span>{t(metricOf(name).title)}</span>
            <b>{figureText(name, figure.now)}</b>
            <small>
              <Beside
                name={name}
                title={day === 'today' ? t('较昨天') : t('较前天')}
                now={figure.now}
                before={figure.dayBefore}
              />
              <Beside name={name} title={t('较上周')} now={figure.now} before={figure.weekBefore} />
            </small>
            <small className="report-formula">{t(metricOf(name).formula)}</small>
          </>
        )
        return to === null ? (
          <div key={name} className="figure">
            {body}
          </div>
        ) : (
          <Link key={name} className="figure" to={to}>
            {body}
          </Link>
        )
      })}
    </div>
  )
}

interface BesideProps {
  readonly name: MetricName
  readonly title: string
  readonly now: number | null
  readonly before: number | null
}

/** A share is compared in points of a per cent, everything else in per cent. */
function Beside({ name, title, now, before }: BesideProps) {
  if (now === null || before === null) return null
  const { unit, isBad } = metricOf(name)
  const isShare = unit === 'percent'
  const change = isShare ? now - before : changeOf(now, before)
  if (change === null) return null
  const isBetter = isBad === true ? change < 0 : change > 0
  const tone = Math.abs(change) < 0.05 ? undefined : isBetter ? 'good' : 'warn'
  const text = signedTenths(change)
  return (
    <span className="report-change" data-tone={tone}>
      {title} {isShare ? t('{{change}} 个百分点', { change: text }) : `${text}%`}
    </span>
  )
}
