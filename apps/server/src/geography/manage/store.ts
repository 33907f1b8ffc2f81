import type { Fence, FenceKind } from '@saddle/contract/geography/fences.ts'
import type { FenceDraft } from '@saddle/contract/geography/manage.ts'
import { boxOf, type Shape } from '@saddle/geo/shape.ts'
import { columnTable } from '#kit/db/columnTable.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow, rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { fenceOf, fenceRow, insertedFenceRow } from '../fences/rows.ts'

export type LastVersion = Fence & { readonly validTo: number | null; readonly removedBy: string | null }

const lastRow = rowsOf(fenceRow, rowOf('fence', 'f', ['valid_to', 'removed_by']))

/** The last version of each of these fences, held until the end of the transaction; foreign ones are missing. */
export async function lockLast(tx: Tx, scope: Scope, lineIds: readonly number[]): Promise<Map<number, LastVersion>> {
  const { rows } = await lastRow.select`
    from fence f
    where f.line_id = any (${lineIds}::bigint[]) and ${tenantFilter('f', scope)}
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

const endedRow = rowOf('fence', ['line_id', 'valid_to']).filled('valid_to')

/** Ends versions; `removed`: nothing follows them. */
export async function endVersions(
  tx: Tx,
  ids: readonly number[],
  { at, removed }: { at: Date; removed: { readonly by: string; readonly note: string } | null },
): Promise<Map<number, Date>> {
  const { rows } = await endedRow.returning`
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
  const added = versions.map((version) => ({ ...version, ...columnsOf(version.draft.shape), by, note }))
  const { rows } = await insertedFenceRow.returning`${writtenColumns.insert(added)}`.execute(tx)
  return rows.map(fenceOf)
}

type AddedVersion = NewVersion & ReturnType<typeof columnsOf> & { readonly by: string; readonly note: string }

const writtenColumns = columnTable<AddedVersion>()('fence', {
  line_id: ['bigint', ({ lineId }) => lineId ?? 0],
  agent_id: ['bigint', ({ agentId }) => agentId],
  area_id: ['bigint', ({ areaId }) => areaId],
  kind: ['text', ({ kind }) => kind],
  name: ['text', ({ draft }) => draft.name],
  ring: ['jsonb', ({ ring }) => ring],
  holes: ['jsonb', ({ holes }) => holes],
  centre_lat: ['float8', ({ centre }) => centre.lat],
  centre_lng: ['float8', ({ centre }) => centre.lng],
  radius_m: ['real', ({ radiusM }) => radiusM],
  west: ['float8', ({ box }) => box.west],
  south: ['float8', ({ box }) => box.south],
  east: ['float8', ({ box }) => box.east],
  north: ['float8', ({ box }) => box.north],
  capacity: ['integer', ({ draft }) => draft.capacity],
  opens_minute: ['smallint', ({ draft }) => draft.hours?.opensMinute ?? null],
  closes_minute: ['smallint', ({ draft }) => draft.hours?.closesMinute ?? null],
  photo_ids: ['text[]', ({ photoIds }) => photoIds],
  version: ['integer', ({ version }) => version],
  restored_from: ['integer', ({ restoredFrom }) => restoredFrom],
  valid_from: ['timestamptz', ({ validFrom }) => validFrom.getTime()],
  author_name: ['text', ({ by }) => by],
  note: ['text', ({ note }) => note],
})

function columnsOf(shape: Shape) {
  const box = boxOf(shape)
  if ('radiusM' in shape) return { ring: null, holes: [], centre: shape.centre, radiusM: shape.radiusM, box }
  const centre = { lat: (box.south + box.north) / 2, lng: (box.west + box.east) / 2 }
  return { ring: shape.ring, holes: shape.holes, centre, radiusM: null, box }
}
