import { z } from 'zod'
import { idSchema } from '#contract/answers.ts'
import { basePath, scopeListMax } from '#contract/constants.ts'
import { daySchema } from '#contract/fleet/analysis.ts'
import { dayMs } from '#contract/time.ts'

/** Days that figures of finished work may span. */
export const workDaysMax = 92
/** Names in lists of people, reasons and routes that stand beside figures. */
export const workGroupsMax = 200

export const statisticsPath = `${basePath}/platform/statistics`
export const statisticsReads = { host: 'platform', scope: 'area', idempotency: 'none', method: 'GET' } as const
export const areaIdsSchema = z.array(idSchema).max(scopeListMax).optional()

/** Business days, both of them included. */
export const spanShape = { from: daySchema, to: daySchema }
export type DaySpan = { readonly from: string; readonly to: string }

export const isSpanUpTo =
  (daysMax: number) =>
  ({ from, to }: DaySpan): boolean =>
    from <= to && (Date.parse(to) - Date.parse(from)) / dayMs + 1 <= daysMax
export const workSpanError = { error: '时间范围最长为 92 天' }
