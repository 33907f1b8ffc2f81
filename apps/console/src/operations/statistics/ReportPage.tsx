import type { ReactNode } from 'react'
import { Link } from 'react-router'
import {
  reportFields,
  reportGroupFields,
  reportList,
  reportNarrowSchema,
  reportStatisticsEndpoints,
  type InspectionReport,
  type NamedReports,
  type ReportGroup,
  type ReportSum,
} from '@saddle/contract/operations/statistics/reports.ts'
import { workDaysMax } from '@saddle/contract/operations/statistics/span.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { Bars } from '#kit/charts/Bars.tsx'
import { Figure } from '#kit/charts/Figure.tsx'
import { versus } from '#kit/charts/versus.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import { Moment, type ColumnSpec } from '#kit/list/table/columns.tsx'
import { heldListOf, useHeldList } from '#kit/list/useHeldList.ts'
import { useList } from '#kit/list/useList.ts'
import { useEndpoint } from '#kit/query.ts'
import { DayCurves } from './DayCurves.tsx'
import { part, ratio, share, whoAndWhere } from './question.ts'
import { DaysOfWork, NoWork, StatisticsFrame, useSpan } from './StatisticsFrame.tsx'
import { personFilters } from './WorkPage.tsx'

type Figures = AnswerOf<typeof reportStatisticsEndpoints.reportFigures>['data']

const refreshEveryMs = minuteMs
const reasonsMax = 12
const hourS = 3_600

const reports = listOf({
  // The page says the days.
  list: { ...reportList, filter: reportNarrowSchema },
  call: reportStatisticsEndpoints.listReports,
  file: reportStatisticsEndpoints.exportReports,
  fields: reportFields,
})

/** Faults that inspections reported: what, by whom and where, whether a repair confirmed them, and how soon. */
export default function ReportPage(): ReactNode {
  const [span, setSpan] = useSpan({ max: workDaysMax, usual: 7 })
  const list = useList(reports, { fixed: { ...span }, refreshEveryMs })
  const narrow = whoAndWhere(list.conditions as { areaIds?: number[]; persons?: string[] })
  const reading = useEndpoint(
    reportStatisticsEndpoints.reportFigures,
    { filter: { ...span, ...narrow } },
    { keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  const figures = reading.data?.data
  return (
    <StatisticsFrame
      title={t('巡检上报统计')}
      head={<DaysOfWork span={span} onSpan={setSpan} />}
      list={list}
      filters={personFilters(figures?.persons ?? [], narrow.persons)}
      reading={reading}
      empty={
        figures?.total.reports === 0 ? (
          <NoWork
            title={t('这段时间巡检没有上报故障')}
            text={t('共完成 {{count}} 次巡检。巡检人员在“现场作业”完成巡检时选择发现的故障，即计入这里。', {
              count: figures.inspections,
            })}
            onSpan={setSpan}
          />
        ) : null
      }
    >
      {figures !== undefined && (
        <>
          <ReportFigures figures={figures} />
          <DayCurves
            span={span}
            days={figures.days}
            before={figures.daysBefore}
            curves={[
              { title: t('上报故障'), value: (sum) => sum.reports },
              { title: t('已维修'), value: (sum) => sum.confirmed },
            ]}
          />
          <Reasons figures={figures} />
          <Group title={t('按人员')} rows={figures.persons} />
          <Group title={t('按服务区')} rows={figures.areas} />
          <ListCard list={list} label={t('上报记录')} columns={columns} rowName={({ number }) => number} />
        </>
      )}
    </StatisticsFrame>
  )
}

const hoursOf = (sum: ReportSum): number => part(sum.repairSeconds / hourS, sum.confirmed)

function ReportFigures({ figures }: { readonly figures: Figures }) {
  const { total, before } = figures
  return (
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
  )
}

function Reasons({ figures }: { readonly figures: Figures }) {
  return (
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
  )
}

const groups = heldListOf<ReportGroup>({
  name: 'report-groups',
  fields: reportGroupFields,
  sorts: {
    reports: ['desc', ({ reports: count }) => count],
    vehicles: ['desc', ({ vehicles }) => vehicles],
    confirmedPercent: ['desc', ({ confirmedPercent }) => confirmedPercent],
    repairHours: ['desc', ({ repairHours }) => repairHours],
  },
  rowKey: ({ areaId, name }) => `${areaId ?? ''} ${name}`,
})

const groupColumns: readonly ColumnSpec<ReportGroup>[] = [
  { key: 'name', card: 'head' },
  'reports',
  'vehicles',
  { key: 'confirmedPercent', render: ({ confirmed, reports: count }) => share(confirmed, count) },
  { key: 'repairHours', render: ({ repairHours }) => repairHours?.toFixed(1) ?? '--' },
]

function Group({ title, rows }: { readonly title: string; readonly rows: readonly NamedReports[] }) {
  const shown = rows.map((row) => ({
    ...row,
    confirmedPercent: ratio(100 * row.confirmed, row.reports),
    repairHours: ratio(row.repairSeconds / hourS, row.confirmed),
  }))
  const list = useHeldList(groups, { rows: shown, fileName: `reports-${title}` })
  if (rows.length === 0) return null
  return (
    <section>
      <h2 className="work-title">{title}</h2>
      <ListCard list={list} label={title} columns={groupColumns} rowName={({ name }) => name} />
    </section>
  )
}

const columns = (): readonly ColumnSpec<InspectionReport>[] => [
  'reportedAt',
  {
    key: 'number',
    card: 'head',
    render: ({ number }) => <Link to={`/vehicle-info?vehicle=${number}`}>{number}</Link>,
  },
  'areaName',
  { key: 'reason', card: 'head' },
  { key: 'note', isOptional: true },
  'personName',
  {
    key: 'settledAt',
    render: ({ settledAt, repairId }) =>
      settledAt === null ? (
        t('待维修')
      ) : repairId === null ? (
        <Moment at={settledAt} />
      ) : (
        <Link to={`/data/operation-tasks?task=${repairId}`}>
          <Moment at={settledAt} />
        </Link>
      ),
  },
  {
    key: 'repairHours',
    numeric: true,
    render: ({ reportedAt, settledAt }) => (settledAt === null ? '--' : ((settledAt - reportedAt) / hourMs).toFixed(1)),
  },
]
