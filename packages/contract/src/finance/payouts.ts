import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema } from '#contract/answers.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { entryKinds } from './ledger.ts'
import { splitLineSchema } from './splitBills.ts'
import { daySchema } from './splitRules.ts'
import { withdrawalStates } from './withdrawals.ts'

/**
 * Proof of payout: the rides behind each cent of a withdrawal, and where the money of a ride is now. Cents are followed by the
 * rule "first in, first out" through the days that were settled and the book of the company; nothing of it is stored.
 */

const payoutLineSchema = z.object({
  /** Of the source in the withdrawal, the oldest is 1; with the entry it tells rows apart. */
  source: z.int(),
  day: z.string(),
  /** It was kept back as reserve first. */
  isOfReserve: z.boolean(),
  agentId: answeredIdSchema,
  /** Of the entry of income in the book. */
  entryNumber: z.int(),
  areaName: z.string().nullable(),
  at: instantSchema,
  kind: z.string(),
  orderId: answeredIdSchema.nullable(),
  /** The version that divided it; null: none held. */
  termsVersion: z.int().nullable(),
  paidCents: z.int(),
  /** The company's part, less what was refunded on the same day. */
  ownerCents: z.int(),
  /** What of that part is in this withdrawal. */
  cents: z.int(),
})
export type PayoutLine = z.infer<typeof payoutLineSchema>

const payoutLineFilterSchema = z.strictObject({ withdrawalId: idSchema, day: daySchema.optional() })
export type PayoutLineFilter = z.output<typeof payoutLineFilterSchema>

export const payoutLineList = list({
  row: payoutLineSchema,
  filter: payoutLineFilterSchema,
  sorts: { source: 'asc' },
  sums: ['cents'],
})

export const payoutLineFields = fields<PayoutLine>()({
  source: { title: '来源序号', as: 'count' },
  day: '日期',
  at: { title: '发生时间', as: 'instant' },
  areaName: '服务区',
  kind: { title: '类型', labels: entryKinds },
  orderId: '订单编号',
  entryNumber: '记账编号',
  termsVersion: { title: '规则版本', as: 'count' },
  paidCents: { title: '收入', as: 'cents' },
  ownerCents: { title: '加盟商所得', as: 'cents' },
  cents: { title: '本次提现', as: 'cents' },
})

/** Where cents of a company's part are. */
export const moneyPlaces = [
  'open_day',
  'in_transit',
  'deducted',
  'repaid',
  'reserved',
  'available',
  'disputed',
  'withdrawal',
  'service',
  'other',
] as const
export type MoneyPlace = (typeof moneyPlaces)[number]
export const moneyPlaceLabels: Readonly<Record<MoneyPlace, string>> = {
  open_day: '当日尚未日结',
  in_transit: '在途',
  deducted: '抵扣当日退款',
  repaid: '抵扣以前欠款',
  reserved: '准备金',
  available: '可提现余额',
  disputed: '争议中',
  withdrawal: '提现',
  service: '转入服务费余额',
  other: '其他支出',
}

const placeSchema = z.object({
  place: z.enum(moneyPlaces),
  cents: z.int(),
  /** Of a withdrawal. */
  withdrawalId: answeredIdSchema.nullable(),
  withdrawalState: z.enum(withdrawalStates).nullable(),
  /** Of what else has taken it. */
  reference: z.string(),
})
export type PlacedMoney = z.infer<typeof placeSchema>

const rights = {
  host: 'finance',
  permission: ['financial_01', 'financial_06'],
  scope: 'agent',
  method: 'POST',
} as const
const path = '/Business/withdrawal/lines'

export const payoutEndpoints = defineEndpoints({
  listPayoutLines: {
    ...rights,
    ...payoutLineList.page,
    method: 'POST',
    path,
    summary: '一笔提现的每一分钱来自哪些骑行：按先进先出对应到已结算日子的分账明细与所依据的规则版本',
  },
  sumPayoutLines: {
    ...rights,
    ...payoutLineList.sums,
    method: 'POST',
    path: `${path}/sums`,
    summary: '明细的笔数与金额',
  },
  exportPayoutLines: {
    ...rights,
    ...payoutLineList.file,
    path: `${path}/export`,
    summary: '导出提现的骑行明细（CSV）',
  },
  moneyOfRide: {
    host: 'finance',
    permission: ['financial_02'],
    scope: 'area',
    method: 'POST',
    idempotency: 'none',
    path: '/Business/divide-bill/moneyOfRide',
    summary: '一笔骑行的钱现在在哪里：分账明细，以及加盟商所得在途、可提现、准备金或哪笔提现中',
    input: z.object({ orderId: idSchema }),
    output: answerOf(
      z.object({
        lines: z.array(splitLineSchema),
        days: z.array(
          z.object({
            day: z.string(),
            isClosed: z.boolean(),
            ownerCents: z.int(),
            /** Null where the caller does not have all areas of the company. */
            places: z.array(placeSchema).nullable(),
          }),
        ),
      }),
    ),
  },
})
