import { z } from 'zod'
import { answerOf, idSchema, instantSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { dayMs, hourMs } from '#contract/time.ts'
import { vehicleReaders } from './access.ts'

/** How far back the map can travel. */
export const pastDays = 30
/** The longest track that one call shows. */
export const itineraryMaxMs = 3 * dayMs
/** The longest window of a replay's part. A shorter first one starts sooner. */
export const replayPartMaxMs = 6 * hourMs
/** Vehicles that one picture of the past holds. */
export const pastVehiclesMax = 200_000

const placeSchema = z.object({ lat: z.number(), lng: z.number(), batteryPercent: z.number().nullable() })

export const stretchSchema = z.object({
  kind: z.enum(['trip', 'stay']),
  startedAt: instantSchema,
  endedAt: instantSchema,
  start: placeSchema,
  end: placeSchema,
  distanceM: z.number(),
  /** Not finished: more points will follow. */
  open: z.boolean(),
  /** Base64url of `encodeTrack`; empty for a stay. */
  points: z.string(),
})
export type Stretch = z.infer<typeof stretchSchema>

const bytesAnswer = {
  /** Base64url; see contract/telemetry/past.ts. */
  bytes: z.string(),
  count: z.int(),
  isCut: z.boolean(),
}

export const pastEndpoints = defineEndpoints({
  itinerary: {
    method: 'GET',
    path: `${basePath}/device/gpsItinerary`,
    host: 'platform',
    permission: vehicleReaders,
    scope: 'area',
    idempotency: 'none',
    summary: '一辆车的轨迹：一段时间，或一次骑行',
    input: z
      .object({
        vehicleId: idSchema,
        tripId: idSchema.optional(),
        from: instantSchema.optional(),
        to: instantSchema.optional(),
      })
      .refine((given) => given.tripId !== undefined || (given.from !== undefined && given.to !== undefined), {
        error: '缺少时间范围或骑行标识',
      })
      .refine(({ from, to }) => from === undefined || to === undefined || (from < to && to - from <= itineraryMaxMs), {
        error: '时间范围最长为三天',
      }),
    output: answerOf(z.object({ list: z.array(stretchSchema) })),
  },
  fleetAt: {
    method: 'GET',
    path: `${basePath}/device/past/moment`,
    host: 'platform',
    permission: ['0301'],
    scope: 'area',
    idempotency: 'none',
    summary: '过去某一时刻的全部车辆：位置、电量与状态',
    input: z.object({ at: instantSchema }),
    output: answerOf(z.object({ at: instantSchema, ...bytesAnswer })),
  },
  replayPart: {
    method: 'GET',
    path: `${basePath}/device/past/replay`,
    host: 'platform',
    permission: ['0301'],
    scope: 'area',
    idempotency: 'none',
    summary: '回放的一段：这段时间里开始的行程与停留；第一段另含已在进行中的',
    input: z
      .object({
        from: instantSchema,
        to: instantSchema,
        /** The first part also holds what had begun before `from`. */
        isFirst: z.boolean().default(false),
      })
      .refine(({ from, to }) => from < to && to - from <= replayPartMaxMs, { error: '一段回放最长为六小时' }),
    output: answerOf(z.object(bytesAnswer)),
  },
})
