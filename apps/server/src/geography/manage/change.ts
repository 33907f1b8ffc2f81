import type { FenceKind, Fence } from '@saddle/contract/geography/fences.ts'
import {
  fencePermissions,
  fencesPerAreaMax,
  type FenceDraft,
  type fenceManageEndpoints,
} from '@saddle/contract/geography/manage.ts'
import { shapeProblem, shapeProblemLabels } from '@saddle/contract/geography/shape.ts'
import { boundaryProblem, boundaryProblemLabels } from '@saddle/contract/organisation/boundary.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import { byArea, type Audit } from '#audit/public.ts'
import type { SessionCall } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import type { Photos } from '#photos/public.ts'
import { addBoundary } from '../fences/boundary.ts'
import { checkFiles, photosAfter, withFiles } from './photos.ts'
import {
  countInForce,
  endVersions,
  findAreas,
  insertVersions,
  lockLast,
  type AreaRow,
  type LastVersion,
  type NewVersion,
} from './store.ts'

export type ManageDeps = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>
  readonly audit: Audit
  readonly photos: Pick<Photos, 'keep' | 'read'>
}

type Update = InputOf<typeof fenceManageEndpoints.updateElectricFences>
type Change = Update['changes'][number]
type Seen = Update['removes'][number]
/** All that one call does to fences: together or not at all. */
export type Plan = {
  readonly changes: readonly Change[]
  readonly adds: Update['adds']
  readonly removes: readonly Seen[]
  readonly note: string
}

/** Puts a plan into force; the fences that are in force by it. */
export function applyPlan(deps: ManageDeps, call: SessionCall, plan: Plan): Promise<Fence[]> {
  return deps.kit.db.withScope(call.scope, (tx) => applyPlanIn(deps, tx, call, plan)).catch(asRefusal(plan))
}

/** The same in the caller's transaction. */
export async function applyPlanIn(deps: ManageDeps, tx: Tx, call: SessionCall, plan: Plan): Promise<Fence[]> {
  const { changes, adds, removes, note } = plan
  for (const { name, shape } of [...changes, ...(adds?.fences ?? [])]) checkShape(name, shape)
  checkFiles([...changes, ...(adds?.fences ?? [])])
  const lineIds = [...changes, ...removes].map(({ lineId }) => lineId)
  if (new Set(lineIds).size < lineIds.length) throw new AppError('bad_request', { values: { detail: 'lineId' } })
  const last = await lockLast(tx, call.scope, lineIds)
  const seen = (one: Seen): LastVersion => {
    const fence = last.get(one.lineId)
    if (fence === undefined) throw new AppError('not_found')
    checkMay(call, fence.kind)
    if (fence.version !== one.version) throw changedSince(fence)
    return fence
  }
  const changed = changes.map((change) => ({ change, before: seen(change) }))
  const removed = removes.map(seen)
  const at = new Date(deps.kit.clock.now())
  const areas = await findAreas(tx, call.scope, [
    ...changed.map(({ before }) => before.areaId),
    ...(adds === undefined ? [] : [adds.areaId]),
  ])
  await removeFences(tx, call, { removed, at, note })
  const versions = await changeFences(deps, tx, { changed, at })
  const fresh = adds === undefined ? [] : await newFences(deps, tx, call, { areas, adds, at })
  const who = { by: call.caller.name, note }
  const list = await insertVersions(tx, [...versions, ...fresh], who)
  for (const { change, before } of changed.filter((one) => one.before.kind === 'service_area')) {
    list.push(await changeOutline(tx, { area: areas.get(before.areaId), change, before, at, who }))
  }
  if (adds !== undefined && (await countInForce(tx, adds.areaId)) > fencesPerAreaMax) {
    throw new AppError('too_many_fences', { values: { max: fencesPerAreaMax } })
  }
  await writeLines(deps, tx, call, { list, changed, removed, note })
  return list
}

function checkShape(name: string, shape: FenceDraft['shape']): void {
  const problem = shapeProblem(shape)
  if (problem === null) return
  throw new AppError('boundary_invalid', { values: { detail: `${name}：${shapeProblemLabels[problem]}` } })
}

