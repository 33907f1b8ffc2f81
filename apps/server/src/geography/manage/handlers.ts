import {
  clusterLimits,
  fenceFileFields,
  fenceList,
  fencesPerAreaMax,
  fenceVersionsMax,
  type fenceManageEndpoints,
  type FenceVersion,
} from '@saddle/contract/geography/manage.ts'
import type { Fence } from '@saddle/contract/geography/fences.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { sql } from 'kysely'
import { businessDayOf, dayMs } from '@saddle/contract/time.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { rowOf, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { serveComputedList } from '#kit/list/computedList.ts'
import { guardedFile } from '#kit/list/listFile.ts'
import { detailOf } from '#kit/list/serveList.ts'
import { randomUuid } from '#kit/random.ts'
import { fencesInForce } from '../fences/handlers.ts'
import { fenceOf, fenceRow } from '../fences/rows.ts'
import { nearness } from '../fences/rules.ts'
import { applyPlan, checkMay, type ManageDeps } from './change.ts'
import { checkPlan } from './check.ts'
import { clustersOf } from './clusters.ts'
import { fileRowOf, mapFile } from './export.ts'
import { findManaged, sorted } from './list.ts'
import { showPhotos } from './photos.ts'
import { findAreas } from './store.ts'

/** The effect of a change is judged by those who judge returns. */
type Own = Omit<typeof fenceManageEndpoints, 'fenceEffect'>

const fenceFile = { action: 'fence.export' } as const

const serveFences = (deps: ManageDeps) =>
  serveComputedList(deps, fenceList, {
    name: 'fences',
    all: (filter, call) => findManaged(deps, call.scope, filter),
    sorted,
    file: { action: fenceFile.action, fields: fenceFileFields, present: fileRowOf },
  })

/** Drawing fences: lists, versions, changes, and what to know before a change. */
export function createManageHandlers(deps: ManageDeps): Handlers<Own> {
  const list = serveFences(deps)
  return {
    listElectricFences: async (question, call) => {
      checkMay(call, question.filter.kind ?? 'parking')
      return list.page(question, call)
    },

    electricFence: async ({ lineId }, call) => {
      const list = await versionsOf(deps, call.scope, lineId)
      const [first] = list
      if (first === undefined) throw new AppError('not_found')
      checkMay(call, first.kind)
      return { suc: true, data: { list } }
    },

    fencePhotos: async ({ lineId, version }, call) => {
      checkMay(call, 'parking')
      return { suc: true, data: { photos: await showPhotos(deps, call.scope, { lineId, version }) } }
    },

    createElectricFences: async ({ note, ...adds }, call) => ({
      suc: true,
      data: { list: await applyPlan(deps, call, { changes: [], adds, removes: [], note }) },
    }),

    updateElectricFences: async ({ changes, adds, removes, note }, call) => ({
      suc: true,
      data: { list: await applyPlan(deps, call, { changes, adds, removes, note }) },
    }),

    deleteElectricFences: async ({ fences, note }, call) => {
      await applyPlan(deps, call, { changes: [], adds: undefined, removes: fences, note })
      return { suc: true, data: { removed: fences.length } }
    },

    checkElectricFences: async (plan, call) => {
      checkMay(call, plan.kind)
      const { inForce, ring } = await standing(deps, call, plan.areaId)
      return { suc: true, data: { list: checkPlan(plan, { inForce, area: ring }) } }
    },

    returnClusters: async (asked, call) => {
      checkMay(call, 'parking')
      return { suc: true, data: await findClusters(deps, call, asked) }
    },

    exportElectricFences: exportFences(deps, list),
  }
}

