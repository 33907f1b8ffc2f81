import { addDays, businessDayEnd, hourMs } from '@saddle/contract/time.ts'

/** Facts of a day that come late are awaited for so long before it is counted. */
export const countGraceMs = hourMs

/** Business days from `first` on that are over and may be counted, oldest first, at most `max`. */
export function daysToCount({
  first,
  nowMs,
  max,
}: {
  readonly first: string
  readonly nowMs: number
  readonly max: number
}): string[] {
  const days: string[] = []
  for (let day = first; days.length < max && businessDayEnd(day) + countGraceMs <= nowMs; day = addDays(day, 1)) {
    days.push(day)
  }
  return days
}