/** Whoever may draw parking places may not therefore draw service areas. */
export function checkMay({ caller }: SessionCall, kind: FenceKind): void {
  if (!caller.permissions.has(fencePermissions[kind])) throw new AppError('forbidden')
}

function changedSince({ name, authorName, version, removedBy }: LastVersion): AppError {
  if (removedBy !== null) return new AppError('fence_removed', { values: { detail: `${name} · ${removedBy}` } })
  const who = authorName === '' ? [] : [authorName]
  return new AppError('fence_changed', { values: { detail: [name, `v${version}`, ...who].join(' · ') } })
}

/** A statement that met another's change in spite of the lock found its key taken. */
export function asRefusal({ changes, adds }: Plan): (error: unknown) => never {
  return (error) => {
    if (!isTaken(error)) throw error
    const names = [...changes, ...(adds?.fences ?? [])].map(({ name }) => name)
    throw new AppError('fence_name_taken', { values: { detail: names.slice(0, 3).join('、') }, cause: error })
  }
}

async function removeFences(
  tx: Tx,
  { caller }: SessionCall,
  { removed, at, note }: { removed: readonly LastVersion[]; at: Date; note: string },
): Promise<void> {
  if (removed.length === 0) return
  const kept = removed.find(({ validTo }) => validTo !== null)
  if (kept !== undefined) throw changedSince(kept)
  if (removed.some(({ kind }) => kind === 'service_area')) throw new AppError('boundary_stays')
  const ids = removed.map(({ id }) => id)
  const ended = await endVersions(tx, ids, { at, removed: { by: caller.name, note } })
  if (ended.size < ids.length) throw new AppError('conflict')
}

type Changed = { readonly change: Change; readonly before: LastVersion }

/** Ends what is in force and says what follows it; a removed fence comes back. */
async function changeFences(
  { photos }: ManageDeps,
  tx: Tx,
  { changed, at }: { changed: readonly Changed[]; at: Date },
): Promise<NewVersion[]> {
  const own = changed.filter(({ before }) => before.kind !== 'service_area')
  const lost = own.find(({ before }) => before.validTo !== null && before.removedBy === null)
  if (lost !== undefined) throw changedSince(lost.before)
  const inForce = own.filter(({ before }) => before.validTo === null)
  const ended = await endVersions(
    tx,
    inForce.map(({ before }) => before.id),
    { at, removed: null },
  )
  if (ended.size < inForce.length) throw new AppError('conflict')
  const versionOf = async ({ change, before }: Changed): Promise<NewVersion> => ({
    lineId: before.lineId,
    agentId: before.agentId,
    areaId: before.areaId,
    kind: before.kind,
    draft: ofKind(before.kind, change),
    photoIds: await photosAfter(tx, before, change),
    version: before.version + 1,
    restoredFrom:
      change.restoredFrom === undefined || change.restoredFrom > before.version ? null : change.restoredFrom,
    validFrom: ended.get(before.lineId) ?? new Date(Math.max(at.getTime(), before.validTo ?? 0)),
  })
  const versions: NewVersion[] = []
  for (const one of own) versions.push(await withFiles(photos, tx, await versionOf(one), one.change.photos))
  return versions
}

/** Only places to park have room and hours. */
const ofKind = (kind: FenceKind, { name, capacity, hours, shape }: FenceDraft): FenceDraft =>
  kind === 'parking' ? { name, capacity, hours, shape } : { name, capacity: null, hours: null, shape }

async function newFences(
  { photos }: ManageDeps,
  tx: Tx,
  call: SessionCall,
  { areas, adds, at }: { areas: ReadonlyMap<number, AreaRow>; adds: NonNullable<Plan['adds']>; at: Date },
): Promise<NewVersion[]> {
  const { areaId, kind, fences } = adds
  checkMay(call, kind)
  if (kind === 'service_area') throw new AppError('boundary_stays')
  const area = areas.get(areaId)
  if (area === undefined) throw new AppError('foreign_scope')
  const own = { lineId: null, agentId: area.agent_id, areaId, kind, version: 1, restoredFrom: null, validFrom: at }
  const versions: NewVersion[] = []
  for (const fence of fences) {
    const version = { ...own, draft: ofKind(kind, fence), photoIds: [] }
    versions.push(await withFiles(photos, tx, version, fence.photos))
  }
  return versions
}

