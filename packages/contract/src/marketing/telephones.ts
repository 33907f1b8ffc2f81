import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  versionSchema,
} from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { businessOffsetMs, dayMs, minuteMs } from '#contract/time.ts'

/** Telephone lines of a company: which number riders see, by area and hour. */

export const telephoneStates = ['on', 'off'] as const
export type TelephoneState = (typeof telephoneStates)[number]
export const telephoneStateLabels: Readonly<Record<TelephoneState, string>> = { on: '已启用', off: '已停用' }

export const telephoneLabelMax = 20
export const telephoneSpansMax = 7
export const telephoneLinesMax = 100
export const telephoneHolidaysMax = 60
export const telephoneVersionsMax = 50
const dayMinutes = 1_440

/**
 * Numbers that a phone in China can call: mobile, landline with its area code, 400 and 800, 95 and 96 service numbers.
 * Digits with optional hyphens between their parts.
 */
const numberPatterns = [
  /^1[3-9]\d{9}$/,
  /^0(?:10|2\d|[3-9]\d{2})-?[2-8]\d{6,7}$/,
  /^[48]00-?\d{3}-?\d{4}$/,
  /^9[56]\d{3}\d{0,3}$/,
  /^1[0-2]\d{1,3}$/,
]
export const isTelephoneNumber = (number: string): boolean => numberPatterns.some((pattern) => pattern.test(number))

export const telephoneSpanSchema = z
  .strictObject({
    /** 1 is Monday, 7 is Sunday. */
    weekdays: z.array(z.int().min(1).max(7)).min(1).max(7),
    /** Minutes of the day. They may go on beyond midnight: then `from` is the later of the two. */
    from: z.int().min(0).max(dayMinutes),
    to: z.int().min(0).max(dayMinutes),
  })
  .refine(({ from, to }) => from !== to, { error: '开始与结束时间不能相同' })
export type TelephoneSpan = z.output<typeof telephoneSpanSchema>

export const telephoneContentSchema = z.strictObject({
  label: plainTextSchema.trim().min(1).max(telephoneLabelMax),
  labelEn: plainTextSchema.trim().max(40).default(''),
  number: z.string().trim().max(20).refine(isTelephoneNumber, {
    error: '请填写手机号、带区号的座机、400/800 或 95/96 开头的号码',
  }),
  /** None: all areas of the company. */
  areaIds: z.array(z.int().positive()).max(500).default([]),
  spans: z.array(telephoneSpanSchema).min(1).max(telephoneSpansMax),
  /** Nobody answers on the holidays of the company. */
  isClosedOnHolidays: z.boolean().default(false),
  /** Of several lines the one with the smallest number is shown first. */
  priority: z.int().min(1).max(9).default(5),
  state: z.enum(telephoneStates).default('on'),
})
export type TelephoneContent = z.output<typeof telephoneContentSchema>

export const telephoneLineSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  version: z.int(),
  ...telephoneContentSchema.shape,
  changedAt: instantSchema,
  changedBy: z.string(),
})
export type TelephoneLine = z.infer<typeof telephoneLineSchema>

export const telephoneList = list({
  row: telephoneLineSchema,
  filter: z.strictObject({
    states: z.array(z.enum(telephoneStates)).min(1).max(telephoneStates.length).optional(),
    /** Shown in one of these areas. */
    areaIds: z.array(idSchema).min(1).max(500).optional(),
    agentIds: z.array(idSchema).min(1).max(500).optional(),
    id: idSchema.optional(),
  }),
  sorts: { priority: 'asc' },
})

export const telephoneFields = fields<TelephoneLine>()({
  id: '编号',
  label: '名称',
  labelEn: '英文名称',
  number: '电话号码',
  priority: { title: '优先级', as: 'count' },
  state: { title: '状态', labels: telephoneStateLabels },
  isClosedOnHolidays: { title: '节假日休息', as: 'flag' },
  company: '加盟商',
  changedAt: { title: '修改时间', as: 'instant' },
  changedBy: '修改人',
})

export const holidaySchema = z.strictObject({
  day: z.iso.date(),
  name: plainTextSchema.trim().min(1).max(20),
})
export type Holiday = z.output<typeof holidaySchema>

type Line = Pick<TelephoneLine, 'id' | 'areaIds' | 'spans' | 'isClosedOnHolidays' | 'priority' | 'state'>

/** Lines of an area that are switched on, in the order in which riders see them: the area's own before those of all. */
export function linesOfArea<L extends Line>(lines: readonly L[], areaId: number | null): L[] {
  const own = lines.filter(
    ({ state, areaIds }) => state === 'on' && (areaIds.length === 0 || (areaId !== null && areaIds.includes(areaId))),
  )
  const rank = ({ priority, areaIds, id }: L): readonly number[] => [priority, areaIds.length === 0 ? 1 : 0, id]
  return own.toSorted((a, b) => compare(rank(a), rank(b)))
}

const compare = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((value, index) => value !== b[index])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}

/** Minutes of the week, Monday 0:00 is 0, in which a span holds: what goes beyond midnight counts to the day it began. */
function partsOf({ weekdays, from, to }: TelephoneSpan): (readonly [from: number, to: number])[] {
  const week = 7 * dayMinutes
  return [...new Set(weekdays)].flatMap((weekday): (readonly [number, number])[] => {
    const start = (weekday - 1) * dayMinutes
    const end = start + (to > from ? to : to + dayMinutes)
    if (end <= week) return [[start + from, end]]
    return [
      [start + from, week],
      [0, end - week],
    ]
  })
}

