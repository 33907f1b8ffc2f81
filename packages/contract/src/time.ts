/** Lengths of time in milliseconds, and the calendar of the business. Nothing here reads a clock. */
export const secondMs = 1_000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Business time is UTC+8 all year: China has one time zone and no daylight saving time. */
export const businessOffsetMs = 8 * hourMs
export const businessTimeZone = 'Asia/Shanghai'

/** `YYYY-MM-DD` of an instant by business time. */
export const businessDayOf = (atMs: number): string => utcDayOf(atMs + businessOffsetMs)

/** The first instant of a business day `YYYY-MM-DD`; NaN for a text that is no day. */
export const businessDayStart = (day: string): number => Date.parse(`${day}T00:00:00Z`) - businessOffsetMs

/** The first instant after a business day; NaN for a text that is no day. */
export const businessDayEnd = (day: string): number => businessDayStart(day) + dayMs

/** The calendar day `days` after a day, before it where negative. */
export const addDays = (day: string, days: number): string => utcDayOf(Date.parse(`${day}T00:00:00Z`) + days * dayMs)

/** `YYYY-MM-DD` of an instant by UTC. */
export const utcDayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)
