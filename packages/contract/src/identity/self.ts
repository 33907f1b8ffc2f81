import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema, none } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints, type Endpoint } from '#contract/endpoint.ts'
import { noticeKinds } from '#contract/notices/words.ts'
import { operatorDeviceStates } from './devices.ts'
import { loginEndpoints } from './login.ts'

/** A person's own page: sessions, browsers, notifications, second factor, language. */

export const languages = ['zh', 'en'] as const

export const selfSettingsSchema = z.object({
  language: z.enum(languages),
  /** Kinds that the person is told of; `security` cannot be left out. */
  notices: z.array(z.enum(noticeKinds)).max(noticeKinds.length),
})

export const ownSessionSchema = z.object({
  id: answeredIdSchema,
  device: z.string(),
  address: z.string(),
  loginKind: z.string(),
  createdAt: instantSchema,
  lastSeenAt: instantSchema,
  isThis: z.boolean(),
})

const self = { host: 'platform', permission: 'session', scope: 'self' } as const
const path = `${basePath}/auth/self`
/** Six digits of an authenticator. */
const totpSchema = z.string().regex(/^\d{6}$/, { error: '请输入 6 位动态验证码' })

export const selfEndpoints = defineEndpoints({
  selfSettings: {
    ...self,
    method: 'GET',
    path,
    idempotency: 'none',
    summary: '本人的设置、会话、设备与双因素状态',
    input: none,
    output: answerOf(
      z.object({
        settings: selfSettingsSchema,
        sessions: z.array(ownSessionSchema),
        devices: z.array(
          z.object({
            id: answeredIdSchema,
            name: z.string(),
            state: z.enum(operatorDeviceStates),
            lastSeenAt: instantSchema,
            isThis: z.boolean(),
          }),
        ),
        totp: z.object({
          enabledAt: instantSchema.nullable(),
          /** Asked for by the company because of finance codes, from this time on; null: not asked. */
          requiredFrom: instantSchema.nullable(),
          recoveryCodesLeft: z.int(),
        }),
      }),
    ),
  },
  saveSelfSettings: {
    ...self,
    method: 'PUT',
    path,
    idempotency: 'none',
    summary: '保存语言与通知设置',
    input: selfSettingsSchema,
    output: answerOf(selfSettingsSchema),
  },
  endOwnSession: {
    ...self,
    method: 'DELETE',
    path: `${path}/session`,
    idempotency: 'none',
    summary: '结束本人的某个会话；不给出编号则结束其他全部会话',
    input: z.object({ id: idSchema.optional() }),
    output: answerOf(z.object({ ended: z.int() })),
  },
  forgetOwnDevice: {
    ...self,
    method: 'DELETE',
    path: `${path}/device`,
    idempotency: 'none',
    summary: '移除本人的某个登录设备',
    input: z.object({ id: idSchema }),
    output: answerOf(none),
  },
  beginTotp: {
    ...self,
    method: 'POST',
    path: `${path}/totp`,
    idempotency: 'none',
    summary: '开始绑定动态验证码：返回密钥，确认前不生效',
    input: none,
    output: answerOf(z.object({ secret: z.string(), uri: z.string(), expiresAt: instantSchema })),
  },
  confirmTotp: {
    ...self,
    method: 'PUT',
    path: `${path}/totp`,
    idempotency: 'none',
    summary: '用一次动态验证码确认绑定，返回恢复码（只显示这一次）',
    input: z.object({ code: totpSchema }),
    output: answerOf(z.object({ recoveryCodes: z.array(z.string()) })),
  },
  endTotp: {
    ...self,
    method: 'DELETE',
    path: `${path}/totp`,
    idempotency: 'none',
    summary: '用动态验证码或恢复码解除绑定；公司要求期间不可解除',
    input: z.object({ code: z.string().max(20) }),
    output: answerOf(none),
  },
  /** A session whose person has a second factor may do nothing else before this. */
  passTotp: {
    ...self,
    method: 'POST',
    path: `${path}/totp/pass`,
    idempotency: 'none',
    summary: '登录后的第二步：动态验证码或恢复码',
    input: z.object({ code: z.string().max(20) }),
    output: answerOf(none),
  },
})

/** What a session may call before its second factor was shown or set up: nothing else is open to it. */
export const callsBeforeSecondFactor: ReadonlySet<Endpoint> = new Set<Endpoint>([
  selfEndpoints.passTotp,
  selfEndpoints.beginTotp,
  selfEndpoints.confirmTotp,
  loginEndpoints.logout,
])