const dayOf = (at: number): string => new Date(at + businessOffsetMs).toISOString().slice(0, 10)
/** 1 is Monday. */
const weekdayOf = (at: number): number => new Date(at + businessOffsetMs).getUTCDay() || 7
const minuteOf = (at: number): number => Math.floor(((at + businessOffsetMs) % dayMs) / minuteMs)

/** Whether somebody answers at an instant. Hours after midnight belong to the day on which they began, holidays too. */
export function isAnswered(
  { spans, isClosedOnHolidays }: Pick<Line, 'spans' | 'isClosedOnHolidays'>,
  { at, holidays }: { readonly at: number; readonly holidays: ReadonlySet<string> },
): boolean {
  const open = (day: number): boolean => !isClosedOnHolidays || !holidays.has(dayOf(day))
  const minute = minuteOf(at)
  const before = at - dayMs
  return spans.some(({ weekdays, from, to }) => {
    const goesOn = to <= from
    const today = weekdays.includes(weekdayOf(at)) && open(at) && minute >= from && (goesOn || minute < to)
    const sinceYesterday = goesOn && weekdays.includes(weekdayOf(before)) && open(before) && minute < to
    return today || sinceYesterday
  })
}

interface Shown<L> {
  /** In order; the first one is shown large. */
  readonly open: readonly L[]
  /** When somebody answers next, where nobody does now; null: not within a week. */
  readonly nextAt: number | null
}

const stepMs = 5 * minuteMs

/** What a rider of an area sees at an instant. */
export function linesAt<L extends Line>(
  lines: readonly L[],
  asked: { readonly areaId: number | null; readonly at: number; readonly holidays: ReadonlySet<string> },
): Shown<L> {
  const { areaId, at, holidays } = asked
  const own = linesOfArea(lines, areaId)
  const open = own.filter((line) => isAnswered(line, { at, holidays }))
  if (open.length > 0 || own.length === 0) return { open, nextAt: null }
  // Hours begin at whole five minutes as the form offers them; a line that begins in between is told up to 5 minutes late.
  const first = Math.ceil((at + 1) / stepMs) * stepMs
  for (let next = first; next <= at + 8 * dayMs; next += stepMs) {
    if (own.some((line) => isAnswered(line, { at: next, holidays }))) return { open, nextAt: next }
  }
  return { open, nextAt: null }
}

/** A stretch of the week and who answers in it. */
export interface WeekPart {
  /** Minutes of the week from Monday 0:00. */
  readonly from: number
  readonly to: number
  readonly lineIds: readonly number[]
}

/** The whole week of an area without holidays, in stretches that change at each beginning and end. */
export function weekOf(lines: readonly Line[], areaId: number | null): WeekPart[] {
  const own = linesOfArea(lines, areaId).map(({ id, spans }) => ({ id, parts: spans.flatMap((span) => partsOf(span)) }))
  const days = Array.from({ length: 8 }, (_, day) => day * dayMinutes)
  const ends = own.flatMap(({ parts }) => parts.flatMap(([from, to]) => [from, to]))
  const cuts = [...new Set([...days, ...ends])].toSorted((a, b) => a - b)
  return cuts.slice(0, -1).map((from, index) => {
    const to = cuts[index + 1] ?? from
    const lineIds = own.filter(({ parts }) => parts.some(([a, b]) => a <= from && b >= to)).map(({ id }) => id)
    return { from, to, lineIds }
  })
}

const path = `${basePath}/config/telephone`
const rights = { host: 'platform', permission: ['1704'], scope: 'agent' } as const
const works = { ...rights, method: 'POST', idempotency: 'key' } as const

export const telephoneEndpoints = defineEndpoints({
  listTelephones: { ...rights, ...telephoneList.page, path, summary: '客服电话：按优先级，含服务区与时段' },
  exportTelephones: {
    ...rights,
    ...telephoneList.file,
    path: `${path}/export`,
    bodyLimitBytes: bodyLimits.lists,
    summary: '导出客服电话（CSV）',
  },
  saveTelephone: {
    ...works,
    path,
    reverse: 'saveTelephone',
    summary: '新增或修改一条客服电话，立即生效；停用后骑行者看不到',
    input: z
      .object({
        /** Absent: a new line. */
        id: idSchema.optional(),
        version: versionSchema.optional(),
        agentId: idSchema.optional(),
        content: telephoneContentSchema,
      })
      .refine(({ id, version, agentId }) => (id === undefined ? agentId : version) !== undefined, {
        error: '请给出加盟商，或电话与版本',
      }),
    output: answerOf(z.object({ id: answeredIdSchema, version: z.int() })),
  },
  telephoneVersions: {
    ...rights,
    method: 'GET',
    idempotency: 'none',
    path: `${path}/versions`,
    summary: '一条客服电话的历次内容，新的在前，最多五十次',
    input: z.object({ id: idSchema }),
    output: answerOf(
      z.object({
        list: z
          .array(
            z.object({
              version: z.int(),
              content: telephoneContentSchema,
              madeAt: instantSchema,
              madeBy: z.string(),
            }),
          )
          .max(telephoneVersionsMax),
      }),
    ),
  },
  listHolidays: {
    ...rights,
    method: 'GET',
    idempotency: 'none',
    path: `${path}/holidays`,
    summary: '一家加盟商的节假日，按日期',
    input: z.object({ agentId: idSchema }),
    output: answerOf(z.object({ list: z.array(holidaySchema) })),
  },
  saveHolidays: {
    ...works,
    path: `${path}/holidays`,
    reverse: 'saveHolidays',
    summary: '替换一家加盟商的节假日，最多六十天',
    input: z.object({ agentId: idSchema, holidays: z.array(holidaySchema).max(telephoneHolidaysMax) }),
    output: answerOf(z.object({ count: z.int(), before: z.array(holidaySchema) })),
  },
})
