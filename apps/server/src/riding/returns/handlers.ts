import { returnKinds } from '@saddle/contract/riding/price.ts'
import type { ListedReview, returnEndpoints } from '@saddle/contract/riding/returns.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Photos } from '#photos/public.ts'
import type { Riders } from '#rider/public.ts'
import { known } from '#kit/known.ts'
import { reviewOf } from '../orders/present.ts'
import { orderNumber, readCursor, writeCursor } from '../orders/rules.ts'
import { lockOrder, type RefundParts } from '../refunds/refund.ts'
import { selectReturnPhotos } from './photos.ts'
import { countOpenReviews, decideReview, lockReview, selectReviews, type ListedReviewRow } from './store.ts'
import { waiveFee } from './waive.ts'

type Parts = RefundParts & { readonly riders: Pick<Riders, 'maskedPhone'>; readonly photos: Pick<Photos, 'read'> }

/** Returns that a person decides about: their fee is kept, or it is waived and given back. */
export function createReturnHandlers(parts: Parts): Handlers<typeof returnEndpoints> {
  const { kit } = parts
  return {
    listReturnReviews: async ({ states, areaIds, disputed, cursor, pageSize }, { scope }) => {
      const after = cursor === undefined ? null : readCursor(cursor)
      const asked = { scope, states, areaIds, disputed, after, limit: pageSize + 1 }
      const [rows, counts] = await Promise.all([
        kit.db.read(scope, (k) => selectReviews(asked).compile(k)),
        kit.db.read(scope, (k) => countOpenReviews(scope).compile(k)),
      ])
      const shown = rows.slice(0, pageSize)
      const last = rows.length > pageSize ? shown.at(-1) : undefined
      const nextCursor =
        last === undefined ? null : writeCursor({ placedAt: last.opened_at.getTime(), id: last.order_id })
      const list = shown.map((row) => listedOf(row, parts.riders))
      return { suc: true, data: { list, nextCursor, openCount: counts[0]?.count ?? 0 } }
    },

    returnPhotos: async ({ orderId }, { scope }) => {
      const rows = await kit.db.read(scope, (k) => selectReturnPhotos({ orderId, scope }).compile(k))
      const ids = rows.map(({ photo_id }) => photo_id)
      return { suc: true, data: { list: await parts.photos.read(scope, { purpose: 'return', ids }) } }
    },

    decideReturns: async ({ orderIds, decision, note }, call) => {
      const decided: number[] = []
      const refused: { orderId: number; promot: string }[] = []
      for (const orderId of new Set(orderIds)) {
        try {
          await decideOne(parts, call, { orderId, decision, note })
          decided.push(orderId)
        } catch (error) {
          // Of one return the refusal is the answer.
          if (!(error instanceof AppError) || orderIds.length === 1) throw error
          refused.push({ orderId, promot: error.message })
        }
      }
      return { suc: true, data: { decided, refused } }
    },
  }
}

/** One decision with its money and its line in the log, in one transaction. */
async function decideOne(
  parts: Parts,
  call: SessionCall,
  { orderId, decision, note }: { orderId: number; decision: 'kept' | 'waived'; note: string },
): Promise<void> {
  const { kit, audit } = parts
  const { scope, caller } = call
  await kit.db.system(async (tx) => {
    const order = await lockOrder(tx, { orderId, scope })
    const review = await lockReview(tx, orderId)
    if (review === undefined) throw new AppError('review_decided')
    const by = { operatorId: caller.operatorId, operatorName: caller.name, at: new Date(kit.clock.now()) }
    await decideReview(tx, { orderId, state: decision, note, ...by })
    await audit.write(tx, {
      agentId: order.agent_id,
      areaId: order.area_id,
      operatorId: caller.operatorId,
      action: `return.${decision}`,
      subjectKind: 'order',
      subjectId: String(orderId),
      after: { feeCents: review.fee_cents, note },
      address: call.address,
      requestId: call.requestId,
    })
    if (decision === 'waived') await waiveFee(parts, tx, call, { order, note })
  })
}

function listedOf(row: ListedReviewRow, riders: Pick<Riders, 'maskedPhone'>): ListedReview {
  return {
    ...reviewOf(row),
    number: orderNumber({ id: row.order_id, placedAt: row.placed_at.getTime() }),
    vehicleNumber: row.vehicle_number,
    riderPhone: riders.maskedPhone(row),
    areaId: row.area_id,
    areaName: row.area_name,
    endedAt: row.ended_at?.getTime() ?? null,
    chargedCents: row.charged_cents,
    refundedCents: row.refunded_cents,
    returnKind: row.return_kind === null ? null : known(returnKinds, row.return_kind),
    distanceM: row.distance_m,
    photoCount: row.photo_count,
  }
}
