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

/** Milliseconds of a calendar time in UTC; throws ProtocolError for a 31st of February. */
export function utcMs({ year, month = 0, day = 0, hour = 0, minute = 0, second = 0, ms = 0 }: CalendarTime): number {
  const at = Date.UTC(year, month - 1, day, hour, minute, second, ms)
  const date = new Date(at)
  const same =
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second
  if (!same) throw new ProtocolError('the date or time does not exist')
  return at
}
