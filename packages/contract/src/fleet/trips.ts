import { z } from 'zod'
import { answerOf, idSchema, instantSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { vehicleReaders } from './access.ts'

const placeSchema = z.object({ lat: z.number(), lng: z.number() })

export const tripSchema = z.object({
  id: idSchema,
  vehicleId: idSchema,
  number: z.string(),
  areaId: idSchema,
  startedAt: instantSchema,
  /** Null while it lasts. */
  endedAt: instantSchema.nullable(),
  start: placeSchema.nullable(),
  end: placeSchema.nullable(),
  distanceM: z.number().nullable(),
  durationSeconds: z.int(),
  batteryStart: z.number().nullable(),
  batteryEnd: z.number().nullable(),
})
export type Trip = z.infer<typeof tripSchema>

export const tripEndpoints = defineEndpoints({
  ridingInfo: {
    method: 'GET',
    path: `${basePath}/device/ridingInfo`,
    host: 'platform',
    permission: vehicleReaders,
    scope: 'area',
    idempotency: 'none',
    summary: '正在进行与刚结束的骑行，新的在前；给出车辆则为该车的骑行',
    input: z.object({
      vehicleId: idSchema.optional(),
      /** Of one vehicle: trips that began before. */
      before: instantSchema.optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    output: answerOf(z.object({ ridingCount: z.int(), list: z.array(tripSchema) })),
  },
})
