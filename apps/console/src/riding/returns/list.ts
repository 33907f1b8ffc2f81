import { nearReturnsM, returnEndpoints, reviewFields, reviewList } from '@saddle/contract/riding/returns.ts'
import { listOf } from '#kit/list/declare.ts'

/** Returns that somebody has to look at. */
export const reviews = listOf({
  list: reviewList,
  call: returnEndpoints.listReturnReviews,
  sums: returnEndpoints.sumReturnReviews,
  file: returnEndpoints.exportReturnReviews,
  fields: reviewFields,
  usual: { states: ['open'] },
  // Who has waited longest is answered first.
  sort: { by: 'opened', direction: 'asc' },
  rowKey: ({ orderId }) => orderId,
})

/** The page with what riders dispute and left almost at a place: usually waived together. */
export const pathOfNear = `/carReturn-approve?filter=${encodeURIComponent(
  JSON.stringify({ disputed: true, withinM: nearReturnsM[0] }),
)}`

/** The page with the return of one order. */
export const pathOfReview = (number: string): string =>
  `/carReturn-approve?filter=${encodeURIComponent(JSON.stringify({ number, states: null }))}`
