import { addDays, businessDayEnd, businessDayStart, dayMs, utcDayOf } from '@saddle/contract/time.ts'
import type { Scope } from '#kit/db/scope.ts'

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
