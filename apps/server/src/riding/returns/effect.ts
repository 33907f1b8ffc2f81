import { setImmediate } from 'node:timers/promises'
import type { Fence } from '@saddle/contract/geography/fences.ts'
import {
  effectExamplesMax,
  effectPointsMax,
  effectReturnsMax,
  fencePermissions,
  isFreeReturn,
  type fenceManageEndpoints,
  type FenceEffect,
  type PlannedFences,
} from '@saddle/contract/geography/manage.ts'
import { shapeProblem, shapeProblemLabels } from '@saddle/contract/geography/shape.ts'
import type { ReturnKind } from '@saddle/contract/riding/price.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { areaFencesOf, type AreaFences, type Geography } from '#geography/public.ts'
import type { Handlers } from '#kit/call.ts'
import { rowOf } from '#kit/db/rows.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { Kit } from '#kit/kit.ts'
import { selectInForce, versionOf } from '../prices/store.ts'
import { judgeReturn } from './judge.ts'
import { openAt } from './zones.ts'

type Parts = { readonly kit: Pick<Kit, 'db' | 'clock'>; readonly geography: Pick<Geography, 'current'> }
export type Return = {
  readonly orderId: number
  readonly at: number
  readonly lat: number
  readonly lng: number
}

const returnCheckRow = rowOf('return_check', 'c', ['order_id', 'checked_at as at', 'lat', 'lng']).filled('lat', 'lng')

/** What a change of fences would have meant for the returns of the last days, judged as returns are judged. */
export function createEffectHandlers({
  kit,
  geography,
}: Parts): Handlers<Pick<typeof fenceManageEndpoints, 'fenceEffect'>> {
  return {
    fenceEffect: async ({ days, ...plan }, { scope, caller }) => {
      if (!caller.permissions.has(fencePermissions[plan.kind])) throw new AppError('forbidden')
      const { areaId } = plan
      const area = scope.areaIds.includes(areaId) ? (await geography.current.of([areaId])).get(areaId) : undefined
      if (area === undefined) throw new AppError('foreign_scope')
      checkShapes(plan)
      const query = returnCheckRow.select`
        from return_check c
        where c.accepted and c.area_id = ${areaId} and ${tenantFilter('c', scope)} and c.lat is not null
          and c.checked_at > ${new Date(kit.clock.now() - days * dayMs)}
        order by c.checked_at desc limit ${effectReturnsMax + 1}`
      const rows = await kit.db.read(scope, (k) => query.compile(k))
      const returns = rows
        .slice(0, effectReturnsMax)
        .map(({ order_id: orderId, at, lat, lng }) => ({ orderId, at: at.getTime(), lat, lng }))
      const prices = selectInForce({ scope: { ...scope, areaIds: [areaId] }, at: new Date(kit.clock.now()) })
      const [price] = await kit.db.read(scope, (k) => prices.compile(k))
      const isNoStopRefused = price !== undefined && !versionOf(price).rules.noStopReturnAllowed
      const effect = await effectOf(returns, { before: area, after: planned(area, plan), isNoStopRefused })
      return { suc: true, data: { ...effect, isCut: rows.length > effectReturnsMax } }
    },
  }
}

/** What could not be saved has no effect, and an index of it might have no end. */
function checkShapes({ drafts }: PlannedFences): void {
  for (const { name, shape } of drafts) {
    const problem = shapeProblem(shape)
    if (problem === null) continue
    throw new AppError('boundary_invalid', { values: { detail: `${name}：${shapeProblemLabels[problem]}` } })
  }
}

/** The area's fences as the plan would leave them. */
function planned(area: AreaFences, { areaId, kind, drafts, removes }: PlannedFences): AreaFences {
  const [outline] = drafts
  if (kind === 'service_area') {
    const ring = outline !== undefined && 'ring' in outline.shape ? outline.shape.ring : area.ring
    return areaFencesOf([...area.parking, ...area.noStop], ring)
  }
  const gone = new Set([...removes, ...drafts.map(({ lineId }) => lineId)])
  const staying = [...area.parking, ...area.noStop].filter(({ lineId }) => !gone.has(lineId))
  const [sample] = [...area.parking, ...area.noStop]
  const added = drafts.map(({ lineId, name, capacity, hours, shape }, index): Fence => {
    const own = 'ring' in shape ? { ...shape, radiusM: null } : { ring: null, holes: [], radiusM: shape.radiusM }
    const centre = 'ring' in shape ? { lat: shape.ring[0]?.[1] ?? 0, lng: shape.ring[0]?.[0] ?? 0 } : shape.centre
    const line = { id: -1 - index, lineId: lineId ?? -1 - index, agentId: sample?.agentId ?? 0, areaId, version: 1 }
    return {
      ...line,
      ...own,
      kind,
      name,
      capacity,
      hours,
      centre,
      photoIds: [],
      validFrom: 0,
      authorName: '',
      note: '',
    }
  })
  return areaFencesOf([...staying, ...added], area.ring)
}

type Both = {
  readonly before: AreaFences
  readonly after: AreaFences
  /** By the price in force a ride cannot be ended in a no-stop zone at all. */
  readonly isNoStopRefused: boolean
}

/** Number of returns handled before other work may run. */
const returnsATurn = 200

export async function effectOf(
  returns: readonly Return[],
  { before, after, isNoStopRefused }: Both,
): Promise<Omit<FenceEffect, 'isCut'>> {
  const counts = { before: none(), after: none() }
  let [refused, charged, better] = [0, 0, 0]
  const examples: FenceEffect['examples'] = []
  const points: { changed: FenceEffect['points']; same: FenceEffect['points'] } = { changed: [], same: [] }
  for (const [index, one] of returns.entries()) {
    if (index % returnsATurn === returnsATurn - 1) await setImmediate()
    const [from, to] = [judgeReturn(one, openAt(before, one.at)).kind, judgeReturn(one, openAt(after, one.at)).kind]
    counts.before[from] += 1
    counts.after[to] += 1
    const group = from === to ? points.same : points.changed
    if (group.length < effectPointsMax) group.push({ lat: one.lat, lng: one.lng, before: from, after: to })
    if (from === to) continue
    if (to === 'no_stop' && isNoStopRefused) refused += 1
    else if (isFreeReturn(from) && !isFreeReturn(to)) charged += 1
    if (!isFreeReturn(from) && isFreeReturn(to)) better += 1
    if (examples.length < effectExamplesMax) examples.push({ ...one, before: from, after: to })
  }
  const drawn = [...points.changed, ...points.same].slice(0, effectPointsMax)
  return { returns: returns.length, ...counts, refused, charged, better, examples, points: drawn }
}

const none = (): Record<ReturnKind, number> => ({
  in_place: 0,
  out_of_place: 0,
  outside_area: 0,
  no_stop: 0,
  unknown: 0,
})
