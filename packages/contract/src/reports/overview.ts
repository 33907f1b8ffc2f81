import { z } from 'zod'
import { answeredIdSchema, answerOf, instantSchema, none } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { daySchema } from '#contract/fleet/analysis.ts'
import { vehicleStateSchema } from '#contract/fleet/vehicles.ts'
import type { MetricName } from './metrics.ts'

/** Figures of the overview, beside those of the day before and of the week before. */
export const overviewMetrics = [
  'rides',
  'netCents',
  'chargePerRide',
  'failedPercent',
  'ridesPerAvailableHour',
  'availablePercent',
] as const satisfies readonly MetricName[]
export type OverviewMetric = (typeof overviewMetrics)[number]

export const overviewDays = ['today', 'yesterday'] as const
export type OverviewDay = (typeof overviewDays)[number]
/** What a day is compared with. */
export const overviewBases = ['day', 'week'] as const
export type OverviewBasis = (typeof overviewBases)[number]

/** Areas and vehicles that an explanation names. */
export const explainedAreasMax = 5
export const explainedVehiclesMax = 100

const valueSchema = z.number().nullable()
const pair = { now: z.number(), before: z.number() }
export type Pair = { readonly now: number; readonly before: number }
const areaChange = z.object({ areaId: answeredIdSchema, name: z.string(), ...pair })
export type AreaChange = z.infer<typeof areaChange>

/** How a sum has changed, and where: what is told apart adds up to the whole. */
const changeSchema = z.object({
  ...pair,
  /** Those that changed most, and all others together. */
  areas: z.array(areaChange),
  otherAreas: z.object(pair),
  /** The run of hours in which most of the change happened, as `HH`; null where nothing changed. */
  hours: z.object({ from: z.string(), to: z.string(), ...pair }).nullable(),
})
export type Change = z.infer<typeof changeSchema>

/** A product of two figures has changed by so much because of each of them. */
const factorsSchema = z.object({
  first: z.object(pair),
  byFirst: z.number(),
  second: z.object(pair),
  bySecond: z.number(),
})
export type Factors = z.infer<typeof factorsSchema>

const overviewSchema = z.object({
  day: daySchema,
  basis: daySchema,
  /** A day that is not over counts up to the last full hour, and so do the days that it is compared with. */
  until: instantSchema.nullable(),
  /** Bounds of the counted part of the day and of the other one. */
  fromAt: instantSchema,
  toAt: instantSchema,
  basisFromAt: instantSchema,
  basisToAt: instantSchema,
  figures: z.array(z.object({ now: valueSchema, dayBefore: valueSchema, weekBefore: valueSchema })),
  /** By hour of the day, in its order; an hour that has not ended is null. */
  hours: z.array(
    z.object({
      hour: z.string(),
      rides: z.object({ now: valueSchema, before: z.number() }),
      netCents: z.object({ now: valueSchema, before: z.number() }),
    }),
  ),
  rides: changeSchema.extend({
    /** Vehicle-hours in which vehicles were available, and rides for each of them; null where nobody counted vehicles. */
    factors: factorsSchema.nullable(),
  }),
  netCents: changeSchema.extend({
    /** Rides, and cents for each of them. */
    factors: factorsSchema.nullable(),
  }),
  /** Vehicles at the beginning of the last hour; null where nobody counted them. */
  available: z
    .object({
      ...pair,
      at: instantSchema,
      areas: z.array(areaChange),
      otherAreas: z.object(pair),
      inService: z.object(pair),
      onTrip: z.object(pair),
      outOfService: z.object(pair),
      offline: z.object(pair),
      other: z.object(pair),
    })
    .nullable(),
  /** In the area where rides changed most: vehicles ridden on the other day and not on this one, or the reverse where there are more rides. */
  vehicles: z
    .object({
      areaId: answeredIdSchema,
      name: z.string(),
      isLess: z.boolean(),
      count: z.int(),
      rides: z.int(),
      /** How these vehicles count now. */
      states: z.array(z.object({ state: vehicleStateSchema, count: z.int() })),
      vehicleIds: z.array(answeredIdSchema),
    })
    .nullable(),
})
export type Overview = z.infer<typeof overviewSchema>

export const overviewEndpoints = defineEndpoints({
  readOverview: {
    method: 'GET',
    path: `${basePath}/platform/overview`,
    host: 'platform',
    permission: ['02'],
    scope: 'area',
    idempotency: 'none',
    summary: '概览：今天或昨天与前一天、上周同日同时段相比，变化来自哪些服务区、时段与车辆',
    input: z.object({ day: z.enum(overviewDays).default('today'), basis: z.enum(overviewBases).default('day') }),
    output: answerOf(overviewSchema),
  },
  readDemoProgress: {
    method: 'GET',
    path: `${basePath}/platform/demo/progress`,
    host: 'platform',
    permission: 'session',
    scope: 'self',
    idempotency: 'none',
    summary: '演示环境首次启动时，历史骑行已生成订单的百分比；没有在生成时为空',
    input: none,
    output: answerOf(z.object({ percent: z.int().min(0).max(100).nullable() })),
  },
})
