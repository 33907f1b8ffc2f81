import type { FenceFilter, ManagedFence } from '@saddle/contract/geography/manage.ts'
import type { Direction } from '@saddle/contract/list.ts'
import { sql } from 'kysely'
import { dayMs } from '@saddle/contract/time.ts'
import { areaM2Of } from '@saddle/geo/shape.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { Kit } from '#kit/kit.ts'
import { fenceOf, fenceRow, shapeOf } from '../fences/rows.ts'
import { createFenceIndex } from '../index/fenceIndex.ts'

export type ListDeps = { readonly kit: Pick<Kit, 'db' | 'clock'> }

const managedRow = rowsOf(
  fenceRow,
  rowOf('service_area', 'a', ['name as area_name']),
  rowOf('fence', 'f', ['valid_to', 'removed_by', 'removed_note']),
)
type ManagedRow = RowOf<typeof managedRow>

/** Fences that one list goes through: their figures are counted over all of them. */
const listedMax = 20_000
const returnsMs = 7 * dayMs

/** All fences of a filter with their figures, in no order. */
export async function findManaged({ kit }: ListDeps, scope: Scope, filter: FenceFilter): Promise<ManagedFence[]> {
  const { kind = 'parking', keyword, areaIds, removed = false, full = false } = filter
  const conditions = [tenantFilter('f', scope), sql`f.kind = ${kind}`]
  if (areaIds !== undefined) conditions.push(sql`f.area_id = any (${areaIds}::bigint[])`)
  if (keyword !== undefined && keyword !== '') conditions.push(sql`strpos(lower(f.name), lower(${keyword})) > 0`)
  conditions.push(
    removed
      ? sql`f.removed_by is not null and not exists (
          select from fence l where l.line_id = f.line_id and l.version > f.version)`
      : sql`f.valid_to is null`,
  )
  const query = managedRow.select`
    from fence f join service_area a on a.id = f.area_id
    where ${sql.join(conditions, sql` and `)} limit ${listedMax}`
  const rows = await kit.db.read(scope, (k) => query.compile(k))
  const areas = [...new Set(rows.map((row) => row.area_id))]
  const [standing, returns] = await Promise.all([
    kind === 'service_area' || removed ? null : countStanding({ kit }, scope, { areas, rows }),
    countReturns({ kit }, scope, { areas, kind }),
  ])
  const managed = (row: ManagedRow, at: number): ManagedFence => {
    const fence = fenceOf(row)
    return Object.assign(fence, {
      areaName: row.area_name,
      areaM2: Math.round(areaM2Of(shapeOf(fence))),
      validTo: row.valid_to?.getTime() ?? null,
      removedBy: row.removed_by,
      removedNote: row.removed_note,
      standing: standing === null ? null : (standing[at] ?? 0),
      returns: returns.get(row.line_id) ?? 0,
    })
  }
  const list = rows.map(managed)
  return full ? list.filter((fence) => fence.capacity !== null && (fence.standing ?? 0) >= fence.capacity) : list
}

const vehicleStatusRow = rowOf('vehicle_status', 's', ['lat', 'lng']).filled('lat', 'lng')

/** Vehicles that stand in each of these fences. */
async function countStanding(
  { kit }: ListDeps,
  scope: Scope,
  { areas, rows }: { areas: readonly number[]; rows: readonly ManagedRow[] },
): Promise<number[]> {
  const query = vehicleStatusRow.select`
    from vehicle_status s join vehicle v on v.id = s.vehicle_id
    where s.area_id = any (${areas}::bigint[]) and ${tenantFilter('s', scope)} and s.lat is not null
      and v.state not in ('on_trip', 'removed')`
  const places = await kit.db.read(scope, (k) => query.compile(k))
  const index = createFenceIndex(rows.map((row) => shapeOf(fenceOf(row))))
  const counts = rows.map(() => 0)
  for (const { lat, lng } of places) {
    index.visit(lng, lat, (at) => {
      counts[at] = (counts[at] ?? 0) + 1
    })
  }
  return counts
}

const returnsRow = rowsOf(rowOf('fence', 'b', ['line_id']), rowOfValues({ count: computed('bigint', sql`count(*)`) }))

/** Rides of the last days by the fence that decided their return; of a service area, all that ended in it. */
async function countReturns(
  { kit }: ListDeps,
  scope: Scope,
  { areas, kind }: { areas: readonly number[]; kind: string },
): Promise<Map<number, number>> {
  const since = new Date(kit.clock.now() - returnsMs)
  const line =
    kind === 'service_area'
      ? sql`b.area_id = c.area_id and b.kind = 'service_area' and b.valid_to is null`
      : sql`b.id = c.fence_id`
  const query = returnsRow.select`
    from return_check c join fence b on ${line}
    where c.accepted and c.area_id = any (${areas}::bigint[]) and c.checked_at > ${since} and ${tenantFilter('c', scope)}
    group by b.line_id`
  const rows = await kit.db.read(scope, (k) => query.compile(k))
  return new Map(rows.map((row) => [row.line_id, row.count]))
}

const byName = new Intl.Collator('zh-CN', { numeric: true })

const figures: Readonly<Record<string, (fence: ManagedFence) => number | null>> = {
  changed: ({ validTo, validFrom }) => validTo ?? validFrom,
  capacity: ({ capacity }) => capacity,
  area: ({ areaM2 }) => areaM2,
  standing: ({ standing }) => standing,
  returns: ({ returns }) => returns,
}

/** Fences by a figure or by name; fences that are equal in it are ordered by name. */
export function sorted(list: readonly ManagedFence[], by: string, direction: Direction): ManagedFence[] {
  const sign = direction === 'asc' ? 1 : -1
  const value = figures[by] ?? (() => 0)
  return list.toSorted((a, b) => {
    const [one, other] = [value(a), value(b)]
    // Without a figure they come last, in both directions.
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    const order = by === 'name' ? byName.compare(a.name, b.name) : one - other
    return sign * order || byName.compare(a.name, b.name) || a.lineId - b.lineId
  })
}
