import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
} from '#contract/answers.ts'
import { basePath, scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import type { Permission } from '#contract/permissions.ts'
import { photosSchema, shownPhotoSchema } from '#contract/photos/photo.ts'

/** Tickets of staff to the platform: faults of the product, wishes, questions and disputes. */

export const feedbackKinds = ['fault', 'wish', 'question', 'dispute'] as const
export type FeedbackKind = (typeof feedbackKinds)[number]
export const feedbackKindLabels: Readonly<Record<FeedbackKind, string>> = {
  fault: '产品故障',
  wish: '功能建议',
  question: '使用咨询',
  dispute: '账务争议',
}

export const feedbackPriorities = ['urgent', 'high', 'normal', 'low'] as const
export type FeedbackPriority = (typeof feedbackPriorities)[number]
export const feedbackPriorityLabels: Readonly<Record<FeedbackPriority, string>> = {
  urgent: '紧急',
  high: '较高',
  normal: '普通',
  low: '较低',
}
/** Within so many hours a ticket is to be resolved, without the time in which its author was asked something. */
export const feedbackTargetHours: Readonly<Record<FeedbackPriority, number>> = {
  urgent: 4,
  high: 8,
  normal: 24,
  low: 72,
}

export const feedbackStates = ['open', 'in_work', 'waiting', 'resolved', 'closed'] as const
export type FeedbackState = (typeof feedbackStates)[number]
export const feedbackStateLabels: Readonly<Record<FeedbackState, string>> = {
  open: '待处理',
  in_work: '处理中',
  waiting: '待补充',
  resolved: '已解决',
  closed: '已关闭',
}

/** What happens to a ticket. `noted` is for the platform alone. */
export const feedbackSteps = [
  'opened',
  'said',
  'replied',
  'asked',
  'noted',
  'assigned',
  'started',
  'prioritised',
  'resolved',
  'closed',
  'reopened',
  'rated',
  'overdue',
] as const
export type FeedbackStep = (typeof feedbackSteps)[number]
export const feedbackStepLabels: Readonly<Record<FeedbackStep, string>> = {
  opened: '提交',
  said: '补充',
  replied: '答复',
  asked: '请提交人补充',
  noted: '内部备注',
  assigned: '指派',
  started: '开始处理',
  prioritised: '调整优先级',
  resolved: '已解决',
  closed: '关闭',
  reopened: '重新打开',
  rated: '评价',
  overdue: '超过时限',
}

/** What may be done with a ticket: by its company, by the platform, or by both. */
export const feedbackActs = [
  'say',
  'reply',
  'ask',
  'note',
  'assign',
  'start',
  'prioritise',
  'resolve',
  'close',
  'reopen',
  'rate',
] as const
export type FeedbackAct = (typeof feedbackActs)[number]

export const feedbackTitleMax = 60
export const feedbackTextMax = 1_000
export const feedbackPhotosMax = 3
/** Photos of one ticket in all. */
export const feedbackPhotosInAllMax = 20
/** A resolved ticket closes by itself after so many days. */
export const feedbackCloseDays = 7
/** After its closing a ticket may be reopened for so many days. */
export const feedbackReopenDays = 30
/** Tickets that one person may open in a day. */
export const feedbackPerDayMax = 50
const ratingTextMax = 200

/** What a ticket may be about. */
export const feedbackSubjectKinds = ['vehicle', 'order', 'service_bill', 'split_bill'] as const
export type FeedbackSubjectKind = (typeof feedbackSubjectKinds)[number]
export const feedbackSubjectLabels: Readonly<Record<FeedbackSubjectKind, string>> = {
  vehicle: '车辆',
  order: '用户订单',
  service_bill: '服务账单',
  split_bill: '分账账单',
}
/** Whoever may open the page of such a thing may name it in a ticket, and sees what a ticket is about. */
export const feedbackSubjectPermissions: Readonly<Record<FeedbackSubjectKind, readonly Permission[]>> = {
  vehicle: ['0301', '0302', '0305', '0307', '06'],
  order: ['1601'],
  service_bill: ['financial_03'],
  split_bill: ['financial_02'],
}
export const feedbackSubjectsMax = 10
export const feedbackSubjectSchema = z.object({
  kind: z.enum(feedbackSubjectKinds),
  id: answeredIdSchema,
  number: z.string(),
})
export type FeedbackSubject = z.infer<typeof feedbackSubjectSchema>

export const feedbackTicketSchema = z.object({
  id: answeredIdSchema,
  number: z.string(),
  kind: z.enum(feedbackKinds),
  priority: z.enum(feedbackPriorities),
  state: z.enum(feedbackStates),
  agentId: answeredIdSchema,
  company: z.string(),
  areaName: z.string().nullable(),
  authorName: z.string(),
  title: z.string(),
  openedAt: instantSchema,
  dueAt: instantSchema,
  overdue: z.boolean(),
  changedAt: instantSchema,
  assigneeId: answeredIdSchema.nullable(),
  assigneeName: z.string().nullable(),
  /** One to five stars of its author. */
  rating: z.int().nullable(),
  reopenedCount: z.int(),
})
export type FeedbackTicket = z.infer<typeof feedbackTicketSchema>

export const feedbackEventSchema = z.object({
  id: answeredIdSchema,
  at: instantSchema,
  step: z.enum(feedbackSteps),
  /** Null: the platform itself. */
  authorName: z.string().nullable(),
  fromPlatform: z.boolean(),
  text: z.string(),
  /** Who it was given to. */
  assigneeName: z.string().nullable(),
  priority: z.enum(feedbackPriorities).nullable(),
  photoCount: z.int(),
})
export type FeedbackEvent = z.infer<typeof feedbackEventSchema>

export const feedbackDetailSchema = z.object({
  ticket: feedbackTicketSchema,
  text: z.string(),
  photoCount: z.int(),
  ratingText: z.string(),
  events: z.array(feedbackEventSchema),
  subject: feedbackSubjectSchema.nullable(),
  /** The rider's ticket that it was made of. */
  riderTicket: z.object({ id: answeredIdSchema, number: z.string() }).nullable(),
  /** What the caller may do now. */
  acts: z.array(z.enum(feedbackActs)),
})
export type FeedbackDetail = z.infer<typeof feedbackDetailSchema>

/** `FK`, the day and the id. */
export const feedbackNumberPattern = /^FK\d{14,16}$/

/** Conditions that a ticket must all meet. */
export const feedbackFilterSchema = z.strictObject({
  number: searchTextSchema.regex(feedbackNumberPattern).optional(),
  /** A part of its title. */
  word: searchTextSchema.min(1).max(40).optional(),
  kinds: z.array(z.enum(feedbackKinds)).min(1).max(feedbackKinds.length).optional(),
  priorities: z.array(z.enum(feedbackPriorities)).min(1).max(feedbackPriorities.length).optional(),
  states: z.array(z.enum(feedbackStates)).min(1).max(feedbackStates.length).optional(),
  areaIds: z.array(idSchema).max(scopeListMax).optional(),
  /** `author`: the caller's own; `mine`: those that the caller works on; `nobody`: those that wait for somebody. */
  who: z.enum(['author', 'mine', 'nobody']).optional(),
  overdue: z.boolean().optional(),
  /** By the time of opening. */
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type FeedbackFilter = z.output<typeof feedbackFilterSchema>

export const feedbackFields = fields<FeedbackTicket>()({
  number: '工单编号',
  title: '标题',
  kind: { title: '类型', labels: feedbackKindLabels },
  priority: { title: '优先级', labels: feedbackPriorityLabels },
  state: { title: '状态', labels: feedbackStateLabels },
  company: '加盟商',
  areaName: '服务区',
  authorName: '提交人',
  openedAt: { title: '提交时间', as: 'instant' },
  dueAt: { title: '解决时限', as: 'instant' },
  overdue: '是否超时',
  assigneeName: '处理人',
  rating: { title: '评分', as: 'count' },
  reopenedCount: { title: '重开次数', as: 'count' },
})

export const feedbackList = list({
  row: feedbackTicketSchema,
  filter: feedbackFilterSchema,
  /** `due`: unresolved tickets first, by when they must be resolved. */
  sorts: { due: 'asc', opened: 'desc' },
})

const path = `${basePath}/feedback`
const who = { host: 'platform', permission: ['1801', '1802'], scope: 'area' } as const
const reads = { ...who, idempotency: 'none', method: 'GET' } as const
const works = { ...who, idempotency: 'key', method: 'POST' } as const
const textSchema = plainTextSchema.trim().max(feedbackTextMax)
const saidSchema = textSchema.min(1)
const oneAnswer = answerOf(feedbackTicketSchema)

export const feedbackEndpoints = defineEndpoints({
  listFeedback: {
    ...reads,
    ...feedbackList.page,
    path,
    summary: '反馈工单：本公司提交给平台的；平台看到所有公司的',
  },
  exportFeedback: {
    ...reads,
    ...feedbackList.file,
    path: `${path}/export`,
    bodyLimitBytes: bodyLimits.lists,
    summary: '导出反馈工单（CSV）：逐段取回，每一段都重新核对权限与范围',
  },
  feedback: {
    ...reads,
    path: `${path}/single`,
    summary: '一张反馈工单：经过、关联的车辆订单或账单、现在可以做的操作；内部备注只有平台能看到',
    input: z.object({ id: idSchema }),
    output: answerOf(feedbackDetailSchema),
  },
  feedbackPhotos: {
    ...reads,
    path: `${path}/photos`,
    summary: '反馈工单的图片：提交时的，或某一步的',
    input: z.object({ id: idSchema, eventId: idSchema.optional() }),
    output: answerOf(z.object({ list: z.array(shownPhotoSchema) })),
  },
  feedbackSubjects: {
    ...reads,
    path: `${path}/subjects`,
    summary: '按编号查找可以关联的车辆、订单或账单；只找调用者有权查看的',
    input: z.object({ kind: z.enum(feedbackSubjectKinds), word: searchTextSchema.min(1).max(40) }),
    output: answerOf(z.object({ list: z.array(feedbackSubjectSchema) })),
  },
  feedbackWorkers: {
    ...reads,
    permission: ['1801'],
    path: `${path}/people`,
    summary: '可以处理反馈工单的平台人员，及各自手上未解决的数量；非平台人员得到空列表',
    input: z.object({}),
    output: answerOf(
      z.object({ list: z.array(z.object({ id: answeredIdSchema, name: z.string(), unfinished: z.int() })) }),
    ),
  },
  openFeedback: {
    ...works,
    permission: ['1802'],
    path,
    bodyLimitBytes: bodyLimits.photos,
    summary: '向平台提交一张反馈工单；可关联车辆、订单、账单，或由一张用户工单转来',
    input: z.object({
      kind: z.enum(feedbackKinds),
      priority: z.enum(feedbackPriorities),
      title: plainTextSchema.trim().min(1).max(feedbackTitleMax),
      text: saidSchema,
      subject: z.object({ kind: z.enum(feedbackSubjectKinds), id: idSchema }).optional(),
      /** The rider's ticket that it is made of. */
      ticketId: idSchema.optional(),
      photos: photosSchema(feedbackPhotosMax),
    }),
    output: oneAnswer,
  },
  sayInFeedback: {
    ...works,
    path: `${path}/say`,
    bodyLimitBytes: bodyLimits.photos,
    summary: '补充说明；平台人员答复、请提交人补充（计时暂停）或留内部备注',
    input: z.object({
      id: idSchema,
      act: z.enum(['say', 'reply', 'ask', 'note']),
      text: saidSchema,
      photos: photosSchema(feedbackPhotosMax),
    }),
    output: oneAnswer,
  },
  changeFeedback: {
    ...works,
    path: `${path}/state`,
    summary: '开始处理、解决、关闭或重新打开一张反馈工单',
    input: z.object({
      id: idSchema,
      act: z.enum(['start', 'resolve', 'close', 'reopen']),
      text: textSchema.default(''),
    }),
    output: oneAnswer,
  },
  assignFeedback: {
    ...works,
    permission: ['1801'],
    path: `${path}/assign`,
    reverse: 'assignFeedback',
    summary: '指派一张反馈工单；assigneeId 为空表示退回待处理',
    input: z.object({ id: idSchema, assigneeId: idSchema.nullable() }),
    output: answerOf(z.object({ previousId: answeredIdSchema.nullable() })),
  },
  prioritiseFeedback: {
    ...works,
    permission: ['1801'],
    path: `${path}/priority`,
    reverse: 'prioritiseFeedback',
    summary: '调整优先级；解决时限随之改变',
    input: z.object({ id: idSchema, priority: z.enum(feedbackPriorities) }),
    output: answerOf(z.object({ previous: z.enum(feedbackPriorities) })),
  },
  rateFeedback: {
    ...works,
    path: `${path}/rating`,
    summary: '提交人评价处理结果，工单关闭',
    input: z.object({
      id: idSchema,
      rating: z.int().min(1).max(5),
      text: plainTextSchema.trim().max(ratingTextMax).default(''),
    }),
    output: oneAnswer,
  },
})
