import { z } from 'zod'
import { answerOf, idSchema, instantSchema, none, plainTextSchema, versionSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'

/** Cities that are sent the records of a jurisdiction (MDS agency). */

export const mdsAgencyStates = ['on', 'paused'] as const
export const mdsPushKinds = ['vehicle', 'event', 'trip', 'telemetry'] as const
export type MdsPushKind = (typeof mdsPushKinds)[number]
export const mdsPushTitles = {
  vehicle: '车辆',
  event: '事件',
  trip: '行程',
  telemetry: '轨迹点',
} as const satisfies Record<MdsPushKind, string>

export const mdsAgencyLimits = {
  urlMax: 300,
  tokenMax: 3_000,
  /** Records that a city has refused for good which are shown. */
  failuresShown: 5,
  /** What a city has not taken is kept for so long, also while it is paused. */
  keepDays: 30,
} as const
/** Days whose records are counted on the page. */
export const mdsAgencyDays = 7

export const mdsAgencySchema = z.object({
  url: z.string(),
  state: z.enum(mdsAgencyStates),
  isPausedForFailure: z.boolean(),
  failingSince: instantSchema.nullable(),
  failures: z.int(),
  /** How the last attempt ended that failed. */
  fault: z.string().nullable(),
  lastSentAt: instantSchema.nullable(),
  /** Vehicles that the city knows. */
  vehicles: z.int(),
  /** Events and trips that wait, and since when the first one does. */
  waiting: z.int(),
  waitingSince: instantSchema.nullable(),
  /** Until when telemetry has been sent. */
  telemetryUntil: instantSchema,
  sent: z.array(z.object({ kind: z.enum(mdsPushKinds), sent: z.int(), refused: z.int() })),
  /** Events and trips that the city has refused for a day, and the latest of them. */
  failed: z.int(),
  failedLast: z.array(z.object({ kind: z.enum(mdsPushKinds), at: instantSchema, fault: z.string() })),
  changedAt: instantSchema,
  changedBy: z.string(),
  version: z.int(),
})
export type MdsAgency = z.infer<typeof mdsAgencySchema>

const managed = { host: 'platform', permission: ['1104'], scope: 'agent', idempotency: 'none' } as const
const path = `${basePath}/platform/mds/agency`
const known = { jurisdictionId: idSchema, version: versionSchema }

export const mdsAgencyEndpoints = defineEndpoints({
  saveMdsAgency: {
    ...managed,
    method: 'PUT',
    path,
    summary: '设置辖区的 MDS Agency 推送：城市的接口地址与令牌',
    input: z.object({
      jurisdictionId: idSchema,
      url: plainTextSchema.trim().min(1).max(mdsAgencyLimits.urlMax),
      /** Left out: the one that is kept. */
      token: plainTextSchema.trim().min(1).max(mdsAgencyLimits.tokenMax).optional(),
      /** 0: nothing is sent yet. */
      version: z.int().min(0).max(2_147_483_646),
    }),
    output: answerOf(z.object({ version: z.int() })),
  },
  setMdsAgencyState: {
    ...managed,
    method: 'PUT',
    path: `${path}/state`,
    summary: '暂停或恢复向城市推送；恢复后补发暂停期间的记录',
    input: z.object({ ...known, state: z.enum(mdsAgencyStates) }),
    output: answerOf(none),
  },
  retryMdsPushes: {
    ...managed,
    method: 'POST',
    path: `${path}/retry`,
    summary: '重新推送城市拒收的记录',
    input: z.object({ jurisdictionId: idSchema }),
    output: answerOf(z.object({ queued: z.int() })),
  },
  removeMdsAgency: {
    ...managed,
    method: 'DELETE',
    path,
    summary: '停止向城市推送，未送达的记录一并删除',
    input: z.object(known),
    output: answerOf(none),
  },
})
