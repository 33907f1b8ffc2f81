import { scopeListMax } from '@saddle/contract/constants.ts'
import { ringSchema } from '@saddle/contract/geography/fences.ts'
import type { AreaOption } from '@saddle/contract/organisation/areas.ts'
import { areaList, type AreaRow } from '@saddle/contract/organisation/areas.ts'
import { enabledStates } from '@saddle/contract/organisation/roles.ts'
import { sql, type Kysely } from 'kysely'
import { areaKm2Of } from '@saddle/geo/ring.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { builtJson, computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { DB } from '#kit/db/types.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { tableList } from '#kit/list/tableList.ts'
import { likePattern } from '#organisation/agents/rules.ts'
import { centreOf, type Position } from './rules.ts'

export interface AreaFilter {
  readonly agentId?: number | undefined
  readonly keyword?: string | undefined
  readonly page: number
  readonly pageSize: number
}

/** One page of the scope's areas by agent and id, and how many there are in all. */
export async function findAreas(options: {
  db: Database
  scope: Scope
  filter: AreaFilter
}): Promise<{ list: AreaOption[]; count: number }> {
  const { db, scope, filter } = options
  const [rows, counts] = await Promise.all([
    db.read(scope, (k) =>
      matching(k, scope, filter)
        .select(['id', 'name', 'agent_id', 'centre_lat', 'centre_lng'])
        .orderBy('agent_id')
        .orderBy('id')
        .limit(filter.pageSize)
        .offset((filter.page - 1) * filter.pageSize)
        .compile(),
    ),
    db.read(scope, (k) =>
      matching(k, scope, filter)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .compile(),
    ),
  ])
  const list = rows.map((row) => ({
    id: row.id,
    name: row.name,
    agentId: row.agent_id,
    centre: { lat: row.centre_lat, lng: row.centre_lng },
  }))
  return { list, count: counts[0]?.count ?? 0 }
}

const operatorRow = rowsOf(
  rowOf('operator', 'o', ['all_areas']),
  rowOfValues({
    area: builtJson<{
      id: number
      name: string
      agentId: number
      lat: number
      lng: number
    } | null>(sql`case when s.id is null then null else jsonb_build_object(
        'id', s.id, 'name', s.name, 'agentId', s.agent_id, 'lat', s.centre_lat, 'lng', s.centre_lng
      ) end`),
  }),
)

/** The areas of the scope that somebody of the scope reaches; null when there is nobody of that id. */
export async function findReach(options: {
  db: Database
  scope: Scope
  operatorId: number
}): Promise<{ allAreas: boolean; list: AreaOption[] } | null> {
  const { db, scope, operatorId } = options
  const rows = await db.read(scope, (k) =>
    operatorRow.select`
      from operator o
      left join service_area s on ${tenantFilter('s', scope)}
        and s.agent_id in (select agent_and_below(o.agent_id))
        and (o.all_areas or exists (
          select from operator_area oa where oa.operator_id = o.id and oa.area_id = s.id
        ))
      where o.id = ${operatorId} and o.agent_id = any (${scope.agentIds}::bigint[]) and o.state <> 'removed'
      order by s.agent_id, s.id limit ${scopeListMax}`.compile(k),
  )
  const [first] = rows
  if (first === undefined) return null
  const list = rows.flatMap(({ area }) => {
    if (area === null) return []
    const { id, name, agentId, lat, lng } = area
    return [{ id, name, agentId, centre: { lat, lng } }]
  })
  return { allAreas: first.all_areas, list }
}

function matching(k: Kysely<DB>, scope: Scope, filter: AreaFilter) {
  const { agentId, keyword } = filter
  return k
    .selectFrom('service_area')
    .where((eb) => eb('agent_id', '=', eb.fn.any(eb.val(scope.agentIds))))
    .where((eb) => eb('area_id', '=', eb.fn.any(eb.val(scope.areaIds))))
    .$if(agentId !== undefined, (query) => query.where('agent_id', '=', agentId ?? 0))
    .$if(keyword !== undefined, (query) => query.where('name', 'ilike', likePattern(keyword ?? '')))
}

export interface NewArea {
  /** Absent: the next free one. */
  readonly id?: number
  readonly agentId: number
  readonly name: string
  /** Closed. */
  readonly ring: readonly Position[]
}

