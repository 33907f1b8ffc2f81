import { rowOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { createPhotos } from '#photos/public.ts'
import { keepReturnPhotos } from '#riding/demoDoor.ts'

const returnsMax = 40

const reviewRow = rowOf('return_review', 'w', ['order_id as id', 'agent_id', 'area_id', 'opened_at'])

const returnPhotoRow = rowOf('return_photo', ['order_id'])

/**
 * Shows how vehicles were left, for the latest returns of the demo that somebody has to look at. Nothing where there are
 * photos already. Resolves to the number of returns.
 */
export async function fillReturnPhotos(kit: Kit, picture: (number: number) => Buffer): Promise<number> {
  const [known] = await kit.db.systemRead((k) => returnPhotoRow.select`from return_photo limit 1`.compile(k))
  if (known !== undefined) return 0
  const reviews = await kit.db.systemRead((k) =>
    reviewRow.select`
      from return_review w where w.state = 'open'
      order by w.opened_at desc, w.order_id desc limit ${returnsMax}`.compile(k),
  )
  for (const { id, agent_id: agentId, area_id: areaId, opened_at: at } of reviews) {
    const files = [picture(id), picture(id + 5)].slice(id % 2).map((file) => file.toString('base64'))
    const photos = createPhotos({ ...kit, clock: { now: () => at.getTime() } })
    await kit.db.system((tx) => keepReturnPhotos(photos, tx, { orderId: id, agentId, areaId, source: 'return', files }))
  }
  return reviews.length
}
