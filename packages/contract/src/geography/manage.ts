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
  versionSchema,
} from '#contract/answers.ts'
import { basePath, scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { exportFormats } from '#contract/exported.ts'
import { fields, list } from '#contract/list.ts'
import type { Permission } from '#contract/permissions.ts'
import { returnKinds, type ReturnKind } from '#contract/riding/price.ts'
import { photoIdSchema, photoSchema, shownPhotoSchema } from '#contract/photos/photo.ts'
import {
  fenceHolesMax,
  fenceHoursSchema,
  fenceKinds,
  fencePhotosMax,
  fenceSchema,
  ringSchema,
  type FenceKind,
} from './fences.ts'
import { radiusLimitsM, shapeProblemLabels, type ShapeProblem } from './shape.ts'

/** Who may change fences of a kind. */
export const fencePermissions: Readonly<Record<FenceKind, Permission>> = {
  service_area: '0503',
  parking: '0504',
  no_stop: '0505',
}

export const fenceNameMax = 80
export const fenceNoteMax = 200
export const fenceCapacityMax = 10_000
/** Fences that one call changes, and a file may bring. */
export const fenceBatchMax = 500
/** Parking places and zones of a service area. */
export const fencesPerAreaMax = 10_000

const placeSchema = z.strictObject({ lat: latSchema, lng: lngSchema })
export const shapeSchema = z.union([
  z.strictObject({ ring: ringSchema, holes: z.array(ringSchema).max(fenceHolesMax) }),
  z.strictObject({ centre: placeSchema, radiusM: z.number().min(radiusLimitsM.min).max(radiusLimitsM.max) }),
])

/** What a person decides of a fence. */
export const fenceDraftSchema = z.strictObject({
  name: plainTextSchema.trim().min(1).max(fenceNameMax),
  capacity: z.int().min(0).max(fenceCapacityMax).nullable(),
  hours: fenceHoursSchema.nullable(),
  shape: shapeSchema,
})
export type FenceDraft = z.infer<typeof fenceDraftSchema>

/** Photos that a parking place gets; one call brings no more than a few of them in all. */
const addedPhotosSchema = z.array(photoSchema).max(fencePhotosMax).optional()
/** Those of its earlier ones that it keeps. Absent: all it has, and of a restored version those that it had. */
const keptPhotosSchema = z.array(photoIdSchema).max(fencePhotosMax).optional()

const noteSchema = plainTextSchema.trim().max(fenceNoteMax).default('')
/** A fence as the caller has seen it last: somebody else's change in between is refused. */
const seenSchema = z.strictObject({ lineId: idSchema, version: versionSchema })
const kindSchema = z.enum(fenceKinds)
const newFencesSchema = z.strictObject({
  areaId: idSchema,
  kind: kindSchema,
  fences: z
    .array(fenceDraftSchema.extend({ photos: addedPhotosSchema }))
    .min(1)
    .max(fenceBatchMax),
})

export const fenceFilterSchema = z.strictObject({
  /** Absent: parking spots. */
  kind: kindSchema.optional(),
  /** Part of the name. */
  keyword: searchTextSchema.max(fenceNameMax).optional(),
  areaIds: z.array(idSchema).max(scopeListMax).optional(),
  /** Removed ones, by their last version. */
  removed: z.boolean().optional(),
  /** Parking places that hold as many vehicles as they may, or more. */
  full: z.boolean().optional(),
})
export type FenceFilter = z.output<typeof fenceFilterSchema>

export const managedFenceSchema = fenceSchema.extend({
  areaName: z.string(),
  areaM2: z.number(),
  validTo: instantSchema.nullable(),
  removedBy: z.string().nullable(),
  removedNote: z.string().nullable(),
  /** Vehicles that stand in it now; null for service areas. */
  standing: z.int().nullable(),
  /** Rides of the last seven days that ended there. */
  returns: z.int(),
})
export type ManagedFence = z.infer<typeof managedFenceSchema>

export const fenceList = list({
  row: managedFenceSchema,
  filter: fenceFilterSchema,
  sorts: { name: 'asc', changed: 'desc', capacity: 'desc', area: 'desc', standing: 'desc', returns: 'desc' },
  countMax: 20_000,
})

export const fenceFields = fields<ManagedFence>()({
  name: '名称',
  areaName: '服务区',
  capacity: { title: '容量', as: 'count' },
  standing: { title: '当前车辆', as: 'count' },
  returns: { title: '近 7 天还车', as: 'count' },
  hours: '开放时间',
  areaM2: { title: '面积', as: 'count' },
  version: { title: '版本', as: 'count' },
  validFrom: { title: '修改时间', as: 'instant' },
  authorName: '修改人',
})

/** A fence as a spreadsheet shows it. */
export interface FenceFileRow {
  readonly name: string
  readonly areaName: string
  readonly lng: number
  readonly lat: number
  readonly radiusM: number | null
  readonly capacity: number | null
  readonly opens: string | null
  readonly closes: string | null
  readonly areaM2: number
  readonly standing: number | null
  readonly returns: number
  readonly version: number
  readonly validFrom: number
  readonly authorName: string
}

export const fenceFileFields = fields<FenceFileRow>()({
  name: '名称',
  areaName: '服务区',
  lng: { title: '经度', as: 'count' },
  lat: { title: '纬度', as: 'count' },
  radiusM: { title: '半径', unit: '米', as: 'count' },
  capacity: { title: '容量', as: 'count' },
  opens: '开放',
  closes: '关闭',
  areaM2: { title: '面积', unit: '平方米', as: 'count' },
  standing: { title: '当前车辆', as: 'count' },
  returns: { title: '近 7 天还车', as: 'count' },
  version: { title: '版本', as: 'count' },
  validFrom: { title: '生效时间', as: 'instant' },
  authorName: '修改人',
})

export const fenceVersionSchema = fenceSchema.extend({
  validTo: instantSchema.nullable(),
  restoredFrom: z.int().nullable(),
  removedBy: z.string().nullable(),
  removedNote: z.string().nullable(),
})
export type FenceVersion = z.infer<typeof fenceVersionSchema>
/** Versions that are told, the newest. */
export const fenceVersionsMax = 200

const shapeProblems = Object.keys(shapeProblemLabels) as [ShapeProblem, ...ShapeProblem[]]
export const fenceOverlapsMax = 20
export const fenceCheckSchema = z.object({
  /** Refused. */
  problem: z.enum(shapeProblems).nullable(),
  nameTaken: z.boolean(),
  /** Allowed, but worth a second look. */
  outside: z.enum(['none', 'part', 'all']),
  overlaps: z.array(z.object({ lineId: answeredIdSchema.nullable(), kind: kindSchema, name: z.string() })),
})
export type FenceCheck = z.infer<typeof fenceCheckSchema>

/** Fences that would take the place of what is in force, or go. */
export const plannedSchema = z.strictObject({
  areaId: idSchema,
  kind: kindSchema,
  /** `lineId` null: a new one. */
  drafts: z.array(fenceDraftSchema.extend({ lineId: idSchema.nullable() })).max(fenceBatchMax),
  removes: z.array(idSchema).max(fenceBatchMax).default([]),
})
export type PlannedFences = z.output<typeof plannedSchema>

export const clusterLimits = { days: 90, returns: 50_000, clusters: 200 } as const
export const clusterSchema = z.object({
  centre: z.object({ lat: z.number(), lng: z.number() }),
  /** Around nine tenths of them. */
  radiusM: z.number(),
  returns: z.int(),
  /** Of them, charged or refused where they were. */
  charged: z.int(),
  /** The most on one day. */
  busiestDay: z.int(),
  /** Metres to the nearest parking place in force; null where there is none. */
  nearestM: z.number().nullable(),
})
export type ReturnCluster = z.infer<typeof clusterSchema>

export const effectReturnsMax = 20_000
export const effectExamplesMax = 50
/** Returns that are drawn on the map: first those that the change concerns. */
export const effectPointsMax = 600
/** Whether a return of this kind costs no fee. */
export const isFreeReturn = (kind: ReturnKind): boolean => kind === 'in_place' || kind === 'unknown'
const countsSchema = z.record(z.enum(returnKinds), z.int())
export const effectSchema = z.object({
  /** Returns that were looked at, and whether there were more. */
  returns: z.int(),
  isCut: z.boolean(),
  before: countsSchema,
  after: countsSchema,
  /** With the change refused where they were. */
  refused: z.int(),
  /** Free until now, and with the change charged; and the other way. */
  charged: z.int(),
  better: z.int(),
  examples: z.array(
    z.object({
      orderId: answeredIdSchema,
      at: instantSchema,
      lat: z.number(),
      lng: z.number(),
      before: z.enum(returnKinds),
      after: z.enum(returnKinds),
    }),
  ),
  points: z
    .array(z.object({ lat: z.number(), lng: z.number(), before: z.enum(returnKinds), after: z.enum(returnKinds) }))
    .max(effectPointsMax),
})
export type FenceEffect = z.infer<typeof effectSchema>

export const fenceFileFormats = [...exportFormats, 'geojson', 'kml'] as const
export type FenceFileFormat = (typeof fenceFileFormats)[number]

const manage = {
  host: 'map',
  permission: ['0503', '0504', '0505'],
  scope: 'area',
} as const
const path = `${basePath}/electricFence`

export const fenceManageEndpoints = defineEndpoints({
  listElectricFences: {
    ...manage,
    ...fenceList.page,
    path,
    summary: '围栏列表：形状、容量、营业时间、当前停放车辆与近七天还车次数',
  },
  electricFence: {
    ...manage,
    method: 'GET',
    path: `${path}/versions`,
    idempotency: 'none',
    summary: '一个围栏的全部版本：谁、何时、为何修改',
    input: z.object({ lineId: idSchema }),
    output: answerOf(z.object({ list: z.array(fenceVersionSchema) })),
  },
  fencePhotos: {
    ...manage,
    method: 'GET',
    path: `${path}/photo`,
    idempotency: 'none',
    summary: '一个停车点的照片：现行的，或某一版本的',
    input: z.object({ lineId: idSchema, version: versionSchema.optional() }),
    output: answerOf(z.object({ photos: z.array(shownPhotoSchema) })),
  },
  createElectricFences: {
    ...manage,
    method: 'POST',
    path: `${path}/create`,
    idempotency: 'key',
    bodyLimitBytes: bodyLimits.fences,
    summary: '新增一个或一批停车点、禁停区',
    input: newFencesSchema.extend({ note: noteSchema }),
    output: answerOf(z.object({ list: z.array(fenceSchema) })),
  },
  updateElectricFences: {
    ...manage,
    method: 'POST',
    path: `${path}/update`,
    idempotency: 'key',
    bodyLimitBytes: bodyLimits.fences,
    summary: '修改围栏并生成新版本；拆分、合并时一次完成修改、新增与删除；也用于恢复旧版本或已删除的围栏',
    input: z.strictObject({
      changes: z
        .array(
          seenSchema.extend(fenceDraftSchema.shape).extend({
            restoredFrom: z.int().min(1).optional(),
            photos: addedPhotosSchema,
            photoIds: keptPhotosSchema,
          }),
        )
        .min(1)
        .max(fenceBatchMax),
      adds: newFencesSchema.optional(),
      removes: z.array(seenSchema).max(fenceBatchMax).default([]),
      note: noteSchema,
    }),
    output: answerOf(z.object({ list: z.array(fenceSchema) })),
  },
  deleteElectricFences: {
    ...manage,
    method: 'POST',
    path: `${path}/delete`,
    idempotency: 'key',
    bodyLimitBytes: bodyLimits.lists,
    summary: '删除停车点、禁停区；历史版本保留，可以恢复',
    input: z.strictObject({ fences: z.array(seenSchema).min(1).max(fenceBatchMax), note: noteSchema }),
    output: answerOf(z.object({ removed: z.int() })),
  },
  checkElectricFences: {
    ...manage,
    method: 'POST',
    path: `${path}/check`,
    idempotency: 'none',
    bodyLimitBytes: bodyLimits.fences,
    summary: '保存前检查：自相交叉、重名、超出服务区、与其他围栏重叠',
    input: plannedSchema,
    output: answerOf(z.object({ list: z.array(fenceCheckSchema) })),
  },
  fenceEffect: {
    ...manage,
    method: 'POST',
    path: `${path}/effect`,
    idempotency: 'none',
    bodyLimitBytes: bodyLimits.fences,
    summary: '效果预览：按近几天真实的还车位置，改动之后有多少会被收费或拒绝',
    input: plannedSchema.extend({ days: z.int().min(1).max(30).default(7) }),
    output: answerOf(effectSchema),
  },
  returnClusters: {
    ...manage,
    method: 'POST',
    path: `${path}/clusters`,
    idempotency: 'none',
    summary: '还车聚集处：停车点之外骑行者实际停车的位置，可据此批量新增停车点',
    input: z.strictObject({
      areaId: idSchema,
      days: z.int().min(1).max(clusterLimits.days).default(30),
      /** Two returns that are no farther apart belong together. */
      apartM: z.number().min(5).max(100).default(25),
      returnsMin: z.int().min(2).max(1_000).default(10),
      /** Also those within parking places. */
      everywhere: z.boolean().default(false),
    }),
    output: answerOf(z.object({ list: z.array(clusterSchema), returns: z.int(), isCut: z.boolean() })),
  },
  exportElectricFences: {
    ...manage,
    ...fenceList.file,
    path: `${path}/export`,
    bodyLimitBytes: bodyLimits.lists,
    summary: '导出围栏（Excel、CSV、GeoJSON、KML）',
    input: fenceList.file.input.extend({ format: z.enum(fenceFileFormats).default('csv') }),
  },
})
