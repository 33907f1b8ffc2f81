import { z } from 'zod'
import { answerOf, idSchema, instantSchema, none } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'

export const meSchema = z.object({
  operatorId: z.string(),
  name: z.string(),
  /** Masked, 138****8000. */
  phone: z.string(),
  /** Characters from position 5 on, for the watermark. */
  phoneTail: z.string(),
  level: z.int(),
  agentId: idSchema,
  company: z.string(),
  roleName: z.string().nullable(),
  agentCount: z.int(),
  areaCount: z.int(),
  sessionStartedAt: instantSchema,
  previousLoginAt: instantSchema.nullable(),
  /** The person's own; a browser in which one was chosen keeps that. */
  language: z.enum(['zh', 'en']).optional(),
})
export type Me = z.infer<typeof meSchema>

export const sessionEndpoints = defineEndpoints({
  allCode: {
    method: 'GET',
    path: `${basePath}/platform/permission/allCode`,
    host: 'platform',
    permission: 'session',
    scope: 'self',
    idempotency: 'none',
    summary: '本人的权限码；opManId 只能是本人',
    input: z.object({ opManId: z.string().max(64) }),
    output: answerOf(z.array(z.string())),
  },
  me: {
    method: 'GET',
    path: `${basePath}/auth/me`,
    host: 'platform',
    permission: 'session',
    scope: 'self',
    idempotency: 'none',
    summary: '当前登录人：姓名、角色、加盟商、范围与上次登录',
    input: none,
    output: answerOf(meSchema),
  },
})
