import { z } from 'zod'
import { answerOf, idSchema, instantSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { dayMs } from '#contract/time.ts'
import { vehicleStateSchema } from './vehicles.ts'

/** A day of business, as a calendar writes it: 2026-11-21. */
export const dayPattern = /^\d{4}-\d{2}-\d{2}$/
const isDay = (text: string): boolean => !Number.isNaN(Date.parse(`${text}T00:00:00Z`))
export const daySchema = z.string().regex(dayPattern).refine(isDay, { error: '日期无效' })

export const analysisMaxDays = 92
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs + 1

export const fleetDaySchema = z.object({
  day: daySchema,
  areaId: idSchema,
  areaName: z.string(),
  agentId: idSchema,
  company: z.string(),
  /** Vehicles that were on the street that day, and how many of them were ridden. */
  vehicles: z.int(),
  ridden: z.int(),
  trips: z.int(),
  rideSeconds: z.int(),
  distanceM: z.number(),
  /** Trips a vehicle. */
  turnover: z.number(),
  /** Part of the day that is over, 0 to 1. */
  dayShare: z.number(),
  /** Part of the vehicles' time in which somebody rode, 0 to 1. */
  utilisation: z.number(),
  /** Part of the vehicles that nobody rode, 0 to 1. */
  idleShare: z.number(),
  /** At the end of the day; null where no vehicle told it. */
  batteryPercent: z.number().nullable(),
  lowBattery: z.int(),
})
export type FleetDay = z.infer<typeof fleetDaySchema>

export const heatKinds = ['demand', 'arrival', 'idle'] as const
export type HeatKind = (typeof heatKinds)[number]
export const heatKindLabels: Readonly<Record<HeatKind, string>> = {
  demand: '出发需求',
  arrival: '到达热度',
  idle: '闲置车辆',
}
export const heatMaxMs = 31 * dayMs
/** Hexagons of H3: 7 is about 5 km² , 10 about 0.015 km². */
export const heatResolution = { min: 7, max: 10, standard: 9 } as const

export const analysisEndpoints = defineEndpoints({
  analyseOperation: {
    method: 'GET',
    path: `${basePath}/device/analysis`,
    host: 'platform',
    permission: ['0304'],
    scope: 'area',
    idempotency: 'none',
    summary: '运营分析：利用率、周转、闲置与电量，按服务区和天',
    input: z
      .object({
        from: daySchema,
        to: daySchema,
        areaId: idSchema.optional(),
        /** Of the last day only what was until then: a day that is not over is compared with the same part of another. */
        until: instantSchema.optional(),
      })
      .refine(({ from, to }) => from <= to && daysBetween(from, to) <= analysisMaxDays, {
        error: '时间范围最长为 92 天',
      }),
    output: answerOf(
      z.object({
        list: z.array(fleetDaySchema),
        /** When today's figures were made; null before the first. */
        madeAt: instantSchema.nullable(),
      }),
    ),
  },
  tripsByHour: {
    method: 'GET',
    path: `${basePath}/device/analysis/hours`,
    host: 'platform',
    permission: ['0304', '0301'],
    scope: 'area',
    idempotency: 'none',
    summary: '一段时间内按星期与小时的骑行次数',
    input: z
      .object({ from: daySchema, to: daySchema, areaId: idSchema.optional() })
      .refine(({ from, to }) => from <= to && daysBetween(from, to) <= analysisMaxDays, {
        error: '时间范围最长为 92 天',
      }),
    /** Weekday 1 is Monday; business time. */
    output: answerOf(z.object({ list: z.array(z.object({ weekday: z.int(), hour: z.int(), trips: z.int() })) })),
  },
  heatMap: {
    method: 'GET',
    path: `${basePath}/device/heat`,
    host: 'platform',
    permission: ['0301', '0304'],
    scope: 'area',
    idempotency: 'none',
    summary: '六边形热力图：出发、到达或闲置车辆',
    input: z
      .object({
        kind: z.enum(heatKinds),
        /** For `demand` and `arrival`. */
        from: instantSchema.optional(),
        to: instantSchema.optional(),
        /** Only trips of these hours of the business day; absent: all. */
        hours: z.array(z.int().min(0).max(23)).min(1).max(24).optional(),
        /** For `idle`: standing for at least so long. */
        idleHours: z
          .number()
          .min(0)
          .max(24 * 60)
          .default(12),
        resolution: z.coerce
          .number()
          .int()
          .min(heatResolution.min)
          .max(heatResolution.max)
          .default(heatResolution.standard),
      })
      .refine(
        ({ kind, from, to }) =>
          kind === 'idle' || (from !== undefined && to !== undefined && from < to && to - from <= heatMaxMs),
        { error: '时间范围最长为 31 天' },
      ),
    output: answerOf(
      z.object({
        total: z.int(),
        max: z.int(),
        cells: z.array(
          z.object({
            cell: z.string(),
            count: z.int(),
            /** Corners of the hexagon, closed, [lng, lat]. */
            ring: z.array(z.tuple([z.number(), z.number()])),
          }),
        ),
      }),
    ),
  },
  todayCounters: {
    method: 'GET',
    path: `${basePath}/device/today`,
    host: 'platform',
    permission: ['0301', '0304'],
    scope: 'area',
    idempotency: 'none',
    summary: '今日：骑行、里程、正在骑行、告警与任务',
    input: z.object({}),
    output: answerOf(
      z.object({
        trips: z.int(),
        riding: z.int(),
        distanceM: z.number(),
        rideSeconds: z.int(),
        riddenVehicles: z.int(),
        alarmsOpened: z.int(),
        tasksOpen: z.int(),
        tasksDone: z.int(),
      }),
    ),
  },
  regulatorView: {
    method: 'GET',
    path: `${basePath}/device/regulator`,
    host: 'platform',
    permission: ['030601'],
    scope: 'area',
    idempotency: 'none',
    summary: '政府监管视图：按服务区的数量与停放密度，不含车辆编号与骑行者信息',
    input: z.object({
      resolution: z.coerce
        .number()
        .int()
        .min(heatResolution.min)
        .max(heatResolution.max)
        .default(heatResolution.standard),
    }),
    output: answerOf(
      z.object({
        at: instantSchema,
        total: z.int(),
        states: z.record(vehicleStateSchema, z.int()),
        /** Standing outside their service area, or in a zone where nobody may park. */
        outsideArea: z.int(),
        inNoStop: z.int(),
        tripsToday: z.int(),
        areas: z.array(
          z.object({
            areaId: idSchema,
            areaName: z.string(),
            company: z.string(),
            total: z.int(),
            available: z.int(),
            onTrip: z.int(),
            outOfService: z.int(),
            outsideArea: z.int(),
            inNoStop: z.int(),
            tripsToday: z.int(),
          }),
        ),
        /** Parked vehicles by hexagon. */
        cells: z.array(
          z.object({ cell: z.string(), count: z.int(), ring: z.array(z.tuple([z.number(), z.number()])) }),
        ),
        parking: z.array(
          z.object({
            fenceId: idSchema,
            name: z.string(),
            capacity: z.int().nullable(),
            parked: z.int(),
          }),
        ),
      }),
    ),
  },
})
