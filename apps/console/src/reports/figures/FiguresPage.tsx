import { lazy, Suspense, useMemo, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { paymentChannelLabels } from '@saddle/contract/finance/payments.ts'
import {
  reportDaysMax,
  reportFieldsOf,
  reportFigureEndpoints,
  reportNarrowSchema,
  reportRowList,
  type ReportListRow,
  type ReportNarrow,
  type ReportRow,
} from '@saddle/contract/reports/figures.ts'
import { dimensionLabels, metricOf, type Dimension, type MetricName } from '@saddle/contract/reports/metrics.ts'
import { dimensionsOfReport, reports, type ReportName } from '@saddle/contract/reports/reports.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { ListFilters } from '#kit/list/filters/FilterBar.tsx'
import { areas, many } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import { SpanPicker } from '#kit/list/SpanPicker.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Segments } from '#kit/plain/Segments.tsx'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { lastDays, spanOf, type Span } from '#kit/span.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { CalendarNote } from '../calendar/CalendarNote.tsx'
import { ScheduleButton } from '../schedules/ScheduleButton.tsx'
import { BehindNote, freshText } from './BehindNote.tsx'
import { cellText, metricsBy, rowName } from './figureText.ts'
import { ReportChart } from './ReportChart.tsx'
import { ReportFigures } from './ReportFigures.tsx'
import { rowsLink } from './rowsLink.ts'
import './reports.css'

const SourceSheet = lazy(async () => {
  const { SourceSheet: Loaded } = await loadChunk(() => import('../sources/SourceSheet.tsx'))
  return { default: Loaded }
})

type Figures = AnswerOf<typeof reportFigureEndpoints.readReport>['data']

const refreshEveryMs = minuteMs
const presets = [1, 7, 30, 90] as const
const usualDays = 30

const listOfReport = (report: ReportName) =>
  listOf({
    // The page says the span and the rest.
    list: { ...reportRowList, filter: reportNarrowSchema },
    call: reportFigureEndpoints.listReportRows,
    file: reportFigureEndpoints.exportReportRows,
    fields: reportFieldsOf(report),
    rowKey: ({ key }: ReportListRow) => key,
    name: `report-${report}`,
  })

const param = { by: 'by', from: 'from', to: 'to', days: 'days', figure: 'figure', row: 'row' } as const

/** The number of days that end today, where the address has no fixed span: a saved view stays up to date. */
function daysOf(params: URLSearchParams): number {
  const days = Number(params.get(param.days))
  return Number.isInteger(days) && days >= 1 && days <= reportDaysMax ? days : usualDays
}

/** By what the rows of a page are told apart, over which days, and which figure is open: in the address. */
function useReportParams(report: ReportName) {
  const [params, setParams] = useSearchParams()
  const known = dimensionsOfReport(report)
  const by = known.find((dimension) => dimension === params.get(param.by)) ?? 'day'
  const change = (part: Readonly<Record<string, string | null>>): void =>
    setParams((old) => changed(old, { ...part, [param.figure]: null, [param.row]: null }))
  const linkOf = (metric: MetricName, row: string | null): string =>
    `?${changed(params, { [param.figure]: metric, [param.row]: row })}`
  const metric = reports[report].metrics.find((name) => name === params.get(param.figure))
  const view = new URLSearchParams(params)
  for (const name of [param.figure, param.row]) view.delete(name)
  return {
    by,
    known,
    span: params.has(param.from) ? spanOf(params, { max: reportDaysMax, usual: usualDays }) : lastDays(daysOf(params)),
    /** The figure whose rows are open, and in which row of the report it stands. */
    opened: metric === undefined ? null : { metric, key: params.get(param.row) ?? undefined },
    linkOf,
    close: () => change({}),
    view: {
      search: view.toString(),
      ask: (search: string) => setParams(new URLSearchParams(search)),
    },
    setBy: (dimension: Dimension) => change({ [param.by]: dimension }),
    setSpan: ({ from, to }: Span) => {
      const days = presets.find((count) => {
        const last = lastDays(count)
        return last.from === from && last.to === to
      })
      change(
        days === undefined
          ? { [param.from]: from, [param.to]: to, [param.days]: null }
          : { [param.from]: null, [param.to]: null, [param.days]: String(days) },
      )
    },
  }
}

function changed(params: URLSearchParams, part: Readonly<Record<string, string | null>>): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(part)) {
    if (value === null) next.delete(name)
    else next.set(name, value)
  }
  return next
}

