import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'

export async function insertPhoto(
  tx: Tx,
  photo: {
    readonly id: string
    readonly agentId: number
    readonly areaId: number | null
    readonly purpose: string
    readonly kind: string
    readonly width: number
    readonly height: number
    readonly sealed: Buffer
    readonly at: Date
    readonly isUnattached: boolean
  },
): Promise<void> {
  await tx
    .insertInto('photo')
    .values({
      id: photo.id,
      agent_id: photo.agentId,
      area_id: photo.areaId,
      purpose: photo.purpose,
      kind: photo.kind,
      width: photo.width,
      height: photo.height,
      sealed: photo.sealed,
      kept_at: photo.at,
      unattached_since: photo.isUnattached ? photo.at : null,
    })
    .execute()
}

type Named = { readonly agentId: number; readonly purpose: string; readonly ids: readonly string[] }

/** Marks photos as attached; returns how many were unattached. */
export async function attachPhotos(tx: Tx, { agentId, purpose, ids }: Named): Promise<number> {
  const { rows } = await sql`
    update photo set unattached_since = null
    where id = any (${ids}::uuid[]) and agent_id = ${agentId} and purpose = ${purpose} and unattached_since is not null
    returning id`.execute(tx)
  return rows.length
}

/** Marks photos as attached, also those that are; returns how many there are. */
export async function sharePhotos(tx: Tx, { agentId, purpose, ids }: Named): Promise<number> {
  const { rows } = await sql`
    update photo set unattached_since = null
    where id = any (${ids}::uuid[]) and agent_id = ${agentId} and purpose = ${purpose}
    returning id`.execute(tx)
  return rows.length
}

export async function detachPhotos(
  tx: Tx,
  { agentId, purpose, ids, at }: Named & { readonly at: Date },
): Promise<void> {
  await sql`
    update photo set unattached_since = ${at}
    where id = any (${ids}::uuid[]) and agent_id = ${agentId} and purpose = ${purpose} and unattached_since is null`.execute(
    tx,
  )
}

const photoRow = rowOf('photo', 'p', ['id', 'kind', 'width', 'height', 'sealed', 'kept_at']).codes({
  kind: ['jpeg', 'png', 'webp'],
})
export type PhotoRow = RowOf<typeof photoRow>

/** In the order of the ids. */
export function selectPhotos(options: { scope: Scope; purpose: string; ids: readonly string[] }) {
  const { scope, purpose, ids } = options
  return photoRow.select`
    from photo p
    where p.id = any (${ids}::uuid[]) and p.purpose = ${purpose} and p.agent_id = any (${scope.agentIds}::bigint[])
      and (p.area_id is null or p.area_id = any (${scope.areaIds}::bigint[]))
    order by array_position(${ids}::uuid[], p.id)`
}

/** Removes up to `limit` photos unattached since before a moment; returns their number. */
export async function removeUnattached(tx: Tx, { before, limit }: { before: Date; limit: number }): Promise<number> {
  const { rows } = await sql`
    delete from photo where id in (
      select id from photo where unattached_since < ${before} order by unattached_since limit ${limit} for update skip locked)
    returning id`.execute(tx)
  return rows.length
}
