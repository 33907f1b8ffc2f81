import { z } from 'zod'
import {
  answerOf,
  answeredIdSchema,
  idSchema,
  instantSchema,
  plainTextSchema,
  versionSchema,
} from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { paymentChannels } from './payments.ts'
import { moneyReasonSchema } from './reason.ts'

/** Cards that riders buy: minutes that cost nothing, or a percentage off. */

export const cardKinds = ['riding', 'discount'] as const
export type CardKind = (typeof cardKinds)[number]
export const cardKindLabels: Readonly<Record<CardKind, string>> = { riding: '骑行卡', discount: '优惠卡' }

export const cardStates = ['waiting', 'active', 'over', 'refunded'] as const
export type CardState = (typeof cardStates)[number]
export const cardStateLabels: Readonly<Record<CardState, string>> = {
  waiting: '待支付',
  active: '生效中',
  over: '已过期',
  refunded: '已退卡',
}

const promise = {
  kind: z.enum(cardKinds),
  name: z.string(),
  priceCents: z.int(),
  days: z.int(),
  /** Riding cards. Null: as often as one likes. */
  freeMinutes: z.int().nullable(),
  ridesPerDay: z.int().nullable(),
  /** Discount cards. */
  percentOff: z.int().nullable(),
}

export const cardProductSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  ...promise,
  state: z.enum(['on', 'off']),
  version: z.int(),
  changedBy: z.string(),
  changedAt: instantSchema,
  /** Sold ones that are in force, and all that were ever sold. */
  activeCards: z.int(),
  soldCards: z.int(),
})
export type CardProduct = z.infer<typeof cardProductSchema>

export const riderCardSchema = z.object({
  id: answeredIdSchema,
  productId: answeredIdSchema,
  ...promise,
  state: z.enum(cardStates),
  paidBy: z.enum(['balance', ...paymentChannels]).nullable(),
  boughtAt: instantSchema.nullable(),
  /** Business days; the last one included. */
  firstDay: z.string().nullable(),
  lastDay: z.string().nullable(),
  earnedCents: z.int(),
  uses: z.int(),
  savedCents: z.int(),
  /** For the days that have not begun: what giving it back now would pay, and what it paid. */
  refundableCents: z.int(),
  refundedCents: z.int(),
  refundedAt: instantSchema.nullable(),
  refundedBy: z.string().nullable(),
  refundReason: z.string(),
})
export type RiderCard = z.infer<typeof riderCardSchema>

export const cardPriceMaxCents = 10_000_000
const name = plainTextSchema.trim().min(1).max(20)
const common = {
  name,
  priceCents: z.int().min(1).max(cardPriceMaxCents),
  days: z.int().min(1).max(366),
  state: z.enum(['on', 'off']).default('on'),
}
export const cardProductInputSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('riding'),
    ...common,
    freeMinutes: z.int().min(1).max(1_440),
    ridesPerDay: z.int().min(1).max(100).nullable(),
  }),
  z.strictObject({ kind: z.literal('discount'), ...common, percentOff: z.int().min(1).max(99) }),
])
export type CardProductInput = z.output<typeof cardProductInputSchema>

const config = { host: 'platform', permission: ['1705'], scope: 'agent', idempotency: 'none' } as const

export const cardEndpoints = defineEndpoints({
  myCards: {
    ...config,
    permission: ['070101'],
    method: 'GET',
    path: `${basePath}/user/ridingCard/myCard`,
    summary: '一位骑行者的骑行卡与优惠卡：有效期、使用次数、已省与已确认收入',
    input: z.object({ riderId: idSchema }),
    output: answerOf(z.object({ list: z.array(riderCardSchema) })),
  },
  refundCard: {
    writes: 'ledger',
    ...config,
    permission: ['07010113'],
    method: 'POST',
    idempotency: 'key',
    path: `${basePath}/user/ridingCard/refund`,
    summary: '退卡：未开始的天数按天退回，从余额买的退到余额，经渠道买的退回原渠道；退后立即失效',
    input: z.object({ cardId: idSchema, reason: moneyReasonSchema }),
    output: answerOf(riderCardSchema),
  },
  cardProducts: {
    ...config,
    method: 'GET',
    path: `${basePath}/config/cards`,
    summary: '在售与停售的卡，附销量',
    input: z.object({}),
    output: answerOf(z.object({ list: z.array(cardProductSchema) })),
  },
  createCardProduct: {
    ...config,
    method: 'POST',
    idempotency: 'key',
    path: `${basePath}/config/cards`,
    summary: '新增一种卡',
    input: z.object({ agentId: idSchema, product: cardProductInputSchema }),
    output: answerOf(z.object({ id: answeredIdSchema })),
  },
  changeCardProduct: {
    ...config,
    method: 'PUT',
    idempotency: 'key',
    path: `${basePath}/config/cards`,
    summary: '修改、停售或恢复一种卡；已售出的卡不变',
    input: z.object({ id: idSchema, version: versionSchema, product: cardProductInputSchema }),
    output: answerOf(z.object({ version: z.int() })),
  },
})
