import { AppError } from '@saddle/contract/errors.ts'
import {
  adDayFields,
  adDayList,
  adFields,
  adList,
  type AdDay,
  type adEndpoints,
} from '@saddle/contract/marketing/ads.ts'
import { addDays, businessDayOf } from '@saddle/contract/time.ts'
import type { Handlers } from '#kit/call.ts'
import { serveComputedList } from '#kit/list/computedList.ts'
import { serveList } from '#kit/list/serveList.ts'
import { newAgentOf } from '../checks.ts'
import type { ContentDeps } from '../deps.ts'
import { changePlacement, checkPicture, createPlacement, switchPlacement } from './placements.ts'
import {
  placementRows,
  presentDay,
  presentPlacement,
  presentVersion,
  selectDays,
  selectTrend,
  selectVersions,
} from './store.ts'
import { presentTarget, selectTargets } from './targets.ts'

/** Placements of the riders' app, and how often they were seen and tapped. */
export function createAdHandlers(deps: ContentDeps): Handlers<typeof adEndpoints> {
  const { kit, photos } = deps
  const placements = serveList(deps, adList, {
    name: 'ads',
    prepare: () => ({ now: new Date(kit.clock.now()) }),
    rows: placementRows,
    present: (row) => presentPlacement(row, kit.clock.now()),
    file: { action: 'ad.export', fields: adFields },
  })
  const days = serveComputedList(deps, adDayList, {
    name: 'ad-days',
    all: async (filter, { scope }) => {
      const rows = await kit.db.read(scope, (k) => selectDays({ filter, scope }).compile(k))
      return rows.map(presentDay)
    },
    sorted: (rows, sort, direction) => {
      const sign = direction === 'asc' ? 1 : -1
      const byDay = (a: AdDay, b: AdDay): number => (a.day === b.day ? 0 : a.day < b.day ? -1 : 1)
      const by = (a: AdDay, b: AdDay): number => (sort === 'day' ? byDay(a, b) : a[sort] - b[sort])
      return rows.toSorted((a, b) => sign * by(a, b) || byDay(b, a) || (a.id < b.id ? -1 : 1))
    },
    file: { action: 'ad.export', fields: adDayFields },
  })
  return {
    listAds: placements.page,
    exportAds: placements.file,
    listAdDays: days.page,
    exportAdDays: days.file,

    saveAd: async ({ id, version, agentId, slot, content }, call) => {
      if (id !== undefined) return { suc: true, data: await changePlacement(deps, call, { id, version, content }) }
      if (slot === undefined) throw new AppError('bad_request', { values: { detail: 'slot' } })
      return { suc: true, data: await createPlacement(deps, call, { agentId, slot, content }) }
    },
    switchAd: async (input, call) => ({ suc: true, data: await switchPlacement(deps, call, input) }),

    adVersions: async ({ id }, { scope }) => {
      const rows = await kit.db.read(scope, (k) => selectVersions({ id, scope }).compile(k))
      if (rows.length === 0) throw new AppError('not_found')
      return { suc: true, data: { list: rows.map((row) => presentVersion(row, kit.clock.now())) } }
    },
    adTrend: async ({ id, days: count }, { scope }) => {
      const sinceDay = addDays(businessDayOf(kit.clock.now()), 1 - count)
      return {
        suc: true,
        data: { list: await kit.db.read(scope, (k) => selectTrend({ id, sinceDay, scope }).compile(k)) },
      }
    },

    adTargets: async ({ agentId }, { scope }) => {
      const now = new Date(kit.clock.now())
      const rows = await kit.db.read(scope, (k) => selectTargets({ agentId, now, scope }).compile(k))
      return { suc: true, data: { list: rows.map(presentTarget) } }
    },

    keepAdPicture: async ({ agentId, slot, photo }, call) => {
      const agent = newAgentOf(call, agentId)
      checkPicture(slot, photos.sizeOf(photo))
      const kept = { agentId: agent, areaId: null, purpose: 'placement', file: photo, isUnattached: true } as const
      return { suc: true, data: { photoId: await kit.db.withScope(call.scope, (tx) => photos.keep(tx, kept)) } }
    },
    adPictures: async ({ ids }, { scope }) => ({
      suc: true,
      data: { list: await photos.read(scope, { purpose: 'placement', ids }) },
    }),
  }
}
