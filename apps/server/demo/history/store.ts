import { sql } from 'kysely'
import { demoVehicleNumber } from '@saddle/contract/demo/city.ts'
import { historyTables, type HistoryManifest, type HistoryTable } from '@saddle/contract/demo/history.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import type { HistoryStreams } from './files.ts'

/** Tables whose rows have ids of their own. */
const numbered = { trip: 'trip', event: 'vehicle_event', alarm: 'vehicle_alarm', task: 'task' } as const
type Numbered = keyof typeof numbered
export type FirstIds = Record<Numbered, number>

const numberedTables = Object.keys(numbered) as Numbered[]

/** The days that were read in, and the ids that were kept free when it began; null before. */
export async function readProgress(
  db: Database,
  endedAt: number,
): Promise<{ firstIds: FirstIds | null; days: ReadonlySet<string> }> {
  const begun = await db.systemRead((k) =>
    k.selectFrom('demo_history').select('first_ids').where('ended_at', '=', new Date(endedAt)).compile(),
  )
  const days = await db.systemRead((k) =>
    k
      .selectFrom('demo_history_day')
      .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'))
      .compile(),
  )
  const firstIds = begun[0]?.first_ids
  return {
    firstIds: firstIds === undefined ? null : (firstIds as FirstIds),
    days: new Set(days.map(({ day }) => day)),
  }
}

/** Keeps ids free for every row of the history and makes the partitions of its days. */
export async function begin(tx: Tx, manifest: HistoryManifest, nowMs: number): Promise<FirstIds> {
  const firstIds: FirstIds = { trip: 0, event: 0, alarm: 0, task: 0 }
  for (const name of numberedTables) {
    const amount = manifest.days.reduce((sum, { rows }) => sum + (rows[name] ?? 0), 0)
    const { rows } = await sql<{ first: number }>`
      select reserve_history_ids(${numbered[name]}, ${amount}) as first`.execute(tx)
    firstIds[name] = rows[0]?.first ?? 0
  }
  const [first, last] = [manifest.days[0]?.day, manifest.days.at(-1)?.day]
  await sql`select ensure_track_segment_days(${first}::date, ${last}::date)`.execute(tx)
  await tx
    .insertInto('demo_history')
    .values({
      ended_at: new Date(manifest.endedAt),
      first_ids: JSON.stringify(firstIds),
      begun_at: new Date(nowMs),
    })
    .execute()
  return firstIds
}

/** The first id of a day: earlier days have lower ids. */
export function idsOfDay(manifest: HistoryManifest, firstIds: FirstIds, day: string): FirstIds {
  const ids = { ...firstIds }
  for (const { day: other, rows } of manifest.days) {
    if (other >= day) break
    for (const name of numberedTables) ids[name] += rows[name] ?? 0
  }
  return ids
}

/** Imports a day and marks it, in the caller's transaction; existing rows are not changed. */
export async function insertDay(
  db: Database,
  tx: Tx,
  options: { streams: HistoryStreams; day: string; firstIds: FirstIds; vehicles: number; nowMs: number },
): Promise<void> {
  const { streams, day, firstIds, vehicles, nowMs } = options
  await sql`set local synchronous_commit = off`.execute(tx)
  await stageVehicles(tx, vehicles)
  for (const name of ['segment', 'trip', 'event', 'alarm', 'task', 'missed'] as const) {
    await stage(db, tx, name, streams)
    await inserts[name](tx, firstIds, nowMs)
  }
  await tx
    .insertInto('demo_history_day')
    .values({ day, imported_at: new Date(nowMs) })
    .execute()
}

/** The vehicle of each index of the demo; a vehicle that does not exist gets no past. */
async function stageVehicles(tx: Tx, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => demoVehicleNumber(index))
  await sql`
    create temp table history_vehicle on commit drop as
    select (n.index - 1)::integer as index, v.id, v.agent_id, v.area_id
    from unnest(${numbers}::text[]) with ordinality as n (number, index) join vehicle v on v.number = n.number`.execute(
    tx,
  )
}