/** Tables are files of the list; a file for maps is made at once, as one document of all fences. */
function exportFences(deps: ManageDeps, list: ReturnType<typeof serveFences>) {
  const { kit, audit } = deps
  const file = guardedFile(list.file, ({ filter }, call) => checkMay(call, filter.kind ?? 'parking'))
  const answer: Handlers<Own>['exportElectricFences'] = async ({ format, ...question }, call) => {
    if (format === 'csv' || format === 'xlsx') return file({ ...question, format }, call)
    await file.file.source.check(question, call)
    const exportId = randomUuid(kit.random)
    const detail = detailOf(fenceList, question.filter)
    await audit.noteExport(call, { exportId, action: fenceFile.action, detail })
    const rows = await list.rows(question, call)
    const fileName = `fences-${businessDayOf(kit.clock.now())}-${exportId.slice(0, 8)}.${format}`
    const text = mapFile(format, rows)
    return { suc: true, data: { exportId, fileName, state: 'done', rows: rows.length, text, base64: null } }
  }
  return Object.assign(answer, { file: file.file })
}

const versionRow = rowsOf(fenceRow, rowOf('fence', 'f', ['valid_to', 'restored_from', 'removed_by', 'removed_note']))

async function versionsOf({ kit }: ManageDeps, scope: Scope, lineId: number): Promise<FenceVersion[]> {
  const query = versionRow.select`
    from fence f
    where f.line_id = ${lineId} and ${tenantFilter('f', scope)} order by f.version desc limit ${fenceVersionsMax}`
  const rows = await kit.db.read(scope, (k) => query.compile(k))
  return rows.map((row) =>
    Object.assign(fenceOf(row), {
      validTo: row.valid_to?.getTime() ?? null,
      restoredFrom: row.restored_from,
      removedBy: row.removed_by,
      removedNote: row.removed_note,
    }),
  )
}

/** The fences of an area of the scope, and its outline. */
async function standing({ kit }: ManageDeps, { scope }: SessionCall, areaId: number) {
  const areas = await kit.db.withScope(scope, (tx) => findAreas(tx, scope, [areaId]))
  const area = areas.get(areaId)
  if (area === undefined) throw new AppError('foreign_scope')
  const { list: inForce } = await fencesInForce(kit, scope, { areaId, max: fencesPerAreaMax + 1 })
  const ring = inForce.find(({ kind }) => kind === 'service_area')?.ring ?? area.ring
  return { inForce, ring }
}

type Asked = {
  readonly areaId: number
  readonly days: number
  readonly apartM: number
  readonly returnsMin: number
  readonly everywhere: boolean
}

const returnCheckRow = rowOf('return_check', 'c', ['lat', 'lng', 'checked_at as at', 'kind']).filled('lat', 'lng')

/** Where vehicles are left in an area beside its parking places, the busiest places first. */
async function findClusters(deps: ManageDeps, call: SessionCall, asked: Asked) {
  const { kit } = deps
  const { scope } = call
  const { inForce } = await standing(deps, call, asked.areaId)
  const query = returnCheckRow.select`
    from return_check c
    where c.accepted and c.area_id = ${asked.areaId} and ${tenantFilter('c', scope)} and c.lat is not null
      and c.checked_at > ${new Date(kit.clock.now() - asked.days * dayMs)}
      ${asked.everywhere ? sql`` : sql`and c.kind in ('out_of_place', 'outside_area', 'no_stop')`}
    order by c.checked_at desc limit ${clusterLimits.returns + 1}`
  const rows = await kit.db.read(scope, (k) => query.compile(k))
  const returns = rows.slice(0, clusterLimits.returns).map(({ lat, lng, at, kind }) => ({
    lat,
    lng,
    day: businessDayOf(at.getTime()),
    charged: kind !== 'in_place' && kind !== 'unknown',
  }))
  const places = inForce.filter(({ kind }) => kind === 'parking')
  const list = clustersOf(returns, asked)
    .slice(0, clusterLimits.clusters)
    .map((cluster) => Object.assign({ nearestM: nearestOf(places, cluster.centre) }, cluster))
  return { list, returns: returns.length, isCut: rows.length > clusterLimits.returns }
}

function nearestOf(places: readonly Fence[], centre: { lat: number; lng: number }): number | null {
  if (places.length === 0) return null
  return Math.round(Math.min(...places.map((place) => nearness(centre, place).distanceM)))
}
