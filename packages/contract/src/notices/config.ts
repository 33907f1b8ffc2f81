import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  none,
  plainTextSchema,
  searchTextSchema,
  versionSchema,
} from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { noticeEventLabels, noticeEventNames } from './events.ts'
import {
  deliveryReasonLabels,
  deliveryReasons,
  deliveryStateLabels,
  deliveryStates,
  noticeChannelLabels,
  noticeChannels,
  noticeKinds,
} from './words.ts'

/** Who is told what and when: the rules of companies, quiet hours, caps, channels and the log of deliveries. */

const names = z.enum(noticeEventNames)
const channels = z.array(z.enum(noticeChannels)).max(noticeChannels.length)

/** Where a rule, a text or a setting comes from. */
export const noticeSources = ['own', 'above', 'default'] as const
export type NoticeSource = (typeof noticeSources)[number]
export const noticeSourceLabels: Readonly<Record<NoticeSource, string>> = {
  own: '本公司设置',
  above: '沿用上级',
  default: '平台默认',
}

export const ruleLimits = { rolesMax: 50, repeatMinutesMax: 10_080 } as const
/** The same of the same thing is told outside of the inbox once in this time, where no rule says otherwise. */
export const repeatMinutesDefault = 30

const rule = {
  channels,
  /** Null or none: every role that holds the permission. */
  roleIds: z.array(answeredIdSchema).max(ruleLimits.rolesMax).nullable(),
  isUrgent: z.boolean(),
  repeatMinutes: z.int().min(0).max(ruleLimits.repeatMinutesMax),
}
export const noticeRuleSchema = z.object({
  event: names,
  kind: z.enum(noticeKinds),
  ...rule,
  source: z.enum(noticeSources),
  /** Of the company's own rule; 0: it has none. */
  version: z.int(),
  changedAt: instantSchema.nullable(),
  changedBy: z.string().nullable(),
})
export type NoticeRule = z.infer<typeof noticeRuleSchema>

export const settingLimits = { emailCapMax: 1_000, smsCapMax: 100, pushCapMax: 1_000, urlMax: 300 } as const
/** Where no company has set anything. Minutes of the business day. */
export const noticeSettingDefaults = {
  quietFrom: 1_320,
  quietTo: 420,
  emailCap: 100,
  smsCap: 20,
  pushCap: 100,
} as const

const minute = z.int().min(0).max(1_439)
const setting = {
  quietFrom: minute,
  quietTo: minute,
  emailCap: z.int().min(0).max(settingLimits.emailCapMax),
  smsCap: z.int().min(0).max(settingLimits.smsCapMax),
  pushCap: z.int().min(0).max(settingLimits.pushCapMax),
}
export const channelStates = ['on', 'sandbox', 'off'] as const
export type ChannelState = (typeof channelStates)[number]
export const channelStateLabels: Readonly<Record<ChannelState, string>> = {
  on: '已配置',
  sandbox: '演示信箱',
  off: '未配置',
}
export const noticeSettingSchema = z.object({
  agentId: answeredIdSchema,
  ...setting,
  /** Address without its key; null: none. */
  webhookUrl: z.string().nullable(),
  source: z.enum(noticeSources),
  version: z.int(),
  changedAt: instantSchema.nullable(),
  changedBy: z.string().nullable(),
  channels: z.array(z.object({ channel: z.enum(noticeChannels), state: z.enum(channelStates) })),
})
export type NoticeSetting = z.infer<typeof noticeSettingSchema>

