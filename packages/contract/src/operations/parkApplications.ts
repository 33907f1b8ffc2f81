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
import { basePath, scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { photosSchema, shownPhotoSchema } from '#contract/photos/photo.ts'

export const parkApplicationStates = ['waiting', 'approved', 'rejected', 'withdrawn'] as const
export type ParkApplicationState = (typeof parkApplicationStates)[number]
export const parkApplicationStateLabels: Readonly<Record<ParkApplicationState, string>> = {
  waiting: '待审批',
  approved: '已通过',
  rejected: '已拒绝',
  withdrawn: '已撤回',
}

export const parkApplicationPhotosMax = 3
export const parkApplicationBatchMax = 50
export const parkApplicationNoteMax = 200
export const parkRadiusM = { min: 3, max: 200 } as const
export const parkCapacityMax = 1_000

const parkApplicationSchema = z.object({
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
  state: z.enum(parkApplicationStates),
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
export type ParkApplication = z.infer<typeof parkApplicationSchema>

export const parkApplicationFilterSchema = z.strictObject({
  states: z.array(z.enum(parkApplicationStates)).min(1).max(parkApplicationStates.length).optional(),
  areaIds: z.array(idSchema).max(scopeListMax).optional(),
  /** Within the name. */
  keyword: searchTextSchema.min(1).max(40).optional(),
  mine: z.boolean().optional(),
})
export type ParkApplicationFilter = z.output<typeof parkApplicationFilterSchema>

export const parkApplicationFields = fields<ParkApplication>()({
  id: '申请编号',
  name: '名称',
  areaName: '服务区',
  state: { title: '状态', labels: parkApplicationStateLabels },
  lat: '纬度',
  lng: '经度',
  radiusM: { title: '半径', as: 'count', unit: '米' },
  capacity: { title: '容量', as: 'count', unit: '辆' },
  returns: { title: '近 30 天还车', as: 'count', unit: '次' },
  nearestM: { title: '最近的停车点', as: 'count', unit: '米' },
  reason: '理由',
  applicantName: '申请人',
  appliedAt: { title: '申请时间', as: 'instant' },
  decidedBy: '审批人',
  decidedAt: { title: '审批时间', as: 'instant' },
  note: '审批意见',
})

export const parkApplicationList = list({
  row: parkApplicationSchema,
  filter: parkApplicationFilterSchema,
  sorts: { applied: 'desc' },
})

const path = `${basePath}/platform/parkApplication`
const calls = { host: 'platform', permission: ['0910'], scope: 'area' } as const

export const parkApplicationEndpoints = defineEndpoints({
  listParkApplications: {
    ...calls,
    ...parkApplicationList.page,
    path,
    summary: '停车点申请，新的在前，附附近的还车次数与最近的停车点',
  },
  parkApplicationCounts: {
    ...calls,
    method: 'GET',
    path: `${path}/counts`,
    idempotency: 'none',
    summary: '各状态的停车点申请数，按状态以外的条件',
    input: z.object({ filter: parkApplicationFilterSchema.prefault({}) }),
    output: answerOf(z.record(z.enum(parkApplicationStates), z.int())),
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
      photos: photosSchema(parkApplicationPhotosMax),
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
        ids: z.array(idSchema).min(1).max(parkApplicationBatchMax),
        decision: z.enum(['approved', 'rejected']),
        note: plainTextSchema.trim().max(parkApplicationNoteMax).default(''),
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
    ...parkApplicationList.file,
    path: `${path}/export`,
    bodyLimitBytes: bodyLimits.lists,
    summary: '导出停车点申请（CSV）',
  },
})
