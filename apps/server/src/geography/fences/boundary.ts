import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'

/** The outline of a service area, closed, WGS-84. */
export interface Boundary {
  readonly agentId: number
  readonly areaId: number
  readonly name: string
  readonly centre: { readonly lat: number; readonly lng: number }
  readonly ring: readonly (readonly [lng: number, lat: number])[]
  /** Who drew it, by name, and why. */
  readonly author: { readonly name: string; readonly note: string; readonly restoredFrom: number | null }
}

const fenceRow2 = rowOf('fence', ['line_id', 'version'])

const fenceRow = rowOf('fence', ['valid_to as from']).filled('from')

/**
 * Ends the version in force and begins the next: a ride goes on being judged by the outline that held when it ended.
 * Two changes within one moment leave the later one, a moment later, so that each has a time in which it held.
 */
export async function addBoundary(options: { tx: Tx; boundary: Boundary; at: Date }): Promise<void> {
  const { tx, at } = options
  const { agentId, areaId, name, centre, ring, author } = options.boundary
  const [lngs, lats] = [ring.map(([lng]) => lng), ring.map(([, lat]) => lat)]
  const { rows } = await fenceRow.returning`
    update fence set valid_to = greatest(${at}, valid_from + interval '1 millisecond')
    where area_id = ${areaId} and kind = 'service_area' and valid_to is null
    `.execute(tx)
  const { rows: lines } = await fenceRow2.select`
    from fence where area_id = ${areaId} and kind = 'service_area'
    order by version desc limit 1`.execute(tx)
  const [last] = lines
  await tx
    .insertInto('fence')
    .values({
      agent_id: agentId,
      area_id: areaId,
      kind: 'service_area',
      name,
      ring: JSON.stringify(ring),
      centre_lat: centre.lat,
      centre_lng: centre.lng,
      west: Math.min(...lngs),
      south: Math.min(...lats),
      east: Math.max(...lngs),
      north: Math.max(...lats),
      ...(last !== undefined && { line_id: last.line_id }),
      version: (last?.version ?? 0) + 1,
      valid_from: rows[0]?.from ?? at,
      author_name: author.name,
      note: author.note,
      restored_from: author.restoredFrom,
    })
    .execute()
}

export async function dropBoundaries(tx: Tx, areaId: number): Promise<void> {
  await tx.deleteFrom('fence').where('area_id', '=', areaId).where('kind', '=', 'service_area').execute()
}
