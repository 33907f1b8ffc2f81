import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema } from '#contract/answers.ts'
import { phonePattern } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { riderCardSchema } from './cards.ts'
import { cardColours, cardPromise } from './cardTerms.ts'
import { depositExemptions } from './depositSettings.ts'
import { askedPaymentSchema, payBySchema } from './payments.ts'
import { statementLineSchema, walletSchema } from './wallet.ts'

/** What a rider does with their own money, by an application of riders. */

const riderPath = '/rider/v1'
export const rechargeMinCents = 100
export const rechargeMaxCents = 100_000

const rider = {
  phone: z.string().regex(phonePattern),
  /**
   * Whose rider, and so whose wallet: a rider has one with each franchisee, which pays for rides of that franchisee alone.
   * An application of a company with others below must say it.
   */
  agentId: idSchema.optional(),
}
/** Of the rider's application: what is sent again with it is the same request. */
const requestIdSchema = z.string().regex(/^[A-Za-z0-9-]{8,64}$/)
const app = { host: 'platform', permission: 'app', scope: 'none', idempotency: 'none' } as const

/** Who of the staff took a card back, and why, is not for the rider. */
const ownCardSchema = riderCardSchema.omit({ refundedBy: true, refundReason: true })

export const offeredCardSchema = z.object({
  id: answeredIdSchema,
  ...cardPromise,
  /** The price that is shown crossed out. */
  wasPriceCents: z.int().nullable(),
  /** Cards that can still be bought; null: any number. */
  left: z.int().nullable(),
  /** Cards of it that this rider may still buy; null: any number. */
  leftForRider: z.int().nullable(),
  /** Until when it is on sale. */
  onTo: instantSchema.nullable(),
  badge: z.string(),
  slogan: z.string(),
  colour: z.enum(cardColours),
})

export const riderMoneyEndpoints = defineEndpoints({
  readWallet: {
    ...app,
    method: 'GET',
    path: `${riderPath}/wallet`,
    summary: '自己的钱包：余额、赠送、押金、有效的卡与最近的流水',
    input: z.object(rider),
    output: answerOf(
      z.object({ wallet: walletSchema, cards: z.array(ownCardSchema), statement: z.array(statementLineSchema) }),
    ),
  },
  recharge: {
    ...app,
    method: 'POST',
    path: `${riderPath}/recharge`,
    summary: '充值：返回支付渠道的下单参数，渠道回调后入账；同一 requestId 只产生一笔支付',
    input: z.object({
      ...rider,
      cents: z.int().min(rechargeMinCents).max(rechargeMaxCents),
      requestId: requestIdSchema.optional(),
      ...payBySchema,
    }),
    output: answerOf(askedPaymentSchema),
  },
  takeBalanceBack: {
    ...app,
    method: 'POST',
    path: `${riderPath}/wallet/refund`,
    summary:
      '退余额：充值的部分退回原支付渠道，赠送余额随之失效；有未结束的骑行或待支付的订单时不能退；重复调用不会多退',
    input: z.object(rider),
    output: answerOf(
      z.object({
        /** On its way back through the channels. */
        refundedCents: z.int(),
        /** Balance that no channel brought, or more payments than one request gives back: it stays. */
        leftCents: z.int(),
        lapsedGiftCents: z.int(),
      }),
    ),
  },
  quoteDeposit: {
    ...app,
    method: 'GET',
    path: `${riderPath}/deposit`,
    summary: '在一个服务区骑行要交多少押金；已交足或免押时为零，freeBy 说明因何免押',
    input: z.object({ ...rider, areaId: idSchema }),
    output: answerOf(
      z.object({
        askedCents: z.int(),
        heldCents: z.int(),
        missingCents: z.int(),
        /** What exempts the rider; null when a deposit is asked for, or none at all. */
        freeBy: z.enum(depositExemptions).nullable(),
        /** Working days within which a deposit goes back. */
        refundDays: z.int(),
      }),
    ),
  },
  payDeposit: {
    ...app,
    method: 'POST',
    path: `${riderPath}/deposit`,
    summary: '缴纳一个服务区还差的押金；不用缴时 payment 为空',
    input: z.object({ ...rider, areaId: idSchema, ...payBySchema }),
    output: answerOf(z.object({ payment: askedPaymentSchema.nullable() })),
  },
  takeDepositBack: {
    ...app,
    method: 'POST',
    path: `${riderPath}/deposit/refund`,
    summary: '退押金：没有冻结的部分退回原支付渠道；有未结束的骑行或待支付的订单时不能退',
    input: z.object(rider),
    output: answerOf(z.object({ refundedCents: z.int() })),
  },
  offeredCards: {
    ...app,
    method: 'GET',
    path: `${riderPath}/cards`,
    summary: '可以购买的骑行卡与优惠卡，按货架顺序，附剩余库存；给出服务区则只含在那里可用的；以及自己的卡和剩余次数',
    input: z.object({ ...rider, areaId: idSchema.optional() }),
    output: answerOf(z.object({ offered: z.array(offeredCardSchema), mine: z.array(ownCardSchema) })),
  },
  buyCard: {
    ...app,
    method: 'POST',
    path: `${riderPath}/cards`,
    summary:
      '购卡：用余额立即生效，或返回支付渠道的下单参数，库存为其保留十五分钟；按天的卡接着前一张同类卡的有效期，按次的卡立即生效；售罄、停售或超过每人限购时说明原因，不扣款',
    input: z.object({
      ...rider,
      productId: idSchema,
      payBy: z.enum(['balance', 'channel']),
      /** Of the rider's application: the same one buys one card, however often it is sent. */
      requestId: requestIdSchema,
      ...payBySchema,
    }),
    output: answerOf(z.object({ card: ownCardSchema, payment: askedPaymentSchema.nullable() })),
  },
})
