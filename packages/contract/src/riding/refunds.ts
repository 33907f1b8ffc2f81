import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { chargeLineSchema } from './price.ts'

/** How much of which line. */
export const refundPartsSchema = z.array(z.object({ n: z.int().min(1), cents: z.int().min(1) }))

export const refundSchema = z.object({
  id: answeredIdSchema,
  cents: z.int(),
  /** Empty where no lines were named. */
  parts: refundPartsSchema,
  reason: z.string(),
  operatorName: z.string(),
  refundedAt: instantSchema,
})
export type Refund = z.infer<typeof refundSchema>

export const refundReasonMax = 200

export const refundEndpoints = defineEndpoints({
  refundOutlook: {
    method: 'GET',
    path: `${basePath}/wepay/itinerary/refund`,
    host: 'platform',
    permission: ['1601'],
    scope: 'area',
    idempotency: 'none',
    summary: '一个订单还能退多少：整单与每一行，以及已有的退款',
    input: z.object({ orderId: idSchema }),
    output: answerOf(
      z.object({
        refundableCents: z.int(),
        /** What gift balance paid of that: it lapses, after paid money has gone back. */
        giftCents: z.int(),
        lines: z.array(chargeLineSchema.extend({ n: z.int(), refundableCents: z.int() })),
        refunds: z.array(refundSchema),
      }),
    ),
  },
  refundOrder: {
    writes: 'ledger',
    method: 'POST',
    path: `${basePath}/wepay/itinerary/refund`,
    host: 'platform',
    permission: ['160101'],
    scope: 'area',
    idempotency: 'key',
    summary: '退款：整单、部分金额或按明细行，合计不超过已收',
    input: z
      .object({
        orderId: idSchema,
        /** Absent with `lines` absent: all that is left. */
        cents: z.int().min(1).max(100_000_000).optional(),
        /** Numbers of lines; what is left of each is refunded. */
        lines: z.array(z.int().min(1).max(200)).min(1).max(50).optional(),
        reason: plainTextSchema.trim().min(1).max(refundReasonMax),
      })
      .refine(({ cents, lines }) => cents === undefined || lines === undefined, { error: '金额与明细行只能给出一种' }),
    output: answerOf(z.object({ refund: refundSchema, refundedCents: z.int() })),
  },
})
