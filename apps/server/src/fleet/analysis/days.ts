import { sql } from 'kysely'
import { businessDayEnd, businessDayOf, businessDayStart, dayMs, minuteMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { tripSums } from './trips.ts'
import { lowBatteryBelow } from '../states/counted.ts'

/** Days without figures that one turn makes. */
const daysATurn = 3
/** Figures of a day that is over are made anew once, after the last late reports. */
const settledAfterMs = 10 * minuteMs
const pastDaysMax = 92

/**
 * Makes the figures of today, of yesterday once it is over, and of days of the past that have rides but no figures yet
 * (the newest first). Several workers may do it at once: one after the other. Resolves to the days that were made.
 */
export async function makeFleetDays(kit: Pick<Kit, 'db' | 'clock'>): Promise<string[]> {
  const nowMs = kit.clock.now()
  return await kit.db.system(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('fleet_day', 0))`.execute(tx)
    const today = businessDayOf(nowMs)
    const days = await missingDays(tx, nowMs)
    for (const day of [today, ...days]) await makeDay(tx, { day, nowMs, isToday: day === today })
    return [today, ...days]
  })
}

const dayRow = rowOfValues({ day: computed('text', sql`to_char(day, 'YYYY-MM-DD')`) })

async function missingDays(tx: Tx, nowMs: number): Promise<string[]> {
  const today = businessDayStart(businessDayOf(nowMs))
  const { rows } = await dayRow.select`
    from generate_series(${new Date(today - pastDaysMax * dayMs)}::timestamptz, ${new Date(today - dayMs)}, interval '1 day') start
    cross join lateral (select (start + interval '8 hours')::date as day) d
    where exists (select from trip where started_at >= start and started_at < start + interval '1 day')
      and not exists (
        select from fleet_day f
        where f.day = d.day and f.made_at >= least(start + interval '1 day' + ${settledAfterMs} * interval '1 millisecond',
          ${new Date(nowMs)})
      )
    order by day desc limit ${daysATurn}`.execute(tx)
  return rows.map(({ day }) => day)
}

/**
 * One row for each area. Today's batteries are the vehicles' own; those of a day that is over are kept as they were told
 * last, or read from the stretches where nobody counted at the time.
 */
async function makeDay(tx: Tx, options: { day: string; nowMs: number; isToday: boolean }): Promise<void> {
  const { day, nowMs, isToday } = options
  const [from, to] = [new Date(businessDayStart(day)), new Date(businessDayEnd(day))]
  const sums = tripSums({ until: new Date(Math.min(nowMs, to.getTime())) })
  const fleet = isToday
    ? sql`select v.area_id, v.agent_id, v.id as vehicle_id, s.battery_percent as battery
        from vehicle v join vehicle_status s on s.vehicle_id = v.id where v.state <> 'removed'`
    : sql`select distinct on (g.vehicle_id) g.area_id, g.agent_id, g.vehicle_id, g.battery_end as battery
        from track_segment g where g.started_at >= ${from} and g.started_at < ${to}
        order by g.vehicle_id, g.started_at desc`
  await sql`
    insert into fleet_day (
      area_id, agent_id, day, vehicles, ridden, trips, ride_seconds, distance_m, battery_percent, low_battery, made_at)
    select f.area_id, f.agent_id, ${day}::date, f.vehicles, coalesce(t.ridden, 0), coalesce(t.trips, 0),
      coalesce(t.ride_seconds, 0), coalesce(t.distance_m, 0), f.battery, f.low, ${new Date(nowMs)}
    from (
      select area_id, agent_id, count(*) as vehicles, avg(battery)::real as battery,
        count(*) filter (where battery < ${lowBatteryBelow(sql`one.agent_id`)}) as low
      from (${fleet}) one group by area_id, agent_id
    ) f
    left join (
      select t.area_id, t.agent_id, ${sums.trips} as trips, ${sums.ridden} as ridden, ${sums.rideSeconds} as ride_seconds,
        ${sums.distanceM} as distance_m
      from trip t where t.started_at >= ${from} and t.started_at < ${to}
      group by t.area_id, t.agent_id
    ) t on t.area_id = f.area_id and t.agent_id = f.agent_id
    on conflict (area_id, day) do update set
      agent_id = excluded.agent_id, vehicles = greatest(fleet_day.vehicles, excluded.vehicles), ridden = excluded.ridden,
      trips = excluded.trips, ride_seconds = excluded.ride_seconds, distance_m = excluded.distance_m,
      battery_percent = case when ${isToday} or fleet_day.battery_percent is null
        then excluded.battery_percent else fleet_day.battery_percent end,
      low_battery = case when ${isToday} or fleet_day.battery_percent is null
        then excluded.low_battery else fleet_day.low_battery end,
      made_at = excluded.made_at`.execute(tx)
}
