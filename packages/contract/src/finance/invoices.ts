import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
} from '#contract/answers.ts'
import { basePath, phonePattern } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { photoSchema, shownPhotoSchema } from '#contract/photos/photo.ts'

/** Invoices for what riders have really paid: asked for, issued or refused, red-flushed when money went back. */

export const invoiceStates = ['requested', 'issued', 'refused', 'cancelled', 'red_flushed'] as const
export type InvoiceState = (typeof invoiceStates)[number]
export const invoiceStateLabels: Readonly<Record<InvoiceState, string>> = {
  requested: '待开票',
  issued: '已开票',
  refused: '已拒绝',
  cancelled: '已撤回',
  red_flushed: '已红冲',
}

export const invoiceTitleKinds = ['person', 'company'] as const
export type InvoiceTitleKind = (typeof invoiceTitleKinds)[number]
export const invoiceTitleKindLabels: Readonly<Record<InvoiceTitleKind, string>> = { person: '个人', company: '企业' }

/** A ride that a channel was paid for, or money that was paid in. Rides out of the balance are in its recharge already. */
export const invoiceItemKinds = ['order', 'recharge'] as const
export type InvoiceItemKind = (typeof invoiceItemKinds)[number]
export const invoiceItemKindLabels: Readonly<Record<InvoiceItemKind, string>> = { order: '骑行订单', recharge: '充值' }

export const invoiceItemsMax = 50
export const invoiceBatchMax = 100
export const invoiceReasonMax = 200
/** Whole titles and tax numbers that one person is shown of a company in an hour. */
export const invoiceRevealsPerHour = 30
/** What can be asked for goes so far back. */
export const invoiceableDays = 180

const taxNumberPattern = /^[0-9A-HJ-NP-Z]{15}(?:[0-9A-HJ-NP-Z]{3})?(?:[0-9A-HJ-NP-Z]{2})?$/
export const invoiceNumberPattern = /^\d{8}$|^\d{20}$/

export const invoiceSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  riderId: answeredIdSchema,
  /** Its middle is hidden. */
  riderPhone: z.string(),
  state: z.enum(invoiceStates),
  titleKind: z.enum(invoiceTitleKinds),
  /** All but its ends is hidden. */
  title: z.string(),
  cents: z.int(),
  itemCount: z.int(),
  requestedAt: instantSchema,
  decidedAt: instantSchema.nullable(),
  decidedBy: z.string().nullable(),
  /** Why it was refused or flushed. */
  reason: z.string(),
  number: z.string().nullable(),
  link: z.string().nullable(),
  hasFile: z.boolean(),
  redNumber: z.string().nullable(),
})
export type Invoice = z.infer<typeof invoiceSchema>

export const invoiceItemSchema = z.object({
  kind: z.enum(invoiceItemKinds),
  subjectId: answeredIdSchema,
  /** Of the order or the payment. */
  number: z.string(),
  at: instantSchema,
  cents: z.int(),
  /** What of it is still paid and not given back: less than `cents` asks for a red flush. */
  coveredCents: z.int(),
})
export type InvoiceItem = z.infer<typeof invoiceItemSchema>

