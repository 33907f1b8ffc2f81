import type { Fields } from '@saddle/contract/list.ts'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { analysisEndpoints, analysisMaxDays, type FleetDay } from '@saddle/contract/fleet/analysis.ts'
import { metricOf } from '@saddle/contract/reports/metrics.ts'
import { statisticsMetrics } from '@saddle/contract/reports/statisticsMetrics.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { Figure, FigureBones } from '#kit/charts/Figure.tsx'
import { LineChart } from '#kit/charts/LineChart.tsx'
import { versus } from '#kit/charts/versus.ts'
import { dateOnly, dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { ExportButton } from '#kit/list/ExportButton.tsx'
import { readTable, tableOf } from '#kit/list/shownTable.ts'
import { SpanPicker } from '#kit/list/SpanPicker.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { daysBetween, lastDays, openDayOf, spanBefore, spanOf, type Span } from '#kit/span.ts'
import { StaleNote } from '#kit/ui/StaleNote.tsx'
import { Empty, ErrorState } from '#kit/ui/states.tsx'
import { listLink } from '../search/link.ts'
import { AreaList } from './AreaList.tsx'
import { sumOf, type Sum } from './days.ts'
import { HourTable } from './HourTable.tsx'
import './analysis.css'

const refreshEveryMs = minuteMs
const presets = [7, 14, 30] as const

/** How well the fleet is used, by area and day. */
export default function OperationalAnalysisPage(): ReactNode {
  const [params, setParams] = useSearchParams()
  const span = spanOf(params, { max: analysisMaxDays, usual: 7 })
  const before = spanBefore(span.from, span.to)
  const setSpan = ({ from, to }: Span) => setParams({ from, to })
  const options = { keepPrevious: true, refetchIntervalMs: refreshEveryMs }
  const now = useEndpoint(analysisEndpoints.analyseOperation, span, options)
  const list = now.data?.data.list
  const madeAt = now.data?.data.madeAt ?? null
  const part = madeAt === null ? {} : samePart({ span, before, madeAt })
  const then = useEndpoint(
    analysisEndpoints.analyseOperation,
    { ...before, ...part },
    { keepPrevious: true, quiet: true },
  )
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('运营分析')}</h1>
        {madeAt !== null && <span className="page-note">{t('今日数据截至 {{at}}', { at: dateTime(madeAt) })}</span>}
        <SpanPicker span={span} presets={presets} onSpan={setSpan} />
        {list !== undefined && list.length > 0 && (
          <ExportButton onExport={readTable(`operation-${span.from}-${span.to}`, tableOf(dayFields, list))} />
        )}
      </header>
      <StaleNote reading={now} />
      {list === undefined ? (
        now.error === null ? (
          <FigureBones />
        ) : (
          <ErrorState error={now.error} onRetry={() => void now.refetch()} />
        )
      ) : list.length === 0 ? (
        <Empty
          size="page"
          title={t('这段时间没有运营数据')}
          action={<Button onClick={() => setSpan(lastDays(30))}>{t('看近 30 天')}</Button>}
        />
      ) : (
        <Whole list={list} before={then.data?.data.list} span={span} />
      )}
    </div>
  )
}

/** While the last day is incomplete, the last day of the previous span counts up to the same time. */
function samePart(given: { span: Span; before: Span; madeAt: number }): { until?: number } {
  const { span, before, madeAt } = given
  if (dateOnly(madeAt) !== span.to) return {}
  const cut = madeAt - (Date.parse(span.to) - Date.parse(before.to))
  // By the minute, as often as the figures are read.
  return { until: Math.ceil(cut / minuteMs) * minuteMs }
}

interface WholeProps {
  readonly list: readonly FleetDay[]
  readonly before: readonly FleetDay[] | undefined
  readonly span: Span
}

