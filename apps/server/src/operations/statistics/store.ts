import { sql, type RawBuilder } from 'kysely'
import {
  repeatDays,
  spreadMinutes,
  workGroupsMax,
  type WorkListFilter,
} from '@saddle/contract/operations/statistics.ts'
import type { TaskKind } from '@saddle/contract/operations/taskWords.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { startsWith } from '#kit/db/startsWith.ts'
import { computed, countRow, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { within } from '#kit/db/within.ts'
import { joinResult } from '../tasks/present.ts'
import type { Span, WorkCursor } from './rules.ts'

export type Work = {
  readonly kinds: readonly TaskKind[]
  readonly span: Span
  readonly areaIds: readonly number[]
  readonly persons: readonly string[] | undefined
  readonly scope: Scope
}

export type SumRow = {
  is_before: boolean
  /** Which of day, person, area and kind the row is of; none: the whole. */
  part: 'total' | 'day' | 'person' | 'area' | 'kind'
  name: string
  area_id: number | null
  done: number
  cancelled: number
  due: number
  on_time: number
  rejected: number
  with_photo: number
  wait_seconds: number
  work_seconds: number
  pay_cents: number
  parts_cents: number
  measured: number
  battery_before: number
  battery_after: number
  persons: number
  person_days: number
  spread: number[]
}

const total = (column: string) => sql`sum(w.${sql.ref(column)})::bigint as ${sql.ref(column)}`
const counted = ['done', 'cancelled', 'due', 'on_time', 'rejected', 'with_photo', 'wait_seconds', 'work_seconds']
const names = [...counted, 'pay_cents', 'parts_cents', 'measured', 'battery_before', 'battery_after']
const summed = names.map(total)
const columns = names.map((name) => sql.ref(`w.${name}`))
const spread = sql.join([1, ...spreadMinutes].map((_, index) => sql`sum(w.spread[${sql.lit(index + 1)}])`))

/**
 * The span and the one before it in one pass: the whole, and by day, person, area and kind. People are numbered first:
 * to tell numbers apart costs a hundredth of telling names apart, and there are as many sorts as there are parts.
 */
export function selectWorkSums({ kinds, span, areaIds, persons, scope }: Work) {
  const named = persons === undefined ? sql`` : sql`and w.person_name = any (${persons}::text[])`
  return sql<SumRow>`
    select g.*, case g.part when 'area' then sa.name else g.label end as name from (
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

const hourRow = rowOfValues({
  hour: computed('integer', sql`extract(hour from t.done_at at time zone 'Asia/Shanghai')`),
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
type Counted = RowOf<typeof countedRow>

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
const cameBack = sql`exists (
  select from task p where p.vehicle_id = t.vehicle_id and p.kind = 'repair' and p.state = 'done' and p.id <> t.id
    and p.done_at <= t.opened_at and p.done_at > t.opened_at - ${sql.lit(repeatDays)} * interval '1 day')`

export function selectRepeats(work: Work) {
  return countRow.select`from task t where ${isOf(work)} and ${cameBack}`
}

export function selectFaults({ span, areaIds, scope }: Work) {
  return sql<Counted>`
    select f.reason as name, count(*) as count from fault_report f
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

export type MoveRow = {
  area_id: number
  to_name: string
  from_lat: number | null
  from_lng: number | null
  to_lat: number | null
  to_lng: number | null
  is_settled: boolean
  rides: number
}

/** Moves that one picture is made of. */
export const movesMax = 20_000

/**
 * Whence, where, and what was ridden in the day after. A move that tells no places went from where the last ride before
 * it ended to where the next one began.
 */
export function selectMoves(work: Work & { readonly settledBefore: Date }) {
  return sql<MoveRow>`
    select t.area_id, t.to_name, coalesce(t.from_lat, b.end_lat) as from_lat, coalesce(t.from_lng, b.end_lng) as from_lng,
      coalesce(o.lat, t.to_lat, n.start_lat) as to_lat, coalesce(o.lng, t.to_lng, n.start_lng) as to_lng,
      t.done_at <= ${work.settledBefore} as is_settled, coalesce(n.rides, 0) as rides
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

const taskRow = rowsOf(
  rowOf('task', 't', [
    'id',
    'kind',
    'source',
    'vehicle_id',
    'area_id',
    'person_name',
    'opened_at',
    'claimed_at',
    'done_at',
    'due_at',
    'to_name',
  ]).filled('done_at'),
  rowOf('task_result', 'r', [
    'battery_before',
    'battery_after',
    'reason',
    'lat as done_lat',
    'lng as done_lng',
  ]).optional(),
  rowOf('vehicle', 'v', ['number']),
  rowOf('service_area', 'sa', ['name as area_name']),
  rowOfValues({
    done_note: computed('text', sql`coalesce(r.note, '')`),
    photos: computed('bigint', sql`coalesce(cardinality(r.photo_ids), 0)`),
    pay_cents: computed('bigint', sql`coalesce(r.pay_cents, 0)`),
    parts_cents: computed('bigint', sql`coalesce(r.parts_cents, 0)`),
    review: computed('text', sql`coalesce(e.state, 'none')`),
  }),
)
export type TaskRow = RowOf<typeof taskRow>

export type WorkList = Work & { readonly filter: WorkListFilter }

function narrowed({ filter }: WorkList): RawBuilder<unknown> {
  const { spread: part, reason, isLate, isRejected, withPhoto, isRepeat, keyword } = filter
  const lower = part === undefined || part === 0 ? null : (spreadMinutes[part - 1] ?? null)
  const upper = part === undefined ? null : (spreadMinutes[part] ?? null)
  const lasted = sql`extract(epoch from t.done_at - t.opened_at)`
  return sql.join(
    [
      sql``,
      ...(lower === null ? [] : [sql`and ${lasted} >= ${lower * 60}`]),
      ...(upper === null ? [] : [sql`and ${lasted} < ${upper * 60}`]),
      ...(reason === undefined ? [] : [sql`and r.reason = ${reason}`]),
      ...(isLate === true ? [sql`and t.done_at > t.due_at`] : []),
      ...(isRejected === true ? [sql`and e.state = 'rejected'`] : []),
      ...(withPhoto === undefined ? [] : [sql`and (coalesce(cardinality(r.photo_ids), 0) > 0) = ${withPhoto}`]),
      ...(isRepeat === true ? [sql`and ${cameBack}`] : []),
      ...(keyword === undefined ? [] : [sql`and ${startsWith(sql`v.number`, keyword.toUpperCase())}`]),
    ],
    sql` `,
  )
}

/** What the conditions of the filter look at beside the task. */
function judgedBy({ keyword, reason, isRejected, withPhoto }: WorkListFilter): RawBuilder<unknown> {
  const named = keyword === undefined ? sql`` : sql`join vehicle v on v.id = t.vehicle_id`
  const ofResult = reason === undefined && isRejected !== true && withPhoto === undefined ? sql`` : joinResult
  return sql`${named} ${ofResult}`
}

/** Newest first. The page is cut before results and names are joined, so that they are looked up for its rows only. */
export function selectTasks(list: WorkList & { readonly after: WorkCursor | null; readonly limit: number }) {
  const { after, limit, filter } = list
  const beyond = after === null ? sql`` : sql`and (t.done_at, t.id) < (${new Date(after.doneAt)}, ${after.id})`
  return taskRow.select`
    from (
      select t.* from task t ${judgedBy(filter)} where ${isOf(list)} ${narrowed(list)} ${beyond}
      order by t.done_at desc, t.id desc limit ${limit}
    ) t join vehicle v on v.id = t.vehicle_id join service_area sa on sa.id = t.area_id ${joinResult}
    order by t.done_at desc, t.id desc`
}

export function countTasks(list: WorkList & { readonly limit: number }) {
  return countRow.select`
    from (select from task t ${judgedBy(list.filter)} where ${isOf(list)} ${narrowed(list)} limit ${list.limit}) c`
}

const photosRow = rowOfValues({ photo_ids: computed('text[]', sql`coalesce(r.photo_ids, '{}')`) })

export function selectPhotoIds({ id, kinds, scope }: Pick<Work, 'kinds' | 'scope'> & { readonly id: number }) {
  return photosRow.select`
    from task t left join task_result r on r.task_id = t.id
    where t.id = ${id} and t.kind = any (${kinds}::text[]) and t.state = 'done' and ${within('t', scope)}`
}
