import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
} from '#contract/answers.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { photoSchema, shownPhotoSchema } from '#contract/photos/photo.ts'
import { entryKinds, type EntryKind } from './ledger.ts'
import { meters } from './meters.ts'

/** Objections of companies to lines of their bills: what is disputed is held, nothing else. */

/** A bill for services, or a closed day's income. */
export const objectionBillKinds = ['service', 'split'] as const
export type ObjectionBillKind = (typeof objectionBillKinds)[number]
export const objectionBillKindLabels: Readonly<Record<ObjectionBillKind, string>> = {
  service: '服务账单',
  split: '分账日账单',
}

export const objectionStates = ['submitted', 'under_review', 'escalated', 'accepted', 'refused', 'withdrawn'] as const
export type ObjectionState = (typeof objectionStates)[number]
export const objectionStateLabels: Readonly<Record<ObjectionState, string>> = {
  submitted: '待受理',
  under_review: '审核中',
  escalated: '已升级',
  accepted: '已采纳',
  refused: '已驳回',
  withdrawn: '已撤回',
}
/** Those that wait for a decision. */
export const openObjectionStates = [
  'submitted',
  'under_review',
  'escalated',
] as const satisfies readonly ObjectionState[]

export const serviceReasons = ['quantity', 'price', 'not_ours', 'service_fault', 'other'] as const
export const splitReasons = ['income_missing', 'refund_wrong', 'fee_wrong', 'share_wrong', 'other'] as const
export type ServiceReason = (typeof serviceReasons)[number]
export type SplitReason = (typeof splitReasons)[number]
export const objectionReasons = [
  'quantity',
  'price',
  'not_ours',
  'service_fault',
  'income_missing',
  'refund_wrong',
  'fee_wrong',
  'share_wrong',
  'other',
] as const
export type ObjectionReason = (typeof objectionReasons)[number]
export const objectionReasonLabels: Readonly<Record<ObjectionReason, string>> = {
  quantity: '用量不符',
  price: '单价不符',
  not_ours: '不属于本公司',
  service_fault: '服务故障',
  income_missing: '少计收入',
  refund_wrong: '退款有误',
  fee_wrong: '手续费有误',
  share_wrong: '分账比例有误',
  other: '其他',
}

/** A bill may be objected to for so many days; an objection is decided within so many, after escalation within so many more. */
export const objectionDays = 30
export const objectionDecisionDays = 5
export const objectionEscalationDays = 10
export const objectionLinesMax = 100
export const objectionTextMax = 500
export const objectionPhotosMax = 3

/** What is done about an objection. The company withdraws and both escalate; the platform does the rest. */
export const objectionActs = ['take', 'accept', 'refuse', 'escalate', 'withdraw'] as const
export type ObjectionAct = (typeof objectionActs)[number]
export const objectionActLabels: Readonly<Record<ObjectionAct | 'submit', string>> = {
  submit: '提交异议',
  take: '受理',
  accept: '采纳',
  refuse: '驳回',
  escalate: '升级',
  withdraw: '撤回',
}

export const objectionSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  kind: z.enum(objectionBillKinds),
  /** Of the bill for services, or of the closed day's income. */
  billId: answeredIdSchema,
  number: z.string(),
  /** The month of a bill for services, the day of income. */
  period: z.string(),
  state: z.enum(objectionStates),
  reason: z.enum(objectionReasons),
  text: z.string(),
  disputedCents: z.int(),
  /** What was taken off the bill for services in the end, or booked as more income. */
  acceptedCents: z.int(),
  submittedAt: instantSchema,
  submittedBy: z.string(),
  /** By when it is to be decided. */
  deadlineAt: instantSchema,
  decidedAt: instantSchema.nullable(),
  decidedBy: z.string().nullable(),
  note: z.string(),
})
export type Objection = z.infer<typeof objectionSchema>

export const objectionFields = fields<Objection>()({
  id: '异议编号',
  company: '加盟商',
  kind: { title: '账单类型', labels: objectionBillKindLabels },
  number: '账单编号',
  period: '账期',
  state: { title: '状态', labels: objectionStateLabels },
  reason: { title: '异议原因', labels: objectionReasonLabels },
  text: '说明',
  disputedCents: { title: '争议金额', as: 'cents' },
  acceptedCents: { title: '采纳金额', as: 'cents' },
  submittedAt: { title: '提交时间', as: 'instant' },
  submittedBy: '提交人',
  deadlineAt: { title: '处理期限', as: 'instant' },
  decidedAt: { title: '处理时间', as: 'instant' },
  decidedBy: '处理人',
  note: '处理说明',
})

