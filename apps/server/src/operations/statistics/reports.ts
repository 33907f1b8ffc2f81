import { sql } from 'kysely'
import { reportList, type InspectionReport, type ReportSum } from '@saddle/contract/operations/statistics/reports.ts'
import { workGroupsMax } from '@saddle/contract/operations/statistics/span.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { tableList } from '#kit/list/tableList.ts'
import { countsOf } from './counts.ts'
import type { Span } from './span.ts'
import type { Work } from './store.ts'

export type ReportsQuery = Pick<Work, 'span' | 'areaIds' | 'persons' | 'scope'>

const reportRow = rowsOf(
  rowOfValues({
    is_before: computed('boolean', sql`g.is_before`),
    part: computed('text', sql`g.part`),
    name: computed('text', sql`case g.part when 'area' then sa.name else g.label end`),
    area_id: computed('bigint?', sql`g.area_id`),
  }).codes({ part: ['total', 'day', 'reason', 'person', 'area'] }),
  countsOf('g', ['reports', 'vehicles', 'confirmed', 'repair_seconds']),
)
export type ReportRow = RowOf<typeof reportRow>

/** Reports of inspections within the span and the one before it: the latter as far into its last day as now is into this one's. */
export function selectReportSums({ span, areaIds, persons, scope }: ReportsQuery) {
  const named = persons === undefined ? sql`` : sql`and f.person_name = any (${persons}::text[])`
  return reportRow.select`
    from (
      select f.is_before,
        case when grouping(f.day) = 0 then 'day' when grouping(f.reason) = 0 then 'reason'
          when grouping(f.person_name) = 0 then 'person' when grouping(f.area_id) = 0 then 'area' else 'total' end as part,
        case when grouping(f.day) = 0 then to_char(f.day, 'YYYY-MM-DD')
          else coalesce(f.reason, f.person_name, '') end as label,
        f.area_id, count(*) as reports, count(distinct f.vehicle_id) as vehicles,
        count(f.settled_at) as confirmed,
        coalesce(sum(extract(epoch from f.settled_at - f.reported_at)), 0)::bigint as repair_seconds
      from (
        select f.area_id, f.vehicle_id, f.reason, coalesce(f.person_name, '') as person_name, f.reported_at, f.settled_at,
          business_day(f.reported_at) as day, f.reported_at < ${span.start} as is_before
        from fault_report f
        where f.source = 'inspection' and f.area_id = any (${areaIds}::bigint[])
          and f.agent_id = any (${scope.agentIds}::bigint[]) and f.reported_at >= ${span.beforeStart}
          and f.reported_at < ${span.end} and not (f.reported_at >= ${span.beforeEnd} and f.reported_at < ${span.start})
          ${named}
      ) f
      group by grouping sets ((f.is_before), (f.is_before, f.day), (f.is_before, f.reason), (f.is_before, f.person_name),
        (f.is_before, f.area_id))
    ) g left join service_area sa on sa.id = g.area_id and g.part = 'area'
    order by g.part, g.reports desc, g.label`
}

/** Inspections done in the span and in the one before: what the reports are a share of. */
export function selectInspections({ span, areaIds, persons, scope }: ReportsQuery) {
  const named = persons === undefined ? sql`` : sql`and t.person_name = any (${persons}::text[])`
  return rowOfValues({
    is_before: computed('boolean', sql`t.done_at < ${span.start}`),
    count: computed('bigint', sql`count(*)`),
  }).select`
    from task t
    where t.kind = 'inspect' and t.state = 'done' and t.area_id = any (${areaIds}::bigint[])
      and t.agent_id = any (${scope.agentIds}::bigint[]) and t.done_at >= ${span.beforeStart} and t.done_at < ${span.end}
      and not (t.done_at >= ${span.beforeEnd} and t.done_at < ${span.start}) ${named}
    group by 1`
}

const reportLine = rowsOf(
  rowOf('fault_report', 'f', [
    'id',
    'vehicle_id',
    'reason',
    'note',
    'person_name',
    'reported_at',
    'settled_at',
    'task_id as repair_id',
    'inspection_id',
  ]),
  rowOf('vehicle', 'v', ['number']),
  rowOf('service_area', 'sa', ['name as area_name']),
)
export const reportOf = (row: RowOf<typeof reportLine>): InspectionReport => reportLine.present(row)

/** A report as a file has it, with the hours until its repair. */
export function reportFileRow(row: RowOf<typeof reportLine>): object {
  const report = reportOf(row)
  const { reportedAt, settledAt } = report
  return {
    ...report,
    repairHours: settledAt === null ? null : Math.round((settledAt - reportedAt) / (hourMs / 10)) / 10,
  }
}

export const reportRows = tableList(reportList, {
  table: 'fault_report',
  alias: 'f',
  tenant: 'area',
  columns: reportLine,
  joins: sql`join vehicle v on v.id = f.vehicle_id join service_area sa on sa.id = f.area_id`,
  sorts: { reported: ['reported_at', 'instant'] },
  find: ({ areaIds, persons }, { span }: { readonly span: Span }) => ({
    areaIds,
    where: [
      sql`f.source = 'inspection' and f.reported_at >= ${span.start} and f.reported_at < ${span.end}`,
      persons && sql`f.person_name = any (${persons}::text[])`,
    ],
  }),
})

const nothing: ReportSum = { reports: 0, vehicles: 0, confirmed: 0, repairSeconds: 0 }

function sumOf(row: ReportRow): ReportSum {
  const { reports, vehicles, confirmed, repairSeconds } = reportRow.present(row)
  return { reports, vehicles, confirmed, repairSeconds }
}

/** The rows of one query, each where it belongs. */
export function reportFiguresOf(rows: readonly ReportRow[]) {
  const part = (wanted: ReportRow['part'], isBefore = false) =>
    rows.filter((row) => row.part === wanted && row.is_before === isBefore)
  const named = (wanted: ReportRow['part'], isBefore = false) =>
    part(wanted, isBefore)
      .slice(0, workGroupsMax)
      .map((row) => Object.assign(sumOf(row), { name: row.name, areaId: row.area_id }))
  const [total] = part('total')
  const [before] = part('total', true)
  return {
    total: total === undefined ? nothing : sumOf(total),
    before: before === undefined ? nothing : sumOf(before),
    days: named('day'),
    daysBefore: named('day', true),
    reasons: named('reason'),
    persons: named('person').filter(({ name }) => name !== ''),
    areas: named('area'),
  }
}
