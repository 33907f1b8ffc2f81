import { fenceKinds, type Fence } from '@saddle/contract/geography/fences.ts'
import type { Shape } from '@saddle/geo/shape.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'

type Ring = [number, number][]

const columns = [
  'id',
  'line_id',
  'agent_id',
  'area_id',
  'kind',
  'name',
  'ring',
  'holes',
  'centre_lat',
  'centre_lng',
  'radius_m',
  'capacity',
  'opens_minute',
  'closes_minute',
  'photo_ids',
  'version',
  'valid_from',
  'author_name',
  'note',
] as const

/** Of a fence `f`. */
export const fenceRow = rowOf('fence', 'f', columns)
  .json<{ ring: Ring | null; holes: Ring[] }>()
  .codes({ kind: fenceKinds })
export type FenceRow = RowOf<typeof fenceRow>

/** What an insert gives back. */
export const insertedFenceRow = rowOf('fence', columns)
  .json<{ ring: Ring | null; holes: Ring[] }>()
  .codes({ kind: fenceKinds })

export function fenceOf(row: FenceRow): Fence {
  const { centreLat, centreLng, opensMinute, closesMinute, ...fence } = fenceRow.present(row)
  return {
    ...fence,
    centre: { lat: centreLat, lng: centreLng },
    hours: opensMinute === null || closesMinute === null ? null : { opensMinute, closesMinute },
  }
}

/** The shape of a stored fence. */
export function shapeOf({ ring, holes, centre, radiusM }: Pick<Fence, 'ring' | 'holes' | 'centre' | 'radiusM'>): Shape {
  return ring === null ? { centre, radiusM: radiusM ?? 0 } : { ring, holes }
}
