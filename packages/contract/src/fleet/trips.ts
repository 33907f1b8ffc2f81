import { z } from 'zod'
import { answerOf, idSchema, instantSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
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

export const tripFields = fields<Trip>()({
  number: '车辆编号',
  startedAt: { title: '开始', as: 'instant' },
  endedAt: { title: '结束', as: 'instant' },
  durationSeconds: { title: '时长', as: 'count', unit: '秒' },
  distanceM: { title: '里程', as: 'metres' },
  batteryStart: { title: '开始电量', as: 'count', unit: '%' },
  batteryEnd: { title: '结束电量', as: 'count', unit: '%' },
})

/** One vehicle's trips, the newest first. */
export const vehicleTripList = list({
  row: tripSchema,
  filter: z.strictObject({ vehicleId: idSchema, from: instantSchema.optional(), to: instantSchema.optional() }),
  sorts: { started: 'desc' },
})

const vehicleTrips = { host: 'platform', permission: vehicleReaders, scope: 'area' } as const

export const tripEndpoints = defineEndpoints({
  listVehicleTrips: {
    ...vehicleTrips,
    ...vehicleTripList.page,
    path: `${basePath}/device/trips`,
    summary: '一辆车的骑行，新的在前',
  },
  exportVehicleTrips: {
    ...vehicleTrips,
    ...vehicleTripList.file,
    path: `${basePath}/device/trips/export`,
    summary: '导出一辆车的骑行（CSV）',
  },
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
