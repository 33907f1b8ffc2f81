import { businessDayEnd, businessDayOf, businessDayStart } from '@saddle/contract/time.ts'

/** The beginning of a business day, `YYYY-MM-DD`; undefined for no day. */
export const startOfDay = (day: string): number | undefined => timeOrNone(businessDayStart(day))

/** The end of a business day: the beginning of the next. */
export const endOfDay = (day: string): number | undefined => timeOrNone(businessDayEnd(day))

const timeOrNone = (atMs: number): number | undefined => (Number.isNaN(atMs) ? undefined : atMs)

/** `YYYY-MM-DD` of an instant by business time; '' for none. */
export const dayOf = (atMs: number | null | undefined): string =>
  atMs === null || atMs === undefined ? '' : businessDayOf(atMs)
