import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, none, plainTextSchema } from '#contract/answers.ts'
import { basePath, languages } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { noticeSources } from './config.ts'
import { noticeEventNames } from './events.ts'
import { noticeChannels, noticeKinds } from './words.ts'

/** The words of notices: by event, channel and language; the latest version of a company, of those above, or the platform's. */

export const templateLimits = { titleMax: 80, bodyMax: 500, versionsMax: 50 } as const

const which = {
  agentId: idSchema.optional(),
  event: z.enum(noticeEventNames),
  channel: z.enum(noticeChannels),
  language: z.enum(languages),
}
const words = {
  title: plainTextSchema.trim().min(1, { error: '请输入标题' }).max(templateLimits.titleMax),
  body: plainTextSchema.trim().min(1, { error: '请输入内容' }).max(templateLimits.bodyMax),
}

export const noticeTemplateSchema = z.object({
  event: z.enum(noticeEventNames),
  kind: z.enum(noticeKinds),
  channel: z.enum(noticeChannels),
  language: z.enum(languages),
  title: z.string(),
  body: z.string(),
  source: z.enum(noticeSources),
  /** Of the company; 0: it has none. */
  version: z.int(),
  madeAt: instantSchema.nullable(),
  madeBy: z.string().nullable(),
})
export type NoticeTemplate = z.infer<typeof noticeTemplateSchema>

export const templateVersionSchema = z.object({
  version: z.int(),
  /** Null: back to the text of the company above or the platform. */
  title: z.string().nullable(),
  body: z.string().nullable(),
  madeAt: instantSchema,
  madeBy: z.string(),
})
export type TemplateVersion = z.infer<typeof templateVersionSchema>

const path = `${basePath}/notice/template`
const reads = { host: 'platform', permission: ['0506'], scope: 'agent', idempotency: 'none' } as const
const writes = { ...reads, idempotency: 'key' } as const
const versionBefore = z.int().min(0).max(2_147_483_646)

export const noticeTemplateEndpoints = defineEndpoints({
  noticeTemplates: {
    ...reads,
    method: 'GET',
    path,
    summary: '一家加盟商的通知模板：每个事项、渠道、语言现在的文字',
    input: z.object({ agentId: which.agentId }),
    output: answerOf(z.object({ agentId: answeredIdSchema, templates: z.array(noticeTemplateSchema) })),
  },
  noticeTemplateVersions: {
    ...reads,
    method: 'GET',
    path: `${path}/versions`,
    summary: '一个模板的历史版本，新的在前',
    input: z.object(which),
    output: answerOf(z.object({ versions: z.array(templateVersionSchema) })),
  },
  saveNoticeTemplate: {
    ...writes,
    method: 'PUT',
    path,
    summary: '保存模板的新版本',
    input: z.strictObject({ ...which, ...words, version: versionBefore }),
    output: answerOf(none),
  },
  resetNoticeTemplate: {
    ...writes,
    method: 'POST',
    path: `${path}/reset`,
    summary: '恢复为上级或平台的文字',
    input: z.strictObject({ ...which, version: versionBefore }),
    output: answerOf(none),
  },
  previewNotice: {
    ...reads,
    method: 'POST',
    path: `${path}/preview`,
    summary: '用最近一次真实事项（没有则用示例）预览模板',
    input: z.strictObject({ ...which, ...words }),
    output: answerOf(
      z.object({ title: z.string(), body: z.string(), isReal: z.boolean(), at: instantSchema.nullable() }),
    ),
  },
  testNotice: {
    ...writes,
    method: 'POST',
    path: `${path}/test`,
    summary: '把预览的文字按这个渠道发给本人',
    input: z.strictObject({ ...which, ...words }),
    output: answerOf(none),
  },
})
