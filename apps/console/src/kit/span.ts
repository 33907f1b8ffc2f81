import { dayMs, utcDayOf } from '@saddle/contract/time.ts'
import { serverNow } from './clock.ts'
import { dateOnly } from './format.ts'

/** Business days, both inclusive. */
export interface Span {
  readonly from: string
  readonly to: string
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/

/** Every day of a span in order. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs) days.push(utcDayOf(at))
  return days
}

/** Which of the days is today, which is not over; undefined where none is. */
export function openDayOf(days: readonly string[]): number | undefined {
  const index = days.indexOf(dateOnly(serverNow()))
  return index < 0 ? undefined : index
}

/** The span of the same length just before. */
export function spanBefore(from: string, to: string): Span {
  const length = Date.parse(to) - Date.parse(from) + dayMs
  return { from: utcDayOf(Date.parse(from) - length), to: utcDayOf(Date.parse(from) - dayMs) }
}

/** How much more than before, in per cent; null where there was nothing to compare with. */
export function changeOf(now: number, before: number): number | null {
  return before === 0 ? null : ((now - before) / before) * 100
}

/** The given number of business days, ending today. */
export const lastDays = (count: number): Span => ({
  from: dateOnly(serverNow() - (count - 1) * dayMs),
  to: dateOnly(serverNow()),
})

/** The business month that is so many months away; the present one ends today. */
export function monthOf(offset: number): Span {
  const [year = 0, month = 1] = dateOnly(serverNow()).split('-').map(Number)
  const first = utcDayOf(Date.UTC(year, month - 1 + offset, 1))
  return { from: first, to: offset === 0 ? dateOnly(serverNow()) : utcDayOf(Date.UTC(year, month + offset, 0)) }
}

/** The span in a link; the last days if it is missing or invalid. */
export function spanOf(params: URLSearchParams, { max, usual }: { max: number; usual: number }): Span {
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? '']
  const isDay = (text: string): boolean => dayPattern.test(text) && !Number.isNaN(Date.parse(text))
  const isSound = isDay(from) && isDay(to) && from <= to
  return isSound && daysBetween(from, to).length <= max ? { from, to } : lastDays(usual)
}
