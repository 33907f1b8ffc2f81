import { sql, type RawBuilder } from 'kysely'
import type { ParkFilter } from '@saddle/contract/operations/parkApplications.ts'
import { metresPerDegree } from '@saddle/geo/earth.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { within } from '#kit/db/within.ts'

const parkRow = rowsOf(
  rowOf('service_area', 'sa', ['name as area_name']),
  rowOfValues({
    id: computed('bigint', sql`p.id`),
    agent_id: computed('bigint', sql`p.agent_id`),
    area_id: computed('bigint', sql`p.area_id`),
    name: computed('text', sql`p.name`),
    lat: computed('double precision', sql`p.lat`),
    lng: computed('double precision', sql`p.lng`),
    radius_m: computed('double precision', sql`p.radius_m`),
    capacity: computed('bigint', sql`p.capacity`),
    reason: computed('text', sql`p.reason`),
    photo_ids: computed('text[]', sql`p.photo_ids`),
    state: computed('text', sql`p.state`),
    applicant_id: computed('bigint', sql`p.applicant_id`),
    applicant_name: computed('text', sql`p.applicant_name`),
    applied_at: computed('timestamptz', sql`p.applied_at`),
    decided_at: computed('timestamptz?', sql`p.decided_at`),
    decided_by: computed('text?', sql`p.decided_by`),
    note: computed('text', sql`p.note`),
    fence_id: computed('bigint?', sql`p.fence_id`),
    returns: computed('bigint', sql`coalesce(r.returns, 0)`),
  }),
)
export type ParkRow = RowOf<typeof parkRow>

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
  return parkRow.query(
    (columns) => sql`
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
    select ${columns} from shown p join service_area sa on sa.id = p.area_id left join returned r on r.id = p.id
    order by p.id desc`,
  )
}

const parkApplicationRow = rowsOf(
  rowOf('park_application', 'p', ['state']),
  rowOfValues({ count: computed('integer', sql`count(*)`) }),
)

export function countParks(search: ParkSearch) {
  return parkApplicationRow.select`
    from park_application p
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
