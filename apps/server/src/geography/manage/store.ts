import type { Fence, FenceKind } from '@saddle/contract/geography/fences.ts'
import type { FenceDraft } from '@saddle/contract/geography/manage.ts'
import { sql } from 'kysely'
import { boxOf, type Shape } from '@saddle/geo/shape.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow, rowOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { unnest } from '#kit/db/unnest.ts'
import { within } from '#kit/db/within.ts'
import { fenceColumns, fenceOf, type FenceRow } from '../fences/rows.ts'

export type LastVersion = Fence & { readonly validTo: number | null; readonly removedBy: string | null }
type LastRow = FenceRow & { valid_to: Date | null; removed_by: string | null }

/** The last version of each of these fences, held until the end of the transaction; foreign ones are missing. */
export async function lockLast(tx: Tx, scope: Scope, lineIds: readonly number[]): Promise<Map<number, LastVersion>> {
  const { rows } = await sql<LastRow>`
    select ${fenceColumns}, f.valid_to, f.removed_by from fence f
    where f.line_id = any (${lineIds}::bigint[]) and ${within('f', scope)}
      and f.version = (select max(l.version) from fence l where l.line_id = f.line_id)
    order by f.line_id for update of f`.execute(tx)
  return new Map(
    rows.map((row) => [
      row.line_id,
      { ...fenceOf(row), validTo: row.valid_to?.getTime() ?? null, removedBy: row.removed_by },
    ]),
  )
}

const areaRow = rowOf('service_area', 'a', ['id', 'agent_id', 'name', 'ring']).json<{ ring: [number, number][] }>()
export type AreaRow = RowOf<typeof areaRow>

/** Areas of the scope, by id. */
export async function findAreas(tx: Tx, scope: Scope, areaIds: readonly number[]): Promise<Map<number, AreaRow>> {
  const { rows } = await areaRow.select`
    from service_area a
    where a.id = any (${areaIds}::bigint[]) and a.agent_id = any (${scope.agentIds}::bigint[])
      and a.id = any (${scope.areaIds}::bigint[])`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

export async function countInForce(tx: Tx, areaId: number): Promise<number> {
  const { rows } = await countRow.select`
    from fence
    where area_id = ${areaId} and kind <> 'service_area' and valid_to is null`.execute(tx)
  return rows[0]?.count ?? 0
}

const fenceRow = rowOf('fence', ['line_id', 'valid_to']).filled('valid_to')

/** Ends versions; `removed`: nothing follows them. */
export async function endVersions(
  tx: Tx,
  ids: readonly number[],
  { at, removed }: { at: Date; removed: { readonly by: string; readonly note: string } | null },
): Promise<Map<number, Date>> {
  const { rows } = await fenceRow.returning`
    update fence set valid_to = greatest(${at}, valid_from + interval '1 millisecond'),
      removed_by = ${removed?.by ?? null}, removed_note = ${removed?.note ?? null}
    where id = any (${ids}::bigint[]) and valid_to is null `.execute(tx)
  return new Map(rows.map((row) => [row.line_id, row.valid_to]))
}

export type NewVersion = {
  /** Null: a fence that was not there. */
  readonly lineId: number | null
  readonly agentId: number
  readonly areaId: number
  readonly kind: FenceKind
  readonly draft: FenceDraft
  readonly photoIds: readonly string[]
  readonly version: number
  readonly restoredFrom: number | null
  readonly validFrom: Date
}

/** Adds versions as they are in force from then on. */
export async function insertVersions(
  tx: Tx,
  versions: readonly NewVersion[],
  { by, note }: { by: string; note: string },
): Promise<Fence[]> {
  if (versions.length === 0) return []
  const made = versions.map((version) => ({ ...version, ...columnsOf(version.draft.shape) }))
  const rows = unnest<(typeof made)[number]>({
    rows: made,
    alias: 'r',
    columns: {
      line_id: ['bigint', (row) => row.lineId ?? 0],
      agent_id: ['bigint', (row) => row.agentId],
      area_id: ['bigint', (row) => row.areaId],
      kind: ['text', (row) => row.kind],
      name: ['text', (row) => row.draft.name],
      ring: ['text', (row) => row.ring],
      holes: ['text', (row) => row.holes],
      lat: ['float8', (row) => row.centre.lat],
      lng: ['float8', (row) => row.centre.lng],
      radius_m: ['real', (row) => row.radiusM],
      west: ['float8', (row) => row.box.west],
      south: ['float8', (row) => row.box.south],
      east: ['float8', (row) => row.box.east],
      north: ['float8', (row) => row.box.north],
      capacity: ['integer', (row) => row.draft.capacity],
      opens_minute: ['smallint', (row) => row.draft.hours?.opensMinute ?? null],
      closes_minute: ['smallint', (row) => row.draft.hours?.closesMinute ?? null],
      photo_ids: ['text', (row) => JSON.stringify(row.photoIds)],
      version: ['integer', (row) => row.version],
      restored_from: ['integer', (row) => row.restoredFrom],
      valid_from: ['timestamptz', (row) => row.validFrom.getTime()],
    },
  })
  const { rows: added } = await sql<FenceRow>`
    insert into fence as f (
      line_id, agent_id, area_id, kind, name, ring, holes, centre_lat, centre_lng, radius_m, west, south, east, north,
      capacity, opens_minute, closes_minute, photo_ids, version, restored_from, valid_from, author_name, note)
    select r.line_id, r.agent_id, r.area_id, r.kind, r.name, r.ring::jsonb, r.holes::jsonb, r.lat, r.lng, r.radius_m,
      r.west, r.south, r.east, r.north, r.capacity, r.opens_minute, r.closes_minute,
      array(select jsonb_array_elements_text(r.photo_ids::jsonb)), r.version, r.restored_from, r.valid_from, ${by}, ${note}
    from ${rows} returning ${fenceColumns}`.execute(tx)
  return added.map(fenceOf)
}

function columnsOf(shape: Shape) {
  const box = boxOf(shape)
  if ('radiusM' in shape) return { ring: null, holes: '[]', centre: shape.centre, radiusM: shape.radiusM, box }
  const centre = { lat: (box.south + box.north) / 2, lng: (box.west + box.east) / 2 }
  return { ring: JSON.stringify(shape.ring), holes: JSON.stringify(shape.holes), centre, radiusM: null, box }
}
