import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
} from '#contract/answers.ts'
import { basePath, phonePattern, scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { photosSchema, shownPhotoSchema } from '#contract/photos/photo.ts'
import { orderStates } from '#contract/riding/orders.ts'
import { feedbackStates } from './feedback.ts'

/** Tickets of riders: what is wrong, who looks after it, what was found. */

export const ticketKinds = ['fault', 'charge', 'return', 'deposit', 'other'] as const
export type TicketKind = (typeof ticketKinds)[number]
export const ticketKindLabels: Readonly<Record<TicketKind, string>> = {
  fault: '车辆故障',
  charge: '费用争议',
  return: '还车问题',
  deposit: '押金问题',
  other: '其他',
}
/** Within so many hours a rider is to have an answer. */
export const ticketTargetHours: Readonly<Record<TicketKind, number>> = {
  fault: 4,
  charge: 24,
  return: 12,
  deposit: 48,
  other: 48,
}

export const ticketStates = ['open', 'in_work', 'resolved', 'closed'] as const
export type TicketState = (typeof ticketStates)[number]
export const ticketStateLabels: Readonly<Record<TicketState, string>> = {
  open: '待处理',
  in_work: '处理中',
  resolved: '已答复',
  closed: '已关闭',
}

export const ticketSources = ['rider', 'staff'] as const
export const ticketSourceLabels: Readonly<Record<(typeof ticketSources)[number], string>> = {
  rider: '骑行者提交',
  staff: '客服登记',
}

export const ticketFindings = ['justified', 'partly', 'unjustified', 'unverifiable'] as const
export type TicketFinding = (typeof ticketFindings)[number]
export const ticketFindingLabels: Readonly<Record<TicketFinding, string>> = {
  justified: '属实',
  partly: '部分属实',
  unjustified: '不属实',
  unverifiable: '无法核实',
}

/** What happens to a ticket. `said` is the rider's word, `noted` is for colleagues alone. */
export const ticketSteps = [
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
export type TicketStep = (typeof ticketSteps)[number]
export const ticketStepLabels: Readonly<Record<TicketStep, string>> = {
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

export const ticketTextMax = 500
export const ticketPhotosMax = 3
/** Photos of one ticket in all: of the rider and of those who answer. */
export const ticketPhotosInAllMax = 12
export const ticketBatchMax = 100
/** So long after its answer the rider may take a ticket up again; then it closes by itself. */
export const ticketReopenDays = 7
/** Tickets that one rider may open in a day. */
export const ticketsPerDayMax = 10
/** Words that a rider may add to one ticket in a day. */
export const ticketWordsPerDayMax = 30

export const ticketSchema = z.object({
  id: answeredIdSchema,
  number: z.string(),
  kind: z.enum(ticketKinds),
  state: z.enum(ticketStates),
  source: z.enum(ticketSources),
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
  finding: z.enum(ticketFindings).nullable(),
  /** One to five stars of the rider. */
  rating: z.int().nullable(),
  reopenedCount: z.int(),
})
export type Ticket = z.infer<typeof ticketSchema>

export const ticketEventSchema = z.object({
  id: answeredIdSchema,
  at: instantSchema,
  step: z.enum(ticketSteps),
  /** Null: the rider, or the platform itself. */
  authorName: z.string().nullable(),
  fromRider: z.boolean(),
  text: z.string(),
  /** Who it was given to. */
  assigneeName: z.string().nullable(),
  finding: z.enum(ticketFindings).nullable(),
  photoCount: z.int(),
})
export type TicketEvent = z.infer<typeof ticketEventSchema>

/** What a ticket is about, as far as the caller may know. */
export const ticketOrderSchema = z.object({
  id: answeredIdSchema,
  number: z.string(),
  state: z.enum(orderStates),
  placedAt: instantSchema,
  endedAt: instantSchema.nullable(),
  chargedCents: z.int().nullable(),
  refundedCents: z.int(),
})

export const ticketDetailSchema = z.object({
  ticket: ticketSchema,
  events: z.array(ticketEventSchema),
  order: ticketOrderSchema.nullable(),
  /** The feedback ticket that was made of it. */
  feedback: z.object({ id: answeredIdSchema, number: z.string(), state: z.enum(feedbackStates) }).nullable(),
  /** Of the same rider, the latest first. */
  others: z.array(ticketSchema.pick({ id: true, number: true, kind: true, state: true, openedAt: true })),
})
export type TicketDetail = z.infer<typeof ticketDetailSchema>

const numberPattern = /^GD\d{12,16}$/

/** Conditions that a ticket must all meet; one that is absent asks for nothing. */
export const ticketFilterSchema = z.strictObject({
  number: searchTextSchema.regex(numberPattern).optional(),
  phone: z.string().regex(phonePattern).optional(),
  vehicleNumber: searchTextSchema.min(1).max(20).optional(),
  riderId: idSchema.optional(),
  orderId: idSchema.optional(),
  kinds: z.array(z.enum(ticketKinds)).min(1).max(ticketKinds.length).optional(),
  states: z.array(z.enum(ticketStates)).min(1).max(ticketStates.length).optional(),
  areaIds: z.array(idSchema).max(scopeListMax).optional(),
  /** `mine`: the caller's own; `nobody`: those that wait for somebody. */
  who: z.enum(['mine', 'nobody']).optional(),
  assigneeId: idSchema.optional(),
  overdue: z.boolean().optional(),
  /** By the time of opening. */
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type TicketFilter = z.output<typeof ticketFilterSchema>

export const ticketFields = fields<Ticket>()({
  number: '工单编号',
  kind: { title: '类型', labels: ticketKindLabels },
  state: { title: '状态', labels: ticketStateLabels },
  source: { title: '来源', labels: ticketSourceLabels },
  text: '内容',
  riderPhone: '手机号',
  vehicleNumber: '车辆编号',
  company: '加盟商',
  areaName: '服务区',
  openedAt: { title: '提交时间', as: 'instant' },
  dueAt: { title: '应答时限', as: 'instant' },
  overdue: '是否超时',
  assigneeName: '处理人',
  finding: { title: '结论', labels: ticketFindingLabels },
  rating: { title: '评分', as: 'count' },
  reopenedCount: { title: '重开次数', as: 'count' },
})

export const ticketList = list({
  row: ticketSchema,
  filter: ticketFilterSchema,
  /** `due`: unanswered tickets first, by when they must be answered. */
  sorts: { due: 'asc', opened: 'desc' },
  secret: ['phone'],
})

const path = `${basePath}/complaintTicketInfo`
const reads = { host: 'platform', permission: ['0401'], scope: 'area', idempotency: 'none', method: 'GET' } as const
const works = { host: 'platform', permission: ['0401'], scope: 'area', idempotency: 'key', method: 'POST' } as const
const textSchema = plainTextSchema.trim().max(ticketTextMax)
/** What somebody says in a ticket. */
export const saidSchema = textSchema.min(1)
const idsSchema = z.array(idSchema).min(1).max(ticketBatchMax)
const oneAnswer = answerOf(ticketSchema)
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
export type TicketCounters = z.infer<typeof counters>

export const supportTicketEndpoints = defineEndpoints({
  listTickets: {
    ...reads,
    ...ticketList.page,
    path,
    summary: '用户工单：默认按应答时限先后，超时的在前',
  },
  ticketCounters: {
    ...reads,
    path: `${path}/counters`,
    summary: '用户工单：范围内各状态的数量',
    input: z.object({}),
    output: answerOf(counters),
  },
  ticket: {
    ...reads,
    path: `${path}/single`,
    summary: '一张用户工单：经过、关联的订单、同一骑行者的其他工单',
    input: z.object({ id: idSchema }),
    output: answerOf(ticketDetailSchema),
  },
  ticketPhotos: {
    ...reads,
    path: `${path}/photos`,
    summary: '工单的照片：提交时的，或某一步的',
    input: z.object({ id: idSchema, eventId: idSchema.optional() }),
    output: answerOf(z.object({ list: z.array(shownPhotoSchema) })),
  },
  ticketWorkers: {
    ...reads,
    path: `${path}/people`,
    summary: '可以处理用户工单的人，及各自手上未完成的数量',
    input: z.object({}),
    output: answerOf(
      z.object({ list: z.array(z.object({ id: answeredIdSchema, name: z.string(), unfinished: z.int() })) }),
    ),
  },
  openTicket: {
    ...works,
    path,
    bodyLimitBytes: bodyLimits.photos,
    summary: '客服登记一张用户工单：给出手机号、订单或车辆其一',
    input: z
      .object({
        kind: z.enum(ticketKinds),
        text: saidSchema,
        phone: z.string().regex(phonePattern).optional(),
        orderId: idSchema.optional(),
        vehicleNumber: searchTextSchema.min(1).max(20).optional(),
        photos: photosSchema(ticketPhotosMax),
      })
      .refine(({ phone, orderId, vehicleNumber }) => phone ?? orderId ?? vehicleNumber, {
        error: '请给出手机号、订单或车辆',
      }),
    output: oneAnswer,
  },
  resolveTicket: {
    ...works,
    path: `${path}/finding`,
    summary: '记录处理结论并答复骑行者，工单变为已答复；答复后可再修改结论',
    input: z.object({
      id: idSchema,
      finding: z.enum(ticketFindings),
      /** The rider reads it. */
      reply: saidSchema,
      /** Colleagues alone read it. */
      note: textSchema.default(''),
    }),
    output: oneAnswer,
  },
  replyToTicket: {
    ...works,
    path: `${path}/reply`,
    bodyLimitBytes: bodyLimits.photos,
    summary: '答复骑行者，或留内部备注',
    input: z.object({
      id: idSchema,
      text: saidSchema,
      internal: z.boolean().default(false),
      photos: photosSchema(ticketPhotosMax),
    }),
    output: oneAnswer,
  },
  assignTickets: {
    ...works,
    path: `${path}/assign`,
    reverse: 'assignTickets',
    summary: '批量指派工单；assigneeId 为空表示退回待处理',
    input: z.object({ ids: idsSchema, assigneeId: idSchema.nullable() }),
    output: manyAnswer,
  },
  transitionTickets: {
    ...works,
    path: `${path}/state`,
    reverse: 'transitionTickets',
    summary: '批量开始处理、关闭或重新打开工单',
    input: z.object({
      ids: idsSchema,
      act: z.enum(['start', 'close', 'reopen']),
      note: textSchema.default(''),
    }),
    output: manyAnswer,
  },
  exportTickets: {
    ...reads,
    ...ticketList.file,
    path: `${path}/export`,
    bodyLimitBytes: bodyLimits.lists,
    summary: '导出用户工单（CSV）：逐段取回，每一段都重新核对权限与范围',
  },
})
