import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { overviewBases, overviewDays, type Overview } from '@saddle/contract/reports/overview.ts'
import { metricOf } from '@saddle/contract/reports/metrics.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { Chart } from '#kit/charts/Chart.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Segments } from '#kit/plain/Segments.tsx'
import { usePermissions } from '#kit/session/permissions.ts'
import { PageBones } from '#kit/ui/Bones.tsx'
import { StaleNote } from '#kit/ui/StaleNote.tsx'
import { Empty, ErrorState } from '#kit/ui/states.tsx'
import { drawnValue, lookOf } from '../figures/figureText.ts'
import { rowsLink } from '../figures/rowsLink.ts'
import { DemoNote } from './DemoNote.tsx'
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
          <Segments
            label={t('日期')}
            options={overviewDays.map((one) => ({ value: one, label: dayWords[one]() }))}
            value={day}
            onChange={setDay}
          />
          <Segments
            label={t('对比')}
            options={overviewBases.map((one) => ({
              value: one,
              label: t('比{{basis}}', { basis: basisWords({ day, basis: one }) }),
            }))}
            value={basis}
            onChange={setBasis}
          />
        </div>
      </header>
      <DemoNote />
      {isEmpty === true && <FirstSteps />}
      <StaleNote reading={query} />
      <Queues />
      {overview === undefined || isEmpty === undefined ? (
        query.error === null ? (
          <PageBones />
        ) : (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        )
      ) : (
        !isEmpty && <Story overview={overview} isNext={query.isPlaceholderData} />
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
      {isWithoutRides(overview) ? (
        <NoRides basis={basis} />
      ) : (
        <div className="home-hours">
          <HoursChart name="rides" overview={overview} basis={basis} />
          <HoursChart name="netCents" overview={overview} basis={basis} />
        </div>
      )}
    </div>
  )
}

const isWithoutRides = ({ hours }: Overview): boolean =>
  hours.every(({ rides, netCents }) =>
    [rides.now, rides.before, netCents.now, netCents.before].every((value) => (value ?? 0) === 0),
  )

/** Vehicles that nobody rides: what a ride needs. */
function NoRides({ basis }: { readonly basis: string }) {
  return (
    <>
      <section className="page-card">
        <Empty title={t('没有骑行可比较')} text={t('这一天与{{basis}}都没有骑行。', { basis })} />
      </section>
      <FirstSteps />
    </>
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
