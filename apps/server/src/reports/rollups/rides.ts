import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'

/** Rides below this length count as short. */
const shortRideSeconds = 120

/** Notes that one transaction takes from the queue, and hours that it takes from the backlog. */
const notesAtATime = 4_000
const hoursAtATime = 2_000

const staleRow = rowOf('report_stale', 's', ['agent_id', 'area_id', 'hour'])
export type AreaHour = RowOf<typeof staleRow>

/** Hours whose rides have changed, each once: taken from the queue, to be made in the same transaction. */
export async function takeStaleHours(tx: Tx): Promise<AreaHour[]> {
  const { rows } = await staleRow
    .query(
      (list) => sql`
      with s as (
        delete from report_stale where ctid = any (array(select ctid from report_stale limit ${notesAtATime}))
        returning agent_id, area_id, hour
      )
      select distinct ${list} from s`,
    )
    .execute(tx)
  return rows
}

/** The same from the backlog, neighbours first, so that a day is made once and not for each of its hours. */
export async function takeBacklogHours(tx: Tx): Promise<AreaHour[]> {
  const { rows } = await staleRow
    .query(
      (list) => sql`
      with s as (
        delete from report_backlog where (area_id, hour) in (
          select area_id, hour from report_backlog order by area_id, hour limit ${hoursAtATime})
        returning agent_id, area_id, hour
      )
      select ${list} from s`,
    )
    .execute(tx)
  return rows
}

/** The figures of orders `o` as sums, under the names of the columns. */
export const rideSums = sql`
  count(*) filter (where o.charged_cents is not null) as rides,
  count(*) filter (where o.state = 'cancelled') as cancelled,
  count(*) filter (where o.state = 'failed') as failed,
  count(*) filter (where o.state = 'due') as due_rides,
  count(*) filter (where o.charged_cents = 0) as free_rides,
  count(*) filter (where o.charged_cents is not null
    and o.ended_at < coalesce(o.started_at, o.placed_at) + ${sql.lit(shortRideSeconds)} * interval '1 second') as short_rides,
  coalesce(sum(o.charged_cents), 0)::bigint as charged_cents,
  coalesce(sum(o.refunded_cents), 0)::bigint as refunded_cents,
  coalesce(sum(o.charged_cents) filter (where o.state = 'due'), 0)::bigint as due_cents,
  coalesce(sum(floor(extract(epoch from o.ended_at - coalesce(o.started_at, o.placed_at))))
    filter (where o.charged_cents is not null), 0)::bigint as ride_seconds,
  coalesce(sum(round(o.distance_m::numeric)) filter (where o.charged_cents is not null), 0)::bigint as distance_m`

/** An order that figures count: it has ended in some way. */
export const isCounted = sql`(o.charged_cents is not null or o.state in ('cancelled', 'failed'))`

const sumNames = [
  'rides',
  'cancelled',
  'failed',
  'due_rides',
  'free_rides',
  'short_rides',
  'charged_cents',
  'refunded_cents',
  'due_cents',
  'ride_seconds',
  'distance_m',
] as const
const sums = sql.join(sumNames.map((name) => sql.ref(name)))
const added = sql.join(sumNames.map((name) => sql`sum(${sql.ref(name)})`))

const hoursOf = (hours: readonly AreaHour[]): RawBuilder<unknown> => sql`
  unnest(${hours.map((row) => row.agent_id)}::bigint[], ${hours.map((row) => row.area_id)}::bigint[],
    ${hours.map((row) => row.hour.toISOString())}::timestamptz[]) as b (agent_id, area_id, hour)`

const day = sql`report_day(b.hour, c.zone, c.day_starts_at)`
const withCalendar = sql`left join report_calendar c on c.agent_id = b.agent_id`

/**
 * Makes the figures of hours anew from their orders, then those of the days and months that have them. Whoever calls it holds
 * the lock of the figures and has taken the notes before: a change that commits later leaves a note of its own.
 */
export async function makeRideHours(tx: Tx, hours: readonly AreaHour[]): Promise<void> {
  if (hours.length === 0) return
  const buckets = hoursOf(hours)
  await sql`
    delete from report_ride_hour h using ${buckets}
    where h.area_id = b.area_id and h.cut in ('all', 'model') and h.hour = b.hour`.execute(tx)
  await sql`
    insert into report_ride_hour (agent_id, area_id, cut, value, day, hour, ${sums})
    select b.agent_id, b.area_id, r.cut, r.value, ${day}, b.hour, ${sql.join(sumNames.map((name) => sql.ref(`r.${name}`)))}
    from ${buckets} ${withCalendar}
    cross join lateral (
      select case when grouping(v.model) = 1 then 'all' else 'model' end as cut, coalesce(v.model, '') as value, ${rideSums}
      from ride_order o join vehicle v on v.id = o.vehicle_id
      where o.area_id = b.area_id and o.placed_at >= b.hour and o.placed_at < b.hour + interval '1 hour' and ${isCounted}
      group by grouping sets ((), (v.model)) having count(*) > 0
    ) r`.execute(tx)
  const days = sql`(select distinct b.area_id, ${day} as day from ${buckets} ${withCalendar})`
  await makeDays(tx, days)
}

/** Makes days of their hours, and months of their days; `days` has the areas and the days. */
async function makeDays(tx: Tx, days: RawBuilder<unknown>): Promise<void> {
  await sql`
    delete from report_ride_day d using ${days} t where d.area_id = t.area_id and d.cut in ('all', 'model') and d.day = t.day`.execute(
    tx,
  )
  await sql`
    insert into report_ride_day (agent_id, area_id, cut, value, day, ${sums})
    select min(h.agent_id), h.area_id, h.cut, h.value, h.day, ${added}
    from ${days} t cross join (values ('all'), ('model')) k (cut)
    join report_ride_hour h on h.area_id = t.area_id and h.cut = k.cut and h.day = t.day
    group by h.area_id, h.cut, h.value, h.day`.execute(tx)
  const months = sql`(select distinct t.area_id, date_trunc('month', t.day)::date as day from ${days} t)`
  await sql`
    delete from report_ride_month m using ${months} t
    where m.area_id = t.area_id and m.cut in ('all', 'model') and m.day = t.day`.execute(tx)
  await sql`
    insert into report_ride_month (agent_id, area_id, cut, value, day, ${sums})
    select min(d.agent_id), d.area_id, d.cut, d.value, t.day, ${added}
    from ${months} t cross join (values ('all'), ('model')) k (cut)
    join report_ride_day d on d.area_id = t.area_id and d.cut = k.cut and d.day >= t.day
      and d.day < (t.day + interval '1 month')::date
    group by d.area_id, d.cut, d.value, t.day`.execute(tx)
}

/** Puts a company's hours into the days of its calendar, which has changed, and makes days and months of them. */
export async function moveRideDays(tx: Tx, agentId: number): Promise<void> {
  await sql`
    update report_ride_hour b set day = n.day
    from (
      select h.ctid as at, report_day(h.hour, c.zone, c.day_starts_at) as day
      from report_ride_hour h left join report_calendar c on c.agent_id = h.agent_id where h.agent_id = ${agentId}
    ) n where b.ctid = n.at and b.day <> n.day`.execute(tx)
  await sql`delete from report_ride_day where agent_id = ${agentId}`.execute(tx)
  await sql`delete from report_ride_month where agent_id = ${agentId}`.execute(tx)
  await makeDays(tx, sql`(select distinct area_id, day from report_ride_hour where agent_id = ${agentId})`)
}
