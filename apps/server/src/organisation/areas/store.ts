import type { AreaOption } from '@saddle/contract/organisation/areas.ts'
import type { Kysely } from 'kysely'
import type { Database, Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { DB } from '#kit/db/types.ts'
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
