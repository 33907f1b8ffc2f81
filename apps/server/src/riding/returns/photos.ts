import { returnPhotosInAllMax } from '@saddle/contract/riding/returns.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow, rowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { Photos } from '#photos/public.ts'

/** Keeps photos of how a vehicle was left, of an order that the caller has locked. Throws return_photos_full. */
export async function keepReturnPhotos(
  photos: Pick<Photos, 'keep'>,
  tx: Tx,
  given: {
    readonly orderId: number
    readonly agentId: number
    readonly areaId: number
    readonly source: 'return' | 'dispute'
    readonly files: readonly string[]
  },
): Promise<void> {
  const { orderId, agentId, areaId, source, files } = given
  if (files.length === 0) return
  const { rows } = await countRow.select`from return_photo where order_id = ${orderId}`.execute(tx)
  if ((rows[0]?.count ?? 0) + files.length > returnPhotosInAllMax) throw new AppError('return_photos_full')
  for (const file of files) {
    const photoId = await photos.keep(tx, { agentId, areaId, purpose: 'return', file })
    await tx
      .insertInto('return_photo')
      .values({ photo_id: photoId, order_id: orderId, agent_id: agentId, area_id: areaId, source })
      .execute()
  }
}

const returnPhotoRow = rowOf('return_photo', 'p', ['photo_id'])

/** The ids of an order's photos, those of the return itself first. */
export function selectReturnPhotos({ orderId, scope }: { orderId: number; scope: Scope }) {
  return returnPhotoRow.select`
    from return_photo p join photo f on f.id = p.photo_id
    where p.order_id = ${orderId} and ${tenantFilter('p', scope)} order by f.kept_at, p.photo_id`
}
