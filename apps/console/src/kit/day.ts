const dayMs = 24 * 3_600_000
const businessShiftMs = 8 * 3_600_000

/** The beginning of a business day, `YYYY-MM-DD`; undefined for no day. */
export function startOfDay(day: string): number | undefined {
  const at = Date.parse(`${day}T00:00:00+08:00`)
  return Number.isNaN(at) ? undefined : at
}

/** The end of a business day: the beginning of the next. */
export function endOfDay(day: string): number | undefined {
  const start = startOfDay(day)
  return start === undefined ? undefined : start + dayMs
}

/** `YYYY-MM-DD` of an instant by business time; '' for none. */
export const dayOf = (atMs: number | null | undefined): string =>
  atMs === null || atMs === undefined ? '' : new Date(atMs + businessShiftMs).toISOString().slice(0, 10)
