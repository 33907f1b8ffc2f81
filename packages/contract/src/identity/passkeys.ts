import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema, none } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { minuteMs } from '#contract/time.ts'
import { loginDataSchema } from './login.ts'

/** Passkeys of one person: a phone, a notebook, a stick or two. */
export const passkeysPerOperatorMax = 10
/** So long a browser may take to ask its person. */
export const passkeyChallengeLifetimeMs = 5 * minuteMs

const bytes = (max: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .max(max)
const nameSchema = z.string().trim().min(1, { error: '请输入名称' }).max(40, { error: '名称最多 40 个字' })

/** What the browser's authenticator answers, in the JSON form of WebAuthn Level 3. */
const credential = { id: bytes(500), rawId: bytes(500), type: z.literal('public-key') }
const createdSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(1_000),
    attestationObject: bytes(4_000),
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
})
const assertedSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(1_000),
    authenticatorData: bytes(600),
    signature: bytes(800),
    userHandle: bytes(100).optional(),
  }),
})

const credentialNameSchema = z.object({ id: z.string(), type: z.literal('public-key') })
const creationSchema = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(credentialNameSchema),
  authenticatorSelection: z.object({ residentKey: z.literal('required'), userVerification: z.literal('required') }),
})

export const passkeySchema = z.object({
  id: answeredIdSchema,
  name: z.string(),
  /** Kept by the maker of the device for the person's other devices. */
  synced: z.boolean(),
  createdAt: instantSchema,
  lastUsedAt: instantSchema.nullable(),
})

const open = { host: 'platform', permission: 'public', scope: 'none', idempotency: 'none' } as const
const self = { host: 'platform', permission: 'session', scope: 'self', idempotency: 'none' } as const
const path = `${basePath}/auth/passkey`
const selfPath = `${basePath}/auth/self/passkey`

/** A second way in (WebAuthn): it needs no SMS, and nobody but its holder can use it up. */
export const passkeyEndpoints = defineEndpoints({
  beginPasskeyLogin: {
    ...open,
    method: 'POST',
    path: `${path}/options`,
    summary: '通行密钥登录的第一步：返回五分钟内有效、只能用一次的质询',
    input: none,
    output: answerOf(
      z.object({
        challenge: z.string(),
        rpId: z.string(),
        timeout: z.int(),
        userVerification: z.literal('required'),
      }),
    ),
  },
  passkeyLogin: {
    ...open,
    method: 'POST',
    path: `${path}/login`,
    summary: '通行密钥登录：验证设备的签名后建立会话；视为已通过双因素验证',
    input: assertedSchema,
    output: answerOf(loginDataSchema.extend({ opManId: z.string() })),
  },
  listPasskeys: {
    ...self,
    method: 'GET',
    path: selfPath,
    summary: '本人的通行密钥',
    input: none,
    output: answerOf(z.object({ list: z.array(passkeySchema) })),
  },
  beginPasskey: {
    ...self,
    method: 'POST',
    path: `${selfPath}/options`,
    summary: '开始添加通行密钥：返回浏览器创建密钥所需的参数',
    input: none,
    output: answerOf(creationSchema),
  },
  addPasskey: {
    ...self,
    method: 'POST',
    path: selfPath,
    bodyLimitBytes: bodyLimits.lists,
    summary: '添加通行密钥',
    input: z.object({ name: nameSchema, credential: createdSchema }),
    output: answerOf(passkeySchema),
  },
  renamePasskey: {
    ...self,
    method: 'PUT',
    path: selfPath,
    summary: '重命名通行密钥',
    input: z.object({ id: idSchema, name: nameSchema }),
    output: answerOf(none),
  },
  removePasskey: {
    ...self,
    method: 'DELETE',
    path: selfPath,
    summary: '删除通行密钥',
    input: z.object({ id: idSchema }),
    output: answerOf(none),
  },
})
