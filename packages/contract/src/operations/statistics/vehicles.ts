import { z } from 'zod'
import { answeredIdSchema, answerOf, instantSchema } from '#contract/answers.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { vehicleStateSchema } from '#contract/fleet/vehicles.ts'
import { fields } from '#contract/list.ts'
import { areaIdsSchema, statisticsPath, statisticsReads } from './span.ts'

export const vehicleStatisticsFilterSchema = z.strictObject({ areaIds: areaIdsSchema })

const vehicleSumSchema = z.object({
  vehicles: z.int(),
  available: z.int(),
  onTrip: z.int(),
  lowBattery: z.int(),
  offline: z.int(),
  outOfService: z.int(),
  /** Stood for a day and longer. */
  idle: z.int(),
  inTask: z.int(),
  batteryPercent: z.number().nullable(),
})
export type VehicleSum = z.infer<typeof vehicleSumSchema>

/** Vehicles of one model or area. */
export type VehicleGroup = VehicleSum & { readonly name: string; readonly areaId?: number }
export const vehicleGroupFields = fields<VehicleGroup>()({
  name: '名称',
  vehicles: { title: '车辆数', as: 'count' },
  available: { title: '可用', as: 'count' },
  onTrip: { title: '骑行中', as: 'count' },
  lowBattery: { title: '低电量', as: 'count' },
  offline: { title: '离线', as: 'count' },
  outOfService: { title: '停运', as: 'count' },
  idle: { title: '闲置一天以上', as: 'count' },
  inTask: { title: '有未完成任务', as: 'count' },
  batteryPercent: { title: '平均电量', as: 'count', unit: '%' },
})

/** Lower bounds of the bands, in per cent and in hours. */
export const batteryBands = [0, 10, 20, 40, 60, 80] as const
export const idleBands = [0, 1, 6, 24, 72, 168] as const

export const vehicleStatisticsEndpoints = defineEndpoints({
  vehicleFigures: {
    ...statisticsReads,
    permission: ['0906'],
    path: `${statisticsPath}/vehicles`,
    summary: '车辆信息统计：按状态、车型、电量与闲置时长，按服务区，与昨天和上周同日相比',
    input: z.object({ filter: vehicleStatisticsFilterSchema.prefault({}) }),
    output: answerOf(
      z.object({
        at: instantSchema,
        total: vehicleSumSchema,
        states: z.array(z.object({ state: vehicleStateSchema, count: z.int() })),
        models: z.array(vehicleSumSchema.extend({ name: z.string() })),
        areas: z.array(vehicleSumSchema.extend({ name: z.string(), company: z.string(), areaId: answeredIdSchema })),
        /** One for each of `batteryBands`; vehicles that never told it are in none. */
        battery: z.array(z.int()),
        /** Of these, how many their companies count as low. */
        batteryLow: z.array(z.int()),
        /** One for each of `idleBands`. */
        idle: z.array(z.int()),
        /** Of the same areas, yesterday and a week ago; null where no figures were kept. */
        yesterday: z.object({ vehicles: z.int(), lowBattery: z.int() }).nullable(),
        lastWeek: z.object({ vehicles: z.int(), lowBattery: z.int() }).nullable(),
      }),
    ),
  },
})
