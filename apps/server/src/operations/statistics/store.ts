import { sql, type RawBuilder } from 'kysely'
import { workGroupsMax } from '@saddle/contract/operations/statistics/span.ts'
import { repeatDays, spreadMinutes } from '@saddle/contract/operations/statistics/work.ts'
import type { TaskKind } from '@saddle/contract/operations/taskWords.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { computed, countRow, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { joinResult } from '../tasks/present.ts'
import { countsOf } from './counts.ts'
import type { Span } from './span.ts'

export type Work = {
  readonly kinds: readonly TaskKind[]
  readonly span: Span
  readonly areaIds: readonly number[]
  readonly persons: readonly string[] | undefined
  readonly scope: Scope
}

const total = (column: string) => sql`sum(w.${sql.ref(column)})::bigint as ${sql.ref(column)}`
const summedNames = [
  'done',
  'cancelled',
  'due',
  'on_time',
  'rejected',
  'with_photo',
  'wait_seconds',
  'work_seconds',
  'pay_cents',
  'parts_cents',
  'measured',
  'battery_before',
  'battery_after',
] as const
const summed = summedNames.map(total)
const columns = summedNames.map((name) => sql.ref(`w.${name}`))
const spread = sql.join([1, ...spreadMinutes].map((_, index) => sql`sum(w.spread[${sql.lit(index + 1)}])`))

export const sumColumns = countsOf('g', [...summedNames, 'persons', 'person_days'])
const sumRow = rowsOf(
  rowOfValues({
    is_before: computed('boolean', sql`g.is_before`),
    /** Which of day, person, area and kind the row is of; none: the whole. */
    part: computed('text', sql`g.part`),
    name: computed('text', sql`case g.part when 'area' then sa.name else g.label end`),
    area_id: computed('bigint?', sql`g.area_id`),
    spread: computed('bigint[]', sql`g.spread`),
  }).codes({ part: ['total', 'day', 'person', 'area', 'kind'] }),
  sumColumns,
)
export type SumRow = RowOf<typeof sumRow>

/**
 * The span and the one before it in one pass: the whole, and by day, person, area and kind. People are numbered first:
 * to tell numbers apart costs a hundredth of telling names apart, and there are as many sorts as there are parts.
 */
export function selectWorkSums({ kinds, span, areaIds, persons, scope }: Work) {
  const named = persons === undefined ? sql`` : sql`and w.person_name = any (${persons}::text[])`
  return sumRow.select`
    from (
      select w.is_before,
        case when grouping(w.day) = 0 then 'day' when grouping(w.person) = 0 then 'person'
          when grouping(w.area_id) = 0 then 'area' when grouping(w.kind) = 0 then 'kind' else 'total' end as part,
        case when grouping(w.day) = 0 then to_char(w.day, 'YYYY-MM-DD')
          when grouping(w.person) = 0 then min(w.person_name) else coalesce(w.kind, '') end as label,
        w.area_id, ${sql.join(summed)},
        count(distinct w.person) filter (where w.done > 0 and w.person_name <> '') as persons,
        count(distinct w.person_day) filter (where w.done > 0 and w.person_name <> '') as person_days,
        array[${spread}]::integer[] as spread
      from (
        select p.*, p.person * 100000 + (p.day - date '2000-01-01') as person_day from (
          select w.area_id, w.kind collate "C" as kind, w.day, w.person_name collate "C" as person_name,
            w.day < ${span.from}::date as is_before, ${sql.join(columns)}, w.spread,
            dense_rank() over (order by w.person_id, w.person_name collate "C") as person
          from (
            select w.* from work_day w
            where w.area_id = any (${areaIds}::bigint[]) and w.agent_id = any (${scope.agentIds}::bigint[])
              and w.kind = any (${kinds}::text[]) and w.day between ${span.beforeFrom}::date and ${span.to}::date
              and w.day is distinct from ${span.cutDay}::date
            ${span.cutDay === null ? sql`` : sql`union all ${partOfDay({ kinds, span, areaIds, scope })}`}
          ) w
          where w.done + w.cancelled > 0 ${named}
        ) p
      ) w
      group by grouping sets ((w.is_before), (w.is_before, w.day), (w.is_before, w.person), (w.is_before, w.area_id),
        (w.is_before, w.kind))
    ) g left join service_area sa on sa.id = g.area_id and g.part = 'area'
    order by g.part, g.label collate "C", g.done desc`
}

/** The same of a day of which only a part counts: its sums are made anew from the tasks. */
function partOfDay({ kinds, span, areaIds, scope }: Pick<Work, 'kinds' | 'span' | 'areaIds' | 'scope'>) {
  return sql`
    select (d.made).* from (
      select work_day_of(t, r, e) as made from task t ${joinResult}
      where t.area_id = any (${areaIds}::bigint[]) and t.agent_id = any (${scope.agentIds}::bigint[])
        and t.kind = any (${kinds}::text[]) and t.done_at >= ${new Date(span.start.getTime() - dayMs)}
        and t.done_at < ${span.beforeEnd} offset 0
    ) d`
}

/** The condition that a finished task belongs to what is asked for. */
function isOf({ kinds, span, areaIds, persons, scope }: Work): RawBuilder<unknown> {
  const named = persons === undefined ? sql`` : sql`and t.person_name = any (${persons}::text[])`
  return sql`t.area_id = any (${areaIds}::bigint[]) and t.agent_id = any (${scope.agentIds}::bigint[])
    and t.kind = any (${kinds}::text[]) and t.state = 'done' and t.done_at >= ${span.start} and t.done_at < ${span.end}
    ${named}`
}