export const objectionFilterSchema = z.strictObject({
  id: idSchema.optional(),
  /** A part of the company's name, of the bill's number or of the text. */
  word: searchTextSchema.min(1).max(40).optional(),
  kinds: z.array(z.enum(objectionBillKinds)).min(1).max(objectionBillKinds.length).optional(),
  states: z.array(z.enum(objectionStates)).min(1).max(objectionStates.length).optional(),
  reasons: z.array(z.enum(objectionReasons)).min(1).max(objectionReasons.length).optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type ObjectionFilter = z.output<typeof objectionFilterSchema>
export const objectionList = list({
  row: objectionSchema,
  filter: objectionFilterSchema,
  sorts: { submitted: 'desc', deadline: 'asc' },
  sums: ['disputedCents', 'acceptedCents'],
})

const entryKindNames = Object.keys(entryKinds) as [EntryKind, ...EntryKind[]]

const rights = { host: 'finance', scope: 'agent', method: 'POST' } as const
const reads = { ...rights, permission: ['financial_04', 'financial_03'], idempotency: 'none' } as const

export const objectionEndpoints = defineEndpoints({
  submitObjection: {
    ...rights,
    permission: ['financial_03'],
    idempotency: 'key',
    writes: 'ledger',
    bodyLimitBytes: bodyLimits.photos,
    path: '/Business/dissent/post',
    summary: '对一张账单的若干明细提出异议，可附凭证图片；只冻结争议金额，其余照常结算',
    input: z.object({
      billId: idSchema,
      reason: z.enum(serviceReasons),
      text: plainTextSchema.trim().min(1).max(objectionTextMax),
      lines: z
        .array(z.object({ lineId: idSchema, cents: z.int().min(1) }))
        .min(1)
        .max(objectionLinesMax)
        .refine((lines) => new Set(lines.map(({ lineId }) => lineId)).size === lines.length, {
          error: '同一条明细只能出现一次',
        }),
      photos: z.array(photoSchema).max(objectionPhotosMax).optional(),
    }),
    output: answerOf(objectionSchema),
  },
  submitSplitObjection: {
    ...rights,
    // Income belongs to areas: who disputes it has them.
    scope: 'area',
    permission: ['financial_03'],
    idempotency: 'key',
    writes: 'ledger',
    bodyLimitBytes: bodyLimits.photos,
    path: '/Business/dissent/postSplit',
    summary: '对一张分账账单的若干明细提出异议：争议金额暂不结算、暂不可提现，采纳后在未日结的日子更正',
    input: z.object({
      splitBillId: idSchema,
      reason: z.enum(splitReasons),
      text: plainTextSchema.trim().min(1).max(objectionTextMax),
      lines: z
        .array(z.object({ entryNumber: z.int().min(1), cents: z.int().min(1) }))
        .min(1)
        .max(objectionLinesMax)
        .refine((lines) => new Set(lines.map(({ entryNumber }) => entryNumber)).size === lines.length, {
          error: '同一条明细只能出现一次',
        }),
      photos: z.array(photoSchema).max(objectionPhotosMax).optional(),
    }),
    output: answerOf(objectionSchema),
  },
  decideObjection: {
    ...rights,
    permission: ['financial_04'],
    idempotency: 'key',
    writes: 'ledger',
    path: '/Business/dissent/deal',
    summary: '处理异议：受理、采纳（可部分）、驳回、升级或撤回；升级后由另一人决定',
    input: z
      .object({
        id: idSchema,
        act: z.enum(objectionActs),
        /** Of an acceptance: what is taken off; absent: all that is disputed. */
        cents: z.int().min(1).optional(),
        note: plainTextSchema.trim().max(objectionTextMax).default(''),
      })
      .refine(({ act, note }) => (act !== 'refuse' && act !== 'escalate') || note !== '', {
        error: '请填写说明',
        path: ['note'],
      }),
    output: answerOf(objectionSchema),
  },
  listObjections: {
    ...reads,
    ...objectionList.page,
    method: 'POST',
    path: '/Business/dissent/fuzzyMatchesBySass',
    summary: '异议账单：按公司、账单编号或说明模糊查找，新的在前',
  },
  sumObjections: {
    ...reads,
    ...objectionList.sums,
    method: 'POST',
    path: '/Business/dissent/sums',
    summary: '符合条件的异议的数量与金额',
  },
  exportObjections: {
    ...reads,
    ...objectionList.file,
    path: '/Business/dissent/downloadBySass',
    summary: '导出异议账单（CSV）',
  },
  objectionDetails: {
    ...reads,
    path: '/Business/dissent/detail',
    summary: '一项异议的明细、经过与凭证图片，以及当前登录人可做的处理',
    input: z.object({ id: idSchema }),
    output: answerOf(
      z.object({
        objection: objectionSchema,
        lines: z.array(
          z.object({
            lineId: answeredIdSchema,
            meter: z.enum(meters),
            areaId: answeredIdSchema.nullable(),
            area: z.string().nullable(),
            quantity: z.int(),
            amountCents: z.int(),
            cents: z.int(),
            acceptedCents: z.int(),
          }),
        ),
        /** Of a closed day's income. */
        splitLines: z.array(
          z.object({
            entryNumber: z.int(),
            kind: z.enum(entryKindNames),
            at: instantSchema,
            orderId: answeredIdSchema.nullable(),
            area: z.string().nullable(),
            paidCents: z.int(),
            ownerCents: z.int(),
            cents: z.int(),
            acceptedCents: z.int(),
          }),
        ),
        /** What of the disputed income stays in transit, and what was settled and is held. */
        transitCents: z.int(),
        heldCents: z.int(),
        events: z.array(
          z.object({
            act: z.enum(['submit', ...objectionActs]),
            at: instantSchema,
            by: z.string(),
            note: z.string(),
          }),
        ),
        photos: z.array(shownPhotoSchema),
        acts: z.array(z.enum(objectionActs)),
      }),
    ),
  },
})