/** Adds a service area and returns its id. A name that the agent already uses violates a unique key. */
export async function insertArea(options: { tx: Tx; area: NewArea }): Promise<number> {
  const { id, agentId, name, ring } = options.area
  const centre = centreOf(ring)
  const row = await options.tx
    .insertInto('service_area')
    .values({
      ...(id === undefined ? {} : { id }),
      agent_id: agentId,
      name,
      centre_lat: centre.lat,
      centre_lng: centre.lng,
      ring: JSON.stringify(ring),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

const area = rowsOf(
  rowOf('service_area', 's', ['id', 'agent_id', 'name', 'state', 'centre_lat', 'centre_lng', 'ring', 'created_at'])
    .codes({ state: enabledStates })
    .json<{ ring: [number, number][] }>(),
  rowOf('agent', 'agent', ['company']),
  rowOfValues({
    vehicles: computed(
      'bigint',
      sql`(select count(*) from vehicle v where v.agent_id = s.agent_id and v.area_id = s.id)`,
    ),
    people: computed(
      'bigint',
      sql`(select count(*) from operator_area oa join operator o on o.id = oa.operator_id
            where oa.area_id = s.id and o.state <> 'removed' and not o.all_areas)`,
    ),
  }),
)

/** Areas of the scope with boundary and figures; the figures are counted for the areas that are told only. */
export const areaRows = tableList(areaList, {
  table: 'service_area',
  alias: 's',
  tenant: 'area',
  columns: area,
  joins: sql`join agent on agent.id = s.agent_id`,
  sorts: {
    company: [
      ['agent_id', 'whole'],
      ['name', 'text'],
    ],
    name: ['name', 'text'],
    created: ['created_at', 'instant'],
  },
  find: ({ keyword, states, agentId, areaId }) => ({
    areaIds: areaId === undefined ? undefined : [areaId],
    agentIds: agentId === undefined ? undefined : [agentId],
    where: [
      keyword !== undefined && keyword !== '' && sql`s.name ilike ${likePattern(keyword)}`,
      states && sql`s.state = any (${states}::text[])`,
    ],
  }),
})

/** One area of the scope. */
export const selectArea = (areaId: number, scope: Scope) => area.select`
  from service_area s join agent on agent.id = s.agent_id where s.id = ${areaId} and ${tenantFilter('s', scope)}`

export function areaRowOf(row: RowOf<typeof area>): AreaRow {
  const { centreLat: lat, centreLng: lng, ...shown } = area.present(row)
  return { ...shown, centre: { lat, lng }, areaKm2: areaKm2Of(shown.ring) }
}

export type HeldArea = { id: number; agentId: number; name: string; state: string; ring: Position[] }

const serviceAreaRow = rowOf('service_area', 's', ['id', 'agent_id', 'name', 'state', 'ring'])

/** One area of the scope, held until the commit; null outside. */
export async function lockArea(options: { tx: Tx; scope: Scope; areaId: number }): Promise<HeldArea | null> {
  const { tx, scope, areaId } = options
  const { rows } = await serviceAreaRow.select`
    from service_area s
    where s.id = ${areaId} and ${tenantFilter('s', scope)} for update`.execute(tx)
  const [row] = rows
  return row === undefined
    ? null
    : { id: row.id, agentId: row.agent_id, name: row.name, state: row.state, ring: ringSchema.parse(row.ring) }
}

const serviceAreaRow2 = rowsOf(rowOf('service_area', 's', ['id', 'name', 'ring']), rowOf('agent', 'agent', ['company']))

/** Areas of the scope whose box meets that of a ring. */
export async function findAreasNear(options: {
  db: Database
  scope: Scope
  ring: readonly Position[]
  exceptId: number | undefined
}) {
  const { db, scope, ring, exceptId } = options
  const rows = await db.read(scope, (k) =>
    serviceAreaRow2.select`
      from service_area s join agent on agent.id = s.agent_id
      where ${tenantFilter('s', scope)} and s.bounds && ring_box(${JSON.stringify(ring)}::jsonb) and s.id <> ${exceptId ?? 0}
      order by s.id`.compile(k),
  )
  return rows.map((row) => ({ id: row.id, name: row.name, company: row.company, ring: ringSchema.parse(row.ring) }))
}

const vehicleStatusRow = rowOf('vehicle_status', 's', ['lat', 'lng']).filled('lat', 'lng')

/** Where the vehicles of an area are, as far as anybody knows. */
export function findVehiclePlaces(options: {
  db: Database
  scope: Scope
  areaId: number
}): Promise<{ lat: number; lng: number }[]> {
  const { db, scope, areaId } = options
  return db.read(scope, (k) =>
    vehicleStatusRow.select`
      from vehicle_status s
      where s.area_id = ${areaId} and ${tenantFilter('s', scope)} and s.lat is not null`.compile(k),
  )
}
