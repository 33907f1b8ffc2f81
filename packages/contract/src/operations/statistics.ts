import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
} from '#contract/answers.ts'
import { basePath, pageSizeMax, scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { daySchema } from '#contract/fleet/analysis.ts'
import { vehicleStateSchema } from '#contract/fleet/vehicles.ts'
import type { Permission } from '#contract/permissions.ts'
import { shownPhotoSchema } from '#contract/photos/photo.ts'
import { dayMs } from '#contract/time.ts'
import { taskKinds, taskReviews, taskSources, type TaskKind } from './taskWords.ts'

/** Days that figures of finished work may span. */
export const workDaysMax = 92
/** Days of parking places: every hour of every vehicle is looked at. */
export const stationDaysMax = 7
export const workExportPartRows = 5_000
export const workCountMax = 10_000
/** Of lists of people, reasons and ways that stand beside figures. */
export const workGroupsMax = 200

/** The pages of statistics of work; each is for whoever holds its code. */
export const workPages = ['swap', 'repair', 'inspection', 'move'] as const
export type WorkPage = (typeof workPages)[number]
export const workPageKinds: Readonly<Record<WorkPage, readonly TaskKind[]>> = {
  swap: ['battery_swap'],
  repair: ['repair'],
  inspection: ['inspect'],
  move: ['move', 'retrieve', 'relocate'],
}
export const workPageCodes: Readonly<Record<WorkPage, Permission>> = {
  swap: '0901',
  repair: '090201',
  inspection: '090301',
  move: '0904',
}
const workReaders = ['0901', '090201', '090301', '0904'] as const

/** From the opening of a task to its end: upper bounds of all parts but the last, in minutes. */
export const spreadMinutes = [30, 60, 120, 240, 480, 1440, 2880] as const

const lengthOf = ({ from, to }: { from: string; to: string }): number => (Date.parse(to) - Date.parse(from)) / dayMs + 1

/** Whose finished work, where and when; business days of the end of the work. */
const workFilterShape = {
  page: z.enum(workPages),
  from: daySchema,
  to: daySchema,
  areaIds: z.array(idSchema).max(scopeListMax).optional(),
  /** Names of those who did it, as they were then. */
  persons: z.array(searchTextSchema.min(1).max(40)).max(50).optional(),
}
const isSpan = (given: { from: string; to: string }): boolean =>
  given.from <= given.to && lengthOf(given) <= workDaysMax
const spanError = { error: '时间范围最长为 92 天' }

const workSumSchema = z.object({
  done: z.int(),
  cancelled: z.int(),
  /** Of the done: had a time by which, and were done by it. */
  due: z.int(),
  onTime: z.int(),
  rejected: z.int(),
  withPhoto: z.int(),
  /** Opening to claim, and claim to end, of all that was done. */
  waitSeconds: z.int(),
  workSeconds: z.int(),
  payCents: z.int(),
  partsCents: z.int(),
  /** Tasks that told the battery before and after, and the sums of both in per cent. */
  measured: z.int(),
  batteryBefore: z.number(),
  batteryAfter: z.number(),
  /** People and days on which they did something. */
  persons: z.int(),
  personDays: z.int(),
})
export type WorkSum = z.infer<typeof workSumSchema>

const namedWorkSchema = workSumSchema.extend({ name: z.string(), areaId: answeredIdSchema.nullable() })
export type NamedWork = z.infer<typeof namedWorkSchema>

/** Of the list of reports: the newest. */
export const reportListMax = 200

const reportSumSchema = z.object({
  reports: z.int(),
  vehicles: z.int(),
  /** Settled by a repair since. */
  confirmed: z.int(),
  /** From the report to the end of that repair, of all confirmed. */
  repairSeconds: z.int(),
})
export type ReportSum = z.infer<typeof reportSumSchema>
const namedReportsSchema = reportSumSchema.extend({ name: z.string(), areaId: answeredIdSchema.nullable() })
export type NamedReports = z.infer<typeof namedReportsSchema>

const inspectionReportSchema = z.object({
  id: answeredIdSchema,
  vehicleId: answeredIdSchema,
  number: z.string(),
  areaName: z.string(),
  reason: z.string(),
  note: z.string(),
  personName: z.string().nullable(),
  reportedAt: instantSchema,
  settledAt: instantSchema.nullable(),
  repairId: answeredIdSchema.nullable(),
  inspectionId: answeredIdSchema.nullable(),
})
export type InspectionReport = z.infer<typeof inspectionReportSchema>

const countedSchema = z.object({ name: z.string(), count: z.int() })

/** What narrows a list of finished work; each may be left out. */
export const workNarrowSchema = z.strictObject({
  areaIds: workFilterShape.areaIds,
  persons: workFilterShape.persons,
  /** Part of the spread, counted from 0. */
  spread: z.int().min(0).max(spreadMinutes.length).optional(),
  /** What a repair or inspection found. */
  reason: plainTextSchema.trim().min(1).max(40).optional(),
  isLate: z.boolean().optional(),
  isRejected: z.boolean().optional(),
  withPhoto: z.boolean().optional(),
  /** Repairs of vehicles that were repaired less than seven days before. */
  isRepeat: z.boolean().optional(),
  /** Start of the vehicle's number. */
  keyword: searchTextSchema.min(1).max(40).optional(),
})
export type WorkNarrow = z.output<typeof workNarrowSchema>

export const workListFilterSchema = workNarrowSchema.extend(workFilterShape).refine(isSpan, spanError)
export type WorkListFilter = z.output<typeof workListFilterSchema>

/** A repair within so many days after another says that the first did not hold. */
export const repeatDays = 7

const workTaskSchema = z.object({
  id: answeredIdSchema,
  kind: z.enum(taskKinds),
  source: z.enum(taskSources),
  vehicleId: answeredIdSchema,
  number: z.string(),
  areaId: answeredIdSchema,
  areaName: z.string(),
  personName: z.string().nullable(),
  openedAt: instantSchema,
  claimedAt: instantSchema.nullable(),
  doneAt: instantSchema,
  dueAt: instantSchema.nullable(),
  batteryBefore: z.number().nullable(),
  batteryAfter: z.number().nullable(),
  reason: z.string().nullable(),
  toName: z.string(),
  note: z.string(),
  photos: z.int(),
  payCents: z.int(),
  partsCents: z.int(),
  review: z.enum(taskReviews),
  place: z.object({ lat: z.number(), lng: z.number() }).nullable(),
})
export type WorkTask = z.infer<typeof workTaskSchema>

const carSumSchema = z.object({
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
export type CarSum = z.infer<typeof carSumSchema>

/** Lower bounds of the bands, in per cent and in hours. */
export const batteryBands = [0, 10, 20, 40, 60, 80] as const
export const idleBands = [0, 1, 6, 24, 72, 168] as const

const stationSchema = z.object({
  fenceId: answeredIdSchema,
  name: z.string(),
  areaId: answeredIdSchema,
  areaName: z.string(),
  lat: z.number(),
  lng: z.number(),
  capacity: z.int().nullable(),
  /** Standing there at the end of the span. */
  stock: z.int(),
  inflow: z.int(),
  outflow: z.int(),
  /** Hours of the span in which nobody stood there, and more than it holds. */
  emptyHours: z.int(),
  overfullHours: z.int(),
})
export type Station = z.infer<typeof stationSchema>

const reads = { host: 'platform', scope: 'area', idempotency: 'none', method: 'GET' } as const
const path = `${basePath}/platform/statistics`

export const statisticsEndpoints = defineEndpoints({
  workFigures: {
    ...reads,
    permission: workReaders,
    path: `${path}/work`,
    summary: '已完成作业的统计：合计与上一时段、按天、按人、按服务区、处理时长分布',
    input: z.strictObject(workFilterShape).refine(isSpan, spanError),
    output: answerOf(
      z.object({
        total: workSumSchema,
        /** The span of the same length just before. */
        before: workSumSchema,
        days: z.array(namedWorkSchema),
        daysBefore: z.array(namedWorkSchema),
        persons: z.array(namedWorkSchema),
        areas: z.array(namedWorkSchema),
        kinds: z.array(namedWorkSchema),
        spread: z.array(z.int()),
      }),
    ),
  },
  workFindings: {
    ...reads,
    permission: workReaders,
    path: `${path}/findings`,
    summary: '作业背后的事实：换电时段，维修原因、配件与返修，巡检发现的故障，挪车去向与其后的骑行',
    input: z.strictObject(workFilterShape).refine(isSpan, spanError),
    output: answerOf(
      z.object({
        /** Done in each hour of the day, by business time. */
        hours: z.array(z.int()),
        reasons: z.array(countedSchema),
        parts: z.array(z.object({ name: z.string(), unit: z.string(), pieces: z.int(), cents: z.int() })),
        /** Of a repair: how many came back within `repeatDays`; null on other pages. */
        repeats: z.int().nullable(),
        /** Of an inspection: reported faults by their reason, and repairs that came of it. */
        faults: z.array(countedSchema),
        repairs: z.int().nullable(),
        /** Of moves: whence and where, how far, and what was ridden in the 24 hours after; null on other pages. */
        moves: z
          .object({
            ways: z.array(z.object({ from: z.string(), to: z.string(), count: z.int() })),
            metres: z.number(),
            /** Moves that are a day ago: only of them the day after is known. */
            settled: z.int(),
            ridden: z.int(),
            rides: z.int(),
          })
          .nullable(),
      }),
    ),
  },
  workTasks: {
    ...reads,
    permission: workReaders,
    path: `${path}/work/tasks`,
    summary: '统计数字背后的任务，最近完成的在前',
    input: z.object({
      filter: workListFilterSchema,
      cursor: z.string().max(200).optional(),
      pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(20),
    }),
    output: answerOf(
      z.object({
        list: z.array(workTaskSchema),
        nextCursor: z.string().nullable(),
        /** Only with the first page, and at most `workCountMax`. */
        count: z.int().nullable(),
      }),
    ),
  },
  workPhotos: {
    ...reads,
    permission: workReaders,
    path: `${path}/work/photos`,
    summary: '一个已完成任务的现场照片',
    input: z.object({ page: z.enum(workPages), id: idSchema }),
    output: answerOf(z.object({ photos: z.array(shownPhotoSchema) })),
  },
  exportWork: {
    ...reads,
    method: 'POST',
    permission: workReaders,
    path: `${path}/work/export`,
    bodyLimitBytes: bodyLimits.lists,
    load: 'file',
    summary: '导出统计数字背后的任务（CSV）：逐段取回，每一段都重新核对权限与范围',
    input: z.object({
      filter: workListFilterSchema,
      /** Both from the part before; absent for the first. */
      cursor: z.string().max(200).optional(),
      exportId: z.uuid().optional(),
    }),
    output: answerOf(
      z.object({
        exportId: z.string(),
        fileName: z.string(),
        text: z.string(),
        rows: z.int(),
        nextCursor: z.string().nullable(),
      }),
    ),
  },
  reportFigures: {
    ...reads,
    permission: ['0905'],
    path: `${path}/reports`,
    summary: '巡检上报的故障：合计与上一时段、按天、按原因、按人、按服务区，维修确认与修复用时，最近的上报',
    input: z
      .strictObject({
        from: workFilterShape.from,
        to: workFilterShape.to,
        areaIds: workFilterShape.areaIds,
        persons: workFilterShape.persons,
      })
      .refine(isSpan, spanError),
    output: answerOf(
      z.object({
        total: reportSumSchema,
        /** The span of the same length just before, its last day as long as this one's so far. */
        before: reportSumSchema,
        inspections: z.int(),
        inspectionsBefore: z.int(),
        days: z.array(namedReportsSchema),
        daysBefore: z.array(namedReportsSchema),
        reasons: z.array(namedReportsSchema),
        persons: z.array(namedReportsSchema),
        areas: z.array(namedReportsSchema),
        list: z.array(inspectionReportSchema),
        isCut: z.boolean(),
      }),
    ),
  },
  carFigures: {
    ...reads,
    permission: ['0906'],
    path: `${path}/cars`,
    summary: '车辆信息统计：按状态、车型、电量与闲置时长，按服务区，与昨天和上周同日相比',
    input: z.object({ areaIds: z.array(idSchema).max(scopeListMax).optional() }),
    output: answerOf(
      z.object({
        at: instantSchema,
        total: carSumSchema,
        states: z.array(z.object({ state: vehicleStateSchema, count: z.int() })),
        models: z.array(carSumSchema.extend({ name: z.string() })),
        areas: z.array(carSumSchema.extend({ name: z.string(), company: z.string(), areaId: answeredIdSchema })),
        /** One for each of `batteryBands`; vehicles that never told it are in none. */
        battery: z.array(z.int()),
        /** One for each of `idleBands`. */
        idle: z.array(z.int()),
        /** Of the same areas, yesterday and a week ago; null where no figures were kept. */
        yesterday: z.object({ vehicles: z.int(), lowBattery: z.int() }).nullable(),
        lastWeek: z.object({ vehicles: z.int(), lowBattery: z.int() }).nullable(),
      }),
    ),
  },
  stationFigures: {
    ...reads,
    permission: ['0907'],
    path: `${path}/stations`,
    summary: '站点统计：停车点的库存、流入与流出、空置与超量小时',
    input: z
      .strictObject({ from: daySchema, to: daySchema, areaIds: z.array(idSchema).max(scopeListMax).optional() })
      .refine((given) => given.from <= given.to && lengthOf(given) <= stationDaysMax, {
        error: '时间范围最长为 7 天',
      }),
    output: answerOf(
      z.object({
        /** Whole hours of the span that are over. */
        hours: z.int(),
        list: z.array(stationSchema),
        /** More rides than can be looked at in one go: the figures would be wrong, so there are none. */
        isTooMuch: z.boolean(),
      }),
    ),
  },
  stationHours: {
    ...reads,
    permission: ['0907'],
    path: `${path}/stations/hours`,
    summary: '一个停车点每小时的库存、流入与流出',
    input: z
      .strictObject({ fenceId: idSchema, from: daySchema, to: daySchema })
      .refine((given) => given.from <= given.to && lengthOf(given) <= stationDaysMax, {
        error: '时间范围最长为 7 天',
      }),
    output: answerOf(
      z.object({
        hours: z.array(z.object({ at: instantSchema, stock: z.int(), inflow: z.int(), outflow: z.int() })),
      }),
    ),
  },
})
