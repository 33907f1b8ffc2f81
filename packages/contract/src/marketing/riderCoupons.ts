import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema } from '#contract/answers.ts'
import { phonePattern } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { couponCodeSchema, couponStates } from './coupons.ts'
import { couponTermsSchema } from './couponTerms.ts'

/** Coupons as applications of riders see them. */

const app = { host: 'platform', permission: 'app', scope: 'none', idempotency: 'none' } as const
const riderPath = '/rider/v1/coupon'
const phone = z.string().regex(phonePattern)
const agentId = idSchema.optional()

const { effect, fromCents, conditions, alone } = couponTermsSchema.shape

export const riderCouponSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  name: z.string(),
  state: z.enum(couponStates),
  effect,
  fromCents,
  conditions,
  /** Nothing else lowers the same charge. */
  alone,
  endsAt: instantSchema,
  usedAt: instantSchema.nullable(),
  orderId: answeredIdSchema.nullable(),
  savedCents: z.int().nullable(),
  /** Why it was taken back. */
  revokeReason: z.string(),
})
export type RiderCoupon = z.infer<typeof riderCouponSchema>

export const riderCouponEndpoints = defineEndpoints({
  riderCoupons: {
    ...app,
    method: 'GET',
    path: riderPath,
    summary: '骑行者的优惠券：未使用的按失效先后在前，其余新的在前，最多一百张',
    input: z.object({ phone, agentId }),
    output: answerOf(z.object({ list: z.array(riderCouponSchema) })),
  },
  riderClaimCoupon: {
    ...app,
    method: 'POST',
    path: `${riderPath}/claim`,
    summary: '用兑换码领取一张优惠券；本人重复领取返回同一张',
    input: z.object({ phone, agentId, code: couponCodeSchema }),
    output: answerOf(riderCouponSchema),
  },
})