function Whole({ list, before, span }: WholeProps) {
  const sum = sumOf(list)
  const days = daysBetween(span.from, span.to)
  // Half a span would be compared with a whole one otherwise.
  const isWhole = new Set(before?.map((row) => row.day)).size === days.length
  const was = before !== undefined && isWhole ? sumOf(before) : null
  const daily = days.map((day) => sumOf(list.filter((row) => row.day === day)))
  const previous = spanBefore(span.from, span.to)
  const dailyBefore = daysBetween(previous.from, previous.to).map((day) =>
    sumOf((before ?? []).filter((row) => row.day === day)),
  )
  const series = (value: (sum: Sum) => number | null) => daily.map((one) => (one.vehicles === 0 ? null : value(one)))
  const seriesBefore = (value: (sum: Sum) => number | null) =>
    dailyBefore.map((one) => (one.vehicles === 0 ? null : value(one)))
  const curve = (title: string, unit: string, digits: number, value: (one: Sum) => number | null) => (
    <LineChart
      title={title}
      unit={unit}
      digits={digits}
      min={0}
      labels={days}
      openFrom={openDayOf(days)}
      values={series(value)}
      before={seriesBefore(value)}
    />
  )
  return (
    <>
      <div className="figures">
        <Figure label={t(metricOf('trips').title)} value={sum.trips} {...versus(sum.trips, was?.trips)} />
        <Figure
          label={t(metricOf('tripsPerVehicleDay').title)}
          value={sum.turnover.toFixed(2)}
          unit={t('次/车/天')}
          {...versus(sum.turnover, was?.turnover)}
        />
        <Figure
          label={t(metricOf('utilisationPercent').title)}
          value={(100 * sum.utilisation).toFixed(1)}
          unit="%"
          {...versus(sum.utilisation, was?.utilisation)}
        />
        <Figure
          label={t(metricOf('idlePercent').title)}
          value={(100 * sum.idleShare).toFixed(1)}
          unit="%"
          {...versus(sum.idleShare, was?.idleShare, true)}
          to={listLink({ idleHoursFrom: 24 })}
        />
        <Figure
          label={t(metricOf('tripMetres').title)}
          value={Math.round(sum.distanceM / 1_000)}
          unit="km"
          {...versus(sum.distanceM, was?.distanceM)}
        />
        <Figure
          label={t(statisticsMetrics.batteryPercent.title)}
          value={sum.batteryPercent?.toFixed(1) ?? '--'}
          unit="%"
          {...versus(sum.batteryPercent ?? 0, was?.batteryPercent)}
        />
      </div>
      <section className="page-card">
        <h2>{t('按天')}</h2>
        <p className="analysis-hint">{t('灰线为前一个同样长的时段，今日未完时与其同一时刻相比')}</p>
        <div className="vi-curves analysis-curves">
          {curve(t(metricOf('trips').title), '', 0, (one) => one.trips)}
          {curve(t(metricOf('tripsPerVehicleDay').title), '', 2, (one) => one.turnover)}
          {curve(t(metricOf('utilisationPercent').title), '%', 1, (one) => 100 * one.utilisation)}
          {curve(t(metricOf('idlePercent').title), '%', 1, (one) => 100 * one.idleShare)}
          {curve(t(statisticsMetrics.batteryPercent.title), '%', 1, (one) => one.batteryPercent)}
          {curve(t('低电量车辆'), '', 0, (one) => one.lowBattery)}
        </div>
      </section>
      <HourTable from={span.from} to={span.to} />
      <AreaList list={list} />
    </>
  )
}

const dayFields: Fields<FleetDay> = {
  day: '日期',
  areaName: '服务区',
  company: '加盟商',
  vehicles: { title: '车辆', as: 'count' },
  ridden: { title: '被骑车辆', as: 'count' },
  trips: { title: metricOf('trips').title, as: 'count' },
  rideSeconds: { title: '骑行秒数', as: 'count' },
  distanceM: { title: metricOf('tripMetres').title, as: 'metres' },
  batteryPercent: { title: statisticsMetrics.batteryPercent.title, as: 'count', unit: '%' },
  lowBattery: { title: '低电量车辆', as: 'count' },
}