/** Conditions that an invoice must all meet; one that is absent asks for nothing. */
export const invoiceFilterSchema = z.strictObject({
  id: idSchema.optional(),
  phone: z.string().regex(phonePattern).optional(),
  riderId: idSchema.optional(),
  number: searchTextSchema.regex(invoiceNumberPattern).optional(),
  states: z.array(z.enum(invoiceStates)).min(1).max(invoiceStates.length).optional(),
  titleKind: z.enum(invoiceTitleKinds).optional(),
  /** By the time of asking. */
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type InvoiceFilter = z.output<typeof invoiceFilterSchema>

export const invoiceList = list({
  row: invoiceSchema,
  filter: invoiceFilterSchema,
  sorts: { requested: 'desc' },
  sums: ['cents'],
  secret: ['phone'],
})

/** What those who issue invoices are told in the file: the title as a whole, tax number and address beside it. */
export interface WholeInvoice extends Invoice {
  readonly taxNumber: string | null
  readonly email: string
}

export const invoiceFields = fields<WholeInvoice>()({
  id: '申请编号',
  state: { title: '状态', labels: invoiceStateLabels },
  titleKind: { title: '抬头类型', labels: invoiceTitleKindLabels },
  title: '抬头',
  taxNumber: '税号',
  email: '接收邮箱',
  cents: { title: '金额', as: 'cents' },
  itemCount: { title: '项目数', as: 'count' },
  riderPhone: '手机号',
  company: '加盟商',
  requestedAt: { title: '申请时间', as: 'instant' },
  number: '发票号码',
  decidedAt: { title: '处理时间', as: 'instant' },
  decidedBy: '处理人',
  reason: '原因',
})

const path = `${basePath}/platform/invoice`
const rights = { host: 'platform', permission: ['20'], scope: 'agent' } as const
const reads = { ...rights, idempotency: 'none', method: 'GET' } as const
const works = { ...rights, idempotency: 'key', method: 'POST' } as const
const reasonSchema = plainTextSchema.trim().min(1).max(invoiceReasonMax)
const idsSchema = z.array(idSchema).min(1).max(invoiceBatchMax)
const linkSchema = z.url({ protocol: /^https$/, error: '链接应以 https:// 开头' }).max(400)
const numberSchema = z.string().regex(invoiceNumberPattern, { error: '发票号码为 8 位或 20 位数字' })
/** Each for itself: what could not be done does not hold up the rest. */
const manyAnswer = answerOf(
  z.object({
    done: z.array(answeredIdSchema),
    refused: z.array(z.object({ id: answeredIdSchema, promot: z.string() })),
  }),
)

export const invoiceEndpoints = defineEndpoints({
  listInvoices: { ...rights, ...invoiceList.page, path, summary: '开票申请，新的在前' },
  sumInvoices: {
    ...rights,
    ...invoiceList.sums,
    path: `${path}/sums`,
    summary: '符合条件的开票申请的数量与金额',
  },
  invoiceItems: {
    ...reads,
    path: `${path}/items`,
    summary: '一张发票的明细，与各项目前仍可开票的金额',
    input: z.object({ id: idSchema }),
    output: answerOf(z.object({ list: z.array(invoiceItemSchema) })),
  },
  invoiceFile: {
    ...reads,
    path: `${path}/file`,
    summary: '上传的发票图片',
    input: z.object({ id: idSchema }),
    output: answerOf(z.object({ list: z.array(shownPhotoSchema) })),
  },
  revealInvoice: {
    ...works,
    idempotency: 'none',
    path: `${path}/reveal`,
    summary: '查看完整的抬头、税号与邮箱：逐次留痕，每小时有上限',
    input: z.object({ id: idSchema }),
    output: answerOf(z.object({ title: z.string(), taxNumber: z.string().nullable(), email: z.string() })),
  },
  issueInvoices: {
    ...works,
    path: `${path}/issue`,
    bodyLimitBytes: bodyLimits.photos,
    summary: '批量登记已开具的发票：号码，可附下载链接或图片；金额超出仍可开票金额的不予登记',
    input: z.object({
      invoices: z
        .array(z.object({ id: idSchema, number: numberSchema, link: linkSchema.optional() }))
        .min(1)
        .max(invoiceBatchMax),
      /** Of the first one. */
      file: photoSchema.optional(),
    }),
    output: manyAnswer,
  },
  refuseInvoices: {
    ...works,
    path: `${path}/refuse`,
    reverse: 'restoreInvoices',
    summary: '批量拒绝开票申请，骑行者可见原因',
    input: z.object({ ids: idsSchema, reason: reasonSchema }),
    output: manyAnswer,
  },
  restoreInvoices: {
    ...works,
    path: `${path}/restore`,
    summary: '把已拒绝的申请恢复为待开票；其中项目已另行申请的不能恢复',
    input: z.object({ ids: idsSchema }),
    output: manyAnswer,
  },
  flushInvoice: {
    ...works,
    path: `${path}/flush`,
    summary: '红冲一张已开具的发票，其中项目可以重新申请',
    input: z.object({ id: idSchema, redNumber: numberSchema, reason: reasonSchema }),
    output: answerOf(invoiceSchema),
  },
  exportInvoices: {
    ...rights,
    ...invoiceList.file,
    path: `${path}/export`,
    summary: '导出开票清单（CSV，含完整抬头与税号，留痕）：逐段取回，每一段都重新核对权限与范围',
  },
})

const app = { host: 'platform', permission: 'app', scope: 'none', idempotency: 'none' } as const
const riderPath = '/rider/v1/invoice'
const phone = z.string().regex(phonePattern)
const ownInvoice = invoiceSchema.pick({
  id: true,
  state: true,
  titleKind: true,
  title: true,
  cents: true,
  itemCount: true,
  requestedAt: true,
  reason: true,
  number: true,
  link: true,
})
export type OwnInvoice = z.infer<typeof ownInvoice>

/** The same as applications of riders see it. */
export const riderInvoiceEndpoints = defineEndpoints({
  riderInvoiceables: {
    ...app,
    method: 'GET',
    path: `${riderPath}/items`,
    summary: '骑行者可以开票的订单与充值：实际支付、未退款、未开票的部分',
    input: z.object({ phone }),
    output: answerOf(z.object({ list: z.array(invoiceItemSchema.omit({ coveredCents: true })) })),
  },
  riderAskInvoice: {
    ...app,
    method: 'POST',
    path: riderPath,
    summary: '申请开票：选择订单或充值，填写抬头与接收邮箱；企业抬头须有税号',
    input: z
      .object({
        phone,
        items: z
          .array(z.object({ kind: z.enum(invoiceItemKinds), id: idSchema }))
          .min(1)
          .max(invoiceItemsMax),
        titleKind: z.enum(invoiceTitleKinds),
        title: plainTextSchema.trim().min(1).max(100),
        taxNumber: z.string().regex(taxNumberPattern).optional(),
        email: z.email().max(120),
      })
      .refine(({ titleKind, taxNumber }) => titleKind === 'person' || taxNumber !== undefined, {
        error: '企业抬头请填写税号',
      }),
    output: answerOf(ownInvoice),
  },
  riderInvoices: {
    ...app,
    method: 'GET',
    path: riderPath,
    summary: '骑行者自己的发票，新的在前，最多五十张',
    input: z.object({ phone }),
    output: answerOf(z.object({ list: z.array(ownInvoice) })),
  },
  riderCancelInvoice: {
    ...app,
    method: 'POST',
    path: `${riderPath}/cancel`,
    summary: '撤回尚未处理的开票申请；重复调用返回同一结果',
    input: z.object({ phone, id: idSchema }),
    output: answerOf(ownInvoice),
  },
})
