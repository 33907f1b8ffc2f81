import { sql, type RawBuilder } from 'kysely'
import { rideMeasures, type RideMeasure } from '@saddle/contract/reports/measures.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import { noteAreas } from './companies.ts'

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

const isCharged = sql`o.charged_cents is not null`
const seconds = sql`floor(extract(epoch from o.ended_at - coalesce(o.started_at, o.placed_at)))`
const one = sql`1`

/** What an order `o` adds to a measure, and whether it counts there. */
export const rideParts = {
  rides: { counts: isCharged, adds: one },
  cancelled: { counts: sql`o.state = 'cancelled'`, adds: one },
  failed: { counts: sql`o.state = 'failed'`, adds: one },
  dueRides: { counts: sql`o.state = 'due'`, adds: one },
  freeRides: { counts: sql`o.charged_cents = 0`, adds: one },
  shortRides: {
    counts: sql`${isCharged}
    and o.ended_at < coalesce(o.started_at, o.placed_at) + ${sql.lit(shortRideSeconds)} * interval '1 second'`,
    adds: one,
  },
  chargedCents: { counts: isCharged, adds: sql`o.charged_cents` },
  refundedCents: { counts: sql`o.refunded_cents > 0`, adds: sql`o.refunded_cents` },
  dueCents: { counts: sql`o.state = 'due'`, adds: sql`o.charged_cents` },
  rideSeconds: { counts: isCharged, adds: seconds },
  distanceM: { counts: isCharged, adds: sql`round(o.distance_m::numeric)` },
} as const satisfies Readonly<
  Record<RideMeasure, { readonly counts: RawBuilder<unknown>; readonly adds: RawBuilder<unknown> }>
>
const measureNames = Object.keys(rideMeasures) as RideMeasure[]

/** The figures of orders `o` as sums, under the names of the columns. */
export const rideSums = sql.join(
  measureNames.map((name) => {
    const { counts, adds } = rideParts[name]
    return adds === one
      ? sql`count(*) filter (where ${counts}) as ${sql.ref(rideMeasures[name])}`
      : sql`coalesce(sum(${adds}) filter (where ${counts}), 0)::bigint as ${sql.ref(rideMeasures[name])}`
  }),
)

/** An order that figures count: it has ended in some way. */
export const isCounted = sql`(o.charged_cents is not null or o.state in ('cancelled', 'failed'))`

const sumNames = measureNames.map((name) => rideMeasures[name])
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
  await makeCompanyHours(tx, hours)
}

/** The same hours, and the days that have them, of companies: made of the figures of their areas. */
async function makeCompanyHours(tx: Tx, hours: readonly AreaHour[]): Promise<void> {
  const agentIds = [...new Set(hours.map((row) => row.agent_id))]
  await noteAreas(sql`(select b.agent_id, b.area_id from ${hoursOf(hours)})`).execute(tx)
  const buckets = sql`(select distinct b.agent_id, b.hour from ${hoursOf(hours)}) b`
  await sql`
    delete from report_ride_company_hour h using ${buckets}
    where h.agent_id = b.agent_id and h.cut in ('all', 'model') and h.hour = b.hour`.execute(tx)
  await sql`
    insert into report_ride_company_hour (agent_id, cut, value, day, hour, ${sums})
    select b.agent_id, h.cut, h.value, min(h.day), b.hour, ${added}
    from ${buckets} join report_company w on w.agent_id = b.agent_id cross join unnest(w.area_ids) a (id)
    cross join (values ('all'), ('model')) k (cut)
    join report_ride_hour h on h.area_id = a.id and h.cut = k.cut and h.hour = b.hour
    group by b.agent_id, h.cut, h.value, b.hour`.execute(tx)
  const days = sql`(select distinct b.agent_id, ${day} as day from ${buckets} ${withCalendar})`
  await sql`
    delete from report_ride_company_day d using ${days} t
    where d.agent_id = t.agent_id and d.agent_id = any (${agentIds}::bigint[]) and d.cut in ('all', 'model') and d.day = t.day`.execute(
    tx,
  )
  await sql`
    insert into report_ride_company_day (agent_id, cut, value, day, ${sums})
    select h.agent_id, h.cut, h.value, h.day, ${added}
    from ${days} t cross join (values ('all'), ('model')) k (cut)
    join report_ride_company_hour h on h.agent_id = t.agent_id and h.cut = k.cut and h.day = t.day
    group by h.agent_id, h.cut, h.value, h.day`.execute(tx)
}

