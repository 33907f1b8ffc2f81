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
} from '@saddle/contract/operations/statistics/reports.ts'
import { workDaysMax } from '@saddle/contract/operations/statistics/span.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { Bars } from '#kit/charts/Bars.tsx'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import { Moment, type ColumnSpec } from '#kit/list/table/columns.tsx'
import { heldListOf, useHeldList } from '#kit/list/useHeldList.ts'
import { useList } from '#kit/list/useList.ts'
import { useEndpoint } from '#kit/query.ts'
import { DayCurves } from './DayCurves.tsx'
import { share, whoAndWhere } from './question.ts'
import { StatisticsFigure, statisticsCurve, statisticsText, statisticsValue } from './StatisticsFigure.tsx'
import { DaysOfWork, NoWork, StatisticsFrame, useSpan } from './StatisticsFrame.tsx'
import { personFilters } from './WorkPage.tsx'

type Figures = AnswerOf<typeof reportStatisticsEndpoints.reportFigures>['data']

const refreshEveryMs = minuteMs
const reasonsMax = 12

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
            curves={[statisticsCurve('faults'), { title: t('已维修'), value: (sum) => sum.confirmed }]}
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

function ReportFigures({ figures }: { readonly figures: Figures }) {
  const { total, before, inspections } = figures
  const sums = { total: { ...total, inspections }, before }
  return (
    <div className="figures">
      <StatisticsFigure name="faults" {...sums} unit={t('个')} />
      <StatisticsFigure
        name="faultsPerHundred"
        {...sums}
        unit={t('个')}
        note={t('共完成 {{count}} 次巡检', { count: inspections })}
      />
      <StatisticsFigure name="faultVehicles" {...sums} unit={t('辆')} />
      <StatisticsFigure
        name="faultConfirmedPercent"
        {...sums}
        note={t('{{count}} 个尚未维修', { count: total.reports - total.confirmed })}
      />
      <StatisticsFigure name="faultRepairHours" {...sums} unit={t('小时')} />
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
  {
    key: 'confirmedPercent',
    render: ({ confirmedPercent }) => statisticsText('faultConfirmedPercent', confirmedPercent),
  },
  { key: 'repairHours', render: ({ repairHours }) => statisticsText('faultRepairHours', repairHours) },
]

function Group({ title, rows }: { readonly title: string; readonly rows: readonly NamedReports[] }) {
  const shown = rows.map((row) => ({
    ...row,
    confirmedPercent: statisticsValue('faultConfirmedPercent', row),
    repairHours: statisticsValue('faultRepairHours', row),
  }))
  const list = useHeldList(groups, { rows: shown, fileName: `reports-${title}` })
  if (rows.length === 0) return null
  return (
    <section>
      <h2 className="work-heading">{title}</h2>
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
