import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema, latSchema, lngSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'

export const hoursOfWeek = 168
/** Whole weeks of the past that a forecast is made of. */
export const demandWeeks = 4
/** Hexagons that one answer holds: the busiest. */
export const demandCellsMax = 2_000
export const planHoursMax = 12
export const vanCapacityMax = 60
export const crewMinutesMax = 600
export const planVehiclesMax = 300
/** What a riders' app is told at once, and how far around it looks. */
export const nearVehiclesMax = 50
export const nearVehiclesMaxM = 1_000

const pointSchema = z.strictObject({ lat: latSchema, lng: lngSchema })

export const demandCellSchema = z.object({
  /** As H3 names it. */
  cell: z.string(),
  /** Its corners, closed, [lng, lat]. */
  ring: z.array(z.tuple([z.number(), z.number()])),
  /** In an hour, as it is expected. */
  wanted: z.number(),
  arrived: z.number(),
  /** In an hour, as it was: riders who found no vehicle. */
  unmet: z.number(),
})
export type DemandCell = z.infer<typeof demandCellSchema>

/** What a plan is made for. */
export const planAskSchema = z.strictObject({
  areaId: idSchema,
  /** How far it looks. */
  hours: z.coerce.number().int().min(1).max(planHoursMax).default(6),
  /** Vehicles that the van carries. */
  capacity: z.coerce.number().int().min(1).max(vanCapacityMax).default(20),
  /** By when the crew is back. */
  minutesMax: z.coerce.number().int().min(20).max(crewMinutesMax).default(180),
  vehiclesMax: z.coerce.number().int().min(1).max(planVehiclesMax).default(60),
})

const placeSchema = z.object({
  fenceId: answeredIdSchema,
  name: z.string(),
  lat: z.number(),
  lng: z.number(),
  /** Vehicles that can be ridden there. */
  stock: z.int(),
})
export const plannedMoveSchema = z.object({
  from: placeSchema,
  to: placeSchema,
  vehicles: z.int().positive(),
  /** Rides that it is expected to save. */
  gain: z.number(),
  distanceM: z.number(),
})
export type PlannedMove = z.infer<typeof plannedMoveSchema>
export const planStopSchema = z.object({
  fenceId: answeredIdSchema,
  name: z.string(),
  lat: z.number(),
  lng: z.number(),
  /** Above zero: taken aboard. */
  load: z.int(),
})
export type PlanStop = z.infer<typeof planStopSchema>
export const movePlanSchema = z.object({
  areaId: answeredIdSchema,
  areaName: z.string(),
  at: instantSchema,
  hours: z.int(),
  places: z.int(),
  /** Rides that are expected to be lost for want of a vehicle, as vehicles stand and as they would stand. */
  lostBefore: z.number(),
  lostAfter: z.number(),
  minutes: z.number(),
  distanceM: z.number(),
  /** The best first. */
  moves: z.array(plannedMoveSchema),
  /** The van's way; it begins and ends in the middle of the area. */
  stops: z.array(planStopSchema),
})
export type MovePlan = z.infer<typeof movePlanSchema>

/** Rides within the plan's hours, of the vehicles that were carried and of those that were left where they stood. */
const sideSchema = z.object({ vehicles: z.int(), rides: z.int() })
export const adoptedPlanSchema = z.object({
  id: answeredIdSchema,
  areaId: answeredIdSchema,
  areaName: z.string(),
  madeAt: instantSchema,
  authorName: z.string(),
  hours: z.int(),
  minutes: z.number(),
  distanceM: z.number(),
  /** Vehicles that were to be carried, and what became of their tasks. */
  planned: z.int(),
  done: z.int(),
  cancelled: z.int(),
  expectedGain: z.number(),
  carried: sideSchema,
  left: sideSchema,
  /** Rides of the carried beyond what they would have had like those left behind; null while nothing can be said. */
  brought: z.number().nullable(),
  /** Whether the hours of all carried vehicles are over. */
  isOver: z.boolean(),
})
export type AdoptedPlan = z.infer<typeof adoptedPlanSchema>

/** Stops of one tour; the plan's vehicles bound them. */
export const tourStopsMax = 2 * planVehiclesMax
/** Tours that one answer holds. */
export const toursMax = 20
/** A stop as it is stored with the plan. */
export const keptStopSchema = planStopSchema.extend({
  /** Taken aboard here, or left here. */
  vehicleIds: z.array(answeredIdSchema),
})
export type KeptStop = z.infer<typeof keptStopSchema>
export const tourSchema = z.object({
  id: answeredIdSchema,
  areaName: z.string(),
  madeAt: instantSchema,
  assigneeId: answeredIdSchema,
  assigneeName: z.string(),
  distanceM: z.number(),
  minutes: z.number(),
  /** Tasks that are not finished. */
  unfinished: z.int(),
  stops: z.array(
    planStopSchema.extend({
      /** In the order of the stop; `isDone`: taken aboard at a loading stop, left there at the other. */
      vehicles: z.array(z.object({ taskId: answeredIdSchema, number: z.string(), isDone: z.boolean() })),
    }),
  ),
})
export type Tour = z.infer<typeof tourSchema>

