import { ProtocolError } from './error.ts'

type CalendarTime = {
  year: number
  month: number | undefined
  day: number | undefined
  hour: number | undefined
  minute: number | undefined
  second: number | undefined
  ms?: number
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function daysOf(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && leap ? 29 : (daysOfMonths[month - 1] ?? 0)
}

/** Milliseconds of a calendar time in UTC; throws ProtocolError for a 31st of February. */
export function utcMs({ year, month = 0, day = 0, hour = 0, minute = 0, second = 0, ms = 0 }: CalendarTime): number {
  // A month that is none has no days.
  if (!(day >= 1 && day <= daysOf(year, month)) || !(hour < 24 && minute < 60 && second < 60)) {
    throw new ProtocolError('the date or time does not exist')
  }
  return Date.UTC(year, month - 1, day, hour, minute, second, ms)
}
