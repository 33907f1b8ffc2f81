import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
} from '#contract/answers.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import type { Permission } from '#contract/permissions.ts'
import { shownPhotoSchema } from '#contract/photos/photo.ts'
import { statisticsMetrics as figures } from '#contract/reports/statisticsMetrics.ts'
import {
  taskKindLabels,
  taskKinds,
  taskReviewLabels,
  taskReviews,
  taskSourceLabels,
  taskSources,
  type TaskKind,
} from '../taskWords.ts'
import {
  areaIdsSchema,
  isSpanUpTo,
  spanShape,
  statisticsPath,
  statisticsReads,
  workDaysMax,
  workSpanError,
} from './span.ts'

const waySpotSchema = z.object({ lat: z.number(), lng: z.number() })

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

/** Names of those who did it, as they were then. */
export const personsSchema = z.array(searchTextSchema.min(1).max(40)).max(50).optional()

/** Whose finished work, where and when; business days of the end of the work. */
const workFilterShape = { page: z.enum(workPages), ...spanShape, areaIds: areaIdsSchema, persons: personsSchema }
const workFilterSchema = z.strictObject(workFilterShape).refine(isSpanUpTo(workDaysMax), workSpanError)
export type WorkFilter = z.output<typeof workFilterSchema>

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

/** The work of one person or area, set in relation; null: there is nothing to divide by. */
export interface WorkGroup {
  readonly name: string
  readonly areaId: number | null
  readonly done: number
  readonly perDay: number | null
  readonly perHour: number | null
  readonly waitMinutes: number | null
  readonly workMinutes: number | null
  readonly onTime: number | null
  readonly gain: number | null
  readonly photo: number | null
  readonly rejected: number
  readonly partsCents: number
  readonly payCents: number
}

export const workGroupFields = fields<WorkGroup>()({
  name: '名称',
  done: { title: figures.workDone.title, as: 'count' },
  perDay: { title: figures.workPerPersonDay.title, as: 'count' },
  perHour: { title: figures.workPerHour.title, as: 'count' },
  waitMinutes: { title: figures.workWaitMinutes.title, as: 'count', unit: '分钟' },
  workMinutes: { title: figures.workActiveMinutes.title, as: 'count', unit: '分钟' },
  onTime: { title: figures.workOnTimePercent.title, as: 'count', unit: '%' },
  gain: { title: figures.batteryGainPercent.title, as: 'count', unit: '%' },
  photo: { title: figures.workPhotoPercent.title, as: 'count', unit: '%' },
  rejected: { title: figures.workRejected.title, as: 'count' },
  partsCents: { title: figures.partsCents.title, as: 'cents' },
  payCents: { title: figures.workPayCents.title, as: 'cents' },
})

const usedPartSchema = z.object({ name: z.string(), unit: z.string(), pieces: z.int(), cents: z.int() })
export type UsedPart = z.infer<typeof usedPartSchema>
export const usedPartFields = fields<UsedPart>()({
  name: '配件',
  pieces: { title: '数量', as: 'count' },
  unit: '单位',
  cents: { title: '金额', as: 'cents' },
})

const countedSchema = z.object({ name: z.string(), count: z.int() })

/** What narrows a list of finished work; each may be left out. */
export const workNarrowSchema = z.strictObject({
  areaIds: areaIdsSchema,
  persons: personsSchema,
  /** Part of the spread, counted from 0. */
  spread: z.int().min(0).max(spreadMinutes.length).optional(),
  /** Hour of the business day in which it was finished. */
  hour: z.int().min(0).max(23).optional(),
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

export const workListFilterSchema = workNarrowSchema
  .extend(workFilterShape)
  .refine(isSpanUpTo(workDaysMax), workSpanError)
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

export const workTaskList = list({ row: workTaskSchema, filter: workListFilterSchema, sorts: { done: 'desc' } })

/** Columns of the list; a file has the minutes of the work beside them. */
export const workTaskFields = fields<WorkTask & { readonly wholeMinutes: number; readonly workMinutes: number }>()({
  id: '任务',
  kind: { title: '类型', labels: taskKindLabels },
  source: { title: '来源', labels: taskSourceLabels },
  number: '车辆编号',
  areaName: '服务区',
  personName: '人员',
  openedAt: { title: '创建时间', as: 'instant' },
  claimedAt: { title: '领取时间', as: 'instant' },
  doneAt: { title: '完成时间', as: 'instant' },
  dueAt: { title: '要求时间', as: 'instant' },
  wholeMinutes: { title: '处理时长', as: 'minutes' },
  workMinutes: { title: '作业时长', as: 'minutes' },
  batteryBefore: { title: '换前电量', as: 'count', unit: '%' },
  batteryAfter: { title: '换后电量', as: 'count', unit: '%' },
  reason: '原因',
  toName: '去向',
  note: '备注',
  photos: { title: '现场照片', as: 'count' },
  payCents: { title: '报酬', as: 'cents' },
  partsCents: { title: '配件', as: 'cents' },
  review: { title: '审核', labels: taskReviewLabels },
})

const reads = { ...statisticsReads, permission: workReaders } as const
const path = `${statisticsPath}/work`

export const workStatisticsEndpoints = defineEndpoints({
  workFigures: {
    ...reads,
    path,
    summary: '已完成作业的统计：合计与上一时段、按天、按人、按服务区、处理时长分布',
    input: z.object({ filter: workFilterSchema }),
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
    path: `${statisticsPath}/findings`,
    summary: '作业背后的事实：换电时段，维修原因、配件与返修，巡检发现的故障，挪车去向与其后的骑行',
    input: z.object({ filter: workFilterSchema }),
    output: answerOf(
      z.object({
        /** Done in each hour of the day, by business time. */
        hours: z.array(z.int()),
        reasons: z.array(countedSchema),
        parts: z.array(usedPartSchema),
        /** Of a repair: how many came back within `repeatDays`; null on other pages. */
        repeats: z.int().nullable(),
        /** Of an inspection: reported faults by their reason, and repairs that came of it. */
        faults: z.array(countedSchema),
        repairs: z.int().nullable(),
        /** Of moves: whence and where, how far, and what was ridden in the 24 hours after; null on other pages. */
        moves: z
          .object({
            ways: z.array(
              z.object({
                from: z.string(),
                to: z.string(),
                count: z.int(),
                /** The middle of where they began and ended; null outside of parking places. */
                fromAt: waySpotSchema.nullable(),
                toAt: waySpotSchema.nullable(),
              }),
            ),
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
    ...workTaskList.page,
    path: `${path}/tasks`,
    summary: '统计数字背后的任务，最近完成的在前',
  },
  workPhotos: {
    ...reads,
    path: `${path}/photos`,
    summary: '一个已完成任务的现场照片',
    input: z.object({ page: z.enum(workPages), id: idSchema }),
    output: answerOf(z.object({ photos: z.array(shownPhotoSchema) })),
  },
  exportWork: {
    ...reads,
    ...workTaskList.file,
    path: `${path}/export`,
    bodyLimitBytes: bodyLimits.lists,
    summary: '导出统计数字背后的任务（CSV）',
  },
})