const reads = { host: 'platform', permission: ['090401'], scope: 'area', idempotency: 'none' } as const
const path = `${basePath}/platform/rebalancing`
const planFilterSchema = z.strictObject({
  areaId: idSchema.optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})

export const planList = list({ row: adoptedPlanSchema, filter: planFilterSchema, sorts: { made: 'desc' } })

/** What a file tells of both sides. */
export interface FiledPlan extends AdoptedPlan {
  readonly carriedRides: number
  readonly leftVehicles: number
  readonly leftRides: number
}

export const planFields = fields<FiledPlan>()({
  id: '方案编号',
  areaName: '服务区',
  madeAt: { title: '采用时间', as: 'instant' },
  authorName: '采用人',
  hours: { title: '展望', as: 'count', unit: '小时' },
  distanceM: { title: '路程', as: 'metres' },
  planned: { title: '计划车辆', as: 'count' },
  done: { title: '完成', as: 'count' },
  cancelled: { title: '已取消', as: 'count' },
  expectedGain: { title: '预计挽回', as: 'count', unit: '次' },
  carriedRides: { title: '调走车辆骑行', as: 'count', unit: '次' },
  leftVehicles: { title: '对照车辆', as: 'count' },
  leftRides: { title: '对照车辆骑行', as: 'count', unit: '次' },
  brought: { title: '实际多出', as: 'count', unit: '次' },
  isOver: { title: '状态', labels: { true: '已结束', false: '进行中' } },
})

export const rebalancingEndpoints = defineEndpoints({
  demandCells: {
    ...reads,
    method: 'GET',
    path: `${path}/demand`,
    summary: '用车需求：按六边形与一周中的小时，预计需求、到达与过去找不到车的次数',
    input: z.object({
      areaId: idSchema,
      /** 0: Monday's first; absent: the present one. */
      hour: z.coerce
        .number()
        .int()
        .min(0)
        .max(hoursOfWeek - 1)
        .optional(),
    }),
    output: answerOf(
      z.object({
        hour: z.int(),
        /** Weeks that it was seen for; less than one is too little to say much. */
        weeks: z.number(),
        cells: z.array(demandCellSchema),
        /** The whole area by the hour of the week. */
        week: z.array(z.object({ wanted: z.number(), arrived: z.number(), unmet: z.number() })).length(hoursOfWeek),
      }),
    ),
  },
  planMoves: {
    ...reads,
    method: 'GET',
    path: `${path}/plan`,
    summary: '调度方案：按预计挽回的骑行次数排序的挪车清单与调度车路线；只计算，不保存',
    input: planAskSchema,
    output: answerOf(movePlanSchema),
  },
  adoptPlan: {
    ...reads,
    method: 'POST',
    idempotency: 'key',
    path: `${path}/adopt`,
    bodyLimitBytes: bodyLimits.lists,
    summary: '采用调度方案中的若干条：为每辆车创建调度任务，并记下预计效果以便日后对照',
    input: planAskSchema.extend({
      /** Who drives it: gets the tasks in hand and the stops in their order. */
      assigneeId: idSchema.optional(),
      moves: z
        .array(
          z.strictObject({ fromFenceId: idSchema, toFenceId: idSchema, vehicles: z.int().min(1).max(planVehiclesMax) }),
        )
        .min(1)
        .max(planVehiclesMax),
    }),
    output: answerOf(z.object({ id: answeredIdSchema, taskIds: z.array(answeredIdSchema) })),
  },
  listTours: {
    host: 'platform',
    permission: ['0909', '090401'],
    scope: 'area',
    idempotency: 'none',
    method: 'GET',
    path: `${path}/tours`,
    summary: '派给人的调度路线：停靠顺序，每站装卸哪些车；给出 mine 时只列本人未完成的，新的在前',
    input: z.object({ mine: z.boolean().default(true) }),
    output: answerOf(z.object({ list: z.array(tourSchema) })),
  },
  listPlans: {
    ...reads,
    ...planList.page,
    path: `${path}/adopted`,
    summary: '采用过的调度方案：完成情况、预计与实际效果，新的在前',
  },
  exportPlans: { ...reads, ...planList.file, path: `${path}/adopted/export`, summary: '导出采用过的调度方案（CSV）' },
  nearVehicles: {
    host: 'platform',
    permission: 'app',
    scope: 'none',
    idempotency: 'none',
    method: 'GET',
    path: '/rider/v1/vehicles',
    summary: '一个位置附近可以骑的车，近的在前；附近没有车时计入该处未满足的需求（只计次数，不记骑行人）',
    input: z.object({
      lat: z.coerce.number().pipe(pointSchema.shape.lat),
      lng: z.coerce.number().pipe(pointSchema.shape.lng),
      radiusM: z.coerce.number().min(50).max(nearVehiclesMaxM).default(500),
    }),
    output: answerOf(
      z.array(
        z.object({
          number: z.string(),
          lat: z.number(),
          lng: z.number(),
          batteryPercent: z.number().nullable(),
          distanceM: z.number(),
        }),
      ),
    ),
  },
})
