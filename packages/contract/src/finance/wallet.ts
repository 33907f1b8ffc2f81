import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { basePath, pageSizeMax, phonePattern } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { exportAnswer, exportInput } from '#contract/exported.ts'
import { accountKinds, entryKinds, type EntryKind } from './ledger.ts'
import { paymentChannels, purposes } from './payments.ts'

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
export const statementSubjects = ['order', 'payment', 'deposit', 'card', 'platform-charge', 'other'] as const

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

/** `returned`: the channel could not pay it out, and the rider has it as balance. */
export const refundStates = ['waiting', 'done', 'failed', 'returned'] as const
export type RefundState = (typeof refundStates)[number]
export const refundStateLabels: Readonly<Record<RefundState, string>> = {
  waiting: '退款中',
  done: '已退款',
  failed: '退款失败',
  returned: '已转为余额',
}

export const channelRefundSchema = z.object({
  id: answeredIdSchema,
  cents: z.int(),
  reason: z.string(),
  state: z.enum(refundStates),
  /** What the channel said. */
  fault: z.string(),
  attempts: z.int(),
  createdAt: instantSchema,
  doneAt: instantSchema.nullable(),
  /** When it became balance, and who decided that. */
  returnedAt: instantSchema.nullable(),
  returnedBy: z.string().nullable(),
})
export type ChannelRefund = z.infer<typeof channelRefundSchema>

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
  createdAt: instantSchema,
  paidAt: instantSchema.nullable(),
  refundedCents: z.int(),
  refunds: z.array(channelRefundSchema),
})
export type RiderPayment = z.infer<typeof riderPaymentSchema>

export const listedRefundSchema = channelRefundSchema.extend({
  agentId: answeredIdSchema,
  company: z.string(),
  riderId: answeredIdSchema,
  riderPhone: z.string().nullable(),
  paymentId: answeredIdSchema,
  purpose: z.enum(purposes),
  subjectId: answeredIdSchema.nullable(),
  channel: z.enum(paymentChannels),
})
export type ListedRefund = z.infer<typeof listedRefundSchema>

/** Which refunds: those that failed, unless others are asked for. Days are those on which they were asked for. */
export const refundFilterSchema = z.strictObject({
  states: z.array(z.enum(refundStates)).min(1).max(refundStates.length).optional(),
  purposes: z.array(z.enum(purposes)).min(1).max(purposes.length).optional(),
  phone: z.string().regex(phonePattern).optional(),
  riderId: idSchema.optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type RefundFilter = z.output<typeof refundFilterSchema>

export const chargeAccounts = ['balance', 'gift'] as const
export type ChargeAccount = (typeof chargeAccounts)[number]
export const chargeAccountLabels: Readonly<Record<ChargeAccount, string>> = { balance: '余额', gift: '赠送余额' }
export const chargeDirections = ['debit', 'credit'] as const
export type ChargeDirection = (typeof chargeDirections)[number]
export const chargeDirectionLabels: Readonly<Record<ChargeDirection, string>> = { debit: '扣款', credit: '增加' }

export const chargeMaxCents = 1_000_000
export const moneyReasonMax = 120
export const retryBatchMax = 50

export const reasonSchema = plainTextSchema.trim().min(1).max(moneyReasonMax)
export const pageInput = {
  cursor: idSchema.optional(),
  pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(20),
}

const wallet = { host: 'platform', permission: ['070101'], scope: 'agent', idempotency: 'none' } as const

export const walletEndpoints = defineEndpoints({
  userWallet: {
    ...wallet,
    method: 'GET',
    path: `${basePath}/user/wallet`,
    summary: '一位骑行者的钱包：余额、赠送、押金、骑行卡预收，以及逐笔流水',
    input: z.object({ riderId: idSchema, book: z.enum(walletBooks).default('wallet'), ...pageInput }),
    output: answerOf(
      z.object({
        wallet: walletSchema,
        list: z.array(statementLineSchema),
        /** Null: this was the last page. */
        nextCursor: z.int().nullable(),
      }),
    ),
  },
  exportStatement: {
    ...wallet,
    method: 'POST',
    path: `${basePath}/user/wallet/export`,
    load: 'file',
    summary: '导出一位骑行者的流水（CSV）：逐笔变动与变动后的余额',
    input: z.object({ riderId: idSchema, book: z.enum(walletBooks).default('wallet'), ...exportInput }),
    output: exportAnswer,
  },
  riderPayments: {
    ...wallet,
    method: 'GET',
    path: `${basePath}/user/wallet/payments`,
    summary: '一位骑行者经支付渠道的付款，连同各笔退款',
    input: z.object({ riderId: idSchema, ...pageInput }),
    output: answerOf(z.object({ list: z.array(riderPaymentSchema), nextCursor: z.int().nullable() })),
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
      reason: reasonSchema,
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
    input: z.object({ chargeId: idSchema, reason: reasonSchema }),
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
    input: z.object({ paymentId: idSchema, cents: z.int().min(1).max(100_000_000), reason: reasonSchema }),
    output: answerOf(z.object({ refundId: answeredIdSchema })),
  },
  failedRefunds: {
    ...wallet,
    method: 'GET',
    path: `${basePath}/user/usrInfo/refund/failed`,
    summary: '支付渠道没有退成的退款，新的在前；也可查看退款中与已完成的',
    input: z.object({
      filter: refundFilterSchema.default({}),
      ...pageInput,
    }),
    output: answerOf(
      z.object({
        list: z.array(listedRefundSchema),
        nextCursor: z.int().nullable(),
        /** Of all that failed; only with the first page. */
        failed: z.object({ count: z.int(), cents: z.int() }).nullable(),
      }),
    ),
  },
  exportRefunds: {
    ...wallet,
    method: 'POST',
    path: `${basePath}/user/usrInfo/refund/export`,
    load: 'file',
    summary: '导出退款（CSV）：手机号只含一部分',
    input: z.object({ filter: refundFilterSchema.default({}), ...exportInput }),
    output: exportAnswer,
  },
  retryRefunds: {
    writes: 'ledger',
    ...wallet,
    method: 'POST',
    permission: ['07010113'],
    idempotency: 'key',
    path: `${basePath}/user/usrInfo/refund/retry`,
    summary: '请支付渠道重新退款；已完成的不会再退一次',
    input: z.object({ refundIds: z.array(idSchema).min(1).max(retryBatchMax) }),
    output: answerOf(z.object({ refunds: z.array(z.object({ id: answeredIdSchema, state: z.enum(refundStates) })) })),
  },
  returnRefund: {
    writes: 'ledger',
    ...wallet,
    method: 'POST',
    permission: ['07010113'],
    idempotency: 'key',
    path: `${basePath}/user/usrInfo/refund/return`,
    summary: '把支付渠道退不成的退款转为骑行者的余额；只对退款失败的，且只能一次',
    input: z.object({ refundId: idSchema, reason: reasonSchema }),
    output: answerOf(channelRefundSchema),
  },
})
