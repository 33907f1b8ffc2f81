import { z } from 'zod'
import { answerOf, idSchema, none } from '#contract/answers.ts'
import { basePath, phonePattern, smsCodePattern } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'

/** Texts are codes of the error catalogue: the form shows the catalogue's text of the first one that fails. */
export const phoneSchema = z.string().regex(phonePattern, { error: 'phone_format' })
export const smsCodeSchema = z.string().regex(smsCodePattern, { error: 'code_invalid' })
const objectIdSchema = z.string().regex(/^[0-9a-f]{24}$/)
const opManIdSchema = z.string().regex(/^[0-9a-f]{24}$/)

/** What login returns. `accessToken` is the session's public handle (`kid` of each call token), not a secret. */
export const loginDataSchema = z.object({
  agentId: idSchema,
  roleId: idSchema.nullable(),
  accessToken: z.string(),
  objectId: objectIdSchema,
  /** The operator's own: every call token names it, and a quick login has nowhere else to learn it. */
  phone: phoneSchema,
})
export type LoginData = z.infer<typeof loginDataSchema>

/** The login of section 7, step by step; see each `summary`. */
export const loginEndpoints = defineEndpoints({
  requestSmsCode: {
    method: 'POST',
    path: '/requestSmsCode',
    host: 'user',
    permission: 'public',
    scope: 'none',
    idempotency: 'none',
    summary: '发送短信验证码：未知号码同样作答，超出限额则为“短信发送次数超量”',
    input: z.object({ mobilePhoneNumber: phoneSchema }),
    output: z.object({ suc: z.literal(true), resendAfterSeconds: z.int() }),
  },
  lookUpUser: {
    method: 'GET',
    path: '/users',
    host: 'user',
    permission: 'public',
    scope: 'none',
    idempotency: 'none',
    summary: '按手机号查用户标识；未知号码得到稳定的标识，两者无从区分',
    input: z.object({ mobilePhoneNumber: phoneSchema }),
    output: z.object({ objectId: objectIdSchema }),
  },
  verifySmsCode: {
    method: 'POST',
    path: '/verifySmsCode',
    host: 'user',
    permission: 'public',
    scope: 'none',
    idempotency: 'none',
    summary: '校验短信验证码，成功后发放两分钟内有效、只能用一次的登录票据（HttpOnly cookie）',
    input: z.object({ mobilePhoneNumber: phoneSchema, smsCode: smsCodeSchema }),
    output: z.object({ objectId: objectIdSchema }),
  },
  bindDevice: {
    method: 'POST',
    path: '/deviceBinding',
    host: 'user',
    permission: 'presession',
    scope: 'none',
    idempotency: 'none',
    summary: '登记当前浏览器为登录设备',
    input: z.object({
      device_type: z.string().max(20),
      mobilePhoneNumber: phoneSchema,
      device_code: z.string().max(64),
      device_name: z.string().max(100),
    }),
    output: answerOf(z.object({ authorised: z.boolean() })),
  },
  lookUpOperator: {
    method: 'GET',
    path: `${basePath}/platform/permission/opMan`,
    host: 'platform',
    permission: 'presession',
    scope: 'none',
    idempotency: 'none',
    summary: '按手机号查操作员标识，只对票据所属的号码作答',
    input: z.object({ phone: phoneSchema }),
    output: answerOf(z.object({ opManId: opManIdSchema })),
  },
  permissionLogin: {
    method: 'POST',
    path: `${basePath}/platform/permission/login`,
    host: 'platform',
    permission: 'presession',
    scope: 'none',
    idempotency: 'none',
    summary: '用票据换会话：设置 sid 与 _t，返回加盟商与角色',
    input: z.object({ opManId: opManIdSchema }),
    output: answerOf(loginDataSchema),
  },
  signingKey: {
    method: 'POST',
    path: `${basePath}/auth/signingKey`,
    host: 'platform',
    permission: 'cookie',
    scope: 'none',
    idempotency: 'none',
    summary: '换取加密与签名密钥：两个方向都以 HPKE 封装',
    input: z.object({ params: z.string().max(2_000) }),
    output: answerOf(z.object({ aesKey: z.string() })),
  },
  loginByPhone: {
    method: 'POST',
    path: `${basePath}/auth/login/phone`,
    host: 'platform',
    permission: 'public',
    scope: 'none',
    idempotency: 'none',
    summary: '一步登录：验证码校验与会话建立合为一次调用，限额与检查相同',
    input: z.object({ mobilePhoneNumber: phoneSchema, smsCode: smsCodeSchema }),
    output: answerOf(loginDataSchema),
  },
  createQuickLogin: {
    method: 'POST',
    path: `${basePath}/auth/quickLogin`,
    host: 'platform',
    permission: 'session',
    scope: 'self',
    idempotency: 'none',
    summary: '为本人签发 60 秒内有效、限本站、只能用一次的快捷登录参数 origin',
    input: none,
    output: answerOf(z.object({ origin: z.string(), expiresAt: z.int() })),
  },
  verifySign: {
    method: 'POST',
    path: `${basePath}/auth/verifySign`,
    host: 'platform',
    permission: 'public',
    scope: 'none',
    idempotency: 'none',
    summary: '校验快捷登录参数的签名、站点与时间，发放登录票据',
    input: z.object({ origin: z.string().max(1_000) }),
    output: answerOf(z.object({ objectId: objectIdSchema, opManId: opManIdSchema })),
  },
  loginAuthorised: {
    method: 'POST',
    path: `${basePath}/auth/login/authorized`,
    host: 'platform',
    permission: 'presession',
    scope: 'none',
    idempotency: 'none',
    summary: '用快捷登录的票据换会话',
    input: z.object({ opManId: opManIdSchema }),
    output: answerOf(loginDataSchema),
  },
  logout: {
    method: 'POST',
    path: `${basePath}/auth/logout`,
    host: 'platform',
    permission: 'session',
    scope: 'self',
    idempotency: 'none',
    summary: '结束会话，密钥随之作废',
    input: none,
    output: answerOf(none),
  },
})
