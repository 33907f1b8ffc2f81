import { z } from 'zod'
import { answerOf, instantSchema, none } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { reportPermissions } from './reports.ts'

/** Time zones of business days in reports: whole hours from UTC, so that an hour belongs to one day. */
export const reportZones = [
  'Asia/Shanghai',
  'Asia/Urumqi',
  'Asia/Bangkok',
  'Asia/Singapore',
  'Asia/Tokyo',
  'Europe/London',
  'Europe/Berlin',
] as const
export type ReportZone = (typeof reportZones)[number]
export const reportZoneLabels: Readonly<Record<ReportZone, string>> = {
  'Asia/Shanghai': '北京时间',
  'Asia/Urumqi': '乌鲁木齐时间',
  'Asia/Bangkok': '曼谷时间',
  'Asia/Singapore': '新加坡时间',
  'Asia/Tokyo': '东京时间',
  'Europe/London': '伦敦时间',
  'Europe/Berlin': '柏林时间',
}
/** The last hour at which a business day may begin. */
export const dayStartMax = 12

const calendarShape = { zone: z.enum(reportZones), dayStartsAt: z.int().min(0).max(dayStartMax) }
export type ReportCalendar = { readonly zone: ReportZone; readonly dayStartsAt: number }

const path = `${basePath}/platform/report/calendar`

export const reportCalendarEndpoints = defineEndpoints({
  readReportCalendar: {
    host: 'platform',
    method: 'GET',
    path,
    permission: reportPermissions,
    scope: 'self',
    idempotency: 'none',
    summary: '本公司报表的营业日：时区与起始钟点',
    input: none,
    output: answerOf(
      z.object({
        ...calendarShape,
        /** Null: it was never changed. */
        changedAt: instantSchema.nullable(),
        changedBy: z.string().nullable(),
        /** What is asked for, until the figures follow it. */
        pending: z.object(calendarShape).nullable(),
      }),
    ),
  },
  changeReportCalendar: {
    host: 'platform',
    method: 'POST',
    path,
    permission: ['0502'],
    scope: 'self',
    idempotency: 'key',
    reverse: 'changeReportCalendar',
    summary: '更改本公司报表的营业日；以往各日的数字随即按新的营业日重新归日',
    input: z.object(calendarShape),
    output: answerOf(z.object({ before: z.object(calendarShape) })),
  },
})
