import { sql } from 'kysely'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'

/** Hours that one run makes. */
const hoursMax = 12
/** An hour is counted once more after the last late reports. */
const settledAfterMs = 10 * minuteMs
/** Today, the same day of last week, and the day before that one. */
const pastMs = 9 * dayMs

const hourRow = rowOfValues({ hour: computed('timestamptz', sql`h.hour`) })

/**
 * Counts the vehicles of each area by their states at the beginning of this hour and of hours that were not counted yet, the
 * latest first. Several workers may do it at once: one after the other. Resolves to whether there may be
 * more of them.
 */
export async function makeFleetHours({ db, clock }: Pick<Kit, 'db' | 'clock'>): Promise<boolean> {
  const nowMs = clock.now()
  const last = nowMs - (nowMs % hourMs)
  return await db.system(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('fleet_hour', 0))`.execute(tx)
    const { rows } = await hourRow.select`
      from generate_series(
        greatest(${new Date(last - pastMs)}::timestamptz,
          (select date_trunc('hour', min(e.occurred_at), 'UTC') from (
            select occurred_at from vehicle_event order by id limit 1000) e)),
        ${new Date(last)}, interval '1 hour') h (hour)
      where not exists (
        select from fleet_hour f
        where f.hour = h.hour
          and f.made_at >= least(h.hour + ${settledAfterMs} * interval '1 millisecond', ${new Date(nowMs)}))
      order by h.hour desc limit ${hoursMax}`.execute(tx)
    const hours = rows.map(({ hour }) => hour)
    if (hours.length === 0) return false
    await sql`
      insert into fleet_hour (
        agent_id, area_id, hour, vehicles, available, on_trip, non_operational, non_contactable, made_at)
      select sa.agent_id, sa.id, h.hour, count(*) filter (where m.to_state <> 'removed'),
        count(*) filter (where m.to_state = 'available'), count(*) filter (where m.to_state = 'on_trip'),
        count(*) filter (where m.to_state = 'non_operational'), count(*) filter (where m.to_state = 'non_contactable'),
        ${new Date(nowMs)}
      from unnest(${hours}::timestamptz[]) h (hour) cross join service_area sa
      left join (
        select h.hour, e.agent_id, e.area_id, e.to_state
        from unnest(${hours}::timestamptz[]) h (hour) cross join vehicle v
        cross join lateral (
          select agent_id, area_id, to_state from vehicle_event
          where vehicle_id = v.id and occurred_at <= h.hour order by occurred_at desc, id desc limit 1
        ) e
      ) m on m.hour = h.hour and m.area_id = sa.id and m.agent_id = sa.agent_id
      group by sa.agent_id, sa.id, h.hour
      on conflict (area_id, hour) do update set
        agent_id = excluded.agent_id, vehicles = excluded.vehicles, available = excluded.available,
        on_trip = excluded.on_trip, non_operational = excluded.non_operational,
        non_contactable = excluded.non_contactable, made_at = excluded.made_at`.execute(tx)
    return hours.length === hoursMax
  })
}
