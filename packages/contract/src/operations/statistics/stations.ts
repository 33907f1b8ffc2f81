import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, searchTextSchema } from '#contract/answers.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields } from '#contract/list.ts'
import { areaIdsSchema, isSpanUpTo, spanShape, statisticsPath, statisticsReads } from './span.ts'

/** Days of parking places: every hour of every vehicle is looked at. */
export const stationDaysMax = 7
const stationHoursMax = stationDaysMax * 24
const spanError = { error: '时间范围最长为 7 天' }

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
  /** Standing there at the end of each hour of the span. */
  stocks: z.array(z.int()).max(stationHoursMax),
})
export type Station = z.infer<typeof stationSchema>

export const stationFields = fields<Station & { readonly netInflow: number; readonly outflowChange: number | null }>()({
  name: '停车点',
  areaName: '服务区',
  capacity: { title: '容量', as: 'count' },
  stock: { title: '时段末停放', as: 'count' },
  inflow: { title: '流入', as: 'count' },
  outflow: { title: '流出', as: 'count' },
  outflowChange: { title: '流出较上周同期', as: 'count' },
  netInflow: { title: '净流入', as: 'count' },
  emptyHours: { title: '空置小时', as: 'count' },
  overfullHours: { title: '超量小时', as: 'count' },
})

/** What is looked for among the stations. */
export const stationTroubles = ['empty', 'overfull', 'idle'] as const
export type StationTrouble = (typeof stationTroubles)[number]
export const stationTroubleLabels: Readonly<Record<StationTrouble, string>> = {
  empty: '有空置小时',
  overfull: '有超量小时',
  idle: '没有流入流出',
}
/** Conditions of the page: areas are read, the others chosen among what was read. */
export const stationNarrowSchema = z.strictObject({
  areaIds: areaIdsSchema,
  name: searchTextSchema.min(1).max(40).optional(),
  trouble: z.enum(stationTroubles).optional(),
})
export type StationNarrow = z.output<typeof stationNarrowSchema>

const reads = { ...statisticsReads, permission: ['0907'] } as const
const path = `${statisticsPath}/stations`

export const stationStatisticsEndpoints = defineEndpoints({
  stationFigures: {
    ...reads,
    path,
    summary: '站点统计：停车点的库存、流入与流出、空置与超量小时',
    input: z.object({
      filter: z
        .strictObject({
          ...spanShape,
          areaIds: areaIdsSchema,
          /** So many hours from the beginning of the span: a day that is not over is compared with as much of another. */
          hours: z.int().min(1).max(stationHoursMax).optional(),
        })
        .refine(isSpanUpTo(stationDaysMax), spanError),
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
    path: `${path}/hours`,
    summary: '一个停车点每小时的库存、流入与流出',
    input: z.strictObject({ fenceId: idSchema, ...spanShape }).refine(isSpanUpTo(stationDaysMax), spanError),
    output: answerOf(
      z.object({
        hours: z.array(z.object({ at: instantSchema, stock: z.int(), inflow: z.int(), outflow: z.int() })),
      }),
    ),
  },
})
