import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  none,
  plainTextSchema,
  versionSchema,
  visibleText,
} from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { sentEventLabels, sentEventNames, webhookEventNames } from './webhookEvents.ts'

/** Where partners' programs are told of events of one company, and what became of each message. */

export const webhookLimits = { perCompany: 10, urlMax: 300, replayMax: 100 } as const
/** So long the messages are signed by the key before as well. */
export const webhookRotationHours = 24
/** So long the log is kept. */
export const webhookLogDays = 30

export const webhookStates = ['on', 'paused'] as const
export type WebhookState = (typeof webhookStates)[number]

export const webhookSchema = z.object({
  id: answeredIdSchema,
  name: z.string(),
  url: z.string(),
  events: z.array(z.enum(webhookEventNames)),
  state: z.enum(webhookStates),
  /** Whether the platform paused it, because nothing had arrived for a day. */
  isPausedForFailure: z.boolean(),
  /** Since when nothing has arrived; null: the last message has. */
  failingSince: instantSchema.nullable(),
  lastSentAt: instantSchema.nullable(),
  /** Messages that wait, and those of the last day that arrived or were given up. */
  waiting: z.int(),
  sent: z.int(),
  failed: z.int(),
  createdAt: instantSchema,
  createdBy: z.string(),
  version: z.int(),
})
export type Webhook = z.infer<typeof webhookSchema>

export const webhookDeliveryStates = ['queued', 'sent', 'failed'] as const
export type WebhookDeliveryState = (typeof webhookDeliveryStates)[number]
export const webhookDeliveryStateLabels: Readonly<Record<WebhookDeliveryState, string>> = {
  queued: '待发送',
  sent: '已送达',
  failed: '未送达',
}

export const webhookDeliverySchema = z.object({
  id: answeredIdSchema,
  webhookId: answeredIdSchema,
  webhook: z.string(),
  event: z.enum(sentEventNames),
  subject: z.string(),
  state: z.enum(webhookDeliveryStates),
  attempts: z.int(),
  at: instantSchema,
  nextAt: instantSchema.nullable(),
  sentAt: instantSchema.nullable(),
  tookMs: z.int().nullable(),
  body: z.string(),
  answerStatus: z.int().nullable(),
  answer: z.string().nullable(),
  fault: z.string().nullable(),
})
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>
export const webhookDeliveryFields = fields<WebhookDelivery>()({
  at: { title: '时间', as: 'instant' },
  webhook: 'Webhook',
  event: { title: '事件', labels: sentEventLabels },
  subject: '对象',
  state: { title: '状态', labels: webhookDeliveryStateLabels },
  attempts: { title: '发送次数', as: 'count' },
  answerStatus: { title: '应答码', as: 'count' },
  answer: '应答内容',
  fault: '失败原因',
  body: '消息内容',
  nextAt: { title: '下次发送', as: 'instant' },
  sentAt: { title: '送达时间', as: 'instant' },
  tookMs: { title: '耗时（毫秒）', as: 'count' },
  id: { title: '编号', as: 'text' },
})
export const webhookDeliveryFilterSchema = z.strictObject({
  webhookIds: z.array(idSchema).min(1).max(webhookLimits.perCompany).optional(),
  events: z.array(z.enum(sentEventNames)).min(1).max(sentEventNames.length).optional(),
  states: z.array(z.enum(webhookDeliveryStates)).min(1).max(webhookDeliveryStates.length).optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type WebhookDeliveryFilter = z.output<typeof webhookDeliveryFilterSchema>
export const webhookDeliveryList = list({
  row: webhookDeliverySchema,
  filter: webhookDeliveryFilterSchema,
  sorts: { at: 'desc' },
})

const managed = { host: 'platform', permission: ['1104'], scope: 'agent', idempotency: 'none' } as const
const changes = { ...managed, idempotency: 'key' } as const
const path = `${basePath}/platform/webhooks`
const chosen = {
  name: plainTextSchema.overwrite(visibleText).min(1).max(40),
  url: plainTextSchema.min(1).max(webhookLimits.urlMax),
  events: z
    .array(z.enum(webhookEventNames))
    .min(1)
    .max(webhookEventNames.length)
    .overwrite((events) => [...new Set(events)]),
}
const one = { id: idSchema, version: versionSchema }
/** The key that signs, which is nowhere else. */
const made = answerOf(z.object({ id: answeredIdSchema, secret: z.string() }))

export const webhookEndpoints = defineEndpoints({
  listWebhooks: {
    ...managed,
    method: 'GET',
    path,
    summary: '一家加盟商的 Webhook 与近一天的推送情况',
    input: z.object({ agentId: idSchema.optional() }),
    output: answerOf(
      z.object({ agentId: answeredIdSchema, list: z.array(webhookSchema).max(webhookLimits.perCompany) }),
    ),
  },
  createWebhook: {
    ...managed,
    method: 'POST',
    path,
    summary: '新建 Webhook；签名密钥只返回这一次',
    input: z.strictObject({ agentId: idSchema.optional(), ...chosen }),
    output: made,
  },
  changeWebhook: {
    ...changes,
    method: 'PUT',
    path,
    summary: '修改 Webhook 的名称、地址与事件',
    input: z.strictObject({ ...one, ...chosen }),
    output: answerOf(none),
  },
  removeWebhook: {
    ...changes,
    method: 'DELETE',
    path,
    summary: '删除 Webhook 与它的推送记录',
    input: z.strictObject({ id: idSchema }),
    output: answerOf(none),
  },
  rotateWebhookSecret: {
    ...managed,
    method: 'PUT',
    path: `${path}/rotation`,
    summary: '更换签名密钥：24 小时内消息带新旧两个签名；新密钥只返回这一次',
    input: z.strictObject(one),
    output: made,
  },
  setWebhookState: {
    ...changes,
    method: 'PUT',
    path: `${path}/state`,
    summary: '暂停或恢复推送；暂停期间的消息在恢复后补发',
    input: z.strictObject({ ...one, state: z.enum(webhookStates) }),
    output: answerOf(none),
  },
  testWebhook: {
    ...changes,
    method: 'POST',
    path: `${path}/test`,
    summary: '推送一条测试消息',
    input: z.strictObject({ id: idSchema }),
    output: answerOf(none),
  },
  listWebhookDeliveries: {
    ...webhookDeliveryList.page,
    ...managed,
    method: 'GET',
    path: `${path}/delivery`,
    summary: '推送记录：消息内容与对方的应答，新的在前',
  },
  exportWebhookDeliveries: {
    ...webhookDeliveryList.file,
    host: 'platform',
    permission: ['1104'],
    scope: 'agent',
    path: `${path}/delivery/export`,
    summary: '导出推送记录',
  },
  replayWebhookDeliveries: {
    ...changes,
    method: 'POST',
    path: `${path}/delivery/replay`,
    summary: '重新推送已送达或未送达的消息，编号不变',
    input: z.strictObject({ ids: z.array(idSchema).min(1).max(webhookLimits.replayMax) }),
    output: answerOf(z.object({ queued: z.int() })),
  },
})
