import { AppError } from '@saddle/contract/errors.ts'
import {
  reportListMax,
  spreadMinutes,
  workCountMax,
  workExportPartRows,
  workGroupsMax,
  workPageCodes,
  workPageKinds,
  type statisticsEndpoints,
  type WorkListFilter,
  type WorkPage,
} from '@saddle/contract/operations/statistics.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { businessTime, csvPart } from '#kit/csv.ts'
import type { Kit } from '#kit/kit.ts'
import { randomUuid } from '#kit/random.ts'
import type { Photos } from '#photos/public.ts'
import { createCarHandlers } from './carHandlers.ts'
import { readFindings } from './findings.ts'
import { workTaskOf } from './present.ts'
import {
  areasOf,
  figuresOf,
  readCursor,
  spanOf,
  workCsvRow,
  workCsvTitles,
  writeCursor,
  type WorkCursor,
} from './rules.ts'
import { reportFiguresOf, reportOf, selectInspections, selectReports, selectReportSums } from './reports.ts'
import { countTasks, selectPhotoIds, selectTasks, selectWorkSums, type Work } from './store.ts'

type Parts = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>
  readonly audit: Audit
  readonly photos: Pick<Photos, 'read'>
}

type WorkAsked = Pick<WorkListFilter, 'page' | 'from' | 'to' | 'areaIds' | 'persons'>

/** Figures of finished work, and the tasks behind each of them. */
export function createStatisticsHandlers(parts: Parts): Handlers<typeof statisticsEndpoints> {
  const { kit, photos } = parts
  const page = async (call: SessionCall, filter: WorkListFilter, after: WorkCursor | null, limit: number) => {
    // One more than is shown: whether there is a next page.
    const asked = { ...workOf(kit, call, filter), filter, after, limit: limit + 1 }
    const rows = await kit.db.read(call.scope, (k) => selectTasks(asked).compile(k))
    const list = rows.slice(0, limit).map(workTaskOf)
    const last = rows.length > limit ? list.at(-1) : undefined
    return { list, nextCursor: last === undefined ? null : writeCursor(last) }
  }
  return {
    workFigures: async (asked, call) => {
      const work = workOf(kit, call, asked)
      const rows = await kit.db.read(call.scope, (k) => selectWorkSums(work).compile(k))
      return { suc: true, data: figuresOf(rows, { groups: workGroupsMax, parts: spreadMinutes.length + 1 }) }
    },

    workFindings: async (asked, call) => ({
      suc: true,
      data: await readFindings(kit, { page: asked.page, work: workOf(kit, call, asked) }),
    }),

    workTasks: async ({ filter, cursor, pageSize }, call) => {
      const after = cursor === undefined ? null : readCursor(cursor)
      const counting = { ...workOf(kit, call, filter), filter, limit: workCountMax }
      const [found, counted] = await Promise.all([
        page(call, filter, after, pageSize),
        after === null ? kit.db.read(call.scope, (k) => countTasks(counting).compile(k)) : null,
      ])
      return { suc: true, data: { ...found, count: counted === null ? null : (counted[0]?.count ?? 0) } }
    },

    workPhotos: async ({ page: asked, id }, call) => {
      mayRead(call, asked)
      const { scope } = call
      const kinds = workPageKinds[asked]
      const [row] = await kit.db.read(scope, (k) => selectPhotoIds({ id, kinds, scope }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      return { suc: true, data: { photos: await photos.read(scope, { purpose: 'task', ids: row.photo_ids }) } }
    },

    exportWork: async ({ filter, cursor, exportId: given }, call) => {
      const after = cursor === undefined ? null : readCursor(cursor)
      const exportId = given ?? randomUuid(kit.random)
      const { list, nextCursor } = await page(call, filter, after, workExportPartRows)
      await parts.audit.noteExport(call, {
        exportId,
        action: 'work.export',
        detail: { filter },
        isFirst: after === null,
      })
      const atMs = kit.clock.now()
      const origin = { exportId, operatorName: call.caller.name }
      const fileName = `work-${filter.page}-${businessTime(atMs).slice(0, 10)}-${exportId.slice(0, 8)}.csv`
      const text = csvPart({ origin, titles: workCsvTitles, isFirst: after === null, lines: list.map(workCsvRow) })
      return { suc: true, data: { exportId, fileName, text, rows: list.length, nextCursor } }
    },

    reportFigures: async ({ from, to, areaIds, persons }, { scope }) => {
      const asked = { span: spanOf({ from, to }, kit.clock.now()), areaIds: areasOf(scope, areaIds), persons, scope }
      const [sums, inspections, list] = await Promise.all([
        kit.db.read(scope, (k) => selectReportSums(asked).compile(k)),
        kit.db.read(scope, (k) => selectInspections(asked).compile(k)),
        kit.db.read(scope, (k) => selectReports(asked).compile(k)),
      ])
      const done = (isBefore: boolean) => inspections.find((row) => row.is_before === isBefore)?.count ?? 0
      return {
        suc: true,
        data: {
          ...reportFiguresOf(sums),
          inspections: done(false),
          inspectionsBefore: done(true),
          list: list.slice(0, reportListMax).map(reportOf),
          isCut: list.length > reportListMax,
        },
      }
    },

    ...createCarHandlers(kit),
  }
}

/** One call serves several pages: the code of the page that is asked for has to be held. */
function mayRead(call: SessionCall, page: WorkPage): void {
  if (!call.caller.permissions.has(workPageCodes[page])) throw new AppError('forbidden')
}

function workOf(kit: Pick<Kit, 'clock'>, call: SessionCall, { page, from, to, areaIds, persons }: WorkAsked): Work {
  mayRead(call, page)
  const { scope } = call
  const span = spanOf({ from, to }, kit.clock.now())
  return { kinds: workPageKinds[page], span, areaIds: areasOf(scope, areaIds), persons, scope }
}
