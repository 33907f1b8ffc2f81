import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
} from '#contract/answers.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { meterEventSchema, meterGroups, meterLabels, meterPriceSchema, meters } from './meters.ts'

/** Monthly bills of what companies used of the platform. */

/** `held`: all that is still open of it is disputed. */
export const serviceBillStates = ['unpaid', 'held', 'paid', 'free'] as const
export type ServiceBillState = (typeof serviceBillStates)[number]
export const serviceBillStateLabels: Readonly<Record<ServiceBillState, string>> = {
  unpaid: '待扣款',
  held: '争议中',
  paid: '已结清',
  free: '已减免',
}

/** A bill is to be paid within so many days; then the company is warned. */
export const serviceBillDueDays = 10
export const waiveReasonMax = 200
const monthPattern = /^20\d\d-(?:0[1-9]|1[0-2])$/
const monthSchema = z.string().regex(monthPattern, { error: '月份格式为 YYYY-MM' })

export const serviceBillSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  number: z.string(),
  /** `YYYY-MM` */
  month: z.string(),
  state: z.enum(serviceBillStates),
  amountCents: z.int(),
  /** What accepted objections took off. */
  adjustedCents: z.int(),
  freeCents: z.int(),
  /** Disputed and not paid: nobody is charged for it meanwhile. */
  heldCents: z.int(),
  paidCents: z.int(),
  /** What is to be paid now. */
  openCents: z.int(),
  issuedAt: instantSchema,
  dueAt: instantSchema,
  /** Why and by whom it was waived. */
  freeReason: z.string(),
  freedBy: z.string().nullable(),
})
export type ServiceBill = z.infer<typeof serviceBillSchema>

