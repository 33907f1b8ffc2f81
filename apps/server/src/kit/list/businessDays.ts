import { businessDayOf } from '@saddle/contract/time.ts'

/** The last instant whose business day has a year of four digits. */
const lastMs = Date.UTC(9_999, 11, 31)
const dayOf = (atMs: number): string => businessDayOf(Math.min(atMs, lastMs))

/** The days of a span of instants, both inclusive. */
export const daysOf = ({ from, to }: { readonly from?: number | undefined; readonly to?: number | undefined }) => ({
  firstDay: from === undefined ? undefined : dayOf(from),
  lastDay: to === undefined ? undefined : dayOf(to - 1),
})
