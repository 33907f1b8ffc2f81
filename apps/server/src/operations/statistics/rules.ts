import { z } from 'zod'
import { AppError } from '@saddle/contract/errors.ts'
import { yuanOf } from '@saddle/contract/money.ts'
import type { NamedWork, WorkSum, WorkTask } from '@saddle/contract/operations/statistics.ts'
import { taskKindLabels, taskReviewLabels, taskSourceLabels } from '@saddle/contract/operations/taskWords.ts'
import { addDays, businessDayEnd, businessDayStart, dayMs, utcDayOf } from '@saddle/contract/time.ts'
import { businessTime, csvLine } from '#kit/csv.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { SumRow } from './store.ts'

export type Span = {
  readonly from: string
  readonly to: string
  /** The span of the same length just before. */
  readonly beforeFrom: string
  readonly beforeStart: Date
  /** Its end; while the last day of the span lasts, its last day is as long as that one so far. */
  readonly beforeEnd: Date
  /** Its last day, while that is cut; null: it is whole. */
  readonly cutDay: string | null
  readonly start: Date
  readonly end: Date
}

/** A part of a day is compared with the same part of a day. */
export function spanOf({ from, to }: { readonly from: string; readonly to: string }, nowMs: number): Span {
  const [first, last] = [Date.parse(from), Date.parse(to)]
  const length = last - first + dayMs
  const [start, end] = [businessDayStart(from), businessDayEnd(to)]
  // What ended this very moment belongs to both.
  const left = Math.min(dayMs, Math.max(0, end - nowMs - 1))
  return {
    from,
    to,
    beforeFrom: utcDayOf(first - length),
    beforeStart: new Date(start - length),
    beforeEnd: new Date(start - left),
    cutDay: left === 0 ? null : addDays(from, -1),
    start: new Date(start),
    end: new Date(end),
  }
}

/** The areas of the scope that are asked for. */
export function areasOf(scope: Pick<Scope, 'areaIds'>, areaIds: readonly number[] | undefined): readonly number[] {
  if (areaIds === undefined) return scope.areaIds
  const wanted = new Set(areaIds)
  return scope.areaIds.filter((id) => wanted.has(id))
}

/** Where a page ended: the time of its last task and its id. */
export type WorkCursor = { readonly doneAt: number; readonly id: number }
const cursorSchema = z.tuple([z.int().nonnegative(), z.int().positive()])

export const writeCursor = ({ doneAt, id }: WorkCursor): string =>
  Buffer.from(JSON.stringify([doneAt, id])).toString('base64url')

/** Throws bad_request on a cursor that this platform did not write. */
export function readCursor(text: string): WorkCursor {
  try {
    const [doneAt, id] = cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    return { doneAt, id }
  } catch (cause) {
    throw new AppError('bad_request', { values: { detail: 'cursor' }, cause })
  }
}

const nothing: WorkSum = {
  done: 0,
  cancelled: 0,
  due: 0,
  onTime: 0,
  rejected: 0,
  withPhoto: 0,
  waitSeconds: 0,
  workSeconds: 0,
  payCents: 0,
  partsCents: 0,
  measured: 0,
  batteryBefore: 0,
  batteryAfter: 0,
  persons: 0,
  personDays: 0,
}

function sumOf(row: SumRow): WorkSum {
  return {
    done: row.done,
    cancelled: row.cancelled,
    due: row.due,
    onTime: row.on_time,
    rejected: row.rejected,
    withPhoto: row.with_photo,
    waitSeconds: row.wait_seconds,
    workSeconds: row.work_seconds,
    payCents: row.pay_cents,
    partsCents: row.parts_cents,
    measured: row.measured,
    batteryBefore: row.battery_before / 1_000,
    batteryAfter: row.battery_after / 1_000,
    persons: row.persons,
    personDays: row.person_days,
  }
}

/** The rows of one query, each where it belongs. */
export function figuresOf(rows: readonly SumRow[], { groups, parts }: { groups: number; parts: number }) {
  const part = (wanted: SumRow['part'], isBefore = false) =>
    rows.filter((row) => row.part === wanted && row.is_before === isBefore)
  const named = (list: readonly SumRow[]): NamedWork[] =>
    list.map((row) => ({ ...sumOf(row), name: row.name, areaId: row.area_id }))
  const most = (list: readonly SumRow[]): NamedWork[] =>
    named(list)
      .toSorted((a, b) => b.done - a.done || (a.name < b.name ? -1 : 1))
      .slice(0, groups)
  const [total] = part('total')
  const [before] = part('total', true)
  return {
    total: total === undefined ? nothing : sumOf(total),
    before: before === undefined ? nothing : sumOf(before),
    days: named(part('day')),
    daysBefore: named(part('day', true)),
    // Cancelled by nobody in particular is no person's work.
    persons: most(part('person').filter((row) => row.name !== '')),
    areas: most(part('area')),
    kinds: most(part('kind')),
    spread: total?.spread ?? Array.from({ length: parts }, () => 0),
  }
}

const minutes = (from: number, to: number): number => Math.round((to - from) / 6_000) / 10

const columns: readonly (readonly [title: string, value: (row: WorkTask) => string | number | null])[] = [
  ['任务', (row) => row.id],
  ['类型', (row) => taskKindLabels[row.kind]],
  ['来源', (row) => taskSourceLabels[row.source]],
  ['车辆编号', (row) => row.number],
  ['服务区', (row) => row.areaName],
  ['人员', (row) => row.personName],
  ['创建时间', (row) => businessTime(row.openedAt)],
  ['领取时间', (row) => businessTime(row.claimedAt)],
  ['完成时间', (row) => businessTime(row.doneAt)],
  ['要求时间', (row) => businessTime(row.dueAt)],
  ['处理时长(分钟)', (row) => minutes(row.openedAt, row.doneAt)],
  ['作业时长(分钟)', (row) => (row.claimedAt === null ? null : minutes(row.claimedAt, row.doneAt))],
  ['换前电量(%)', (row) => row.batteryBefore],
  ['换后电量(%)', (row) => row.batteryAfter],
  ['原因', (row) => row.reason],
  ['去向', (row) => row.toName],
  ['备注', (row) => row.note],
  ['照片', (row) => row.photos],
  ['报酬(元)', (row) => yuanOf(row.payCents)],
  ['配件(元)', (row) => yuanOf(row.partsCents)],
  ['审核', (row) => taskReviewLabels[row.review]],
]

export const workCsvTitles = columns.map(([title]) => title)
export const workCsvRow = (row: WorkTask): string => csvLine(columns.map(([, value]) => value(row)))
