import { sql, type RawBuilder } from 'kysely'
import type { ParkFilter } from '@saddle/contract/operations/parkApplications.ts'
import { metresPerDegree } from '@saddle/geo/earth.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import { within } from '#kit/db/within.ts'

export type ParkRow = {
  id: number
  agent_id: number
  area_id: number
  area_name: string
  name: string
  lat: number
  lng: number
  radius_m: number
  capacity: number
  reason: string
  photo_ids: string[]
  state: string
  applicant_id: number
  applicant_name: string
  applied_at: Date
  decided_at: Date | null
  decided_by: string | null
  note: string
  fence_id: number | null
  returns: number
}

export type ParkSearch = { readonly scope: Scope; readonly filter: ParkFilter; readonly operatorId: number }

const likePattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

function conditionsOf({ scope, filter, operatorId }: ParkSearch): RawBuilder<unknown>[] {
  const found: RawBuilder<unknown>[] = [within('p', scope)]
  if (filter.areaIds !== undefined) found.push(sql`p.area_id = any (${filter.areaIds}::bigint[])`)
  if (filter.keyword !== undefined) found.push(sql`p.name ilike ${likePattern(filter.keyword)}`)
  if (filter.mine === true) found.push(sql`p.applicant_id = ${operatorId}`)
  return found
}

/** Some five hundred metres: an application's circle touches few of such cells, and a ride ends in one of them. */
const cellDegrees = 0.005

/**
 * Applications of the scope, new ones first, each with how often rides have ended within its radius since a day. The
 * rides of an area are gone through once for all its applications: each is met by those of its own cell.
 */
export function selectParks(search: ParkSearch, page: { beforeId: number | undefined; limit: number; since: Date }) {
  const where = conditionsOf(search)
  const { states } = search.filter
  if (states !== undefined) where.push(sql`p.state = any (${states}::text[])`)
  if (page.beforeId !== undefined) where.push(sql`p.id < ${page.beforeId}`)
  const cell = (degrees: RawBuilder<unknown>) => sql`floor(${degrees} / ${cellDegrees}::float8)::integer`
  const scale = sql`${metresPerDegree}::float8`
  const [lat, lng] = [sql`(p.radius_m / ${scale})`, sql`(p.radius_m / ${scale} / cos(radians(p.lat)))`]
  return sql<ParkRow>`
    with shown as materialized (
      select p.* from park_application p where ${sql.join(where, sql` and `)} order by p.id desc limit ${page.limit}
    ),
    cells as materialized (
      select p.id, p.agent_id, p.area_id, p.lat, p.lng, p.radius_m, y, x from shown p
      cross join generate_series(${cell(sql`(p.lat - ${lat})`)}, ${cell(sql`(p.lat + ${lat})`)}) y
      cross join generate_series(${cell(sql`(p.lng - ${lng})`)}, ${cell(sql`(p.lng + ${lng})`)}) x
    ),
    returned as (
      select c.id, count(*)::integer as returns from cells c join trip t on t.area_id = c.area_id
        and t.agent_id = c.agent_id and ${cell(sql`t.end_lat`)} = c.y and ${cell(sql`t.end_lng`)} = c.x
      where t.started_at >= ${page.since} and t.area_id in (select area_id from shown)
        and power((t.end_lat - c.lat) * ${scale}, 2) + power((t.end_lng - c.lng) * ${scale} * cos(radians(c.lat)), 2)
          <= power(c.radius_m, 2)
      group by c.id
    )
    select p.id, p.agent_id, p.area_id, sa.name as area_name, p.name, p.lat, p.lng, p.radius_m, p.capacity, p.reason,
      p.photo_ids, p.state, p.applicant_id, p.applicant_name, p.applied_at, p.decided_at, p.decided_by, p.note,
      p.fence_id, coalesce(r.returns, 0) as returns
    from shown p join service_area sa on sa.id = p.area_id left join returned r on r.id = p.id
    order by p.id desc`
}

export function countParks(search: ParkSearch) {
  return sql<{ state: string; count: number }>`
    select p.state, count(*)::integer as count from park_application p
    where ${sql.join(conditionsOf(search), sql` and `)} group by p.state`
}

export type LockedPark = Omit<ParkRow, 'area_name' | 'returns'>

/** The applications of the scope with these ids, held until the commit. */
export async function lockParks(
  tx: Tx,
  { scope, ids }: { scope: Scope; ids: readonly number[] },
): Promise<LockedPark[]> {
  const { rows } = await sql<LockedPark>`
    select p.id, p.agent_id, p.area_id, p.name, p.lat, p.lng, p.radius_m, p.capacity, p.reason, p.photo_ids, p.state,
      p.applicant_id, p.applicant_name, p.applied_at, p.decided_at, p.decided_by, p.note, p.fence_id
    from park_application p where p.id = any (${ids}::bigint[]) and ${within('p', scope)} order by p.id for update`.execute(
    tx,
  )
  return rows
}