/** A service area has one line around it, which is the area's own as well. */
async function changeOutline(
  tx: Tx,
  options: {
    area: AreaRow | undefined
    change: Change
    before: LastVersion
    at: Date
    who: { readonly by: string; readonly note: string }
  },
): Promise<Fence> {
  const { area, change, before, at, who } = options
  const { shape, restoredFrom } = change
  if (area === undefined) throw new AppError('foreign_scope')
  if (before.validTo !== null) throw changedSince(before)
  const problem = 'ring' in shape ? boundaryProblem(shape.ring) : null
  if (problem !== null) throw new AppError('boundary_invalid', { values: { detail: boundaryProblemLabels[problem] } })
  if (!('ring' in shape) || shape.holes.length > 0) throw new AppError('boundary_one_line')
  const [lngs, lats] = [shape.ring.map(([lng]) => lng), shape.ring.map(([, lat]) => lat)]
  const centre = {
    lat: (Math.min(...lats) + Math.max(...lats)) / 2,
    lng: (Math.min(...lngs) + Math.max(...lngs)) / 2,
  }
  await tx
    .updateTable('service_area')
    .set({ ring: JSON.stringify(shape.ring), centre_lat: centre.lat, centre_lng: centre.lng })
    .where('id', '=', area.id)
    .where('agent_id', '=', area.agent_id)
    .execute()
  await addBoundary({
    tx,
    at,
    boundary: {
      agentId: area.agent_id,
      areaId: area.id,
      name: area.name,
      centre,
      ring: shape.ring,
      author: { name: who.by, note: who.note, restoredFrom: restoredFrom ?? null },
    },
  })
  const [line] = (await lockLast(tx, scopeOfAgent(area.agent_id, [area.id]), [before.lineId])).values()
  if (line === undefined) throw new AppError('conflict')
  return line
}

type Done = {
  readonly list: readonly Fence[]
  readonly changed: readonly Changed[]
  readonly removed: readonly LastVersion[]
  readonly note: string
}

/** One line for each area and kind of act: its fences are named, their shapes stand in the versions. */
async function writeLines({ audit }: ManageDeps, tx: Tx, call: SessionCall, done: Done): Promise<void> {
  const known = new Map(done.changed.map(({ before }) => [before.lineId, before]))
  const acts = [
    ...done.list.map((fence) => ({ action: known.has(fence.lineId) ? 'fence.change' : 'fence.create', fence })),
    ...done.removed.map((fence) => ({ action: 'fence.remove', fence })),
  ]
  const rows = acts.map(({ action, fence }) => ({ action, fence, agent_id: fence.agentId, area_id: fence.areaId }))
  for (const { agentId, areaId, rows: own } of byArea(rows)) {
    for (const [action, of] of Map.groupBy(own, (row) => row.action)) {
      const [first] = of
      if (first === undefined) continue
      const before = action === 'fence.change' ? known.get(first.fence.lineId) : undefined
      await audit.act(tx, call, {
        agentId,
        areaId,
        action,
        subjectKind: 'fence',
        subjectId: String(first.fence.lineId),
        about: of.map(({ fence }) => ({ kind: 'fence', id: fence.lineId })),
        ...(before !== undefined && of.length === 1 && { before: wordsOf(before) }),
        after: {
          ...(of.length === 1
            ? wordsOf(first.fence)
            : { count: of.length, names: of.slice(0, 50).map(({ fence }) => fence.name) }),
          note: done.note,
        },
      })
    }
  }
}

const wordsOf = ({ name, capacity, version, ring, radiusM, photoIds }: Fence) => ({
  name,
  capacity,
  photos: photoIds.length,
  version,
  ...(ring === null ? { radiusM } : { corners: ring.length - 1 }),
})
