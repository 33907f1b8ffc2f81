import type { Boundary } from '@saddle/contract/feeds/mds.ts'
import type { MdsCapEffect } from '@saddle/contract/feeds/policy.ts'
import { businessDayEnd, businessDayOf, dayMs, hourMs } from '@saddle/contract/time.ts'
import type { Box } from '@saddle/geo/earth.ts'
import { sql } from 'kysely'
import { computed, rowOf, rowOfValues, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { boundariesOf } from '../mds/boundary.ts'

/** A trip that began before the span may end in it; none lasts longer. */
const tripMaxMs = 2 * dayMs
export const staysMax = 100_000

const stayRow = rowOfValues({
  lat: computed('double precision', sql`p.lat`),
  lng: computed('double precision', sql`p.lng`),
  from_at: computed('timestamptz', sql`p.from_at`),
  to_at: computed(
    'timestamptz?',
    sql`coalesce(p.to_at, case when v.state in ('removed', 'elsewhere') then v.state_changed_at end)`,
  ),
})
export type StayRow = RowOf<typeof stayRow>

/**
 * Where vehicles of the scope have stood since a moment, as far as that lies in a box: between two trips where the first one
 * ended, before the first one where that began, and without one where they stand.
 */
export const selectStays = (scope: Scope, { since, now, box }: { since: Date; now: Date; box: Box }) => {
  const first = new Date(since.getTime() - tripMaxMs)
  return stayRow.select`
    from (
      select t.vehicle_id, t.end_lat as lat, t.end_lng as lng, t.ended_at as from_at,
        lead(t.started_at) over (partition by t.vehicle_id order by t.started_at) as to_at
      from trip t where ${tenantFilter('t', scope)} and t.started_at >= ${first} and t.started_at < ${now}
      union all
      (select distinct on (t.vehicle_id) t.vehicle_id, t.start_lat, t.start_lng, ${since}::timestamptz, t.started_at
      from trip t where ${tenantFilter('t', scope)} and t.started_at >= ${first} and t.started_at < ${now}
      order by t.vehicle_id, t.started_at)
      union all
      select c.id, s.lat, s.lng, ${since}::timestamptz, null
      from vehicle c join vehicle_status s on s.vehicle_id = c.id
      where ${tenantFilter('c', scope)} and c.state not in ('on_trip', 'removed', 'elsewhere')
        and not exists (select from trip t where t.vehicle_id = c.id and t.started_at >= ${first} and t.started_at < ${now})
    ) p
    join vehicle v on v.id = p.vehicle_id
    where p.from_at is not null and p.lat between ${box.south} and ${box.north} and p.lng between ${box.west} and ${box.east}
      and coalesce(p.to_at, ${now}) > ${since}
    order by p.from_at desc limit ${staysMax + 1}`
}

const standingRow = rowOf('vehicle_status', 's', ['lat', 'lng']).filled('lat', 'lng')

/** Vehicles of the scope that stand in a box now. */
export const selectStanding = (scope: Scope, { west, south, east, north }: Box) => standingRow.select`
  from vehicle v join vehicle_status s on s.vehicle_id = v.id
  where ${tenantFilter('v', scope)} and v.state not in ('on_trip', 'removed', 'elsewhere')
    and s.lat between ${south} and ${north} and s.lng between ${west} and ${east} limit ${staysMax}`

/** Whether a place counts for a rule. */
export function createWithin(boundary: Boundary, exceptIn: Boundary): (place: { lat: number; lng: number }) => boolean {
  const within = boundariesOf(boundary)
  const beyond = exceptIn.length === 0 ? null : boundariesOf(exceptIn)
  return (place) => within.contains(place) && beyond?.contains(place) !== true
}

interface Stay {
  readonly from: number
  /** Null: it stands there still. */
  readonly to: number | null
}

/** How many vehicles stood somewhere at once, and for how long too many. */
export function capEffectOf(
  stays: readonly Stay[],
  { from, to, maximum }: { readonly from: number; readonly to: number; readonly maximum: number },
): Omit<MdsCapEffect, 'isCut'> {
  const changes = stays.flatMap((stay) => [
    { at: Math.max(from, stay.from), by: 1 },
    ...(stay.to === null || stay.to >= to ? [] : [{ at: Math.max(from, stay.to), by: -1 }]),
  ])
  // Who leaves at a moment has left before another one comes.
  changes.sort((one, other) => one.at - other.at || one.by - other.by)
  const overHours = new Set<number>()
  const days = new Map<string, number>()
  for (let at = from; at < to; at += dayMs) days.set(businessDayOf(at), 0)
  let [count, peak, peakAt] = [0, 0, from]
  for (const [index, { at, by }] of changes.entries()) {
    count += by
    const until = Math.min(to, changes[index + 1]?.at ?? to)
    // Several at once are one moment.
    if (until <= at) continue
    if (count > peak) [peak, peakAt] = [count, at]
    for (let of = at; of < until; of = businessDayEnd(businessDayOf(of))) {
      const day = businessDayOf(of)
      days.set(day, Math.max(days.get(day) ?? 0, count))
    }
    if (count > maximum)
      for (let hour = Math.floor((at - from) / hourMs); from + hour * hourMs < until; hour += 1) overHours.add(hour)
  }
  return {
    now: count,
    peak,
    peakAt,
    hoursOver: overHours.size,
    hours: Math.round((to - from) / hourMs),
    days: [...days].map(([day, most]) => ({ day, peak: most })),
  }
}
