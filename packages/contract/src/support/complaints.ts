import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
} from '#contract/answers.ts'
import { basePath, pageSizeMax, phonePattern, scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { exportAnswer, exportInput } from '#contract/exported.ts'
import { photosSchema, shownPhotoSchema } from '#contract/photos/photo.ts'
import { orderStates } from '#contract/riding/orders.ts'

/** Tickets of riders: what is wrong, who looks after it, what was found. */

export const complaintKinds = ['fault', 'charge', 'return', 'deposit', 'other'] as const
export type ComplaintKind = (typeof complaintKinds)[number]
export const complaintKindLabels: Readonly<Record<ComplaintKind, string>> = {
  fault: '车辆故障',
  charge: '费用争议',
  return: '还车问题',
  deposit: '押金问题',
  other: '其他',
}
/** Within so many hours a rider is to have an answer. */
export const complaintTargetHours: Readonly<Record<ComplaintKind, number>> = {
  fault: 4,
  charge: 24,
  return: 12,
  deposit: 48,
  other: 48,
}

export const complaintStates = ['open', 'in_work', 'resolved', 'closed'] as const
export type ComplaintState = (typeof complaintStates)[number]
export const complaintStateLabels: Readonly<Record<ComplaintState, string>> = {
  open: '待处理',
  in_work: '处理中',
  resolved: '已答复',
  closed: '已关闭',
}

export const complaintSources = ['rider', 'staff'] as const
export const complaintSourceLabels: Readonly<Record<(typeof complaintSources)[number], string>> = {
  rider: '骑行者提交',
  staff: '客服登记',
}

export const complaintFindings = ['justified', 'partly', 'unjustified', 'unverifiable'] as const
export type ComplaintFinding = (typeof complaintFindings)[number]
export const complaintFindingLabels: Readonly<Record<ComplaintFinding, string>> = {
  justified: '属实',
  partly: '部分属实',
  unjustified: '不属实',
  unverifiable: '无法核实',
}

/** What happens to a ticket. `said` is the rider's word, `noted` is for colleagues alone. */
export const complaintSteps = [
  'opened',
  'said',
  'replied',
  'noted',
  'assigned',
  'started',
  'found',
  'closed',
  'reopened',
] as const
export type ComplaintStep = (typeof complaintSteps)[number]
export const complaintStepLabels: Readonly<Record<ComplaintStep, string>> = {
  opened: '提交',
  said: '骑行者补充',
  replied: '答复骑行者',
  noted: '内部备注',
  assigned: '指派',
  started: '开始处理',
  found: '处理结论',
  closed: '关闭',
  reopened: '重新打开',
}

export const complaintTextMax = 500
export const complaintPhotosMax = 3
/** Photos of one ticket in all: of the rider and of those who answer. */
export const complaintPhotosInAllMax = 12
export const complaintBatchMax = 100
export const complaintExportPartRows = 2_000
/** Above so many the count is told as "so many or more". */
export const complaintCountMax = 10_000
/** So long after its answer the rider may take a ticket up again; then it closes by itself. */
export const complaintReopenDays = 7
/** Tickets that one rider may open in a day. */
export const complaintsPerDayMax = 10
/** Words that a rider may add to one ticket in a day. */
export const complaintWordsPerDayMax = 30

export const complaintSchema = z.object({
  id: answeredIdSchema,
  number: z.string(),
  kind: z.enum(complaintKinds),
  state: z.enum(complaintStates),
  source: z.enum(complaintSources),
  agentId: answeredIdSchema,
  company: z.string(),
  areaId: answeredIdSchema.nullable(),
  areaName: z.string().nullable(),
  riderId: answeredIdSchema.nullable(),
  /** Its middle is hidden. */
  riderPhone: z.string().nullable(),
  orderId: answeredIdSchema.nullable(),
  vehicleNumber: z.string().nullable(),
  text: z.string(),
  photoCount: z.int(),
  openedAt: instantSchema,
  dueAt: instantSchema,
  overdue: z.boolean(),
  changedAt: instantSchema,
  assigneeId: answeredIdSchema.nullable(),
  assigneeName: z.string().nullable(),
  finding: z.enum(complaintFindings).nullable(),
  /** One to five stars of the rider. */
  rating: z.int().nullable(),
  reopenedCount: z.int(),
})
export type Complaint = z.infer<typeof complaintSchema>

export const complaintEventSchema = z.object({
  id: answeredIdSchema,
  at: instantSchema,
  step: z.enum(complaintSteps),
  /** Null: the rider, or the platform itself. */
  authorName: z.string().nullable(),
  fromRider: z.boolean(),
  text: z.string(),
  /** Who it was given to. */
  assigneeName: z.string().nullable(),
  finding: z.enum(complaintFindings).nullable(),
  photoCount: z.int(),
})
export type ComplaintEvent = z.infer<typeof complaintEventSchema>

/** What a ticket is about, as far as the caller may know. */
export const complaintOrderSchema = z.object({
  id: answeredIdSchema,
  number: z.string(),
  state: z.enum(orderStates),
  placedAt: instantSchema,
  endedAt: instantSchema.nullable(),
  chargedCents: z.int().nullable(),
  refundedCents: z.int(),
})

export const complaintDetailSchema = z.object({
  complaint: complaintSchema,
  events: z.array(complaintEventSchema),
  order: complaintOrderSchema.nullable(),
  /** Of the same rider, the latest first. */
  others: z.array(complaintSchema.pick({ id: true, number: true, kind: true, state: true, openedAt: true })),
})
export type ComplaintDetail = z.infer<typeof complaintDetailSchema>

const numberPattern = /^GD\d{12,16}$/

/** Conditions that a ticket must all meet; one that is absent asks for nothing. */
export const complaintFilterSchema = z.strictObject({
  number: searchTextSchema.regex(numberPattern).optional(),
  phone: z.string().regex(phonePattern).optional(),
  vehicleNumber: searchTextSchema.min(1).max(20).optional(),
  riderId: idSchema.optional(),
  orderId: idSchema.optional(),
  kinds: z.array(z.enum(complaintKinds)).min(1).max(complaintKinds.length).optional(),
  states: z.array(z.enum(complaintStates)).min(1).max(complaintStates.length).optional(),
  areaIds: z.array(idSchema).max(scopeListMax).optional(),
  /** `mine`: the caller's own; `nobody`: those that wait for somebody. */
  who: z.enum(['mine', 'nobody']).optional(),
  assigneeId: idSchema.optional(),
  overdue: z.boolean().optional(),
  /** By the time of opening. */
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type ComplaintFilter = z.output<typeof complaintFilterSchema>

/** `due`: what has to be answered first; `opened`: the newest first. */
export const complaintSorts = ['due', 'opened'] as const
export type ComplaintSort = (typeof complaintSorts)[number]

const path = `${basePath}/complaintTicketInfo`
const reads = { host: 'platform', permission: ['0401'], scope: 'area', idempotency: 'none', method: 'GET' } as const
const works = { host: 'platform', permission: ['0401'], scope: 'area', idempotency: 'key', method: 'POST' } as const
const textSchema = plainTextSchema.trim().max(complaintTextMax)
const saidSchema = textSchema.min(1)
const idsSchema = z.array(idSchema).min(1).max(complaintBatchMax)
const oneAnswer = answerOf(complaintSchema)
/** Each for itself: what could not be done does not hold up the rest. */
const manyAnswer = answerOf(
  z.object({
    done: z.array(answeredIdSchema),
    refused: z.array(z.object({ id: answeredIdSchema, promot: z.string() })),
  }),
)
const counters = z.object({
  open: z.int(),
  inWork: z.int(),
  resolved: z.int(),
  overdue: z.int(),
  mine: z.int(),
  nobody: z.int(),
})
export type ComplaintCounters = z.infer<typeof counters>

export const complaintEndpoints = defineEndpoints({
  listComplaints: {
    ...reads,
    path,
    summary: '用户工单：默认按应答时限先后，超时的在前；首页附各状态数量',
    input: z.object({
      filter: complaintFilterSchema.default({}),
      sort: z.enum(complaintSorts).default('due'),
      cursor: z.string().max(200).optional(),
      pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(20),
    }),
    output: answerOf(
      z.object({
        list: z.array(complaintSchema),
        nextCursor: z.string().nullable(),
        /** Only with the first page. */
        count: z.int().nullable(),
        isCountCut: z.boolean(),
        /** Within the scope, whatever the filter; only with the first page. */
        counters: counters.nullable(),
      }),
    ),
  },
  complaint: {
    ...reads,
    path: `${path}/single`,
    summary: '一张用户工单：经过、关联的订单、同一骑行者的其他工单',
    input: z.object({ id: idSchema }),
    output: answerOf(complaintDetailSchema),
  },
  complaintPhotos: {
    ...reads,
    path: `${path}/photos`,
    summary: '工单的照片：提交时的，或某一步的',
    input: z.object({ id: idSchema, eventId: idSchema.optional() }),
    output: answerOf(z.object({ list: z.array(shownPhotoSchema) })),
  },
  complaintWorkers: {
    ...reads,
    path: `${path}/people`,
    summary: '可以处理用户工单的人，及各自手上未完成的数量',
    input: z.object({}),
    output: answerOf(
      z.object({ list: z.array(z.object({ id: answeredIdSchema, name: z.string(), unfinished: z.int() })) }),
    ),
  },
  openComplaint: {
    ...works,
    path,
    bodyLimitBytes: bodyLimits.photos,
    summary: '客服登记一张用户工单：给出手机号、订单或车辆其一',
    input: z
      .object({
        kind: z.enum(complaintKinds),
        text: saidSchema,
        phone: z.string().regex(phonePattern).optional(),
        orderId: idSchema.optional(),
        vehicleNumber: searchTextSchema.min(1).max(20).optional(),
        photos: photosSchema(complaintPhotosMax),
      })
      .refine(({ phone, orderId, vehicleNumber }) => phone ?? orderId ?? vehicleNumber, {
        error: '请给出手机号、订单或车辆',
      }),
    output: oneAnswer,
  },
  findComplaint: {
    ...works,
    path: `${path}/finding`,
    summary: '记录处理结论并答复骑行者，工单变为已答复；答复后可再修改结论',
    input: z.object({
      id: idSchema,
      finding: z.enum(complaintFindings),
      /** The rider reads it. */
      reply: saidSchema,
      /** Colleagues alone read it. */
      note: textSchema.default(''),
    }),
    output: oneAnswer,
  },
  replyToComplaint: {
    ...works,
    path: `${path}/reply`,
    bodyLimitBytes: bodyLimits.photos,
    summary: '答复骑行者，或留内部备注',
    input: z.object({
      id: idSchema,
      text: saidSchema,
      internal: z.boolean().default(false),
      photos: photosSchema(complaintPhotosMax),
    }),
    output: oneAnswer,
  },
  assignComplaints: {
    ...works,
    path: `${path}/assign`,
    summary: '批量指派工单；assigneeId 为空表示退回待处理',
    input: z.object({ ids: idsSchema, assigneeId: idSchema.nullable() }),
    output: manyAnswer,
  },
  turnComplaints: {
    ...works,
    path: `${path}/state`,
    summary: '批量开始处理、关闭或重新打开工单',
    input: z.object({
      ids: idsSchema,
      act: z.enum(['start', 'close', 'reopen']),
      note: textSchema.default(''),
    }),
    output: manyAnswer,
  },
  exportComplaints: {
    ...works,
    idempotency: 'none',
    path: `${path}/export`,
    bodyLimitBytes: bodyLimits.lists,
    load: 'file',
    summary: '导出用户工单（CSV）：逐段取回，每一段都重新核对权限与范围',
    input: z.object({
      filter: complaintFilterSchema.default({}),
      sort: z.enum(complaintSorts).default('due'),
      ...exportInput,
    }),
    output: exportAnswer,
  },
})

const ownTicket = z.object({
  id: answeredIdSchema,
  number: z.string(),
  kind: z.enum(complaintKinds),
  state: z.enum(complaintStates),
  text: z.string(),
  openedAt: instantSchema,
  dueAt: instantSchema,
  finding: z.enum(complaintFindings).nullable(),
  rating: z.int().nullable(),
  /** The words of both sides, the oldest first. */
  words: z.array(z.object({ at: instantSchema, fromRider: z.boolean(), text: z.string() })),
})
export type OwnComplaint = z.infer<typeof ownTicket>

const app = { host: 'platform', permission: 'app', scope: 'none', idempotency: 'none' } as const
const riderPath = '/rider/v1/complaint'
const phone = z.string().regex(phonePattern)

/** The same tickets as applications of riders see them. */
export const riderComplaintEndpoints = defineEndpoints({
  riderComplain: {
    ...app,
    method: 'POST',
    path: riderPath,
    bodyLimitBytes: bodyLimits.photos,
    summary: '提交一张工单；requestId 相同的重复提交返回原工单。车辆故障会生成维修任务',
    input: z.object({
      phone,
      kind: z.enum(complaintKinds),
      text: saidSchema,
      orderId: idSchema.optional(),
      vehicleNumber: searchTextSchema.min(1).max(20).optional(),
      photos: photosSchema(complaintPhotosMax),
      requestId: z
        .string()
        .regex(/^[\w-]{8,64}$/)
        .optional(),
    }),
    output: answerOf(ownTicket),
  },
  riderComplaints: {
    ...app,
    method: 'GET',
    path: riderPath,
    summary: '骑行者自己的工单，新的在前，最多二十张',
    input: z.object({ phone }),
    output: answerOf(z.object({ list: z.array(ownTicket) })),
  },
  riderSay: {
    ...app,
    method: 'POST',
    path: `${riderPath}/say`,
    bodyLimitBytes: bodyLimits.photos,
    summary: '补充说明；已答复的工单七天内因此重新打开',
    input: z.object({ phone, id: idSchema, text: saidSchema, photos: photosSchema(complaintPhotosMax) }),
    output: answerOf(ownTicket),
  },
  riderConfirm: {
    ...app,
    method: 'POST',
    path: `${riderPath}/confirm`,
    summary: '认可答复并打分，工单关闭；重复调用只更新打分',
    input: z.object({ phone, id: idSchema, rating: z.coerce.number().int().min(1).max(5) }),
    output: answerOf(ownTicket),
  },
})
