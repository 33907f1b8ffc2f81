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
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fenceHolesMax, ringSchema } from '#contract/geography/fences.ts'
import { mdsAgencySchema } from './agency.ts'

/** Where cities regulate a company, and the credentials by which their programs read its MDS. */

export const jurisdictionLimits = {
  perCompany: 50,
  clientsPerCompany: 100,
  polygons: 50,
  /** Characters of a boundary as GeoJSON: some 2,000 corners. */
  geoJsonChars: 70_000,
  daysMax: 730,
  daysDefault: 365,
} as const
/** Days whose calls are shown. */
export const mdsUsageDays = 30

/** Polygons with holes. */
export const boundarySchema = z
  .array(z.object({ ring: ringSchema, holes: z.array(ringSchema).max(fenceHolesMax) }))
  .min(1)
  .max(jurisdictionLimits.polygons)
export type Boundary = z.infer<typeof boundarySchema>

export const mdsClientSchema = z.object({
  id: answeredIdSchema,
  name: z.string(),
  clientId: z.string(),
  expiresAt: instantSchema,
  createdAt: instantSchema,
  createdBy: z.string(),
  revokedAt: instantSchema.nullable(),
  lastUsedAt: instantSchema.nullable(),
  calls: z.int(),
  refused: z.int(),
})
export type MdsClient = z.infer<typeof mdsClientSchema>

export const jurisdictionSchema = z.object({
  id: answeredIdSchema,
  name: z.string(),
  areaKm2: z.number(),
  polygons: z.int(),
  createdAt: instantSchema,
  createdBy: z.string(),
  version: z.int(),
  clients: z.array(mdsClientSchema).max(jurisdictionLimits.clientsPerCompany),
  /** Where its records are sent; null: nowhere. */
  agency: mdsAgencySchema.nullable(),
})
export type Jurisdiction = z.infer<typeof jurisdictionSchema>

const managed = { host: 'platform', permission: ['1104'], scope: 'agent', idempotency: 'none' } as const
const path = `${basePath}/platform/mds`
const name = plainTextSchema.overwrite(visibleText).min(1).max(40)

export const jurisdictionEndpoints = defineEndpoints({
  listJurisdictions: {
    ...managed,
    method: 'GET',
    path,
    summary: '一家加盟商的 MDS：provider_id、辖区、各辖区的凭据与近 30 天用量',
    input: z.object({ agentId: idSchema.optional() }),
    output: answerOf(
      z.object({
        agentId: answeredIdSchema,
        url: z.string(),
        tokenUrl: z.string(),
        providerId: z.string().nullable(),
        /** Of the provider id; 0: never set. */
        version: z.int(),
        jurisdictions: z.array(jurisdictionSchema).max(jurisdictionLimits.perCompany),
      }),
    ),
  },
  saveMdsProvider: {
    ...managed,
    method: 'PUT',
    path: `${path}/provider`,
    summary: '设置加盟商在 MDS 中的 provider_id',
    input: z.object({
      agentId: idSchema.optional(),
      providerId: z.uuid({ error: '请输入 UUID' }).overwrite((text) => text.toLowerCase()),
      version: z.int().min(0).max(2_147_483_646),
    }),
    output: answerOf(z.object({ version: z.int() })),
  },
  createJurisdiction: {
    ...managed,
    method: 'POST',
    path: `${path}/jurisdiction`,
    bodyLimitBytes: bodyLimits.shape,
    summary: '新建辖区：边界来自服务区，或来自城市的 GeoJSON',
    input: z
      .object({
        agentId: idSchema.optional(),
        name,
        areaIds: z.array(idSchema).max(jurisdictionLimits.polygons).default([]),
        geoJson: plainTextSchema.max(jurisdictionLimits.geoJsonChars).optional(),
      })
      .refine(({ areaIds, geoJson }) => areaIds.length > 0 !== (geoJson !== undefined), {
        error: '请选择服务区或提供 GeoJSON，二者选一',
        path: ['geoJson'],
      }),
    output: answerOf(z.object({ id: answeredIdSchema })),
  },
  endJurisdiction: {
    ...managed,
    method: 'DELETE',
    path: `${path}/jurisdiction`,
    summary: '结束辖区：其全部凭据立即失效',
    input: z.object({ id: idSchema, version: versionSchema }),
    output: answerOf(none),
  },
  createMdsClient: {
    ...managed,
    method: 'POST',
    path: `${path}/client`,
    summary: '为辖区新建凭据；密钥只返回这一次',
    input: z.object({
      jurisdictionId: idSchema,
      name,
      days: z.int().min(1).max(jurisdictionLimits.daysMax),
    }),
    output: answerOf(z.object({ id: answeredIdSchema, clientId: z.string(), secret: z.string() })),
  },
  revokeMdsClient: {
    ...managed,
    method: 'DELETE',
    path: `${path}/client`,
    summary: '停用辖区的凭据，立即生效且不能恢复',
    input: z.object({ id: idSchema }),
    output: answerOf(none),
  },
})