/** Makes days of their hours anew, and months of their days; `days` has the areas and the days. */
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

/**
 * Makes all figures of orders from nothing: one pass over the orders, then over hours and days. What changes meanwhile leaves
 * notes. Whoever calls it holds the lock of the figures.
 */
export async function makeAllRides(tx: Tx): Promise<void> {
  await sql`
    insert into report_ride_hour (agent_id, area_id, cut, value, day, hour, ${sums})
    select r.agent_id, r.area_id, r.cut, r.value, report_day(r.hour, c.zone, c.day_starts_at), r.hour,
      ${sql.join(sumNames.map((name) => sql.ref(`r.${name}`)))}
    from (
      select min(o.agent_id) as agent_id, o.area_id, case when grouping(v.model) = 1 then 'all' else 'model' end as cut,
        coalesce(v.model, '') as value, h.hour, ${rideSums}
      from ride_order o join vehicle v on v.id = o.vehicle_id
      cross join lateral (select date_trunc('hour', o.placed_at, 'UTC') as hour) h
      where ${isCounted}
      group by grouping sets ((o.area_id, h.hour), (o.area_id, h.hour, v.model))
    ) r left join report_calendar c on c.agent_id = r.agent_id`.execute(tx)
  await makeAllDays(tx, sql`true`)
}

/** Days of hours and months of days, and the figures of companies, of the rows `f` that `of` says. */
async function makeAllDays(tx: Tx, of: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into report_ride_day (agent_id, area_id, cut, value, day, ${sums})
    select min(f.agent_id), f.area_id, f.cut, f.value, f.day, ${added} from report_ride_hour f where ${of}
    group by f.area_id, f.cut, f.value, f.day`.execute(tx)
  await sql`
    insert into report_ride_month (agent_id, area_id, cut, value, day, ${sums})
    select min(f.agent_id), f.area_id, f.cut, f.value, date_trunc('month', f.day)::date, ${added}
    from report_ride_day f where ${of}
    group by f.area_id, f.cut, f.value, date_trunc('month', f.day)`.execute(tx)
  await sql`
    insert into report_company (agent_id, area_ids)
    select f.agent_id, array_agg(distinct f.area_id)
    from (select agent_id, area_id from report_ride_day union select agent_id, area_id from fleet_day) f
    where ${of} group by f.agent_id`.execute(tx)
  await sql`
    insert into report_ride_company_hour (agent_id, cut, value, day, hour, ${sums})
    select f.agent_id, f.cut, f.value, min(f.day), f.hour, ${added} from report_ride_hour f where ${of}
    group by f.agent_id, f.cut, f.value, f.hour`.execute(tx)
  await sql`
    insert into report_ride_company_day (agent_id, cut, value, day, ${sums})
    select f.agent_id, f.cut, f.value, f.day, ${added} from report_ride_company_hour f where ${of}
    group by f.agent_id, f.cut, f.value, f.day`.execute(tx)
}

/** Puts a company's hours into the days of its calendar, which has changed, and makes days and months of them. */
export async function moveRideDays(tx: Tx, agentId: number): Promise<void> {
  await sql`
    update report_ride_hour b set day = n.day
    from (
      select h.ctid as at, report_day(h.hour, c.zone, c.day_starts_at) as day
      from report_ride_hour h left join report_calendar c on c.agent_id = h.agent_id where h.agent_id = ${agentId}
    ) n where b.ctid = n.at and b.day <> n.day`.execute(tx)
  for (const table of ['ride_day', 'ride_month', 'company', 'ride_company_hour', 'ride_company_day']) {
    await sql`delete from ${sql.table(`report_${table}`)} where agent_id = ${agentId}`.execute(tx)
  }
  await makeAllDays(tx, sql`f.agent_id = ${agentId}`)
}
