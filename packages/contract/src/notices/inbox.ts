import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, none, searchTextSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { minuteMs } from '#contract/time.ts'
import { noticeEventLabels, noticeEventNames } from './events.ts'
import { noticeKinds } from './words.ts'

/** What a person has been told, and where they are told outside of the console. */

export const ownNoticeSchema = z.object({
  id: answeredIdSchema,
  event: z.enum(noticeEventNames),
  title: z.string(),
  body: z.string(),
  path: z.string(),
  at: instantSchema,
  readAt: instantSchema.nullable(),
})
export type OwnNotice = z.infer<typeof ownNoticeSchema>

export const ownNoticeFields = fields<OwnNotice>()({
  at: { title: '时间', as: 'instant' },
  event: { title: '事项', labels: noticeEventLabels },
  title: '标题',
  body: '内容',
})

export const ownNoticeFilterSchema = z.strictObject({
  keyword: searchTextSchema.min(1).max(40).optional(),
  kinds: z.array(z.enum(noticeKinds)).min(1).max(noticeKinds.length).optional(),
  unread: z.boolean().optional(),
})
export type OwnNoticeFilter = z.output<typeof ownNoticeFilterSchema>
export const ownNoticeList = list({ row: ownNoticeSchema, filter: ownNoticeFilterSchema, sorts: { at: 'desc' } })

export const addressLimits = {
  emailMax: 120,
  codeTtlMs: 15 * minuteMs,
  /** A code is sent again after this time. */
  againMs: minuteMs,
  guesses: 5,
} as const

const path = `${basePath}/notice`
const own = { host: 'platform', permission: 'session', scope: 'self' } as const
const addressSchema = z.object({
  /** Confirmed, with the middle of the name hidden. */
  email: z.string().nullable(),
  /** Waits for its code. */
  pending: z.string().nullable(),
})

export const inboxEndpoints = defineEndpoints({
  listOwnNotices: { ...own, ...ownNoticeList.page, path: `${path}/own`, summary: '本人的站内消息，新的在前' },
  exportOwnNotices: { ...own, ...ownNoticeList.file, path: `${path}/own/export`, summary: '导出本人的站内消息（CSV）' },
  countOwnNotices: {
    ...own,
    method: 'GET',
    path: `${path}/own/count`,
    idempotency: 'none',
    summary: '本人未读消息数',
    input: none,
    output: answerOf(z.object({ unread: z.int() })),
  },
  readOwnNotices: {
    ...own,
    method: 'POST',
    path: `${path}/own/read`,
    idempotency: 'none',
    summary: '把消息标为已读；不给出编号则全部',
    input: z.object({ ids: z.array(idSchema).min(1).max(200).optional() }),
    output: answerOf(z.object({ read: z.int() })),
  },
  ownNoticeAddress: {
    ...own,
    method: 'GET',
    path: `${path}/own/address`,
    idempotency: 'none',
    summary: '本人接收邮件通知的地址',
    input: none,
    output: answerOf(addressSchema),
  },
  askNoticeAddress: {
    ...own,
    method: 'POST',
    path: `${path}/own/address`,
    idempotency: 'none',
    summary: '向新的邮件地址发送验证码；验证前不生效',
    input: z.object({ email: z.email({ error: '请输入正确的邮件地址' }).max(addressLimits.emailMax) }),
    output: answerOf(addressSchema),
  },
  confirmNoticeAddress: {
    ...own,
    method: 'POST',
    path: `${path}/own/address/confirm`,
    idempotency: 'none',
    summary: '用邮件中的验证码确认地址',
    input: z.object({ code: z.string().regex(/^\d{6}$/, { error: '请输入 6 位验证码' }) }),
    output: answerOf(addressSchema),
  },
  removeNoticeAddress: {
    ...own,
    method: 'DELETE',
    path: `${path}/own/address`,
    idempotency: 'none',
    summary: '删除本人的邮件地址',
    input: none,
    output: answerOf(addressSchema),
  },
})
