import { sql, type RawBuilder } from 'kysely'
import {
  parkApplicationList,
  parkApplicationStates,
  type ParkApplicationFilter,
} from '@saddle/contract/operations/parkApplications.ts'
import { metresPerDegree } from '@saddle/geo/earth.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { tableList } from '#kit/list/tableList.ts'

const park = rowOf('park_application', 'k', [
  'id',
  'agent_id',
  'area_id',
  'name',
  'lat',
  'lng',
  'radius_m',
  'capacity',
  'reason',
  'photo_ids',
  'state',
  'applicant_id',
  'applicant_name',
  'applied_at',
  'decided_at',
  'decided_by',
  'note',
  'fence_id',
]).codes({ state: parkApplicationStates })
export type ParkRow = RowOf<typeof park>
export const listedPark = rowsOf(park, rowOf('service_area', 'sa', ['name as area_name']))

interface OfCaller {
  readonly operatorId: number
}

const likePattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** Conditions beside the states, which are counted by themselves, and the areas. */
const conditionsOf = ({ keyword, mine }: ParkApplicationFilter, { operatorId }: OfCaller) => [
  keyword !== undefined && sql`k.name ilike ${likePattern(keyword)}`,
  mine === true && sql`k.applicant_id = ${operatorId}`,
]

export const parkRows = tableList(parkApplicationList, {
  table: 'park_application',
  alias: 'k',
  tenant: 'area',
  columns: listedPark,
  joins: sql`join service_area sa on sa.id = k.area_id`,
  sorts: { applied: ['applied_at', 'instant'] },
  find: ({ states = parkApplicationStates, areaIds, ...filter }, caller: OfCaller) => ({
    runs: { column: 'state', type: 'text', values: states },
    areaIds,
    where: conditionsOf(filter, caller),
  }),
})

/** Some five hundred metres: an application's circle touches few of such cells, and a ride ends in one of them. */
const cellDegrees = 0.005

const returnsRow = rowsOf(
  rowOf('park_application', 'c', ['id']),
  rowOfValues({ returns: computed('integer', sql`count(*)`) }),
)

/**
 * How often rides have ended within the radius of each application since a day. The rides of an area are gone through once
 * for all its applications: each is met by those of its own cell.
 */
export function countReturns(scope: Scope, { ids, since }: { readonly ids: readonly number[]; readonly since: Date }) {
  const cell = (degrees: RawBuilder<unknown>) => sql`floor(${degrees} / ${cellDegrees}::float8)::integer`
  const scale = sql`${metresPerDegree}::float8`
  const [lat, lng] = [sql`(k.radius_m / ${scale})`, sql`(k.radius_m / ${scale} / cos(radians(k.lat)))`]
  return returnsRow.query(
    (columns) => sql`
    with cells as materialized (
      select k.id, k.agent_id, k.area_id, k.lat, k.lng, k.radius_m, y, x from park_application k
      cross join generate_series(${cell(sql`(k.lat - ${lat})`)}, ${cell(sql`(k.lat + ${lat})`)}) y
      cross join generate_series(${cell(sql`(k.lng - ${lng})`)}, ${cell(sql`(k.lng + ${lng})`)}) x
      where k.id = any (${ids}::bigint[]) and ${tenantFilter('k', scope)}
    )
    select ${columns} from cells c join trip t on t.area_id = c.area_id
      and t.agent_id = c.agent_id and ${cell(sql`t.end_lat`)} = c.y and ${cell(sql`t.end_lng`)} = c.x
    where t.started_at >= ${since} and t.area_id in (select area_id from cells)
      and power((t.end_lat - c.lat) * ${scale}, 2) + power((t.end_lng - c.lng) * ${scale} * cos(radians(c.lat)), 2)
        <= power(c.radius_m, 2)
    group by c.id`,
  )
}

const countedState = rowsOf(
  rowOf('park_application', 'k', ['state']),
  rowOfValues({ count: computed('integer', sql`count(*)`) }),
).codes({ state: parkApplicationStates })

export function countByState(scope: Scope, { areaIds, ...filter }: ParkApplicationFilter, caller: OfCaller) {
  const where = [
    tenantFilter('k', scope),
    areaIds !== undefined && sql`k.area_id = any (${areaIds}::bigint[])`,
    ...conditionsOf(filter, caller),
  ].filter((condition) => condition !== false)
  return countedState.select`from park_application k where ${sql.join(where, sql` and `)} group by k.state`
}

/** The application of the scope, held until the commit. */
export async function lockPark(tx: Tx, scope: Scope, id: number): Promise<ParkRow | undefined> {
  const { rows } = await park.select`
    from park_application k where k.id = ${id} and ${tenantFilter('k', scope)} for update`.execute(tx)
  return rows[0]
}

export const selectPark = (scope: Scope, id: number) =>
  park.select`from park_application k where k.id = ${id} and ${tenantFilter('k', scope)}`
