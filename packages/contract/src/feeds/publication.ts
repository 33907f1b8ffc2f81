import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, plainTextSchema, visibleText } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { gbfsFeedNames, gbfsFindingsMax, gbfsFormFactors, gbfsPropulsions } from './gbfs.ts'

/** What a company publishes as GBFS, in which state the feeds are, and who reads them. */

/** Areas of one answer, and consumers of one company that are shown. */
export const publishedAreasMax = 500
export const feedReadersShown = 100
/** Consumers are counted by day and kept so long. */
export const feedReaderDays = 30
export const vehicleModelsMax = 100

/** What a model is in the words of the standard. Where nobody has said it, the feeds have these. */
export const vehicleFormDefaults = { formFactor: 'other', propulsion: 'electric', maxRangeM: 30_000 } as const
const formFields = {
  formFactor: z.enum(gbfsFormFactors),
  propulsion: z.enum(gbfsPropulsions),
  maxRangeM: z.int().min(1_000).max(300_000),
}
export const vehicleFormSchema = z.object(formFields)
export type VehicleForm = z.infer<typeof vehicleFormSchema>

export const publishedFeedSchema = z.object({
  name: z.enum(gbfsFeedNames),
  /** When what is published was made; null: never. */
  publishedAt: instantSchema.nullable(),
  /** When it was last tried. */
  triedAt: instantSchema,
  /** Why the last try was not published; none: it was. */
  findings: z.array(z.string()).max(gbfsFindingsMax),
  bytes: z.int(),
})
export const publishedAreaSchema = z.object({
  areaId: answeredIdSchema,
  agentId: answeredIdSchema,
  areaName: z.string(),
  /** Of its gbfs.json. */
  url: z.string(),
  feeds: z.array(publishedFeedSchema).max(gbfsFeedNames.length),
})
export type PublishedArea = z.infer<typeof publishedAreaSchema>

export const feedReaderSchema = z.object({
  reader: z.string(),
  areaCount: z.int(),
  reads: z.int(),
  lastAt: instantSchema,
})

/** Version that the caller changes; 0: never set. */
const knownVersionSchema = z.int().min(0).max(2_147_483_646)

const managed = { host: 'platform', permission: ['1104'], idempotency: 'none' } as const
const path = `${basePath}/platform/feeds`

export const feedEndpoints = defineEndpoints({
  feedPublication: {
    ...managed,
    scope: 'area',
    method: 'GET',
    path,
    summary: '一家加盟商的 GBFS 发布：设置、车型、各服务区数据的状态与校验结果、使用方',
    input: z.object({ agentId: idSchema.optional() }),
    output: answerOf(
      z.object({
        agentId: answeredIdSchema,
        manifestUrl: z.string(),
        isPublic: z.boolean(),
        contactEmail: z.string().nullable(),
        /** Of the setting; 0: never set. */
        version: z.int(),
        changedAt: instantSchema.nullable(),
        changedBy: z.string().nullable(),
        models: z
          .array(z.object({ model: z.string(), vehicles: z.int(), isSet: z.boolean(), ...formFields }))
          .max(vehicleModelsMax),
        areas: z.array(publishedAreaSchema).max(publishedAreasMax),
        readers: z.array(feedReaderSchema).max(feedReadersShown),
      }),
    ),
  },
  saveFeedPublication: {
    ...managed,
    scope: 'agent',
    method: 'PUT',
    path,
    summary: '公开或停止公开加盟商的 GBFS 数据，并设置联系邮箱',
    input: z.object({
      agentId: idSchema.optional(),
      isPublic: z.boolean(),
      contactEmail: plainTextSchema
        .max(200)
        .overwrite(visibleText)
        .pipe(z.email({ error: '请输入有效的邮箱' }).max(120)),
      version: knownVersionSchema,
    }),
    output: answerOf(z.object({ version: z.int() })),
  },
  saveVehicleForm: {
    ...managed,
    scope: 'agent',
    method: 'PUT',
    path: `${path}/model`,
    summary: '设置一个车型在 GBFS 中的类型、动力与续航',
    input: z.object({
      agentId: idSchema.optional(),
      model: plainTextSchema.min(1).max(40),
      ...formFields,
      version: knownVersionSchema,
    }),
    output: answerOf(z.object({ version: z.int() })),
  },
})