async function stage(db: Database, tx: Tx, name: HistoryTable, streams: HistoryStreams): Promise<void> {
  const columns = Object.entries(historyTables[name])
  const table = sql.id(`history_${name}`)
  const declared = columns.map(([column, type]) => sql`${sql.id(column)} ${sql.raw(type)}`)
  // The rows' own order gives them their ids.
  await sql`
    create temp table ${table} (n bigint generated always as identity (start with 0 minvalue 0), ${sql.join(declared)})
    on commit drop`.execute(tx)
  const stream = streams.get(name)
  if (stream === undefined || stream.rows === 0) return
  const names = columns.map(([column]) => `"${column}"`).join(', ')
  await db.copyIn(tx, {
    sql: `copy "history_${name}" (${names}) from stdin (format binary)`,
    chunks: [stream.bytes],
  })
}

/** Work is reviewed within a day. */
const reviewedAfterMs = dayMs

/** The steps that the tasks of the staged day have gone through, in the order of their time. */
function insertSteps(tx: Tx, ids: FirstIds) {
  const byWorker = (step: string, at: string) => sql`
    select t.id, t.agent_id, t.area_id, ${step}::text as step, t.${sql.raw(at)} as at, t.assignee_id as operator_id,
      t.person_name as operator_name from own t where t.${sql.raw(at)} is not null`
  return sql`
    with own as (
      select t.* from task t where t.id >= ${ids.task}::bigint and t.id < ${ids.task}::bigint + (select count(*) from history_task)
    ), steps as (
      select t.id, t.agent_id, t.area_id, 'opened'::text as step, t.opened_at as at, null::bigint as operator_id,
        null::text as operator_name from own t
      union all ${byWorker('claimed', 'claimed_at')} union all ${byWorker('started', 'on_site_at')}
      union all ${byWorker('done', 'done_at')}
      union all select t.id, t.agent_id, t.area_id, 'approved', e.reviewed_at, e.reviewer_id, e.reviewer_name
        from own t join task_review e on e.task_id = t.id where e.state = 'approved'
    )
    insert into task_step (task_id, agent_id, area_id, step, at, operator_id, operator_name)
    select id, agent_id, area_id, step, at, operator_id, operator_name from steps order by id, at`.execute(tx)
}

