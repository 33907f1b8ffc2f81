import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { phonePattern } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { askedPaymentSchema, payBySchema } from '#contract/finance/payments.ts'
import { minuteMs } from '#contract/time.ts'
import { usedGiftSchema } from './benefits.ts'
import { orderStates } from './orders.ts'
import { chargeLineSchema, priceRulesSchema, returnKinds } from './price.ts'
import { returnPhotosSchema } from './returns.ts'

/** The calls that an application of riders makes, on behalf of one of them. */

const riderPath = '/rider/v1'
export const reservationMs = 10 * minuteMs
export const claimMax = 500
/** The latest rides of a rider that one answer holds. */
export const ownRidesMax = 20

const phone = z
  .string()
  .regex(phonePattern)
  .meta({ examples: ['17000312345'] })
const vehicleNumber = plainTextSchema
  .trim()
  .min(1)
  .max(20)
  .meta({ examples: ['SD100001'] })

/** Those of the order, and while a lock has not answered yet: `pausing` until it has closed, `resuming` until it is open. */
export const rideStates = [...orderStates, 'pausing', 'resuming'] as const
export type RideState = (typeof rideStates)[number]

export const rideSchema = z.object({
  orderId: answeredIdSchema,
  /** The franchisee whose vehicle it is, and whose wallet pays for it. */
  agentId: answeredIdSchema,
  state: z.enum(rideStates),
  vehicleNumber: z.string(),
  placedAt: instantSchema,
  reservedUntil: instantSchema.nullable(),
  startedAt: instantSchema.nullable(),
  endedAt: instantSchema.nullable(),
  returnKind: z.enum(returnKinds).nullable(),
  /** What it was charged; null while it lasts. */
  chargedCents: z.int().nullable(),
  refundedCents: z.int(),
  lines: z.array(chargeLineSchema),
  /** The gift balance that paid for it, lot by lot; the rest was paid with money. */
  gifts: z.array(usedGiftSchema),
  /** Why it came to nothing, or why the last step did; null once a later step has worked. */
  failure: z.string().nullable(),
})
export type Ride = z.infer<typeof rideSchema>

const app = { host: 'platform', permission: 'app', scope: 'none', idempotency: 'none' } as const
const step = {
  ...app,
  method: 'POST',
  input: z.object({ phone, orderId: idSchema }),
  output: answerOf(rideSchema),
} as const

export const rideEndpoints = defineEndpoints({
  reserveRide: {
    ...app,
    method: 'POST',
    path: `${riderPath}/reserve`,
    summary: '预约一辆车，十分钟内有效；同一人同一车再次预约返回原预约',
    input: z.object({ phone, vehicleNumber }),
    output: answerOf(rideSchema),
  },
  unlockRide: {
    ...app,
    method: 'POST',
    path: `${riderPath}/unlock`,
    summary: '开锁骑行：直接开锁或凭预约开锁；锁确认打开后开始计费',
    input: z.object({ phone, vehicleNumber }),
    output: answerOf(rideSchema),
  },
  cancelRide: { ...step, path: `${riderPath}/cancel`, summary: '取消预约' },
  pauseRide: {
    ...step,
    path: `${riderPath}/pause`,
    summary: '临时锁车，计费继续：锁确认关闭前为 pausing，关闭后为 paused；未能关闭时仍为 riding，failure 说明原因',
  },
  resumeRide: {
    ...step,
    path: `${riderPath}/resume`,
    summary: '临时锁车后继续骑行：锁确认打开前为 resuming，打开后为 riding；未能打开时仍为 paused，failure 说明原因',
  },
  endRide: {
    ...step,
    path: `${riderPath}/end`,
    bodyLimitBytes: bodyLimits.photos,
    summary: '还车：先判定位置，再关锁，锁确认关闭后结算；重复调用返回同一结果；可附停放照片',
    input: z.object({ phone, orderId: idSchema, photos: returnPhotosSchema }),
  },
  payRide: {
    ...step,
    path: `${riderPath}/pay`,
    summary: '支付待支付的订单：先赠送余额，再余额；不足时返回支付渠道的下单参数，渠道回调后订单变为已支付',
    input: z.object({ phone, orderId: idSchema, ...payBySchema }),
    output: answerOf(
      rideSchema.extend({
        /** What is to be paid by a channel; null when nothing is. */
        payment: askedPaymentSchema.nullable(),
      }),
    ),
  },
  readRide: { ...step, method: 'GET', path: `${riderPath}/ride`, summary: '一次骑行的现状与费用明细' },
  ownRides: {
    ...app,
    method: 'GET',
    path: `${riderPath}/rides`,
    summary: '骑行人最近的骑行，新的在前',
    input: z.object({ phone }),
    output: answerOf(z.array(rideSchema).max(ownRidesMax)),
  },
  disputeRide: {
    ...app,
    method: 'POST',
    path: `${riderPath}/dispute`,
    bodyLimitBytes: bodyLimits.photos,
    summary: '对还车费用提出异议，等待审批；可附照片',
    input: z.object({
      phone,
      orderId: idSchema,
      claim: plainTextSchema.trim().min(1).max(claimMax),
      photos: returnPhotosSchema,
    }),
    output: answerOf(rideSchema),
  },
  quoteRide: {
    ...app,
    method: 'GET',
    path: `${riderPath}/price`,
    summary: '一辆车此刻的计价规则',
    input: z.object({ vehicleNumber }),
    output: answerOf(
      z.object({ agentId: answeredIdSchema, areaName: z.string(), versionName: z.string(), rules: priceRulesSchema }),
    ),
  },
})
