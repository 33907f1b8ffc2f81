import { sql } from 'kysely'
import { fenceListMax, spotNearMaxM, type Fence, type fenceEndpoints } from '@saddle/contract/geography/fences.ts'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import { boxAround } from '@saddle/geo/earth.ts'
import type { Handlers } from '#kit/call.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { Kit } from '#kit/kit.ts'
import { nearestOf } from '../index/nearest.ts'
import { createRoads } from '../streets/streets.ts'
import { fenceOf, fenceRow } from './rows.ts'
import { nearness } from './rules.ts'

/** The most fences that are listed around a position. */
const aroundMax = 200

type FenceQuery = InputOf<typeof fenceEndpoints.listFences>

/** The fences of a scope that are, or at a moment were, in force. `max` differs where they are not sent to a client. */
export async function fencesInForce(
  kit: Pick<Kit, 'db'>,
  scope: Scope,
  { kinds, areaId, at, bounds, max = fenceListMax }: FenceQuery & { readonly max?: number },
): Promise<{ list: Fence[]; isCut: boolean }> {
  const conditions = [tenantFilter('f', scope)]
  if (kinds !== undefined && kinds.length > 0) conditions.push(sql`f.kind = any (${kinds}::text[])`)
  if (areaId !== undefined) conditions.push(sql`f.area_id = ${areaId}`)
  if (at === undefined) conditions.push(sql`f.valid_to is null`)
  else {
    const then = new Date(at)
    conditions.push(sql`f.valid_from <= ${then} and (f.valid_to is null or f.valid_to > ${then})`)
  }
  if (bounds !== undefined) {
    const { west, south, east, north } = bounds
    conditions.push(sql`f.east >= ${west} and f.west <= ${east} and f.north >= ${south} and f.south <= ${north}`)
  }
  const query = fenceRow.select`
    from fence f where ${sql.join(conditions, sql` and `)}
    order by f.kind desc, f.id limit ${max + 1}`
  const rows = await kit.db.read(scope, (k) => query.compile(k))
  return { list: rows.slice(0, max).map(fenceOf), isCut: rows.length > max }
}

export function createFenceHandlers(
  kit: Pick<Kit, 'db' | 'clock' | 'config' | 'log'>,
): Handlers<typeof fenceEndpoints> {
  const roads = createRoads(kit)
  return {
    findRoads: async ({ keyword }) => ({ suc: true, data: { list: (await roads()).named(keyword) } }),

    whereIs: async (place, { scope }) => {
      const box = boxAround(place, spotNearMaxM)
      const query = fenceRow.select`
        from fence f
        where f.kind = 'parking' and f.valid_to is null and f.north >= ${box.south} and f.south <= ${box.north}
          and f.east >= ${box.west} and f.west <= ${box.east} and ${tenantFilter('f', scope)}
        order by f.id desc limit ${fenceListMax}`
      const rows = await kit.db.read(scope, (k) => query.compile(k))
      // Of two at the same distance the newer one.
      const nearest = nearestOf(rows.map(fenceOf))(place)
      const isNear = nearest !== null && nearest.distanceM <= spotNearMaxM
      const road = (await roads()).near(place)
      if (!isNear) return { suc: true, data: { road, spot: null } }
      const { fence, distanceM } = nearest
      const { isInside } = nearness(place, fence)
      return { suc: true, data: { road, spot: { fenceId: fence.id, name: fence.name, distanceM, isInside } } }
    },

    listFences: async (query, { scope }) => ({ suc: true, data: await fencesInForce(kit, scope, query) }),

    fencesAround: async ({ lat, lng, radiusM, kinds }, { scope }) => {
      const box = boxAround({ lat, lng }, radiusM)
      const ofKind = kinds === undefined || kinds.length === 0 ? sql`` : sql`and f.kind = any (${kinds}::text[])`
      const query = fenceRow.select`
        from fence f
        where f.valid_to is null and f.north >= ${box.south} and f.south <= ${box.north}
          and f.east >= ${box.west} and f.west <= ${box.east} and ${tenantFilter('f', scope)} ${ofKind}
        limit ${fenceListMax}`
      const rows = await kit.db.read(scope, (k) => query.compile(k))
      const list = rows
        .map((row) => {
          const fence = fenceOf(row)
          const { distanceM, isInside } = nearness({ lat, lng }, fence)
          return { fence, distanceM, isInside }
        })
        .filter(({ distanceM }) => distanceM <= radiusM)
        .toSorted((a, b) => a.distanceM - b.distanceM || a.fence.id - b.fence.id)
        .slice(0, aroundMax)
      return { suc: true, data: { list } }
    },
  }
}
