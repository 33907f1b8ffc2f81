import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { taskEndpoints } from '@saddle/contract/operations/tasks.ts'
import { reportFigureEndpoints } from '@saddle/contract/reports/figures.ts'
import { metricOf, type MetricName } from '@saddle/contract/reports/metrics.ts'
import { reports } from '@saddle/contract/reports/reports.ts'
import { businessDayStart, dayMs, minuteMs } from '@saddle/contract/time.ts'
import { Figure } from '#kit/charts/Figure.tsx'
import { versus } from '#kit/charts/versus.ts'
import { serverNow } from '#kit/clock.ts'
import { dateOnly } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint, useReadings } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { figureText } from '../figures/figureText.ts'
import { DemoNote } from './DemoNote.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { OverviewFigures } from './OverviewFigures.tsx'
import { useIsEmptyFleet } from './Queues.tsx'
import { comparedIn, dayWords, useOverview } from './useOverview.ts'
import '../figures/reports.css'

const refreshEveryMs = minuteMs
const tasksCode = '0909'

/** Today by what the person is there for: areas, money, or work on the street. */
export default function Today(): ReactNode {
  const { held } = usePermissions()
  const isEmpty = useIsEmptyFleet()
  if (isEmpty === true) return <FirstSteps />
  return (
    <>
      <DemoNote />
      {held.has('02') ? <Areas /> : held.has(reports.daily.permission) ? <Money /> : held.has(tasksCode) && <Work />}
    </>
  )
}

function Areas() {
  const { overview } = useOverview()
  return (
    <section className="home-today" aria-labelledby="home-today">
      <h2 id="home-today">
        {overview === undefined ? t('今天') : dayWords[comparedIn(overview).day]()}
        <Link to="/home">{t('变化原因')}</Link>
      </h2>
      {overview === undefined ? <div className="home-today-waits" /> : <OverviewFigures overview={overview} />}
    </section>
  )
}

const moneyMetrics = [
  'channelNet',
  'netCents',
  'income',
  'recharged',
  'refundedCents',
] as const satisfies readonly MetricName[]

/** Today's money beside the same hours of yesterday, as the daily report has it. */
function Money() {
  const today = dateOnly(serverNow())
  const { data } = useEndpoint(
    reportFigureEndpoints.readReport,
    { filter: { report: 'daily', by: 'day', from: today, to: today } },
    { keepPrevious: true, refetchIntervalMs: refreshEveryMs, quiet: true },
  )
  const figures = data?.data
  const link = `${reports.daily.path}?${new URLSearchParams({ from: today, to: today })}`
  return (
    <section className="home-today" aria-labelledby="home-today">
      <h2 id="home-today">
        {t('今天')}
        <Link to={link}>{t('每日统计')}</Link>
      </h2>
      {figures === undefined ? (
        <div className="home-today-waits" />
      ) : (
        <div className="figures home-overview">
          {moneyMetrics.map((name) => (
            <Link key={name} className="figure" to={link}>
              <span>{t(metricOf(name).title)}</span>
              <b>{figureText(name, figures.total[name])}</b>
              <small>
                {versus(figures.compared[name] ?? 0, figures.before.total[name], metricOf(name).isBad === true).note}
              </small>
              <small className="report-formula">{t(metricOf(name).formula)}</small>
            </Link>
          ))}
        </div>
      )}
    </section>
  )
}

type Counted = { readonly data: { readonly count: number | null } }

/** The person's own work until now, and until this time of yesterday and of this day a week ago. */
function Work() {
  const now = Math.floor(serverNow() / minuteMs) * minuteMs
  const start = businessDayStart(dateOnly(now))
  const daysAgo = (days: number) => ({
    mine: true,
    states: ['done'] as const,
    doneFrom: start - days * dayMs,
    doneTo: now - days * dayMs,
  })
  const filters = [{ mine: true, states: ['done'] as const, doneFrom: start }, daysAgo(1), daysAgo(7)]
  const answers = useReadings(
    filters.map((filter) => ({ endpoint: taskEndpoints.searchTasks, input: { filter, pageSize: 1 } })),
    { refetchIntervalMs: refreshEveryMs },
  )
  const counts = answers.map(({ data }) => (data as Counted | undefined)?.data.count ?? null)
  const titles = [t('我今天完成的任务'), t('我昨日同时完成的任务'), t('我上周同时完成的任务')]
  return (
    <section className="home-today" aria-labelledby="home-today">
      <h2 id="home-today">{t('今天')}</h2>
      <div className="figures home-overview">
        {filters.map((filter, index) => (
          <Figure
            key={titles[index]}
            label={titles[index] ?? ''}
            value={counts[index] ?? '--'}
            to={`/data/operation-tasks?${new URLSearchParams({ filter: JSON.stringify(filter) })}`}
          />
        ))}
      </div>
    </section>
  )
}