export const deliverySchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  operatorName: z.string(),
  event: names,
  channel: z.enum(noticeChannels),
  title: z.string(),
  body: z.string(),
  path: z.string(),
  state: z.enum(deliveryStates),
  reason: z.enum(deliveryReasons).nullable(),
  attempts: z.int(),
  at: instantSchema,
  nextAt: instantSchema.nullable(),
  sentAt: instantSchema.nullable(),
  readAt: instantSchema.nullable(),
})
export type Delivery = z.infer<typeof deliverySchema>
export const deliveryFields = fields<Delivery>()({
  at: { title: '时间', as: 'instant' },
  event: { title: '事项', labels: noticeEventLabels },
  title: '标题',
  operatorName: '接收人',
  channel: { title: '渠道', labels: noticeChannelLabels },
  state: { title: '状态', labels: deliveryStateLabels },
  reason: { title: '原因', labels: deliveryReasonLabels },
  attempts: { title: '发送次数', as: 'count' },
  nextAt: { title: '下次发送', as: 'instant' },
  sentAt: { title: '送达时间', as: 'instant' },
  readAt: { title: '已读时间', as: 'instant' },
  company: '加盟商',
  id: { title: '编号', as: 'text' },
})
export const deliveryFilterSchema = z.strictObject({
  keyword: searchTextSchema.min(1).max(40).optional(),
  events: z.array(names).min(1).max(noticeEventNames.length).optional(),
  channels: channels.min(1).optional(),
  states: z.array(z.enum(deliveryStates)).min(1).max(deliveryStates.length).optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type DeliveryFilter = z.output<typeof deliveryFilterSchema>
export const deliveryList = list({ row: deliverySchema, filter: deliveryFilterSchema, sorts: { at: 'desc' } })

const path = `${basePath}/notice`
const company = { agentId: idSchema.optional() }
const reads = { host: 'platform', permission: ['0506'], scope: 'agent', idempotency: 'none', method: 'GET' } as const
const writes = { host: 'platform', permission: ['0506'], scope: 'agent', idempotency: 'key' } as const

export const noticeConfigEndpoints = defineEndpoints({
  noticeRules: {
    ...reads,
    path: `${path}/rules`,
    summary: '一家加盟商的通知规则：每个事项按什么渠道告诉谁',
    input: z.object(company),
    output: answerOf(
      z.object({
        agentId: answeredIdSchema,
        rules: z.array(noticeRuleSchema),
        roles: z.array(z.object({ id: answeredIdSchema, name: z.string() })),
      }),
    ),
  },
  saveNoticeRule: {
    ...writes,
    method: 'PUT',
    path: `${path}/rule`,
    summary: '设置一个事项的通知规则',
    input: z.strictObject({
      ...company,
      event: names,
      ...rule,
      /** Absent: nobody is told. */
      channels: channels.optional(),
      roleIds: rule.roleIds.optional(),
      version: z.int().min(0).max(2_147_483_646),
    }),
    output: answerOf(none),
  },
  resetNoticeRule: {
    ...writes,
    method: 'POST',
    path: `${path}/rule/reset`,
    summary: '取消本公司的规则，沿用上级或平台默认',
    input: z.strictObject({ ...company, event: names, version: versionSchema }),
    output: answerOf(none),
  },
  noticeSetting: {
    ...reads,
    path: `${path}/setting`,
    summary: '免打扰时段、每日上限、Webhook 与渠道状态',
    input: z.object(company),
    output: answerOf(noticeSettingSchema),
  },
  saveNoticeSetting: {
    ...writes,
    method: 'PUT',
    path: `${path}/setting`,
    summary: '保存免打扰时段、每日上限与 Webhook；新地址的密钥只显示这一次',
    input: z.strictObject({
      ...company,
      ...setting,
      /** Absent: stays; null: removed. */
      webhookUrl: plainTextSchema.max(settingLimits.urlMax).nullable().optional(),
      version: z.int().min(0).max(2_147_483_646),
    }),
    output: answerOf(z.object({ webhookSecret: z.string().nullable() })),
  },
  listDeliveries: { ...reads, ...deliveryList.page, path: `${path}/delivery`, summary: '通知的发送记录，新的在前' },
  exportDeliveries: {
    ...deliveryList.file,
    host: 'platform',
    permission: ['0506'],
    scope: 'agent',
    path: `${path}/delivery/export`,
    summary: '导出发送记录',
  },
  resendDeliveries: {
    ...writes,
    method: 'POST',
    path: `${path}/delivery/resend`,
    summary: '重新发送失败的通知',
    input: z.strictObject({ ids: z.array(idSchema).min(1).max(100) }),
    output: answerOf(z.object({ queued: z.int() })),
  },
})
