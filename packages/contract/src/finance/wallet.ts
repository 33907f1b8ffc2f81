import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { exportAnswer, exportInput } from '#contract/exported.ts'
import { fields, list } from '#contract/list.ts'
import { accountKinds, entryKinds, type EntryKind } from './ledger.ts'
import { paymentChannelLabels, paymentChannels, purposeLabels, purposes } from './payments.ts'
import { moneyPage, moneyReasonSchema } from './reason.ts'
import { channelRefundSchema } from './refunds.ts'

/** A rider's money as people of the franchisee see it. */

const entryKindNames = Object.keys(entryKinds) as EntryKind[]

/** What a statement can be about: each is one or two accounts of the rider. */
export const walletBooks = ['wallet', 'deposit', 'card'] as const
export type WalletBook = (typeof walletBooks)[number]
export const walletBookLabels: Readonly<Record<WalletBook, string>> = {
  wallet: '钱包',
  deposit: '押金',
  card: '骑行卡预收',
}

/** What an entry is about: the word before the colon of its reference, and the number behind it. */
export const statementSubjects = ['order', 'payment', 'deposit', 'card', 'platform-charge', 'gift', 'other'] as const
const statementSubjectLabels: Readonly<Record<(typeof statementSubjects)[number], string>> = {
  order: '骑行订单',
  payment: '支付',
  deposit: '押金',
  card: '骑行卡',
  'platform-charge': '平台扣款',
  gift: '赠送余额',
  other: '其他',
}

export const walletSchema = z.object({
  riderId: answeredIdSchema,
  balanceCents: z.int(),
  giftCents: z.int(),
  /** What can be taken back, and what cannot while something is looked into. */
  depositCents: z.int(),
  frozenCents: z.int(),
  /** Of sold cards, for days that have not passed. */
  cardCents: z.int(),
})
export type Wallet = z.infer<typeof walletSchema>

export const statementLineSchema = z.object({
  /** Of the entry in the franchisee's book. */
  number: z.int(),
  kind: z.enum(entryKindNames),
  at: instantSchema,
  subject: z.enum(statementSubjects),
  subjectId: answeredIdSchema.nullable(),
  memo: z.string(),
  parts: z.array(z.object({ account: z.enum(accountKinds), cents: z.int() })),
  cents: z.int(),
  /** All accounts of the statement together, after this line. */
  afterCents: z.int(),
})
export type StatementLine = z.infer<typeof statementLineSchema>