/** A report: its figures beside those before, drawn, and row by row; each figure opens the rows that it is made of. */
export function FiguresPage({ report }: { readonly report: ReportName }): ReactNode {
  const { by, known, span, opened, linkOf, close, view, setBy, setSpan } = useReportParams(report)
  const declaration = useMemo(() => listOfReport(report), [report])
  const list = useList(declaration, { fixed: { report, by, ...span }, refreshEveryMs, view })
  const narrow = list.conditions as ReportNarrow
  const filter = { report, by, ...span, ...narrow }
  const { data, error, refetch } = useEndpoint(
    reportFigureEndpoints.readReport,
    { filter },
    { keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  const figures = data?.data
  const mayOpen = usePermissions().held.has('1601')
  const models = useModels(report)
  return (
    <div className="page">
      <header className="page-head report-head">
        <h1>{t(reports[report].title)}</h1>
        <CalendarNote />
        <ScheduleButton report={report} />
        <SpanPicker span={span} presets={presets} onSpan={setSpan} />
      </header>
      <Segments
        label={t('分组')}
        options={known.map((dimension) => ({ value: dimension, label: t(dimensionLabels[dimension]) }))}
        value={by}
        onChange={setBy}
      />
      <ListFilters list={list} filters={filtersOf(report, models)} />
      {figures === undefined ? (
        error === null ? (
          <Loading size="page" />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <BehindNote freshAt={figures.freshAt} />
          <ReportFigures report={report} by={by} figures={figures} linkOf={(name) => linkOf(name, null)} />
          <ReportChart filter={filter} figures={figures} linkOf={linkOf} />
          <ListCard
            list={list}
            label={t(reports[report].title)}
            columns={columnsOf({ report, by, linkOf })}
            rowName={(row) => rowName(by, row)}
          />
          <Formulas report={report} freshAt={figures.freshAt} />
          {opened !== null && (
            <Suspense fallback={null}>
              <SourceSheet
                filter={filter}
                figure={figureOfRow({ opened, by, narrow, figures, mayOpen })}
                onClose={close}
              />
            </Suspense>
          )}
        </>
      )}
    </div>
  )
}

interface Opened {
  readonly opened: { readonly metric: MetricName; readonly key: string | undefined }
  readonly by: Dimension
  readonly narrow: ReportNarrow
  readonly figures: Figures
  readonly mayOpen: boolean
}

/** What the report says of a figure, and where its orders are listed. */
function figureOfRow({ opened: { metric, key }, by, narrow, figures, mayOpen }: Opened) {
  const row = key === undefined ? undefined : figures.rows.find((one) => one.key === key)
  const bounds = row ?? boundsOf(figures)
  return {
    metric,
    ...(key !== undefined && { key, rowName: row === undefined ? key : rowName(by, row) }),
    value: key === undefined ? figures.total[metric] : row?.values[metric],
    orders: mayOpen ? rowsLink(metric, { by, narrow, bounds, ...(key !== undefined && { key }) }) : null,
  }
}

/** The whole span. */
const boundsOf = ({ rows }: Figures): Pick<ReportRow, 'fromAt' | 'toAt'> => ({
  fromAt: Math.min(...rows.map(({ fromAt }) => fromAt)),
  toAt: Math.max(...rows.map(({ toAt }) => toAt)),
})

/** Models with orders; none for a report that no model tells apart. */
function useModels(report: ReportName): readonly string[] {
  const enabled = dimensionsOfReport(report).includes('model')
  const { data } = useEndpoint(reportFigureEndpoints.listReportModels, {}, { enabled, quiet: true })
  return data?.data.list ?? []
}

const filtersOf = (report: ReportName, models: readonly string[]) => [
  areas<ReportNarrow>('areaIds'),
  ...(dimensionsOfReport(report).includes('model')
    ? [
        many<ReportNarrow>(
          'models',
          t('车型'),
          models.map((value) => ({ value, label: value })),
        ),
      ]
    : []),
  ...(dimensionsOfReport(report).includes('channel')
    ? [
        many<ReportNarrow>(
          'channels',
          t('支付渠道'),
          Object.entries(paymentChannelLabels).map(([value, label]) => ({ value, label: t(label) })),
        ),
      ]
    : []),
]

interface Shown {
  readonly report: ReportName
  readonly by: Dimension
  /** The rows behind a figure of a row. */
  readonly linkOf: (metric: MetricName, row: string | null) => string
}

const columnsOf =
  ({ report, by, linkOf }: Shown) =>
  (): readonly ColumnSpec<ReportListRow>[] => [
    { key: 'name', title: t(dimensionLabels[by]), sort: 'key', card: 'head', render: (row) => rowName(by, row) },
    ...metricsBy(report, by).map((name): ColumnSpec<ReportListRow> => ({
      key: name,
      numeric: true,
      render: (row) => {
        const text = cellText(name, row[name])
        return (row[name] ?? 0) === 0 ? text : <Link to={linkOf(name, row.key)}>{text}</Link>
      },
    })),
  ]

/** What each figure is, and how old it may be. */
function Formulas({ report, freshAt }: { readonly report: ReportName; readonly freshAt: number | null }): ReactNode {
  return (
    <details className="page-card report-formulas">
      <summary>{t('指标口径')}</summary>
      <dl>
        {reports[report].metrics.map((name) => (
          <div key={name}>
            <dt>{t(metricOf(name).title)}</dt>
            <dd>{t(metricOf(name).formula)}</dd>
          </div>
        ))}
      </dl>
      {freshAt !== null && <p>{freshText(freshAt)}</p>}
    </details>
  )
}
