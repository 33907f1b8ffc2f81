import { returnEndpoints, reviewFields, reviewList } from '@saddle/contract/riding/returns.ts'
import { listOf } from '#kit/list/declare.ts'

/** Returns that somebody has to look at. */
export const reviews = listOf({
  list: reviewList,
  call: returnEndpoints.listReturnReviews,
  sums: returnEndpoints.sumReturnReviews,
  file: returnEndpoints.exportReturnReviews,
  fields: reviewFields,
  usual: { states: ['open'] },
  rowKey: ({ orderId }) => orderId,
})

/** The page with the return of one order. */
export const pathOfReview = (number: string): string =>
  `/carReturn-approve?filter=${encodeURIComponent(JSON.stringify({ number, states: null }))}`
