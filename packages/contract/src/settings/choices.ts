import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { settingCodes } from './registry.ts'

export const settingHistoryMax = 50

/** Where the value that counts was chosen. */
export const settingSources = ['area', 'company', 'above', 'default'] as const
export type SettingSource = (typeof settingSources)[number]
export const settingSourceLabels: Readonly<Record<SettingSource, string>> = {
  area: '本服务区设置',
  company: '公司设置',
  above: '沿用上级',
  default: '平台默认',
}

const codesMax = 20
const valueSchema = z.union([z.int(), z.array(z.string().max(40)).max(codesMax)])
const place = { agentId: idSchema.optional(), areaId: idSchema.optional() }

export const shownSettingSchema = z.object({
  code: z.enum(settingCodes),
  /** The one that counts here. */
  value: valueSchema,
  source: z.enum(settingSources),
  /** Chosen here; null: nothing, or given up again. */
  own: valueSchema.nullable(),
  /** Of the latest change here; 0: there was none. */
  version: z.int(),
  changedAt: instantSchema.nullable(),
  changedBy: z.string().nullable(),
})
export type ShownSetting = z.infer<typeof shownSettingSchema>

export const settingChangeSchema = z.object({
  id: answeredIdSchema,
  value: valueSchema.nullable(),
  at: instantSchema,
  by: z.string(),
})

const path = `${basePath}/setting`
const common = { host: 'platform', permission: ['0502'], scope: 'area' } as const

export const settingEndpoints = defineEndpoints({
  systemSettings: {
    ...common,
    method: 'GET',
    path,
    idempotency: 'none',
    summary: '一家加盟商或一个服务区的系统配置：现在的值与来源',
    input: z.object(place),
    output: answerOf(
      z.object({
        agentId: answeredIdSchema,
        areaId: answeredIdSchema.nullable(),
        settings: z.array(shownSettingSchema),
        areas: z.array(z.object({ id: answeredIdSchema, name: z.string() })),
      }),
    ),
  },
  settingHistory: {
    ...common,
    method: 'GET',
    path: `${path}/history`,
    idempotency: 'none',
    summary: '一项配置在这里的变更记录，新的在前',
    input: z.object({ ...place, code: z.enum(settingCodes) }),
    output: answerOf(z.object({ changes: z.array(settingChangeSchema) })),
  },
  changeSetting: {
    ...common,
    method: 'PUT',
    path,
    idempotency: 'key',
    reverse: 'changeSetting',
    summary: '修改一项配置；值为空表示沿用上一级',
    input: z.strictObject({
      ...place,
      code: z.enum(settingCodes),
      value: valueSchema.nullable(),
      /** Of the latest change that the person saw; 0: there was none. */
      version: z.int().min(0),
    }),
    output: answerOf(z.object({ previous: valueSchema.nullable(), version: z.int() })),
  },
})
