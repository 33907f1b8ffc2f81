import { AppError } from '@saddle/contract/errors.ts'
import {
  reportFields,
  reportList,
  type reportStatisticsEndpoints,
} from '@saddle/contract/operations/statistics/reports.ts'
import { workGroupsMax } from '@saddle/contract/operations/statistics/span.ts'
import type { stationStatisticsEndpoints } from '@saddle/contract/operations/statistics/stations.ts'
import type { vehicleStatisticsEndpoints } from '@saddle/contract/operations/statistics/vehicles.ts'
import {
  spreadMinutes,
  workPageCodes,
  workPageKinds,
  workTaskFields,
  workTaskList,
  type WorkFilter,
  type WorkPage,
  type workStatisticsEndpoints,
} from '@saddle/contract/operations/statistics/work.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { Photos } from '#photos/public.ts'
import { readFindings } from './findings.ts'
import { reportFiguresOf, reportFileRow, reportOf, reportRows, selectInspections, selectReportSums } from './reports.ts'
import { figuresOf, fileRowOf } from './rules.ts'
import { areasOf, spanOf } from './span.ts'
import { selectPhotoIds, selectWorkSums, type Work } from './store.ts'
import { createVehicleHandlers } from './vehicleHandlers.ts'
import { workTaskOf, workTaskRows } from './workList.ts'

interface Deps {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>
  readonly audit: Audit
  readonly photos: Pick<Photos, 'read'>
}

type WorkCalls = typeof workStatisticsEndpoints
type ReportCalls = typeof reportStatisticsEndpoints
export type StatisticsCalls = WorkCalls &
  ReportCalls &
  typeof vehicleStatisticsEndpoints &
  typeof stationStatisticsEndpoints

/** Figures of finished work, of reported faults, of vehicles and of stations, and the rows behind them. */
export function createStatisticsHandlers(deps: Deps): Handlers<StatisticsCalls> {
  return { ...createWorkHandlers(deps), ...createReportHandlers(deps), ...createVehicleHandlers(deps.kit) }
}

function createWorkHandlers(deps: Deps): Handlers<WorkCalls> {
  const { kit, photos } = deps
  const tasks = serveList(deps, workTaskList, {
    name: 'work',
    prepare: (filter, call) => {
      mayRead(call, filter.page)
      return { span: spanOf(filter, kit.clock.now()) }
    },
    rows: workTaskRows,
    present: workTaskOf,
    file: { action: 'work.export', fields: workTaskFields, present: (row) => fileRowOf(workTaskOf(row)) },
  })
  return {
    workFigures: async ({ filter }, call) => {
      const work = workOf(kit, call, filter)
      const rows = await kit.db.read(call.scope, (k) => selectWorkSums(work).compile(k))
      return { suc: true, data: figuresOf(rows, { groups: workGroupsMax, parts: spreadMinutes.length + 1 }) }
    },

    workFindings: async ({ filter }, call) => ({
      suc: true,
      data: await readFindings(kit, { page: filter.page, work: workOf(kit, call, filter) }),
    }),

    workTasks: tasks.page,
    exportWork: tasks.file,

    workPhotos: async ({ page, id }, call) => {
      mayRead(call, page)
      const { scope } = call
      const kinds = workPageKinds[page]
      const [row] = await kit.db.read(scope, (k) => selectPhotoIds({ id, kinds, scope }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      return { suc: true, data: { photos: await photos.read(scope, { purpose: 'task', ids: row.photo_ids }) } }
    },
  }
}

function createReportHandlers(deps: Deps): Handlers<ReportCalls> {
  const { kit } = deps
  const reports = serveList(deps, reportList, {
    name: 'inspection-reports',
    prepare: (filter) => ({ span: spanOf(filter, kit.clock.now()) }),
    rows: reportRows,
    present: reportOf,
    file: { action: 'work.export_reports', fields: reportFields, present: reportFileRow },
  })
  return {
    reportFigures: async ({ filter: { areaIds, persons, ...days } }, { scope }) => {
      const query = { span: spanOf(days, kit.clock.now()), areaIds: areasOf(scope, areaIds), persons, scope }
      const [sums, inspections] = await Promise.all([
        kit.db.read(scope, (k) => selectReportSums(query).compile(k)),
        kit.db.read(scope, (k) => selectInspections(query).compile(k)),
      ])
      const done = (isBefore: boolean) => inspections.find((row) => row.is_before === isBefore)?.count ?? 0
      return {
        suc: true,
        data: { ...reportFiguresOf(sums), inspections: done(false), inspectionsBefore: done(true) },
      }
    },

    listReports: reports.page,
    exportReports: reports.file,
  }
}

/** One call serves several pages: the code of the page that is asked for has to be held. */
function mayRead(call: SessionCall, page: WorkPage): void {
  if (!call.caller.permissions.has(workPageCodes[page])) throw new AppError('forbidden')
}

function workOf(kit: Pick<Kit, 'clock'>, call: SessionCall, filter: WorkFilter): Work {
  const { page, areaIds, persons, ...days } = filter
  mayRead(call, page)
  const { scope } = call
  const span = spanOf(days, kit.clock.now())
  return { kinds: workPageKinds[page], span, areaIds: areasOf(scope, areaIds), persons, scope }
}
