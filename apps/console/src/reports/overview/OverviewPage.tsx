import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { overviewBases, overviewDays, type Overview } from '@saddle/contract/reports/overview.ts'
import { metricOf } from '@saddle/contract/reports/metrics.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { Chart } from '#kit/charts/Chart.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { usePermissions } from '#kit/session/permissions.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { drawnValue, lookOf } from '../figures/figureText.ts'
import { rowsLink } from '../figures/rowsLink.ts'
import { FirstSteps } from './FirstSteps.tsx'
import { OverviewFigures } from './OverviewFigures.tsx'
import { Queues, useIsEmptyFleet } from './Queues.tsx'
import { Reasons } from './Reasons.tsx'
import { basisWords, comparedIn, dayWords, useOverview } from './useOverview.ts'
import '../figures/reports.css'
import './overview.css'

const ordersCode = '1601'

/** The morning page of somebody who runs areas: what changed and why, and what needs a decision. */
export default function OverviewPage(): ReactNode {
  const { day, setDay, basis, setBasis, query, overview } = useOverview()
  const isEmpty = useIsEmptyFleet()
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('概览')}</h1>
        {overview !== undefined && overview.until !== null && (
          <small className="home-until">
            {query.isError
              ? t('暂时读取不到新的数据，以下截至 {{time}}', { time: dateTime(overview.until) })
              : t('今天截至 {{time}}', { time: dateTime(overview.until) })}
          </small>
        )}
        <div className="home-switch">
          <fieldset className="report-by" aria-label={t('日期')}>
            {overviewDays.map((one) => (
              <Button
                key={one}
                look={one === day ? 'primary' : 'quiet'}
                aria-pressed={one === day}
                onClick={() => setDay(one)}
              >
                {dayWords[one]()}
              </Button>
            ))}
          </fieldset>
          <fieldset className="report-by" aria-label={t('对比')}>
            {overviewBases.map((one) => (
              <Button
                key={one}
                look={one === basis ? 'primary' : 'quiet'}
                aria-pressed={one === basis}
                onClick={() => setBasis(one)}
              >
                {t('比{{basis}}', { basis: basisWords({ day, basis: one }) })}
              </Button>
            ))}
          </fieldset>
        </div>
      </header>
      {isEmpty === true && <FirstSteps />}
      <Queues />
      {overview === undefined ? (
        query.error === null ? (
          <Loading size="page" />
        ) : (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        )
      ) : (
        isEmpty !== true && <Story overview={overview} isNext={query.isPlaceholderData} />
      )}
    </div>
  )
}

/** What the answer tells; it stays while the next one is read. */
function Story({ overview, isNext }: { readonly overview: Overview; readonly isNext: boolean }) {
  const basis = basisWords(comparedIn(overview))
  return (
    <div className="home-story" aria-busy={isNext}>
      <OverviewFigures overview={overview} />
      <Reasons overview={overview} basis={basis} />
      <div className="home-hours">
        <HoursChart name="rides" overview={overview} basis={basis} />
        <HoursChart name="netCents" overview={overview} basis={basis} />
      </div>
    </div>
  )
}

interface HoursProps {
  readonly name: 'rides' | 'netCents'
  readonly overview: Overview
  readonly basis: string
}

/** A figure by hour beside the other day; a point opens the orders of its hour. */
function HoursChart({ name, overview: { hours, fromAt }, basis }: HoursProps) {
  const mayOpen = usePermissions().held.has(ordersCode)
  const navigate = useNavigate()
  const { unit, digits } = lookOf(name)
  const open = (index: number): void => {
    const bounds = { fromAt: fromAt + index * hourMs, toAt: fromAt + (index + 1) * hourMs }
    const to = mayOpen ? rowsLink(name, { by: 'day', narrow: {}, bounds }) : null
    if (to !== null) void navigate(to)
  }
  const title = t(metricOf(name).title)
  return (
    <section className="page-card">
      <Chart
        title={t('{{title}} · 按小时', { title })}
        labels={hours.map(({ hour }) => `${hour}:00`)}
        series={[
          { name: title, values: hours.map((row) => drawnValue(name, row[name].now)), unit, digits, kind: 'line' },
          {
            name: basis,
            values: hours.map((row) => drawnValue(name, row[name].before)),
            unit,
            digits,
            kind: 'line',
            isBefore: true,
          },
        ]}
        height={220}
        {...(mayOpen && { onSelect: open })}
      />
    </section>
  )
}
