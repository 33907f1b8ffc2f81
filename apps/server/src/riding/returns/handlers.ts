import { returnKinds } from '@saddle/contract/riding/price.ts'
import {
  reviewCountMax,
  reviewExportPartRows,
  type ListedReview,
  type returnEndpoints,
  type ReviewDecision,
  type ReviewFilter,
} from '@saddle/contract/riding/returns.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { exportPart } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Photos } from '#photos/public.ts'
import type { Riders } from '#rider/public.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { known } from '#kit/known.ts'
import { reviewOf } from '../orders/present.ts'
import { idOfNumber, orderNumber, readCursor, writeCursor, type OrderCursor } from '../orders/rules.ts'
import { lockOrder, type RefundParts } from '../refunds/refund.ts'
import { selectReturnPhotos } from './photos.ts'
import { reviewColumns } from './file.ts'
import {
  countOpenReviews,
  countReviews,
  decideReview,
  lockReview,
  selectReviews,
  type ListedReviewRow,
  type ReviewSearch,
} from './store.ts'
import { waiveFee } from './waive.ts'

type Parts = RefundParts & {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>
  readonly riders: Pick<Riders, 'maskedPhone' | 'idsByPhone'>
  readonly photos: Pick<Photos, 'read'>
}

/** Returns that a person decides about: their fee is kept, or it is waived and given back. */
export function createReturnHandlers(parts: Parts): Handlers<typeof returnEndpoints> {
  const { kit, riders } = parts
  const searchOf = async (scope: Scope, filter: ReviewFilter): Promise<ReviewSearch> => {
    const { phone, number } = filter
    const riderIds = phone === undefined ? undefined : await riders.idsByPhone(scope, phone)
    return { scope, filter, riderIds, orderId: number === undefined ? undefined : idOfNumber(number) }
  }
  const page = async (search: ReviewSearch, after: OrderCursor | null, limit: number) => {
    // One more than is shown: whether there is a next page.
    const asked = { ...search, after, limit: limit + 1 }
    const rows = await kit.db.read(search.scope, (k) => selectReviews(asked).compile(k))
    const shown = rows.slice(0, limit)
    const last = rows.length > limit ? shown.at(-1) : undefined
    const nextCursor =
      last === undefined ? null : writeCursor({ placedAt: last.opened_at.getTime(), id: last.order_id })
    const { number } = search.filter
    const list = shown.map((row) => listedOf(row, riders))
    return { list: number === undefined ? list : list.filter((review) => review.number === number), nextCursor }
  }
  return {
    listReturnReviews: async ({ filter, cursor, pageSize }, { scope }) => {
      const after = cursor === undefined ? null : readCursor(cursor)
      const search = await searchOf(scope, filter)
      const [found, opened, counted] = await Promise.all([
        page(search, after, pageSize),
        kit.db.read(scope, (k) => countOpenReviews(scope).compile(k)),
        after === null ? kit.db.read(scope, (k) => countReviews(search).compile(k)) : null,
      ])
      const total = counted === null ? null : (counted[0]?.count ?? 0)
      const isCountCut = total !== null && total > reviewCountMax
      const count = isCountCut ? reviewCountMax : total
      return { suc: true, data: { ...found, count, isCountCut, openCount: opened[0]?.count ?? 0 } }
    },

    exportReturnReviews: async ({ filter, cursor, exportId }, call) => {
      const after = cursor === undefined ? null : readCursor(cursor)
      const { list: rows, nextCursor } = await page(await searchOf(call.scope, filter), after, reviewExportPartRows)
      const file = { name: 'returns', action: 'return.export', filter, columns: reviewColumns, isFirst: after === null }
      return { suc: true, data: await exportPart(parts, call, { ...file, rows, nextCursor, exportId }) }
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
  { orderId, decision, note }: { orderId: number; decision: ReviewDecision; note: string },
): Promise<void> {
  const { kit, audit } = parts
  const { scope, caller } = call
  await kit.db.system(async (tx) => {
    const order = await lockOrder(tx, { orderId, scope })
    const review = await lockReview(tx, { orderId, decision })
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
    riderId: row.rider_id,
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
