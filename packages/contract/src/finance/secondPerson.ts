import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import type { Permission } from '#contract/permissions.ts'
import { dayMs } from '#contract/time.ts'
import { moneyReasonMax, pageInput } from './wallet.ts'

/** Acts on riders' money that a second person confirms above a sum by person and day. */

export const moneyActs = ['charge', 'balance_refund', 'deposit_refund', 'card_refund', 'order_refund'] as const
export type MoneyAct = (typeof moneyActs)[number]
export const moneyActLabels: Readonly<Record<MoneyAct, string>> = {
  charge: '平台扣款或加款',
  balance_refund: '余额退款',
  deposit_refund: '退还押金',
  card_refund: '退卡',
  order_refund: '订单退款',
}
/** Whoever may do it may confirm it for somebody else. */
export const moneyActCodes = {
  charge: '07010111',
  balance_refund: '07010113',
  deposit_refund: '07010112',
  card_refund: '07010113',
  order_refund: '160101',
} as const satisfies Readonly<Record<MoneyAct, Permission>>

export const moneyActStates = ['waiting', 'confirmed', 'rejected', 'withdrawn', 'expired'] as const
export type MoneyActState = (typeof moneyActStates)[number]
export const moneyActStateLabels: Readonly<Record<MoneyActState, string>> = {
  waiting: '待确认',
  confirmed: '已确认',
  rejected: '已拒绝',
  withdrawn: '已撤回',
  expired: '已过期',
}
export const moneyActLifetimeMs = dayMs

export const moneyActSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  riderId: answeredIdSchema,
  act: z.enum(moneyActs),
  /** The order that it is about; null where it is about none. */
  orderId: answeredIdSchema.nullable(),
  /** False: it takes from the rider's wallet. */
  isToRider: z.boolean(),
  cents: z.int(),
  reason: z.string(),
  operatorName: z.string(),
  /** Asked for by the caller, who may withdraw it and not confirm it. */
  isOwn: z.boolean(),
  askedAt: instantSchema,
  expiresAt: instantSchema,
  state: z.enum(moneyActStates),
  decidedBy: z.string().nullable(),
  decidedAt: instantSchema.nullable(),
  note: z.string(),
})
export type MoneyActRow = z.infer<typeof moneyActSchema>

const acts = {
  host: 'platform',
  permission: ['07010111', '07010112', '07010113', '160101'],
  scope: 'area',
  path: `${basePath}/platform/money-act`,
} as const

export const secondPersonEndpoints = defineEndpoints({
  moneyActs: {
    ...acts,
    method: 'GET',
    idempotency: 'none',
    summary: '超过个人每日上限、由另一人确认的资金操作，新的在前；只含本人有权限的种类',
    input: z.object({ states: z.array(z.enum(moneyActStates)).min(1).max(5).default(['waiting']), ...pageInput }),
    output: answerOf(
      z.object({
        list: z.array(moneyActSchema),
        nextCursor: z.int().nullable(),
        /** Of those that wait, within the scope. */
        waiting: z.int(),
      }),
    ),
  },
  confirmMoneyAct: {
    ...acts,
    writes: 'ledger',
    method: 'POST',
    idempotency: 'key',
    path: `${acts.path}/confirm`,
    summary: '确认他人提交的资金操作，随即执行；不能确认自己提交的',
    input: z.object({ id: idSchema }),
    output: answerOf(z.object({ state: z.enum(moneyActStates) })),
  },
  rejectMoneyAct: {
    ...acts,
    method: 'POST',
    idempotency: 'key',
    path: `${acts.path}/reject`,
    summary: '拒绝他人提交的资金操作，或撤回自己提交的',
    input: z.object({ id: idSchema, note: plainTextSchema.trim().max(moneyReasonMax).default('') }),
    output: answerOf(z.object({ state: z.enum(moneyActStates) })),
  },
})
