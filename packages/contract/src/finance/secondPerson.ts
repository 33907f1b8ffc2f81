import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import type { Permission } from '#contract/permissions.ts'
import { fields, list } from '#contract/list.ts'
import { dayMs } from '#contract/time.ts'
import { moneyReasonMax } from './reason.ts'

/** Acts on money that a second person confirms: those on riders' money above a sum by person and day, corrections of bills always. */

export const moneyActs = [
  'charge',
  'balance_refund',
  'deposit_refund',
  'card_refund',
  'order_refund',
  'reward',
  'split_correction',
] as const
export type MoneyAct = (typeof moneyActs)[number]
export const moneyActLabels: Readonly<Record<MoneyAct, string>> = {
  charge: '平台扣款或加款',
  balance_refund: '余额退款',
  deposit_refund: '退还押金',
  card_refund: '退卡',
  order_refund: '订单退款',
  reward: '人工发放奖励',
  split_correction: '账单更正',
}
/** Whose money they are about. */
export const moneyActsAbout = {
  riders: moneyActs.filter((act) => act !== 'split_correction'),
  bills: ['split_correction'],
} as const satisfies Readonly<Record<string, readonly MoneyAct[]>>
export type MoneyActsAbout = keyof typeof moneyActsAbout
/** Whoever may do it may confirm it for somebody else. */
export const moneyActCodes = {
  charge: '07010111',
  balance_refund: '07010113',
  deposit_refund: '07010112',
  card_refund: '07010113',
  order_refund: '160101',
  reward: '170801',
  split_correction: 'financial_02',
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
  /** Null: it concerns the company's income. */
  riderId: answeredIdSchema.nullable(),
  act: z.enum(moneyActs),
  /** The order that it is about; null where it is about none. */
  orderId: answeredIdSchema.nullable(),
  /** The split bill that it corrects. */
  billId: answeredIdSchema.nullable(),
  /** False: it takes from the rider's wallet, or from the company's income. */
  isCredit: z.boolean(),
  cents: z.int(),
  reason: z.string(),
  operatorName: z.string(),
  /** Asked for by the caller, who may withdraw it and not confirm it. */
  isOwn: z.boolean(),
  /** The caller may confirm or reject it. */
  canDecide: z.boolean(),
  askedAt: instantSchema,
  expiresAt: instantSchema,
  state: z.enum(moneyActStates),
  decidedBy: z.string().nullable(),
  decidedAt: instantSchema.nullable(),
  note: z.string(),
})
export type MoneyActRow = z.infer<typeof moneyActSchema>

export const moneyActFilterSchema = z.strictObject({
  states: z.array(z.enum(moneyActStates)).min(1).max(moneyActStates.length).optional(),
  acts: z.array(z.enum(moneyActs)).min(1).max(moneyActs.length).optional(),
  about: z.enum(['riders', 'bills']).optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type MoneyActFilter = z.output<typeof moneyActFilterSchema>

export const moneyActFields = fields<MoneyActRow>()({
  id: '编号',
  act: { title: '事项', labels: moneyActLabels },
  cents: { title: '金额', as: 'cents' },
  state: { title: '状态', labels: moneyActStateLabels },
  riderId: '用户编号',
  orderId: '订单编号',
  billId: '账单编号',
  reason: '原因',
  operatorName: '提交人',
  askedAt: { title: '提交时间', as: 'instant' },
  expiresAt: { title: '有效期至', as: 'instant' },
  decidedBy: '处理人',
  decidedAt: { title: '处理时间', as: 'instant' },
  note: '说明',
  company: '加盟商',
})

export const moneyActList = list({
  row: moneyActSchema,
  filter: moneyActFilterSchema,
  sorts: { asked: 'desc' },
  sums: ['cents'],
})

const acts = {
  host: 'platform',
  permission: ['07010111', '07010112', '07010113', '160101', '170801', 'financial_02'],
  scope: 'area',
  path: `${basePath}/platform/money-act`,
} as const

export const secondPersonEndpoints = defineEndpoints({
  listMoneyActs: {
    ...acts,
    ...moneyActList.page,
    summary: '由另一人确认的资金操作（超过个人每日上限的，与账单更正），新的在前；只含本人有权限的种类',
  },
  sumMoneyActs: {
    ...acts,
    ...moneyActList.sums,
    path: `${acts.path}/sums`,
    summary: '一组条件下待他人确认的资金操作笔数与金额',
  },
  exportMoneyActs: { ...acts, ...moneyActList.file, path: `${acts.path}/export`, summary: '导出资金确认记录（CSV）' },
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
