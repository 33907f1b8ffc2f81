import { reviewFields, reviewList, type returnEndpoints, type ReviewDecision } from '@saddle/contract/riding/returns.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { each } from '#kit/each.ts'
import type { Kit } from '#kit/kit.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { Photos } from '#photos/public.ts'
import type { Riders } from '#rider/public.ts'
import { orderNumber } from '../orders/rules.ts'
import { lockOrder, type RefundParts } from '../refunds/refund.ts'
import { selectReturnPhotos } from './photos.ts'
import { decideReview, lockReview, presentListedReview, reviewRows } from './store.ts'
import { waiveFee } from './waive.ts'

type Deps = RefundParts & {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>
  readonly riders: Pick<Riders, 'maskedPhone' | 'idsOf'>
  readonly photos: Pick<Photos, 'read'>
}

/** Returns that a person decides about: their fee is kept, or it is waived and given back. */
export function createReturnHandlers(deps: Deps): Handlers<typeof returnEndpoints> {
  const { kit, riders } = deps
  const list = serveList(deps, reviewList, {
    name: 'returns',
    prepare: async ({ phone }, { scope }) => ({ riderIds: await riders.idsOf(scope, { phone }) }),
    rows: reviewRows,
    present: (row) => {
      const review = presentListedReview(row)
      return {
        ...review,
        number: orderNumber({ id: row.order_id, placedAt: review.placedAt }),
        riderPhone: riders.maskedPhone(row),
      }
    },
    file: { action: 'return.export', fields: reviewFields },
  })
  return {
    listReturnReviews: list.page,
    sumReturnReviews: list.sums,
    exportReturnReviews: list.file,

    returnPhotos: async ({ orderId }, { scope }) => {
      const rows = await kit.db.read(scope, (k) => selectReturnPhotos({ orderId, scope }).compile(k))
      const ids = rows.map(({ photo_id }) => photo_id)
      return { suc: true, data: { list: await deps.photos.read(scope, { purpose: 'return', ids }) } }
    },

    decideReturns: async ({ orderIds, decision, note }, call) => {
      const { done, refused } = await each(orderIds, (orderId) => decideOne(deps, call, { orderId, decision, note }))
      const named = refused.map(({ id, promot }) => ({ orderId: id, promot }))
      return { suc: true, data: { decided: done, refused: named } }
    },
  }
}

/** One decision with its money and its line in the log, in one transaction. */
async function decideOne(
  deps: Deps,
  call: SessionCall,
  { orderId, decision, note }: { orderId: number; decision: ReviewDecision; note: string },
): Promise<void> {
  const { kit, audit } = deps
  const { scope, caller } = call
  await kit.db.system(async (tx) => {
    const order = await lockOrder(tx, { orderId, scope })
    const review = await lockReview(tx, { orderId, decision })
    if (review === undefined) throw new AppError('review_decided')
    const by = { operatorId: caller.operatorId, operatorName: caller.name, at: new Date(kit.clock.now()) }
    await decideReview(tx, { orderId, state: decision, note, ...by })
    await audit.act(tx, call, {
      agentId: order.agent_id,
      areaId: order.area_id,
      action: `return.${decision}`,
      subjectKind: 'order',
      subjectId: orderId,
      after: { feeCents: review.fee_cents, note },
    })
    if (decision === 'waived') await waiveFee(deps, tx, call, { order, note })
  })
}
