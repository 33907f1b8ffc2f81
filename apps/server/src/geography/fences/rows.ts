import { fenceKinds, type Fence, type FenceKind } from '@saddle/contract/geography/fences.ts'
import { sql } from 'kysely'
import type { Shape } from '@saddle/geo/shape.ts'

type Ring = [number, number][]

export type FenceRow = {
  id: number
  line_id: number
  agent_id: number
  area_id: number
  kind: string
  name: string
  ring: Ring | null
  holes: Ring[]
  centre_lat: number
  centre_lng: number
  radius_m: number | null
  capacity: number | null
  opens_minute: number | null
  closes_minute: number | null
  photo_ids: string[]
  version: number
  valid_from: Date
  author_name: string
  note: string
}

/** Of a fence `f`. */
export const fenceColumns = sql`f.id, f.line_id, f.agent_id, f.area_id, f.kind, f.name, f.ring, f.holes, f.centre_lat,
  f.centre_lng, f.radius_m, f.capacity, f.opens_minute, f.closes_minute, f.photo_ids, f.version, f.valid_from, f.author_name,
  f.note`

export function kindOf(text: string): FenceKind {
  const kind = fenceKinds.find((known) => known === text)
  if (kind === undefined) throw new RangeError(`unknown kind of fence ${text}`)
  return kind
}

export function fenceOf(row: FenceRow): Fence {
  const { opens_minute: opensMinute, closes_minute: closesMinute } = row
  return {
    id: row.id,
    lineId: row.line_id,
    agentId: row.agent_id,
    areaId: row.area_id,
    kind: kindOf(row.kind),
    name: row.name,
    centre: { lat: row.centre_lat, lng: row.centre_lng },
    ring: row.ring,
    holes: row.holes,
    radiusM: row.radius_m,
    capacity: row.capacity,
    hours: opensMinute === null || closesMinute === null ? null : { opensMinute, closesMinute },
    photoIds: row.photo_ids,
    version: row.version,
    validFrom: row.valid_from.getTime(),
    authorName: row.author_name,
    note: row.note,
  }
}

/** The shape of a stored fence. */
export function shapeOf({ ring, holes, centre, radiusM }: Pick<Fence, 'ring' | 'holes' | 'centre' | 'radiusM'>): Shape {
  return ring === null ? { centre, radiusM: radiusM ?? 0 } : { ring, holes }
}
