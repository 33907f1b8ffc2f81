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

/** Keys by which programs of partners read rows of one company. */

export const partnerScopes = ['areas', 'vehicles', 'orders'] as const
export type PartnerScope = (typeof partnerScopes)[number]
export const partnerScopeLabels: Readonly<Record<PartnerScope, string>> = {
  areas: '服务区',
  vehicles: '车辆',
  orders: '订单',
}

export const partnerKeyLimits = {
  perCompany: 50,
  perMinuteMax: 6_000,
  perMinuteDefault: 120,
  daysMax: 730,
  daysDefault: 365,
} as const
/** So long the key before is good after a rotation. */
export const rotationGraceHours = 24
/** Days whose calls are shown. */
export const partnerUsageDays = 30

export const partnerKeySchema = z.object({
  id: answeredIdSchema,
  name: z.string(),
  hint: z.string(),
  scopes: z.array(z.enum(partnerScopes)),
  perMinute: z.int(),
  expiresAt: instantSchema,
  createdAt: instantSchema,
  createdBy: z.string(),
  /** Until when the key before the last rotation is good; null: it is not. */
  previousUntil: instantSchema.nullable(),
  revokedAt: instantSchema.nullable(),
  lastUsedAt: instantSchema.nullable(),
  calls: z.int(),
  refused: z.int(),
  version: z.int(),
})
export type PartnerKey = z.infer<typeof partnerKeySchema>

const managed = { host: 'platform', permission: ['1104'], scope: 'agent', idempotency: 'none' } as const
const path = `${basePath}/platform/partnerKeys`
/** The key itself, which is nowhere else. */
const made = answerOf(z.object({ id: answeredIdSchema, key: z.string() }))

export const partnerKeyEndpoints = defineEndpoints({
  listPartnerKeys: {
    ...managed,
    method: 'GET',
    path,
    summary: '一家加盟商的合作方密钥与近 30 天用量',
    input: z.object({ agentId: idSchema.optional() }),
    output: answerOf(
      z.object({ agentId: answeredIdSchema, list: z.array(partnerKeySchema).max(partnerKeyLimits.perCompany) }),
    ),
  },
  createPartnerKey: {
    ...managed,
    method: 'POST',
    path,
    summary: '新建合作方密钥；密钥只返回这一次',
    input: z.object({
      agentId: idSchema.optional(),
      name: plainTextSchema.overwrite(visibleText).min(1).max(40),
      scopes: z
        .array(z.enum(partnerScopes))
        .min(1)
        .max(partnerScopes.length)
        .overwrite((scopes) => [...new Set(scopes)]),
      perMinute: z.int().min(1).max(partnerKeyLimits.perMinuteMax),
      days: z.int().min(1).max(partnerKeyLimits.daysMax),
    }),
    output: made,
  },
  rotatePartnerKey: {
    ...managed,
    method: 'PUT',
    path: `${path}/rotation`,
    summary: '更换合作方密钥：旧密钥 24 小时后失效；新密钥只返回这一次',
    input: z.object({ id: idSchema, version: versionSchema }),
    output: made,
  },
  revokePartnerKey: {
    ...managed,
    method: 'DELETE',
    path,
    summary: '停用合作方密钥，立即生效且不能恢复',
    input: z.object({ id: idSchema }),
    output: answerOf(none),
  },
})