/** The hour of the business day in which a task was finished. */
export const hourOfDone = sql`extract(hour from t.done_at at time zone 'Asia/Shanghai')`

const hourRow = rowOfValues({
  hour: computed('integer', hourOfDone),
  count: computed('bigint', sql`count(*)`),
})

export function selectHours(work: Work) {
  return hourRow.select`
    from task t where ${isOf(work)} group by 1`
}

const countedRow = rowOfValues({
  name: computed('text', sql`coalesce(r.reason, '')`),
  count: computed('bigint', sql`count(*)`),
})

export function selectReasons(work: Work) {
  return countedRow.select`
    from task t left join task_result r on r.task_id = t.id where ${isOf(work)}
    group by 1 order by 2 desc, 1 limit ${workGroupsMax}`
}

const repairPartRow = rowsOf(
  rowOf('repair_part', 'p', ['name', 'unit']),
  rowOfValues({
    pieces: computed('bigint', sql`-sum(m.pieces)::bigint`),
    cents: computed('bigint', sql`abs(sum(m.cents))`),
  }),
)

export function selectParts(work: Work) {
  return repairPartRow.select`
    from task t join repair_part_movement m on m.task_id = t.id join repair_part p on p.id = m.part_id
    where ${isOf(work)} group by p.name, p.unit having sum(m.pieces) <> 0 order by 3 desc, 1 limit ${workGroupsMax}`
}

/** Somebody had repaired the same vehicle only days before it was reported again. */
export const cameBack = sql`exists (
  select from task p where p.vehicle_id = t.vehicle_id and p.kind = 'repair' and p.state = 'done' and p.id <> t.id
    and p.done_at <= t.opened_at and p.done_at > t.opened_at - ${sql.lit(repeatDays)} * interval '1 day')`

export function selectRepeats(work: Work) {
  return countRow.select`from task t where ${isOf(work)} and ${cameBack}`
}

const faultRow = rowsOf(
  rowOf('fault_report', 'f', ['reason as name']),
  rowOfValues({ count: computed('bigint', sql`count(*)`) }),
)

export function selectFaults({ span, areaIds, scope }: Work) {
  return faultRow.select`
    from fault_report f
    where f.source = 'inspection' and f.reported_at >= ${span.start} and f.reported_at < ${span.end}
      and f.area_id = any (${areaIds}::bigint[]) and f.agent_id = any (${scope.agentIds}::bigint[])
    group by 1 order by 2 desc, 1 limit ${workGroupsMax}`
}

export function selectRepairsFound({ span, areaIds, scope }: Work) {
  return countRow.select`
    from task t
    where t.kind = 'repair' and t.source = 'inspection' and t.opened_at >= ${span.start} and t.opened_at < ${span.end}
      and t.area_id = any (${areaIds}::bigint[]) and t.agent_id = any (${scope.agentIds}::bigint[])`
}

const moveRow = rowsOf(
  rowOf('task', 't', ['area_id', 'to_name']),
  rowOfValues({
    from_lat: computed('double precision?', sql`coalesce(t.from_lat, b.end_lat)`),
    from_lng: computed('double precision?', sql`coalesce(t.from_lng, b.end_lng)`),
    to_lat: computed('double precision?', sql`coalesce(o.lat, t.to_lat, n.start_lat)`),
    to_lng: computed('double precision?', sql`coalesce(o.lng, t.to_lng, n.start_lng)`),
    done_at: computed('timestamptz', sql`t.done_at`),
    rides: computed('bigint', sql`coalesce(n.rides, 0)`),
  }),
)
export type MoveRow = RowOf<typeof moveRow>

/** Moves that one picture is made of. */
export const movesMax = 20_000

/**
 * Whence, where, and what was ridden in the day after. A move that tells no places went from where the last ride before
 * it ended to where the next one began.
 */
export function selectMoves(work: Work) {
  return moveRow.select`
    from (select t.* from task t where ${isOf(work)} order by t.done_at desc limit ${movesMax}) t
    left join task_result o on o.task_id = t.id
    left join lateral (
      select r.end_lat, r.end_lng from trip r
      where r.vehicle_id = t.vehicle_id and r.started_at < coalesce(t.claimed_at, t.done_at)
      order by r.started_at desc limit 1
    ) b on t.from_lat is null
    left join lateral (
      select (array_agg(r.start_lat order by r.started_at))[1] as start_lat,
        (array_agg(r.start_lng order by r.started_at))[1] as start_lng, count(*) as rides
      from trip r
      where r.vehicle_id = t.vehicle_id and r.started_at >= t.done_at and r.started_at < t.done_at + interval '1 day'
    ) n on true`
}

const photosRow = rowOfValues({ photo_ids: computed('text[]', sql`coalesce(r.photo_ids, '{}')`) })

export function selectPhotoIds({ id, kinds, scope }: Pick<Work, 'kinds' | 'scope'> & { readonly id: number }) {
  return photosRow.select`
    from task t left join task_result r on r.task_id = t.id
    where t.id = ${id} and t.kind = any (${kinds}::text[]) and t.state = 'done' and ${tenantFilter('t', scope)}`
}
