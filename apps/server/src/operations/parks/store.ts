import { sql, type RawBuilder } from 'kysely'
import type { ParkFilter } from '@saddle/contract/operations/parkApplications.ts'
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

/** Applications of the scope, new ones first, each with how often rides have ended within its radius since a day. */
export function selectParks(search: ParkSearch, page: { beforeId: number | undefined; limit: number; since: Date }) {
  const where = conditionsOf(search)
  const { states } = search.filter
  if (states !== undefined) where.push(sql`p.state = any (${states}::text[])`)
  if (page.beforeId !== undefined) where.push(sql`p.id < ${page.beforeId}`)
  return sql<ParkRow>`
    select p.id, p.agent_id, p.area_id, sa.name as area_name, p.name, p.lat, p.lng, p.radius_m, p.capacity, p.reason,
      p.photo_ids, p.state, p.applicant_id, p.applicant_name, p.applied_at, p.decided_at, p.decided_by, p.note,
      p.fence_id, (
        select count(*)::integer from trip t
        where t.area_id = p.area_id and t.agent_id = p.agent_id and t.started_at >= ${page.since}
          and power((t.end_lat - p.lat) * 111195, 2) + power((t.end_lng - p.lng) * 111195 * cos(radians(p.lat)), 2)
            <= power(p.radius_m, 2)
      ) as returns
    from (
      select p.* from park_application p where ${sql.join(where, sql` and `)} order by p.id desc limit ${page.limit}
    ) p join service_area sa on sa.id = p.area_id
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
