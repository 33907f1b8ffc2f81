import { fencePhotosMax } from '@saddle/contract/geography/fences.ts'
import { photosPerCallMax, type ShownPhoto } from '@saddle/contract/photos/photo.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { Kit } from '#kit/kit.ts'
import type { Photos } from '#photos/public.ts'
import type { LastVersion, NewVersion } from './store.ts'

type Files = readonly string[] | undefined
type Asked = {
  readonly photos?: Files
  readonly photoIds?: readonly string[] | undefined
  readonly restoredFrom?: number | undefined
}

const fenceRow = rowOf('fence', 'f', ['photo_ids'])

/** The photos of a place of the scope, of its last version or of an earlier one. */
export async function showPhotos(
  { kit, photos }: { readonly kit: Pick<Kit, 'db'>; readonly photos: Pick<Photos, 'read'> },
  scope: Scope,
  { lineId, version }: { lineId: number; version: number | undefined },
): Promise<ShownPhoto[]> {
  const query = fenceRow.select`
    from fence f
    where f.line_id = ${lineId} and f.kind = 'parking' and ${tenantFilter('f', scope)}
      ${version === undefined ? sql`` : sql`and f.version = ${version}`}
    order by f.version desc limit 1`
  const [row] = await kit.db.read(scope, (k) => query.compile(k))
  if (row === undefined) throw new AppError('not_found')
  return photos.read(scope, { purpose: 'place', ids: row.photo_ids })
}

/** A call is sealed as a whole: many large files in it would not fit. */
export function checkFiles(places: readonly { readonly photos?: Files }[]): void {
  const files = places.reduce((sum, { photos = [] }) => sum + photos.length, 0)
  if (files > photosPerCallMax) throw new AppError('bad_request', { values: { detail: 'photos' } })
}

const fenceRow2 = rowOf('fence', 'f', ['version', 'photo_ids'])

/**
 * The photos of a place's next version: those it keeps and those it gets. Only ones that a version of the same place has
 * shown may be kept. None is ever released, because the versions before go on showing theirs.
 */
export async function photosAfter(
  tx: Tx,
  before: LastVersion,
  { photoIds, restoredFrom }: Asked,
): Promise<readonly string[]> {
  if (before.kind !== 'parking') return []
  if (photoIds === undefined && restoredFrom === undefined) return before.photoIds
  const { rows } = await fenceRow2.select`
    from fence f where f.line_id = ${before.lineId} and f.agent_id = ${before.agentId}
      and f.area_id = ${before.areaId}`.execute(tx)
  if (photoIds === undefined) return rows.find(({ version }) => version === restoredFrom)?.photo_ids ?? before.photoIds
  const shown = new Set(rows.flatMap((row) => row.photo_ids))
  if (!photoIds.every((id) => shown.has(id))) throw new AppError('photo_missing')
  return [...new Set(photoIds)]
}

/** Keeps the files that came with a version of a place behind those it has. */
export async function withFiles(
  photos: Pick<Photos, 'keep'>,
  tx: Tx,
  version: NewVersion,
  files: Files,
): Promise<NewVersion> {
  if (files === undefined || version.kind !== 'parking') return version
  const photoIds = [...version.photoIds]
  if (photoIds.length + files.length > fencePhotosMax) {
    throw new AppError('bad_request', { values: { detail: 'photos' } })
  }
  const { agentId, areaId } = version
  for (const file of files) photoIds.push(await photos.keep(tx, { agentId, areaId, purpose: 'place', file }))
  return { ...version, photoIds }
}
