import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, latSchema, lngSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { photoIdSchema } from '#contract/photos/photo.ts'

export const fenceKinds = ['service_area', 'parking', 'no_stop'] as const
export type FenceKind = (typeof fenceKinds)[number]
export const fenceKindLabels: Readonly<Record<FenceKind, string>> = {
  service_area: '服务区',
  parking: '停车点',
  no_stop: '禁停区',
}

export const fenceRingMax = 5_000
/** A closed ring, WGS-84. */
export const ringSchema = z
  .array(z.tuple([lngSchema, latSchema]))
  .min(4)
  .max(fenceRingMax)

/** Minutes of the business day; a place that closes before it opens is open at night. */
export const fenceHoursSchema = z.strictObject({
  opensMinute: z.int().min(0).max(1_439),
  closesMinute: z.int().min(0).max(1_439),
})
export type FenceHours = z.infer<typeof fenceHoursSchema>
export const fenceHolesMax = 20
/** What a parking place looks like. */
export const fencePhotosMax = 3

export const fenceSchema = z.object({
  /** Of this version. */
  id: answeredIdSchema,
  /** Of the fence in all its versions. */
  lineId: answeredIdSchema,
  agentId: answeredIdSchema,
  areaId: answeredIdSchema,
  kind: z.enum(fenceKinds),
  name: z.string(),
  centre: z.object({ lat: z.number(), lng: z.number() }),
  /** Null: a circle around the centre. */
  ring: ringSchema.nullable(),
  holes: z.array(ringSchema).max(fenceHolesMax),
  radiusM: z.number().nullable(),
  /** Vehicles that a parking place is meant for; null where that has no meaning. */
  capacity: z.int().nullable(),
  /** When a parking place takes vehicles; null: always. */
  hours: fenceHoursSchema.nullable(),
  /** Of a parking place; the pictures themselves are fetched by their own call. */
  photoIds: z.array(photoIdSchema).max(fencePhotosMax),
  version: z.int(),
  validFrom: instantSchema,
  /** Who made this version, and why; empty where the platform did. */
  authorName: z.string(),
  note: z.string(),
})
export type Fence = z.infer<typeof fenceSchema>

/** A map that shows the world more than once asks beyond its edges. */
const mapLngSchema = z.number().min(-540).max(540)
const boundsSchema = z.strictObject({ west: mapLngSchema, south: latSchema, east: mapLngSchema, north: latSchema })

/** Fences that one answer may hold. */
export const fenceListMax = 5_000
export const fencesAroundMaxM = 5_000

/** Drawn on the live map, the query's map and the regulator's. */
const reads = {
  host: 'map',
  permission: ['0301', '0302', '0307', '030601', '0503', '0504', '0505'],
  scope: 'area',
  idempotency: 'none',
} as const

/** Beyond this a parking place is not near any more. */
export const spotNearMaxM = 2_000
/** Beyond this a place lies on no road. */
export const roadNearMaxM = 150

/** Roads that a search answers. */
export const roadsFoundMax = 10

export const fenceEndpoints = defineEndpoints({
  findRoads: {
    ...reads,
    permission: ['0503', '0504', '0505'],
    method: 'GET',
    path: `${basePath}/platform/gFence/roads`,
    summary: '按名称查找城市的道路与它所在的范围；没有道路数据的城市查不到',
    input: z.object({ keyword: z.string().trim().min(1).max(30) }),
    output: answerOf(
      z.object({
        list: z
          .array(
            z.object({
              name: z.string(),
              bounds: z.strictObject({ west: lngSchema, south: latSchema, east: lngSchema, north: latSchema }),
            }),
          )
          .max(roadsFoundMax),
      }),
    ),
  },
  whereIs: {
    ...reads,
    /** Whoever sees a vehicle or a task sees where it is. */
    permission: ['0301', '0302', '0305', '0307', '030601', '0503', '0504', '0505', '0909'],
    method: 'GET',
    path: `${basePath}/platform/gFence/where`,
    summary: '一个位置在哪里：所在道路，最近的停车点与距离；不知道的为空',
    input: z.object({ lat: z.coerce.number().pipe(latSchema), lng: z.coerce.number().pipe(lngSchema) }),
    output: answerOf(
      z.object({
        /** Null: no street is known near it, or there is no street data. */
        road: z.object({ name: z.string(), distanceM: z.number() }).nullable(),
        /** The nearest parking place of the scope; inside the distance is 0. Null: none within `spotNearMaxM`. */
        spot: z
          .object({ fenceId: answeredIdSchema, name: z.string(), distanceM: z.number(), isInside: z.boolean() })
          .nullable(),
      }),
    ),
  },
  listFences: {
    ...reads,
    method: 'GET',
    path: `${basePath}/platform/gFence`,
    summary: '范围内现行的围栏：服务区、停车点、禁停区',
    input: z.object({
      kinds: z.array(z.enum(fenceKinds)).max(fenceKinds.length).optional(),
      areaId: idSchema.optional(),
      /** What was in force then; absent: now. */
      at: instantSchema.optional(),
      bounds: boundsSchema.optional(),
    }),
    output: answerOf(z.object({ list: z.array(fenceSchema), isCut: z.boolean() })),
  },
  fencesAround: {
    ...reads,
    method: 'GET',
    path: `${basePath}/platform/gFence/around`,
    summary: '一个位置周围的围栏，近的在前，并说明是否在其中',
    input: z.object({
      lat: z.coerce.number().pipe(latSchema),
      lng: z.coerce.number().pipe(lngSchema),
      radiusM: z.coerce.number().min(1).max(fencesAroundMaxM).default(500),
      kinds: z.array(z.enum(fenceKinds)).max(fenceKinds.length).optional(),
    }),
    output: answerOf(
      z.object({
        list: z.array(z.object({ fence: fenceSchema, distanceM: z.number(), isInside: z.boolean() })),
      }),
    ),
  },
})
