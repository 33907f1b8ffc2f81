import { z } from 'zod'
import { answeredIdSchema, instantSchema } from '#contract/answers.ts'

export const reviewStates = ['open', 'kept', 'waived'] as const
export type ReviewState = (typeof reviewStates)[number]
export const reviewStateLabels: Readonly<Record<ReviewState, string>> = {
  open: '待审批',
  kept: '维持收费',
  waived: '已免除',
}

/** A return that a person has to look at, or has looked at. */
export const returnReviewSchema = z.object({
  orderId: answeredIdSchema,
  openedAt: instantSchema,
  /** Opened by the fee itself, or because the rider disputes it. */
  cause: z.enum(['fee', 'dispute']),
  claim: z.string(),
  feeCents: z.int(),
  state: z.enum(reviewStates),
  decidedAt: instantSchema.nullable(),
  decidedBy: z.string().nullable(),
  note: z.string(),
})
