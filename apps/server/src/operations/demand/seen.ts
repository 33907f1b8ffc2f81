import { sql } from 'kysely'
import { demandWeeks } from '@saddle/contract/operations/rebalancing.ts'
import { businessOffsetMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { computed, rowOf, rowOfValues } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { Kit } from '#kit/kit.ts'
import { hoursOfWeek } from './forecast.ts'

const weekMs = hoursOfWeek * hourMs
// Seconds from 1970 to its first Monday, by business time.
const firstMondayS = 4 * 86_400 - businessOffsetMs / 1_000
/** Degrees times so many: squares of about fifty metres. */
export const stepsOfDegree = 2_000
/** Less than a day of rides says nothing about a week. */
const weeksMin = 1 / 7

/** What one square saw in one hour of the week, over all weeks. */
export type SeenSquare = {
  readonly lat: number
  readonly lng: number
  readonly hour: number
  readonly rides: number
  readonly arrived: number
  readonly unmet: number
}
export type AreaSeen = { readonly weeks: number; readonly squares: readonly SeenSquare[] }

const squaresRow = rowOfValues({
  lat_step: computed('integer', sql`lat_step`),
  lng_step: computed('integer', sql`lng_step`),
  hour: computed('integer', sql`hour`),
  rides: computed('integer', sql`sum(rides)`),
  arrived: computed('integer', sql`sum(arrived)`),
  unmet: computed('integer', sql`sum(unmet)`),
})

const hourOf = (column: string) =>
  sql`(floor((extract(epoch from ${sql.ref(column)}) - ${firstMondayS}::integer) / 3600)::bigint % ${hoursOfWeek}::integer)::integer`
const stepOf = (column: string) => sql`round(${sql.ref(column)} * ${stepsOfDegree}::integer)::integer`

const selectSquares = (
  scope: Scope,
  { areaId, from, to }: { areaId: number; from: Date; to: Date },
) => squaresRow.select`
  from (
    select ${stepOf('t.start_lat')} as lat_step, ${stepOf('t.start_lng')} as lng_step, ${hourOf('t.started_at')} as hour,
      1 as rides, 0 as arrived, 0 as unmet
    from trip t
    where t.area_id = ${areaId} and ${tenantFilter('t', scope)} and t.started_at >= ${from} and t.started_at < ${to}
      and t.start_lat is not null
    union all
    select ${stepOf('t.end_lat')}, ${stepOf('t.end_lng')}, ${hourOf('t.ended_at')}, 0, 1, 0
    from trip t
    where t.area_id = ${areaId} and ${tenantFilter('t', scope)} and t.ended_at >= ${from} and t.ended_at < ${to}
      and t.end_lat is not null
    union all
    select d.lat_step, d.lng_step, ${hourOf('d.hour_at')}, 0, 0, d.unmet
    from demand_search d
    where d.area_id = ${areaId} and ${tenantFilter('d', scope)} and d.hour_at >= ${from} and d.hour_at < ${to} and d.unmet > 0
  ) s
  group by lat_step, lng_step, hour`

const tripRow = rowOf('trip', 't', ['started_at as at'])

const selectFirst = (scope: Scope, { areaId, from }: { areaId: number; from: Date }) => tripRow.select`
  from trip t
  where t.area_id = ${areaId} and ${tenantFilter('t', scope)} and t.started_at >= ${from}
  order by t.started_at limit 1`

const keptMs = 10 * minuteMs
const keptMax = 500

/**
 * What an area saw in the past weeks up to the last full hour. Read anew every few minutes at most: a month of rides does
 * not change its mind in that time. The caller has made sure that the area is one of the scope.
 */
export function createSeen({
  db,
  clock,
}: Pick<Kit, 'db' | 'clock'>): (scope: Scope, areaId: number) => Promise<AreaSeen> {
  const kept = new Map<number, { readonly at: number; readonly seen: Promise<AreaSeen> }>()
  const read = async (scope: Scope, areaId: number): Promise<AreaSeen> => {
    const to = new Date(Math.floor(clock.now() / hourMs) * hourMs)
    const from = new Date(to.getTime() - demandWeeks * weekMs)
    const [first] = await db.read(scope, (k) => selectFirst(scope, { areaId, from }).compile(k))
    const rows = await db.read(scope, (k) => selectSquares(scope, { areaId, from, to }).compile(k))
    const weeks = Math.max(weeksMin, (to.getTime() - (first?.at.getTime() ?? to.getTime())) / weekMs)
    return {
      weeks,
      squares: rows.map(({ lat_step: lat, lng_step: lng, hour, rides, arrived, unmet }) => ({
        lat: lat / stepsOfDegree,
        lng: lng / stepsOfDegree,
        hour,
        rides,
        arrived,
        unmet,
      })),
    }
  }
  return async (scope, areaId) => {
    const now = clock.now()
    const known = kept.get(areaId)
    if (known !== undefined && now - known.at < keptMs) return known.seen
    if (kept.size >= keptMax) kept.clear()
    const seen = read(scope, areaId)
    kept.set(areaId, { at: now, seen })
    seen.catch(() => kept.delete(areaId))
    return seen
  }
}