export const serviceBillFilterSchema = z.strictObject({
  id: idSchema.optional(),
  number: searchTextSchema.max(40).optional(),
  month: monthSchema.optional(),
  states: z.array(z.enum(serviceBillStates)).min(1).max(serviceBillStates.length).optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type ServiceBillFilter = z.output<typeof serviceBillFilterSchema>

export const serviceBillFields = fields<ServiceBill>()({
  number: '账单编号',
  company: '加盟商',
  month: '账期',
  state: { title: '状态', labels: serviceBillStateLabels },
  amountCents: { title: '账单金额', as: 'cents' },
  adjustedCents: { title: '异议调减', as: 'cents' },
  freeCents: { title: '减免', as: 'cents' },
  heldCents: { title: '争议冻结', as: 'cents' },
  paidCents: { title: '已扣款', as: 'cents' },
  openCents: { title: '待扣款', as: 'cents' },
  issuedAt: { title: '出账时间', as: 'instant' },
  dueAt: { title: '最晚付款', as: 'instant' },
  freeReason: '减免原因',
  freedBy: '减免人',
})

export const serviceBillList = list({
  row: serviceBillSchema,
  filter: serviceBillFilterSchema,
  sorts: { issued: 'desc', amount: 'desc' },
  sums: ['amountCents', 'paidCents', 'openCents', 'heldCents'],
})

/** One meter of one area in a bill. */
export const billLineSchema = z.object({
  id: answeredIdSchema,
  billId: answeredIdSchema,
  number: z.string(),
  agentId: answeredIdSchema,
  company: z.string(),
  month: z.string(),
  meter: z.enum(meters),
  /** Null: it belongs to no service area. */
  areaId: answeredIdSchema.nullable(),
  area: z.string().nullable(),
  quantity: z.int(),
  /** For so many units. */
  priceCents: z.int(),
  perQuantity: z.int(),
  amountCents: z.int(),
  /** What open objections dispute, and what accepted ones took off. */
  disputedCents: z.int(),
  adjustedCents: z.int(),
})
export type BillLine = z.infer<typeof billLineSchema>

export const billLineFilterSchema = z.strictObject({
  billId: idSchema.optional(),
  number: searchTextSchema.max(40).optional(),
  group: z.enum(meterGroups).optional(),
  meters: z.array(z.enum(meters)).min(1).max(meters.length).optional(),
  areaIds: z.array(idSchema).min(1).max(500).optional(),
  month: monthSchema.optional(),
})
export type BillLineFilter = z.output<typeof billLineFilterSchema>

export const billLineFields = fields<BillLine>()({
  number: '账单编号',
  company: '加盟商',
  month: '账期',
  meter: { title: '计量项', labels: meterLabels },
  area: '服务区',
  quantity: { title: '用量', as: 'count' },
  priceCents: { title: '单价', as: 'cents' },
  perQuantity: { title: '计价数量', as: 'count' },
  amountCents: { title: '金额', as: 'cents' },
  disputedCents: { title: '争议中', as: 'cents' },
  adjustedCents: { title: '已调减', as: 'cents' },
})

export const billLineList = list({
  row: billLineSchema,
  filter: billLineFilterSchema,
  sorts: { newest: 'desc', amount: 'desc' },
  sums: ['amountCents', 'disputedCents', 'adjustedCents'],
})

/** Bills of a month by service area. */
export const billAreaSchema = z.object({
  /** Company and area, or company and `-` for what belongs to no area. */
  id: z.string(),
  agentId: answeredIdSchema,
  company: z.string(),
  areaId: answeredIdSchema.nullable(),
  area: z.string().nullable(),
  vehicleDays: z.int(),
  serviceCents: z.int(),
  usageCents: z.int(),
  amountCents: z.int(),
})
export type BillArea = z.infer<typeof billAreaSchema>

export const billAreaFilterSchema = z.strictObject({ billId: idSchema.optional(), month: monthSchema.optional() })
export type BillAreaFilter = z.output<typeof billAreaFilterSchema>
export const billAreasMax = 5_000

export const billAreaFields = fields<BillArea>()({
  area: '服务区',
  company: '加盟商',
  vehicleDays: { title: '车·天', as: 'count' },
  serviceCents: { title: '车辆服务', as: 'cents' },
  usageCents: { title: '用量费用', as: 'cents' },
  amountCents: { title: '合计', as: 'cents' },
})

export const billAreaList = list({
  row: billAreaSchema,
  filter: billAreaFilterSchema,
  sorts: { amount: 'desc', vehicleDays: 'desc' },
  countMax: billAreasMax,
})

const rights = { host: 'finance', permission: ['financial_03'], scope: 'agent' } as const
const asked = { ...rights, method: 'POST' } as const

export const serviceBillEndpoints = defineEndpoints({
  listServiceBills: {
    ...asked,
    ...serviceBillList.page,
    method: 'POST',
    path: '/Business/bill/page',
    summary: '服务账单：每家公司每月一张，新的在前',
  },
  sumServiceBills: {
    ...asked,
    ...serviceBillList.sums,
    method: 'POST',
    path: '/Business/bill/sums',
    summary: '符合条件的服务账单的数量与金额',
  },
  exportServiceBills: {
    ...asked,
    ...serviceBillList.file,
    path: '/Business/bill/export',
    summary: '导出服务账单（CSV）',
  },
  waiveServiceBill: {
    ...asked,
    idempotency: 'key',
    path: '/Business/bill/free',
    summary: '平台减免一张账单尚未扣款的部分，加盟商可见原因与经办人',
    input: z.object({ id: idSchema, reason: plainTextSchema.trim().min(1).max(waiveReasonMax) }),
    output: answerOf(serviceBillSchema),
  },
  listBillLines: {
    ...asked,
    ...billLineList.page,
    method: 'POST',
    path: '/Business/billDetails/page',
    summary: '账单明细：每个计量项在每个服务区的用量、单价与金额',
  },
  sumBillLines: {
    ...asked,
    ...billLineList.sums,
    method: 'POST',
    path: '/Business/billDetails/sums',
    summary: '符合条件的账单明细的数量与金额',
  },
  exportBillLines: {
    ...asked,
    ...billLineList.file,
    path: '/Business/billDetails/export',
    summary: '导出账单明细（CSV）',
  },
  billLineDetails: {
    ...asked,
    idempotency: 'none',
    path: '/Business/billDetails/details',
    summary: '一条账单明细的每日用量与所用单价；指定日期时含当日的计量事件，最多二百条',
    input: z.object({ id: idSchema, day: z.iso.date().optional() }),
    output: answerOf(
      z.object({
        line: billLineSchema,
        price: meterPriceSchema,
        days: z.array(z.object({ day: z.string(), quantity: z.int(), countedAt: instantSchema })),
        /** Null: no day was asked for, or its events are not kept any more. */
        events: z.array(meterEventSchema).nullable(),
      }),
    ),
  },
  listBillAreas: {
    ...asked,
    ...billAreaList.page,
    method: 'POST',
    path: '/Business/billDetails/areaList',
    summary: '一张账单或一个账期按服务区汇总',
  },
  exportBillAreas: {
    ...asked,
    ...billAreaList.file,
    path: '/Business/billDetails/areaExport',
    summary: '导出按服务区汇总的账单（CSV）',
  },
})
