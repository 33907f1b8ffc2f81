import { useState, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import {
  statisticsEndpoints,
  workDaysMax,
  workNarrowSchema,
  type InspectionReport,
  type NamedReports,
  type ReportSum,
  type WorkNarrow,
} from '@saddle/contract/operations/statistics.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { Bars } from '#kit/charts/Bars.tsx'
import { Figure } from '#kit/charts/Figure.tsx'
import { LineChart } from '#kit/charts/LineChart.tsx'
import { versus } from '#kit/charts/versus.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { changeFilter, useAddressFilter } from '#kit/list/addressFilter.ts'
import { Areas, Many } from '#kit/list/Choices.tsx'
import { DataTable, type Column, type Sort } from '#kit/list/DataTable.tsx'
import { FilterBar } from '#kit/list/FilterBar.tsx'
import { SpanPicker } from '#kit/list/SpanPicker.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { daysBetween, lastDays, spanBefore, spanOf, type Span } from '#kit/span.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { part, share, whoAndWhere } from './question.ts'
import './statistics.css'

type Figures = AnswerOf<typeof statisticsEndpoints.reportFigures>['data']

const presets = [7, 14, 30] as const
const refreshEveryMs = minuteMs
const reasonsMax = 12
const minuteS = 60

/** Faults that inspections reported: what, by whom and where, whether a repair confirmed them, and how soon. */
export default function ReportPage(): ReactNode {
  const [params, setParams] = useSearchParams()
  const [narrow, setNarrow] = useAddressFilter<WorkNarrow>(workNarrowSchema)
  const span = spanOf(params, { max: workDaysMax, usual: 7 })
  const setSpan = ({ from, to }: Span) =>
    setParams((old) => {
      const next = new URLSearchParams(old)
      next.set('from', from)
      next.set('to', to)
      return next
    })
  const { data, error, refetch } = useEndpoint(
    statisticsEndpoints.reportFigures,
    { ...span, ...whoAndWhere(narrow) },
    { keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  const figures = data?.data
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('巡检上报统计')}</h1>
        <SpanPicker span={span} presets={presets} onSpan={setSpan} />
      </header>
      <Narrowing narrow={narrow} persons={figures?.persons.map(({ name }) => name) ?? []} onNarrow={setNarrow} />
      {figures === undefined ? (
        error === null ? (
          <Loading size="page" />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : figures.total.reports === 0 ? (
        <Empty
          size="page"
          title={t('这段时间巡检没有上报故障')}
          text={t('共完成 {{count}} 次巡检。巡检人员在“现场作业”完成巡检时选择发现的故障，即计入这里。', {
            count: figures.inspections,
          })}
          action={<Button onClick={() => setSpan(lastDays(30))}>{t('看近 30 天')}</Button>}
        />
      ) : (
        <Whole figures={figures} span={span} />
      )}
    </div>
  )
}

interface NarrowingProps {
  readonly narrow: Partial<WorkNarrow>
  readonly persons: readonly string[]
  readonly onNarrow: (narrow: Partial<WorkNarrow>) => void
}

function Narrowing({ narrow, persons, onNarrow }: NarrowingProps) {
  const names = [...new Set([...persons, ...(narrow.persons ?? [])])]
  return (
    <FilterBar count={Object.keys(narrow).length} onClear={() => onNarrow({})}>
      <Areas value={narrow.areaIds} onChange={(areaIds) => onNarrow(changeFilter(narrow, { areaIds }))} />
      <Many
        label={t('人员')}
        value={narrow.persons}
        options={names.map((name) => ({ value: name, label: name }))}
        onChange={(chosen) => onNarrow(changeFilter(narrow, { persons: chosen }))}
      />
    </FilterBar>
  )
}

const hoursOf = (sum: ReportSum): number => part(sum.repairSeconds / (60 * minuteS), sum.confirmed)

function Whole({ figures, span }: { readonly figures: Figures; readonly span: Span }) {
  const { total, before } = figures
  return (
    <>
      <div className="figures">
        <Figure label={t('上报故障')} value={total.reports} unit={t('个')} {...versus(total.reports, before.reports)} />
        <Figure
          label={t('每百次巡检上报')}
          value={share(total.reports, figures.inspections)}
          unit={t('个')}
          note={t('共完成 {{count}} 次巡检', { count: figures.inspections })}
        />
        <Figure
          label={t('涉及车辆')}
          value={total.vehicles}
          unit={t('辆')}
          {...versus(total.vehicles, before.vehicles)}
        />
        <Figure
          label={t('维修确认率')}
          value={share(total.confirmed, total.reports)}
          unit="%"
          note={t('{{count}} 个尚未维修', { count: total.reports - total.confirmed })}
        />
        <Figure
          label={t('平均修复用时')}
          value={total.confirmed === 0 ? '--' : hoursOf(total).toFixed(1)}
          unit={t('小时')}
          {...versus(hoursOf(total), before.confirmed === 0 ? null : hoursOf(before), true)}
        />
      </div>
      <section className="page-card">
        <h2>{t('按天')}</h2>
        <p className="work-hint">{t('虚线为前一个同样长的时段，今日未完时与其同一时刻相比')}</p>
        <Curves figures={figures} span={span} />
      </section>
      <section className="page-card">
        <h2>{t('故障原因')}</h2>
        <Bars
          label={t('故障原因')}
          bars={figures.reasons.slice(0, reasonsMax).map((row) => ({
            key: row.name,
            label: row.name,
            value: row.reports,
            text: t('{{count}} 个 · 确认 {{share}}%', { count: row.reports, share: share(row.confirmed, row.reports) }),
          }))}
        />
      </section>
      <Group title={t('按人员')} rows={figures.persons} />
      <Group title={t('按服务区')} rows={figures.areas} />
      <Reports list={figures.list} isCut={figures.isCut} />
    </>
  )
}

function Curves({ figures, span }: { readonly figures: Figures; readonly span: Span }) {
  const days = daysBetween(span.from, span.to)
  const old = spanBefore(span.from, span.to)
  const series = (list: readonly NamedReports[], names: readonly string[], value: (sum: ReportSum) => number) => {
    const byDay = new Map(list.map((row) => [row.name, row]))
    return names.map((day) => {
      const row = byDay.get(day)
      return row === undefined ? 0 : value(row)
    })
  }
  const curve = (title: string, value: (sum: ReportSum) => number) => (
    <LineChart
      title={title}
      unit=""
      min={0}
      labels={days}
      values={series(figures.days, days, value)}
      before={series(figures.daysBefore, daysBetween(old.from, old.to), value)}
    />
  )
  return (
    <div className="work-curves">
      {curve(t('上报故障'), (sum) => sum.reports)}
      {curve(t('已维修'), (sum) => sum.confirmed)}
    </div>
  )
}

type NumberColumn = Column<NamedReports> & { readonly value: (row: NamedReports) => number }

const groupColumns = (): readonly NumberColumn[] => {
  const shared = { numeric: true, sortable: true } as const
  return [
    { key: 'reports', title: t('上报故障'), ...shared, value: (row) => row.reports, render: (row) => row.reports },
    { key: 'vehicles', title: t('涉及车辆'), ...shared, value: (row) => row.vehicles, render: (row) => row.vehicles },
    {
      key: 'confirmed',
      title: t('维修确认率'),
      unit: '%',
      ...shared,
      value: (row) => part(row.confirmed, row.reports),
      render: (row) => share(row.confirmed, row.reports),
    },
    {
      key: 'hours',
      title: t('平均修复用时'),
      unit: t('小时'),
      ...shared,
      value: hoursOf,
      render: (row) => (row.confirmed === 0 ? '--' : hoursOf(row).toFixed(1)),
    },
  ]
}

function Group({ title, rows }: { readonly title: string; readonly rows: readonly NamedReports[] }) {
  const [sort, setSort] = useState<Sort>({ by: 'reports', direction: 'desc' })
  if (rows.length === 0) return null
  const numbers = groupColumns()
  const by = numbers.find(({ key }) => key === sort.by)
  const way = sort.direction === 'asc' ? 1 : -1
  return (
    <section className="page-card">
      <h2>{title}</h2>
      <DataTable<NamedReports>
        label={title}
        columns={[{ key: 'name', title: t('名称'), inHead: true, render: (row) => row.name }, ...numbers]}
        rows={rows.toSorted((a, b) => way * ((by?.value(a) ?? 0) - (by?.value(b) ?? 0)))}
        rowKey={(row) => `${row.areaId ?? ''} ${row.name}`}
        sort={sort}
        onSort={setSort}
        cardHead={(row) => row.name}
      />
    </section>
  )
}

const vehicleLink = (row: InspectionReport) => <Link to={`/vehicle-info?vehicle=${row.number}`}>{row.number}</Link>

function Reports({ list, isCut }: { readonly list: readonly InspectionReport[]; readonly isCut: boolean }) {
  const minutes = ({ reportedAt, settledAt }: InspectionReport): string =>
    settledAt === null ? '--' : ((settledAt - reportedAt) / hourMs).toFixed(1)
  return (
    <section className="page-card">
      <h2>{t('上报记录')}</h2>
      {isCut && <p className="work-hint">{t('只列出最近的 {{count}} 条，请缩小范围', { count: list.length })}</p>}
      <DataTable<InspectionReport>
        label={t('上报记录')}
        columns={[
          { key: 'at', title: t('上报时间'), render: (row) => dateTime(row.reportedAt) },
          { key: 'vehicle', title: t('车辆'), inHead: true, render: vehicleLink },
          { key: 'area', title: t('服务区'), render: (row) => row.areaName },
          { key: 'reason', title: t('故障原因'), render: (row) => row.reason },
          { key: 'person', title: t('人员'), render: (row) => row.personName ?? '--' },
          {
            key: 'state',
            title: t('状态'),
            render: (row) => (row.settledAt === null ? t('待维修') : t('{{at}} 修复', { at: dateTime(row.settledAt) })),
          },
          { key: 'hours', title: t('修复用时'), unit: t('小时'), numeric: true, render: minutes },
        ]}
        rows={list}
        rowKey={(row) => row.id}
        cardHead={vehicleLink}
      />
    </section>
  )
}
