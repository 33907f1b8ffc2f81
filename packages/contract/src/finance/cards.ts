import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema } from '#contract/answers.ts'
import { basePath, phonePattern } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { cardKindLabels, cardKinds, cardPromise } from './cardTerms.ts'
import { paymentChannelLabels, paymentChannels } from './payments.ts'
import { moneyReasonSchema } from './reason.ts'

/** Cards that riders bought or were given: minutes that cost nothing, or a percentage off. */

export const cardStates = ['waiting', 'active', 'over', 'refunded', 'lapsed', 'revoked'] as const
export type CardState = (typeof cardStates)[number]
export const cardStateLabels: Readonly<Record<CardState, string>> = {
  waiting: '待支付',
  active: '生效中',
  over: '已过期',
  refunded: '已退卡',
  lapsed: '未支付',
  revoked: '已收回',
}

/** How a card was paid for; `gift`: an activity gave it. */
export const cardPayers = ['balance', ...paymentChannels, 'gift'] as const
export type CardPayer = (typeof cardPayers)[number]
export const cardPayerLabels: Readonly<Record<CardPayer, string>> = {
  balance: '余额',
  ...paymentChannelLabels,
  gift: '赠送',
}

export const riderCardSchema = z.object({
  id: answeredIdSchema,
  productId: answeredIdSchema,
  ...cardPromise,
  state: z.enum(cardStates),
  paidBy: z.enum(cardPayers).nullable(),
  boughtAt: instantSchema.nullable(),
  /** Business days; the last one included. */
  firstDay: z.string().nullable(),
  lastDay: z.string().nullable(),
  earnedCents: z.int(),
  uses: z.int(),
  /** Of a card of so many rides. */
  ridesLeft: z.int().nullable(),
  savedCents: z.int(),
  /** For the days that have not begun, or the rides that are left: what giving it back now would pay, and what it paid. */
  refundableCents: z.int(),
  refundedCents: z.int(),
  refundedAt: instantSchema.nullable(),
  refundedBy: z.string().nullable(),
  refundReason: z.string(),
  /** A card that was given can be taken back. */
  revokedAt: instantSchema.nullable(),
  revokeReason: z.string(),
})
export type RiderCard = z.infer<typeof riderCardSchema>

export const soldCardSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  riderId: answeredIdSchema,
  /** Its middle is hidden. */
  phone: z.string().nullable(),
  productId: answeredIdSchema,
  version: z.int(),
  kind: z.enum(cardKinds),
  name: z.string(),
  state: z.enum(cardStates),
  paidBy: z.enum(cardPayers).nullable(),
  priceCents: z.int(),
  askedAt: instantSchema,
  boughtAt: instantSchema.nullable(),
  firstDay: z.string().nullable(),
  lastDay: z.string().nullable(),
  uses: z.int(),
  ridesLeft: z.int().nullable(),
  savedCents: z.int(),
  earnedCents: z.int(),
  refundableCents: z.int(),
  refundedCents: z.int(),
  refundedAt: instantSchema.nullable(),
})
export type SoldCard = z.infer<typeof soldCardSchema>

/** Which cards; days are those on which they were asked for. */
export const soldCardFilterSchema = z.strictObject({
  productId: idSchema.optional(),
  states: z.array(z.enum(cardStates)).min(1).max(cardStates.length).optional(),
  kinds: z.array(z.enum(cardKinds)).min(1).max(cardKinds.length).optional(),
  payers: z.array(z.enum(cardPayers)).min(1).max(cardPayers.length).optional(),
  phone: z.string().regex(phonePattern).optional(),
  riderId: idSchema.optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type SoldCardFilter = z.output<typeof soldCardFilterSchema>

export const soldCardFields = fields<SoldCard>()({
  id: '卡编号',
  riderId: '用户编号',
  phone: '手机号',
  name: '卡名称',
  kind: { title: '类型', labels: cardKindLabels },
  state: { title: '状态', labels: cardStateLabels },
  paidBy: { title: '支付方式', labels: cardPayerLabels },
  priceCents: { title: '售价', as: 'cents' },
  askedAt: { title: '下单时间', as: 'instant' },
  boughtAt: { title: '购买时间', as: 'instant' },
  firstDay: '首日',
  lastDay: '末日',
  uses: { title: '已用次数', as: 'count' },
  ridesLeft: { title: '剩余次数', as: 'count', labels: { null: '不限' } },
  savedCents: { title: '为骑行者省', as: 'cents' },
  earnedCents: { title: '已确认收入', as: 'cents' },
  refundableCents: { title: '可退', as: 'cents' },
  refundedCents: { title: '已退', as: 'cents' },
  refundedAt: { title: '退卡时间', as: 'instant' },
  version: { title: '规则版本', as: 'count' },
  company: '加盟商',
})

export const soldCardList = list({
  row: soldCardSchema,
  filter: soldCardFilterSchema,
  sorts: { asked: 'desc' },
  sums: ['priceCents', 'refundedCents'],
  secret: ['phone'],
})

const config = { host: 'platform', permission: ['070101'], scope: 'agent', idempotency: 'none' } as const
const mall = { host: 'platform', permission: ['1703'], scope: 'agent' } as const

export const cardEndpoints = defineEndpoints({
  listSoldCards: {
    ...mall,
    ...soldCardList.page,
    path: `${basePath}/config/cards/sold`,
    summary: '售出与赠送的每一张卡：按卡种、状态、骑行者、日期查找，新的在前',
  },
  sumSoldCards: {
    ...mall,
    ...soldCardList.sums,
    path: `${basePath}/config/cards/sold/sums`,
    summary: '一组条件下的卡的张数、售价与退卡金额',
  },
  exportSoldCards: {
    ...mall,
    ...soldCardList.file,
    path: `${basePath}/config/cards/sold/export`,
    summary: '导出售出的卡（CSV）：手机号只含一部分',
  },
  myCards: {
    ...config,
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
    summary: '退卡：未开始的天数按天、未用的次数按次退回，从余额买的退到余额，经渠道买的退回原渠道；退后立即失效',
    input: z.object({ cardId: idSchema, reason: moneyReasonSchema }),
    output: answerOf(riderCardSchema),
  },
})
