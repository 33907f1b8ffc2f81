import { z } from 'zod'
import { answerOf, instantSchema, latSchema, lngSchema, none } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { paymentChannels } from '#contract/finance/payments.ts'
import { daySchema } from '#contract/fleet/analysis.ts'
import { taskKinds } from '#contract/operations/taskWords.ts'
import { secondMs } from '#contract/time.ts'
import { metricNames, type MetricName } from './metrics.ts'

/** Screens on walls: what each answer holds at most, and how often it is asked for. */
export const screenPages = ['operations', 'revenue'] as const
export type ScreenPage = (typeof screenPages)[number]
export const screenPageLabels: Readonly<Record<ScreenPage, string>> = { operations: '运营大屏', revenue: '营收大屏' }
/** The codes of the two pages: a screen has those that its staff member holds. */
export const screenPermissions = { operations: '0221', revenue: 'LargeRevenueScreen' } as const

/** A screen asks again after this; the server answers all screens of one scope by one reading in that time. */
export const screenEveryMs = 5 * secondMs
/** Figures that are older than this are marked on the screen. */
export const screenStaleMs = 30 * secondMs

export const screenAreasMax = 60
export const screenCellsMax = 1_500
export const screenFlowsMax = 120
export const screenAlarmsMax = 14
/** Rides of this span make the flows. */
export const screenFlowMinutes = 60
/** Squares of the map in which vehicles and rides are counted, so that no single ride can be followed. */
export const screenCellDegrees = 0.004
/** Days of the revenue screen's trend. */
export const screenTrendDays = 30

const values = z.partialRecord(z.enum(metricNames), z.number().nullable())
export type ScreenValues = Partial<Record<MetricName, number | null>>

/** The figures of each screen, by the registry. */
export const operationsMetrics = [
  'rides',
  'ridesPerVehicleDay',
  'minutesPerRide',
  'metresPerRide',
  'failedPercent',
  'cancelled',
] as const satisfies readonly MetricName[]
export const revenueMetrics = [
  'income',
  'netCents',
  'rides',
  'chargePerRide',
  'refundedCents',
  'channelPaid',
  'channelRefunded',
  'channelNet',
  'recharged',
  'cardSales',
  'cardsSold',
] as const satisfies readonly MetricName[]

/** Today, and the same day of last week until the full hour up to which both are compared. */
const comparedSchema = z.object({
  today: values,
  /** Today and that day until `until`. */
  todayUntil: values,
  lastWeekUntil: values,
  until: instantSchema,
})
/** A figure by hour of the day, `00` to `23`; an hour that has not begun today is null. */
const hoursSchema = z.array(z.object({ hour: z.string(), today: z.number().nullable(), lastWeek: z.number() })).max(24)
const base = {
  /** When the answer was made, by the server's clock. */
  at: instantSchema,
  day: daySchema,
  company: z.string(),
  /** Areas that the answer is about. */
  areaCount: z.int(),
}
const point = { lng: lngSchema, lat: latSchema }

export const operationsScreenSchema = z.object({
  ...base,
  figures: comparedSchema,
  hours: hoursSchema,
  fleet: z.object({
    total: z.int(),
    available: z.int(),
    onTrip: z.int(),
    reserved: z.int(),
    outOfService: z.int(),
    offline: z.int(),
    missing: z.int(),
    lowBattery: z.int(),
  }),
  areas: z
    .array(
      z.object({
        name: z.string(),
        rides: z.int(),
        ridesUntil: z.int(),
        lastWeekUntil: z.int(),
        vehicles: z.int(),
        available: z.int(),
        onTrip: z.int(),
      }),
    )
    .max(screenAreasMax),
  alarms: z.object({
    open: z.int(),
    kinds: z.array(z.object({ kind: z.string(), open: z.int() })).max(screenAlarmsMax),
    latest: z.array(z.object({ kind: z.string(), area: z.string(), at: instantSchema })).max(screenAlarmsMax),
  }),
  work: z
    .array(z.object({ kind: z.enum(taskKinds), done: z.int(), open: z.int(), overdue: z.int() }))
    .max(taskKinds.length),
  map: z.object({
    /** The corners that hold nearly all vehicles; null without vehicles. */
    bounds: z.object({ west: lngSchema, south: latSchema, east: lngSchema, north: latSchema }).nullable(),
    cells: z.array(z.object({ ...point, vehicles: z.int(), onTrip: z.int() })).max(screenCellsMax),
    flows: z.array(z.object({ from: z.object(point), to: z.object(point), rides: z.int() })).max(screenFlowsMax),
  }),
})
export type OperationsScreen = z.infer<typeof operationsScreenSchema>

export const revenueScreenSchema = z.object({
  ...base,
  figures: comparedSchema,
  hours: hoursSchema,
  month: z.object({ from: daySchema, now: values, nowUntil: values, beforeUntil: values }),
  days: z.array(z.object({ day: daySchema, income: z.number(), rides: z.number() })).max(screenTrendDays),
  channels: z.array(z.object({ channel: z.enum(paymentChannels), paid: z.number(), refunded: z.number() })),
  areas: z
    .array(
      z.object({ name: z.string(), net: z.number(), netUntil: z.number(), lastWeekUntil: z.number(), rides: z.int() }),
    )
    .max(screenAreasMax),
  companies: z
    .array(
      z.object({
        name: z.string(),
        income: z.number(),
        incomeUntil: z.number(),
        lastWeekUntil: z.number(),
        rides: z.int(),
      }),
    )
    .max(screenAreasMax),
})
export type RevenueScreen = z.infer<typeof revenueScreenSchema>

const reads = { host: 'platform', scope: 'area', idempotency: 'none', method: 'GET' } as const
const path = `${basePath}/platform/screen`

export const screenFigureEndpoints = defineEndpoints({
  readOperationsScreen: {
    ...reads,
    path: `${path}/operations`,
    permission: [screenPermissions.operations],
    summary: '运营大屏的全部内容：今日与上周同日、车辆、服务区排行、告警、作业与地图密度；不含个人信息',
    input: none,
    output: answerOf(operationsScreenSchema),
  },
  readRevenueScreen: {
    ...reads,
    path: `${path}/revenue`,
    permission: [screenPermissions.revenue],
    summary: '营收大屏的全部内容：今日收入与上周同日、渠道、服务区、加盟商、本月累计；不含个人信息',
    input: none,
    output: answerOf(revenueScreenSchema),
  },
})