const inserts = {
  segment: (tx: Tx) =>
    sql`
      insert into track_segment (
        vehicle_id, agent_id, area_id, kind, started_at, ended_at, start_lat, start_lng, end_lat, end_lng, distance_m,
        battery_start, battery_end, point_count, points)
      select
        v.id, v.agent_id, v.area_id, case when s.moved then 'trip' else 'stay' end, s.started_at, s.ended_at,
        s.start_lat / 1e6, s.start_lng / 1e6, s.end_lat / 1e6, s.end_lng / 1e6, s.distance_m, s.battery_start,
        s.battery_end, s.point_count, s.points
      from history_segment s join history_vehicle v on v.index = s.vehicle
      on conflict do nothing`.execute(tx),
  trip: async (tx: Tx, ids: FirstIds) => {
    await sql`
      insert into trip (
        id, vehicle_id, agent_id, area_id, started_at, ended_at, start_lat, start_lng, end_lat, end_lng, distance_m,
        duration_s, battery_start, battery_end)
      select
        ${ids.trip}::bigint + t.n, v.id, v.agent_id, v.area_id, t.started_at, t.ended_at, t.start_lat / 1e6,
        t.start_lng / 1e6, t.end_lat / 1e6, t.end_lng / 1e6, t.distance_m,
        extract(epoch from t.ended_at - t.started_at)::integer, t.battery_start, t.battery_end
      from history_trip t join history_vehicle v on v.index = t.vehicle
      on conflict do nothing`.execute(tx)
    await sql`
      insert into demo_trip_rider (trip_id, rider)
      select ${ids.trip}::bigint + t.n, t.rider from history_trip t
      on conflict do nothing`.execute(tx)
  },
  event: (tx: Tx, ids: FirstIds) =>
    sql`
      insert into vehicle_event (
        id, vehicle_id, agent_id, area_id, event, from_state, to_state, cause, occurred_at, recorded_at)
      overriding system value
      select
        ${ids.event}::bigint + e.n, v.id, v.agent_id, v.area_id, e.event, e.from_state, e.to_state, e.cause,
        e.occurred_at, e.occurred_at
      from history_event e join history_vehicle v on v.index = e.vehicle`.execute(tx),
  alarm: (tx: Tx, ids: FirstIds) =>
    sql`
      insert into vehicle_alarm (id, vehicle_id, agent_id, area_id, kind, opened_at, last_at, closed_at)
      overriding system value
      select ${ids.alarm}::bigint + a.n, v.id, v.agent_id, v.area_id, a.kind, a.opened_at, a.opened_at, a.closed_at
      from history_alarm a join history_vehicle v on v.index = a.vehicle
      on conflict do nothing`.execute(tx),
  // What a task was due by, paid and found follows from the demo's own settings; its battery and places from the
  // stretches around its end.
  task: async (tx: Tx, ids: FirstIds, nowMs: number) => {
    await sql`
      create temp table history_work on commit drop as
      with around as (
        select t.n,
          (array_agg(s.battery_end order by s.started_at desc) filter (where s.started_at < t.done_at))[1] as was,
          (array_agg(s.battery_start order by s.started_at) filter (where s.started_at >= t.done_at))[1] as is,
          (array_agg(s.end_lat order by s.started_at desc) filter (where s.started_at < t.done_at))[1] / 1e6 as from_lat,
          (array_agg(s.end_lng order by s.started_at desc) filter (where s.started_at < t.done_at))[1] / 1e6 as from_lng,
          (array_agg(s.start_lat order by s.started_at) filter (where s.started_at >= t.done_at))[1] / 1e6 as to_lat,
          (array_agg(s.start_lng order by s.started_at) filter (where s.started_at >= t.done_at))[1] / 1e6 as to_lng
        from history_task t join history_segment s on s.vehicle = t.vehicle
        where t.state = 'done' group by t.n
      ), reason as (
        select agent_id, array_agg(name order by position) as names from repair_reason group by agent_id
      )
      select
        ${ids.task}::bigint + t.n as id, t.n, t.vehicle_id, t.agent_id, t.area_id, t.kind, t.state, t.source, t.opened_at,
        t.claimed_at, t.done_at, t.person_name, t.is_done, t.is_reviewed, t.is_old, o.id as assignee_id,
        case when t.kind = 'battery_swap' then 'low_battery' when t.source = 'rider' then 'fault' end as trigger,
        case when t.is_done then t.claimed_at + (t.done_at - t.claimed_at) * 0.6 end as on_site_at,
        t.opened_at + (w.targets ->> t.kind)::integer * interval '1 minute' as due_at, t.cents as pay_cents,
        b.id as reviewer_id, b.name as reviewer_name, t.number,
        case when t.kind = 'repair' then r.names[1 + (t.n % cardinality(r.names))::integer] end as reason,
        case when t.kind = 'battery_swap' and a.is > a.was then a.was end as battery_before,
        case when t.kind = 'battery_swap' and a.is > a.was then a.is end as battery_after,
        case when t.kind = 'battery_swap' then least(a.was, 20) end as trigger_value,
        a.from_lat, a.from_lng, a.to_lat, a.to_lng
      from (
        select t.*, t.state = 'done' as is_done, v.id as vehicle_id, v.agent_id, v.area_id, n.number,
          coalesce(p.cents, 0) as cents, t.state = 'done' and coalesce(p.reviewed, false) as is_reviewed,
          t.done_at < ${new Date(nowMs - reviewedAfterMs)}::timestamptz as is_old
        from history_task t join history_vehicle v on v.index = t.vehicle join vehicle n on n.id = v.id
          left join task_pay p on p.agent_id = v.agent_id and p.kind = t.kind
      ) t left join around a on a.n = t.n
        left join work_area w on w.area_id = t.area_id
        left join reason r on r.agent_id = t.agent_id
        left join operator o on o.agent_id = t.agent_id and o.name = t.person_name
        left join lateral (
          select d.id, d.name from operator d where d.level = 1
          order by d.agent_id <> t.agent_id, d.id limit 1
        ) b on t.is_reviewed and t.is_old`.execute(tx)
    // Results before their tasks, so that each task is added to the figures of its day once.
    await sql`set constraints task_result_task, task_review_task deferred`.execute(tx)
    await sql`
      insert into task_result (
        task_id, agent_id, area_id, pay_cents, reason, scanned_number, battery_before, battery_after, lat, lng)
      select id, agent_id, area_id, pay_cents, reason, number, battery_before, battery_after, to_lat, to_lng
      from history_work where is_done`.execute(tx)
    await sql`
      insert into task_review (task_id, agent_id, area_id, state, reviewed_at, reviewer_id, reviewer_name)
      select id, agent_id, area_id, case when is_old then 'approved' else 'waiting' end,
        case when is_old then done_at + interval '3 hours' end, reviewer_id, reviewer_name
      from history_work where is_reviewed`.execute(tx)
    await sql`
      insert into task (
        id, vehicle_id, agent_id, area_id, kind, state, source, trigger, opened_at, claimed_at, on_site_at, done_at,
        assignee_id, person_name, due_at, trigger_value, from_lat, from_lng)
      select id, vehicle_id, agent_id, area_id, kind, state, source, trigger, opened_at, claimed_at, on_site_at, done_at,
        assignee_id, person_name, due_at, trigger_value, from_lat, from_lng
      from history_work order by n
      on conflict do nothing`.execute(tx)
    await insertSteps(tx, ids)
  },
  // As riders' apps would have counted them: squares of a two-thousandth of a degree.
  missed: (tx: Tx) =>
    sql`
      insert into demand_search (agent_id, area_id, lat_step, lng_step, hour_at, searches, unmet)
      select v.agent_id, v.area_id, round(m.lat / 1e6 * 2000)::integer as lat_step,
        round(m.lng / 1e6 * 2000)::integer as lng_step, date_trunc('hour', m.at, 'UTC') as hour_at, count(*), count(*)
      from history_missed m join history_vehicle v on v.index = m.vehicle
      group by v.agent_id, v.area_id, lat_step, lng_step, hour_at
      on conflict (area_id, hour_at, lat_step, lng_step) do update
      set searches = demand_search.searches + excluded.searches, unmet = demand_search.unmet + excluded.unmet`.execute(
      tx,
    ),
} as const

/** Sets vehicles to the final state of the history, unless they have reported themselves. Needs the day's tables. */
export async function applyStatus(db: Database, tx: Tx, streams: HistoryStreams): Promise<void> {
  await stage(db, tx, 'status', streams)
  await sql`
    update vehicle v set
      state = h.state, state_before = case when h.state = 'non_contactable' then 'available' end,
      state_changed_at = h.at, last_ride_at = h.last_ride_at
    from history_status h join history_vehicle i on i.index = h.vehicle join vehicle_status s on s.vehicle_id = i.id
    where v.id = i.id and s.facts_at is null`.execute(tx)
  await sql`
    update vehicle_status s set
      version = s.version + 1, lat = h.lat / 1e6, lng = h.lng / 1e6, position_at = h.at,
      battery_percent = h.battery_percent, locked = h.locked, odometer_m = h.odometer_m, facts_at = h.at, heard_at = h.at
    from history_status h join history_vehicle i on i.index = h.vehicle
    where s.vehicle_id = i.id and s.facts_at is null`.execute(tx)
}
