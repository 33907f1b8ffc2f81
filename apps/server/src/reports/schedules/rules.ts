import type { ReportCalendar, ReportZone } from '@saddle/contract/reports/calendar.ts'
import { scheduledReport, type ScheduleInput, type ScheduleSpan } from '@saddle/contract/reports/schedules.ts'
import { addDays, dayMs, hourMs } from '@saddle/contract/time.ts'
import type { DaySpan } from '../figures/rules.ts'

type Times = Pick<ScheduleInput, 'frequency' | 'weekday' | 'monthDay' | 'hour'>

/** The date and hour in a time zone. */
function localOf(zone: ReportZone, atMs: number): { readonly day: string; readonly hour: number } {
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).format(atMs)
  return { day: text.slice(0, 10), hour: Number(text.slice(11, 13)) }
}

/** When an hour of a day begins in a time zone; of an hour that a change of the clocks leaves out, when it ends. */
export function instantOf(zone: ReportZone, day: string, hour: number): number {
  const wanted = Date.parse(day) + hour * hourMs
  let at = wanted
  for (let step = 0; step < 2; step += 1) {
    const local = localOf(zone, at)
    at += wanted - (Date.parse(local.day) + local.hour * hourMs)
  }
  return at
}

/** 1 is Monday. */
const weekdayOf = (day: string): number => ((Math.floor(Date.parse(day) / dayMs) + 3) % 7) + 1

function fits({ frequency, weekday, monthDay }: Times, day: string): boolean {
  if (frequency === 'weekly') return weekdayOf(day) === weekday
  return frequency === 'daily' || Number(day.slice(8)) === monthDay
}

/** Days until a schedule comes again at the latest. */
const longestWaitDays = 32

/** The first time of a schedule after a moment. */
export function nextOf(times: Times, zone: ReportZone, afterMs: number): number {
  const { day: today } = localOf(zone, afterMs)
  for (let ahead = 0; ahead <= longestWaitDays; ahead += 1) {
    const day = addDays(today, ahead)
    if (!fits(times, day)) continue
    const at = instantOf(zone, day, times.hour)
    if (at > afterMs) return at
  }
  throw new Error('a schedule that never comes')
}

/** Its days, before the business day that runs at a moment. */
export function spanAt(span: ScheduleSpan, { zone, dayStartsAt }: ReportCalendar, atMs: number): DaySpan {
  const { day: today } = localOf(zone, atMs - dayStartsAt * hourMs)
  const yesterday = addDays(today, -1)
  const monday = addDays(today, 1 - weekdayOf(today))
  const lastOfMonth = addDays(`${today.slice(0, 7)}-01`, -1)
  const spans: Readonly<Record<ScheduleSpan, DaySpan>> = {
    yesterday: { from: yesterday, to: yesterday },
    last_7_days: { from: addDays(today, -7), to: yesterday },
    last_week: { from: addDays(monday, -7), to: addDays(monday, -1) },
    last_30_days: { from: addDays(today, -30), to: yesterday },
    last_month: { from: `${lastOfMonth.slice(0, 7)}-01`, to: lastOfMonth },
  }
  return spans[span]
}

/** A schedule names the day that its frequency needs and no other, a group that its report has, and areas only where it has them. */
export const isSound = ({ frequency, weekday, monthDay, report, by, areaIds }: ScheduleInput): boolean =>
  (frequency === 'weekly') === (weekday !== null) &&
  (frequency === 'monthly') === (monthDay !== null) &&
  scheduledReport(report).groups.includes(by) &&
  (areaIds === undefined || scheduledReport(report).hasAreas)
