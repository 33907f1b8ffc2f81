import { useMemo, useState, type ReactNode } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
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
import {
  dimensionLabels,
  dimensionsOf,
  metricOf,
  type Dimension,
  type MetricName,
} from '@saddle/contract/reports/metrics.ts'
import { dimensionsOfReport, reports, type ReportName } from '@saddle/contract/reports/reports.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { Chart } from '#kit/charts/Chart.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { ListFilters } from '#kit/list/filters/FilterBar.tsx'
import { One } from '#kit/list/Choices.tsx'
import { areas, many } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import { SpanPicker } from '#kit/list/SpanPicker.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { spanOf, type Span } from '#kit/span.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { cellText, drawnValue, lookOf, rowName } from './figureText.ts'
import { ReportFigures } from './ReportFigures.tsx'
import { rowsLink } from './rowsLink.ts'
import './reports.css'

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

/** By what the rows of a page are told apart, and over which days: in the address. */
function useReportParams(report: ReportName) {
  const [params, setParams] = useSearchParams()
  const known = dimensionsOfReport(report)
  const by = known.find((dimension) => dimension === params.get('by')) ?? 'day'
  const change = (part: Readonly<Record<string, string>>): void =>
    setParams((old) => {
      const next = new URLSearchParams(old)
      for (const [name, value] of Object.entries(part)) next.set(name, value)
      return next
    })
  return {
    by,
    known,
    span: spanOf(params, { max: reportDaysMax, usual: usualDays }),
    setBy: (dimension: Dimension) => change({ by: dimension }),
    setSpan: ({ from, to }: Span) => change({ from, to }),
  }
}

/** A report: its figures beside those before, drawn, and row by row; each figure of orders opens the orders behind it. */
export function FiguresPage({ report }: { readonly report: ReportName }): ReactNode {
  const { by, known, span, setBy, setSpan } = useReportParams(report)
  const declaration = useMemo(() => listOfReport(report), [report])
  const list = useList(declaration, { fixed: { report, by, ...span }, refreshEveryMs })
  const narrow = list.conditions as ReportNarrow
  const { data, error, refetch } = useEndpoint(
    reportFigureEndpoints.readReport,
    { filter: { report, by, ...span, ...narrow } },
    { keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  const figures = data?.data
  const mayOpen = usePermissions().held.has('1601')
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t(reports[report].title)}</h1>
        <SpanPicker span={span} presets={presets} onSpan={setSpan} />
      </header>
      <fieldset className="report-by" aria-label={t('分组')}>
        {known.map((dimension) => (
          <Button key={dimension} look={dimension === by ? 'primary' : 'quiet'} onClick={() => setBy(dimension)}>
            {t(dimensionLabels[dimension])}
          </Button>
        ))}
      </fieldset>
      <ListFilters list={list} filters={filtersOf(report)} />
      {figures === undefined ? (
        error === null ? (
          <Loading size="page" />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <ReportFigures
            report={report}
            figures={figures}
            linkOf={(name) => (mayOpen ? rowsLink(name, { by, narrow, bounds: boundsOf(figures) }) : null)}
          />
          <ReportChart report={report} by={by} figures={figures} narrow={narrow} mayOpen={mayOpen} />
          <ListCard
            list={list}
            label={t(reports[report].title)}
            columns={columnsOf({ report, by, narrow, mayOpen })}
            rowName={(row) => rowName(by, row)}
          />
          <Formulas report={report} freshAt={figures.freshAt} />
        </>
      )}
    </div>
  )
}

/** The whole span. */
const boundsOf = ({ rows }: Figures): Pick<ReportRow, 'fromAt' | 'toAt'> => ({
  fromAt: Math.min(...rows.map(({ fromAt }) => fromAt)),
  toAt: Math.max(...rows.map(({ toAt }) => toAt)),
})

const filtersOf = (report: ReportName) => [
  areas<ReportNarrow>('areaIds'),
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
  readonly narrow: ReportNarrow
  readonly mayOpen: boolean
}

const columnsOf =
  ({ report, by, narrow, mayOpen }: Shown) =>
  (): readonly ColumnSpec<ReportListRow>[] => [
    { key: 'name', title: t(dimensionLabels[by]), sort: 'key', card: 'head', render: (row) => rowName(by, row) },
    ...metricsBy(report, by).map((name): ColumnSpec<ReportListRow> => ({
      key: name,
      numeric: true,
      render: (row) => {
        const text = cellText(name, row[name])
        const to = mayOpen && (row[name] ?? 0) !== 0 ? rowsLink(name, { by, narrow, key: row.key, bounds: row }) : null
        return to === null ? text : <Link to={to}>{text}</Link>
      },
    })),
  ]

/** The figures that can be told apart by a dimension. */
const metricsBy = (report: ReportName, by: Dimension): readonly MetricName[] =>
  reports[report].metrics.filter((name) => dimensionsOf(name).includes(by))

function ReportChart({ report, by, figures, narrow, mayOpen }: Shown & { readonly figures: Figures }): ReactNode {
  const names = metricsBy(report, by)
  const [chosen, choose] = useState<MetricName | null>(null)
  const navigate = useNavigate()
  const name = names.find((one) => one === chosen) ?? names[0]
  if (name === undefined || figures.rows.length === 0) return null
  const { unit, digits } = lookOf(name)
  const isTime = by === 'day' || by === 'month' || by === 'hour'
  const { rows, before } = figures
  const kind = isTime && by !== 'hour' ? ('line' as const) : ('bar' as const)
  const own = {
    name: t(metricOf(name).title),
    values: rows.map((row) => drawnValue(name, row.values[name])),
    unit,
    digits,
    kind,
  }
  const old = {
    name: t('前一时段'),
    values: rows.map((_, index) => drawnValue(name, before.rows[index]?.values[name])),
    unit,
    digits,
    kind,
    isBefore: true,
  }
  const open = (index: number): void => {
    const row = rows[index]
    const to = row === undefined || !mayOpen ? null : rowsLink(name, { by, narrow, key: row.key, bounds: row })
    if (to !== null) void navigate(to)
  }
  return (
    <section className="page-card">
      <div className="report-choice">
        <One
          label={t('图中的指标')}
          value={name}
          options={names.map((one) => ({ value: one, label: t(metricOf(one).title) }))}
          onChange={(next) => choose(next ?? null)}
        />
      </div>
      <Chart
        title={t(metricOf(name).title)}
        labels={rows.map((row) => rowName(by, row))}
        series={isTime ? [own, old] : [own]}
        height={280}
        hasZoom={rows.length > 60}
        onSelect={open}
      />
    </section>
  )
}

/** What each figure is, and how old it may be. */
function Formulas({ report, freshAt }: { readonly report: ReportName; readonly freshAt: number }): ReactNode {
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
      <p>{t('{{at}} 之前的变动都已计入。', { at: dateTime(freshAt) })}</p>
    </details>
  )
}