export const statementFilterSchema = z.strictObject({
  riderId: idSchema,
  book: z.enum(walletBooks).default('wallet'),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type StatementFilter = z.output<typeof statementFilterSchema>

export const statementFields = fields<StatementLine>()({
  number: '记账编号',
  at: { title: '时间', as: 'instant' },
  // A charge by hand has two directions and one kind.
  kind: { title: '事项', labels: { ...entryKinds, platform_credit: '平台加款' } },
  subject: { title: '关于', labels: statementSubjectLabels },
  subjectId: '关于编号',
  cents: { title: '变动', as: 'cents' },
  afterCents: { title: '变动后', as: 'cents' },
  memo: '备注',
})

export const statementList = list({
  row: statementLineSchema,
  filter: statementFilterSchema,
  sorts: { at: 'desc' },
})

export const riderPaymentSchema = z.object({
  id: answeredIdSchema,
  purpose: z.enum(purposes),
  /** Recharge where it was asked for something else: that was settled when the money came. Null before it came. */
  became: z.enum(purposes).nullable(),
  /** The order or the card. */
  subjectId: answeredIdSchema.nullable(),
  channel: z.enum(paymentChannels),
  number: z.string(),
  cents: z.int(),
  giftCents: z.int(),
  /** What is open of that: a refund takes it back. */
  openGiftCents: z.int(),
  createdAt: instantSchema,
  paidAt: instantSchema.nullable(),
  refundedCents: z.int(),
  refunds: z.array(channelRefundSchema),
})
export type RiderPayment = z.infer<typeof riderPaymentSchema>

export const riderPaymentFields = fields<RiderPayment>()({
  number: '支付单号',
  createdAt: { title: '创建时间', as: 'instant' },
  paidAt: { title: '到账时间', as: 'instant' },
  purpose: { title: '用途', labels: purposeLabels },
  channel: { title: '支付渠道', labels: paymentChannelLabels },
  cents: { title: '金额', as: 'cents' },
  giftCents: { title: '赠送', as: 'cents' },
  refundedCents: { title: '已退款', as: 'cents' },
})

export const chargeAccounts = ['balance', 'gift'] as const
export type ChargeAccount = (typeof chargeAccounts)[number]
export const chargeAccountLabels: Readonly<Record<ChargeAccount, string>> = { balance: '余额', gift: '赠送余额' }
export const chargeDirections = ['debit', 'credit'] as const
export type ChargeDirection = (typeof chargeDirections)[number]
export const chargeDirectionLabels: Readonly<Record<ChargeDirection, string>> = { debit: '扣款', credit: '增加' }

export const chargeMaxCents = 1_000_000
const wallet = { host: 'platform', permission: ['070101'], scope: 'agent', idempotency: 'none' } as const

export const walletEndpoints = defineEndpoints({
  userWallet: {
    ...wallet,
    method: 'GET',
    path: `${basePath}/user/wallet`,
    summary: '一位骑行者的钱包：余额、赠送、押金、骑行卡预收，以及逐笔流水',
    input: z.object({ riderId: idSchema, book: z.enum(walletBooks).default('wallet'), ...moneyPage }),
    output: answerOf(
      z.object({
        wallet: walletSchema,
        list: z.array(statementLineSchema),
        /** Null: this was the last page. */
        nextCursor: z.int().nullable(),
      }),
    ),
  },
  listStatement: {
    ...wallet,
    ...statementList.page,
    path: `${basePath}/user/wallet/statement`,
    summary: '一位骑行者的流水：逐笔变动与变动后的余额，新的在前',
  },
  exportStatement: {
    ...wallet,
    ...statementList.file,
    path: `${basePath}/user/wallet/export`,
    summary: '导出一位骑行者的流水（CSV）：逐笔变动与变动后的余额',
  },
  riderPayments: {
    ...wallet,
    method: 'GET',
    path: `${basePath}/user/wallet/payments`,
    summary: '一位骑行者经支付渠道的付款，连同各笔退款',
    input: z.object({ riderId: idSchema, ...moneyPage }),
    output: answerOf(z.object({ list: z.array(riderPaymentSchema), nextCursor: z.int().nullable() })),
  },
  exportRiderPayments: {
    ...wallet,
    method: 'POST',
    load: 'file',
    path: `${basePath}/user/wallet/payments/export`,
    summary: '导出一位骑行者经支付渠道的付款与已退金额（CSV）',
    input: z.object({ riderId: idSchema, ...exportInput }),
    output: exportAnswer,
  },
  platformCharge: {
    writes: 'ledger',
    ...wallet,
    method: 'POST',
    permission: ['07010111'],
    idempotency: 'key',
    path: `${basePath}/pay/wallet/platformCharge`,
    reverse: 'undoPlatformCharge',
    summary: '平台扣款或增加余额、赠送余额，须写明原因；余额不会变成负数',
    input: z.object({
      riderId: idSchema,
      account: z.enum(chargeAccounts),
      direction: z.enum(chargeDirections),
      cents: z.int().min(1).max(chargeMaxCents),
      reason: moneyReasonSchema,
    }),
    output: answerOf(z.object({ chargeId: answeredIdSchema, wallet: walletSchema })),
  },
  undoPlatformCharge: {
    writes: 'ledger',
    ...wallet,
    method: 'DELETE',
    permission: ['07010111'],
    idempotency: 'key',
    path: `${basePath}/pay/wallet/platformCharge`,
    summary: '撤销一笔平台扣款或加款：记一笔冲正，收入与支出都回到之前；只能撤销一次',
    input: z.object({ chargeId: idSchema, reason: moneyReasonSchema }),
    output: answerOf(walletSchema),
  },
  refundPayment: {
    writes: 'ledger',
    ...wallet,
    method: 'POST',
    permission: ['07010113'],
    idempotency: 'key',
    path: `${basePath}/user/wallet/refund`,
    summary: '把充值的余额退回原支付渠道，不超过已付，也不超过现有余额',
    input: z.object({ paymentId: idSchema, cents: z.int().min(1).max(100_000_000), reason: moneyReasonSchema }),
    output: answerOf(z.object({ refundId: answeredIdSchema })),
  },
})
