import { z } from 'zod'
import {
  answerOf,
  answeredIdSchema,
  idSchema,
  instantSchema,
  latSchema,
  lngSchema,
  plainTextSchema,
  searchTextSchema,
} from '#contract/answers.ts'
import { basePath, pageSizeMax, scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { photosSchema, shownPhotoSchema } from '#contract/photos/photo.ts'

export const parkStates = ['waiting', 'approved', 'rejected', 'withdrawn'] as const
export type ParkState = (typeof parkStates)[number]
export const parkStateLabels: Readonly<Record<ParkState, string>> = {
  waiting: '待审批',
  approved: '已通过',
  rejected: '已拒绝',
  withdrawn: '已撤回',
}

export const parkPhotosMax = 3
export const parkBatchMax = 50
export const parkRadiusM = { min: 3, max: 200 } as const
export const parkCapacityMax = 1_000
export const parkExportRows = 5_000

const parkSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  areaId: answeredIdSchema,
  areaName: z.string(),
  name: z.string(),
  lat: z.number(),
  lng: z.number(),
  radiusM: z.number(),
  capacity: z.int(),
  reason: z.string(),
  photos: z.int(),
  state: z.enum(parkStates),
  applicantName: z.string(),
  /** The caller's own: nobody decides about their own, and only they withdraw it. */
  isOwn: z.boolean(),
  appliedAt: instantSchema,
  decidedAt: instantSchema.nullable(),
  decidedBy: z.string().nullable(),
  note: z.string(),
  fenceId: answeredIdSchema.nullable(),
  /** Returns within the radius over the last thirty days: whether anybody parks there already. */
  returns: z.int(),
  /** To the nearest parking place; null where there is none. */
  nearestM: z.number().nullable(),
})
export type ParkApplication = z.infer<typeof parkSchema>

export const parkFilterSchema = z.strictObject({
  states: z.array(z.enum(parkStates)).min(1).max(parkStates.length).optional(),
  areaIds: z.array(idSchema).max(scopeListMax).optional(),
  /** Within the name. */
  keyword: searchTextSchema.min(1).max(40).optional(),
  mine: z.boolean().optional(),
})
export type ParkFilter = z.output<typeof parkFilterSchema>

const path = `${basePath}/platform/parkApplication`
const calls = { host: 'platform', permission: ['0910'], scope: 'area' } as const

export const parkEndpoints = defineEndpoints({
  listParkApplications: {
    ...calls,
    method: 'GET',
    path,
    idempotency: 'none',
    summary: '停车点申请，新的在前，附附近的还车次数与最近的停车点',
    input: z.object({
      filter: parkFilterSchema.default({}),
      beforeId: idSchema.optional(),
      pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(20),
    }),
    output: answerOf(
      z.object({
        list: z.array(parkSchema),
        hasMore: z.boolean(),
        counts: z.record(z.enum(parkStates), z.int()),
      }),
    ),
  },
  parkApplicationPhotos: {
    ...calls,
    method: 'GET',
    path: `${path}/photo`,
    idempotency: 'none',
    summary: '一份停车点申请的照片',
    input: z.object({ id: idSchema }),
    output: answerOf(z.object({ photos: z.array(shownPhotoSchema) })),
  },
  submitParkApplication: {
    ...calls,
    permission: ['0910', '0909'],
    method: 'POST',
    path,
    idempotency: 'key',
    bodyLimitBytes: bodyLimits.photos,
    summary: '申请新的停车点：位置、半径、容量、理由与现场照片',
    input: z.object({
      areaId: idSchema,
      name: plainTextSchema.trim().min(1).max(80),
      lat: latSchema,
      lng: lngSchema,
      radiusM: z.number().min(parkRadiusM.min).max(parkRadiusM.max),
      capacity: z.int().min(1).max(parkCapacityMax),
      reason: plainTextSchema.trim().min(1).max(200),
      photos: photosSchema(parkPhotosMax),
    }),
    output: answerOf(z.object({ id: answeredIdSchema })),
  },
  withdrawParkApplication: {
    ...calls,
    permission: ['0910', '0909'],
    method: 'POST',
    path: `${path}/withdraw`,
    idempotency: 'key',
    summary: '撤回自己的停车点申请',
    input: z.object({ id: idSchema }),
    output: answerOf(z.object({ id: answeredIdSchema })),
  },
  decideParkApplications: {
    ...calls,
    permission: ['091001'],
    method: 'POST',
    path: `${path}/decide`,
    idempotency: 'key',
    summary: '审批停车点申请：通过即生成停车点；不能审批自己的申请',
    input: z
      .object({
        ids: z.array(idSchema).min(1).max(parkBatchMax),
        decision: z.enum(['approved', 'rejected']),
        note: plainTextSchema.trim().max(200).default(''),
      })
      .refine(({ decision, note }) => decision === 'approved' || note !== '', { error: '请说明原因' }),
    output: answerOf(
      z.object({
        decided: z.array(answeredIdSchema),
        /** Each for itself: what could not be decided does not hold up the rest. */
        refused: z.array(z.object({ id: answeredIdSchema, promot: z.string() })),
      }),
    ),
  },
  exportParkApplications: {
    ...calls,
    method: 'POST',
    path: `${path}/export`,
    idempotency: 'none',
    bodyLimitBytes: bodyLimits.lists,
    load: 'file',
    summary: '导出停车点申请（CSV），最多五千份',
    input: z.object({ filter: parkFilterSchema.default({}) }),
    output: answerOf(z.object({ exportId: z.string(), fileName: z.string(), text: z.string(), rows: z.int() })),
  },
})
