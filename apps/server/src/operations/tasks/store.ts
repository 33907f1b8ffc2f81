import { sql, type RawBuilder } from 'kysely'
import type { Direction } from '@saddle/contract/list.ts'
import { taskCountMax, type TaskFilter, type taskList } from '@saddle/contract/operations/tasks.ts'
import { unfinishedStates, type TaskStep } from '@saddle/contract/operations/taskWords.ts'
import { metresPerDegree, metresPerDegreeLng, type LatLng } from '@saddle/geo/earth.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, countRow, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { startsWith } from '#kit/db/startsWith.ts'
import { unnest } from '#kit/db/unnest.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { ListQuery, ListRows } from '#kit/list/serveList.ts'
import { joinResult, stepColumns, taskColumns, type TaskRow } from './present.ts'
import type { TaskCursor } from './rules.ts'

export type TaskSearch = {
  readonly scope: Scope
  readonly filter: TaskFilter
  readonly operatorId: number
  readonly now: Date
}

const isUnfinished = (states: TaskFilter['states']): boolean =>
  states !== undefined && states.every((state) => unfinishedStates.some((one) => one === state))

/** Conditions of the filter but for the states, so that each of them can be counted. */
function conditionsOf({ scope, filter, operatorId, now }: TaskSearch): RawBuilder<unknown>[] {
  const found: RawBuilder<unknown>[] = [tenantFilter('t', scope)]
  const any = (column: string, values: readonly (string | number)[] | undefined, type: string): void => {
    if (values !== undefined) found.push(sql`${sql.ref(`t.${column}`)} = any (${values}::${sql.raw(type)}[])`)
  }
  any('kind', filter.kinds, 'text')
  any('source', filter.sources, 'text')
  any('trigger', filter.triggers, 'text')
  any('priority', filter.priorities, 'smallint')
  if (filter.reviews !== undefined) found.push(isReviewed(filter.reviews))
  any('outcome', filter.outcomes, 'text')
  any('area_id', filter.areaIds, 'bigint')
  if (filter.vehicleId !== undefined) found.push(sql`t.vehicle_id = ${filter.vehicleId}`)
  if (filter.keyword !== undefined) {
    const start = startsWith(sql`n.number`, filter.keyword.toUpperCase())
    found.push(sql`t.vehicle_id in (select n.id from vehicle n where ${start} and ${tenantFilter('n', scope)})`)
  }
  if (filter.assigneeId !== undefined) found.push(sql`t.assignee_id = ${filter.assigneeId}`)
  if (filter.mine === true) found.push(sql`t.assignee_id = ${operatorId}`)
  if (filter.person !== undefined) found.push(startsWith(sql`t.person_name`, filter.person))
  if (filter.overdue === true) found.push(sql`t.done_at is null and t.due_at < ${now}`)
  if (filter.from !== undefined) found.push(sql`t.opened_at >= ${new Date(filter.from)}`)
  if (filter.to !== undefined) found.push(sql`t.opened_at < ${new Date(filter.to)}`)
  if (filter.doneFrom !== undefined) found.push(sql`t.done_at >= ${new Date(filter.doneFrom)}`)
  if (filter.doneTo !== undefined) found.push(sql`t.done_at < ${new Date(filter.doneTo)}`)
  return found
}

/** Work without a row needs no review: `none`. Who asks for all of the others at once asks for the rows. */
function isReviewed(reviews: NonNullable<TaskFilter['reviews']>): RawBuilder<unknown> {
  const named = sql`exists (select from task_review e where e.task_id = t.id and e.state = any (${reviews}::text[]))`
  return reviews.includes('none')
    ? sql`(${named} or not exists (select from task_review e where e.task_id = t.id))`
    : named
}

function ofStates(states: TaskFilter['states']): RawBuilder<unknown>[] {
  if (states === undefined) return []
  const named = sql`t.state = any (${states}::text[])`
  // Said in the words of the index of what is not finished.
  return isUnfinished(states) ? [sql`t.done_at is null`, named] : [named]
}

const joined = sql`join vehicle v on v.id = t.vehicle_id join vehicle_status s on s.vehicle_id = t.vehicle_id
  join service_area sa on sa.id = t.area_id ${joinResult}`

type Page = { readonly after: TaskCursor | null; readonly limit: number; readonly direction?: Direction }

/** Tasks of the scope, by id or by urgency: what is due first, what has no time last. */
export function selectTasks(search: TaskSearch, page: Page & { readonly sort: TaskCursor['sort'] }) {
  const { after, limit, sort, direction = sort === 'newest' ? 'desc' : 'asc' } = page
  const where = [...conditionsOf(search), ...ofStates(search.filter.states)]
  const beyond = sql.raw(direction === 'asc' ? '>' : '<')
  if (after?.sort === 'newest') where.push(sql`t.id ${beyond} ${after.id}`)
  if (after?.sort === 'due') {
    const due = after.dueAt === null ? sql`'infinity'::timestamptz` : sql`${new Date(after.dueAt)}::timestamptz`
    where.push(
      sql`(t.priority, coalesce(t.due_at, 'infinity'), t.id) ${beyond} (${after.priority}, ${due}, ${after.id})`,
    )
  }
  const keys = sort === 'newest' ? ['t.id'] : ['t.priority', `coalesce(t.due_at, 'infinity')`, 't.id']
  const order = sql.raw(keys.map((key) => `${key} ${direction}`).join(', '))
  return taskColumns.select`
    from (select t.* from task t where ${sql.join(where, sql` and `)} order by ${order} limit ${limit}) t ${joined}
    order by ${order}`
}

type OfCaller = Pick<TaskSearch, 'operatorId' | 'now'>
type Query = ListQuery<typeof taskList, OfCaller>

/** Stands in a cursor for a task that nobody said a time for. */
const never = 8_640_000_000_000_000

const searchOf = ({ scope, filter, params }: Query): TaskSearch => ({ scope, filter, ...params })

function afterOf({ sort, after }: Query): TaskCursor | null {
  if (after === null) return null
  const [first, dueAt, id] = after.map(Number)
  if (sort === 'opened') return { sort: 'newest', id: first ?? 0 }
  return { sort: 'due', priority: first ?? 0, dueAt: dueAt === never ? null : (dueAt ?? null), id: id ?? 0 }
}

/** The statements of the list: by urgency there is no column to sort by, because a task may have no time. */
export const taskRows: ListRows<typeof taskList, OfCaller, TaskRow> = {
  keys: { opened: ['id'], due: ['whole', 'whole', 'id'] },
  select: (query) => {
    const { sort, direction, limit } = query
    const page = { after: afterOf(query), limit, direction }
    return selectTasks(searchOf(query), { ...page, sort: sort === 'opened' ? 'newest' : 'due' })
  },
  count: (query) => {
    const search = searchOf(query)
    const where = [...conditionsOf(search), ...ofStates(search.filter.states)]
    return countRow.select`
      from (select from task t where ${sql.join(where, sql` and `)} limit ${query.limit}) c`
  },
  cursorOf: ({ id, priority, due_at: dueAt }, sort) =>
    sort === 'opened' ? [id] : [priority, dueAt?.getTime() ?? never, id],
}

/** The nearest ones by where their vehicles are now. */
export function selectNearTasks(search: TaskSearch, { near, limit }: { near: LatLng; limit: number }) {
  const { states } = search.filter
  const where = [...conditionsOf(search), ...ofStates(states ?? [...unfinishedStates])]
  const distance = sql`sqrt(power((coalesce(s.lat, t.from_lat) - ${near.lat}::float8) * ${metresPerDegree}::float8, 2)
    + power((coalesce(s.lng, t.from_lng) - ${near.lng}::float8) * ${metresPerDegreeLng(near.lat)}::float8, 2))`
  return rowsOf(taskColumns, rowOfValues({ distance_m: computed('double precision?', distance) })).select`
    from task t ${joined} where ${sql.join(where, sql` and `)}
    order by distance_m nulls last, t.id limit ${limit}`
}

const stateCountRow = rowsOf(rowOf('task', 'c', ['state']), rowOfValues({ count: computed('integer', sql`c.count`) }))

/** How many tasks of each state meet the other conditions, each counted no farther than it is told. */
export function countTasks(search: TaskSearch) {
  const where = sql.join(conditionsOf(search), sql` and `)
  const ended = (state: string) => sql`
    select ${state}::text as state, count(*)::integer as count from (
      select from task t where ${where} and t.state = ${state}::text limit ${taskCountMax}) c`
  return stateCountRow.select`from (
    select o.state, least(count(*), ${taskCountMax})::integer as count from (
      select t.state from task t where ${where} and t.done_at is null limit ${3 * taskCountMax}) o group by o.state
    union all ${ended('done')} union all ${ended('cancelled')}) c`
}

export function selectTask(scope: Scope, id: number) {
  return taskColumns.select`
    from task t ${joined}
    where t.id = ${id} and ${tenantFilter('t', scope)}`
}

export function selectSteps(scope: Scope, taskId: number) {
  return stepColumns.select`
    from task_step p
    where p.task_id = ${taskId} and ${tenantFilter('p', scope)} order by p.id`
}

const usedPartRow = rowsOf(
  rowOf('repair_part', 'r', ['name', 'unit']),
  rowOf('repair_part_movement', 'm', ['cents']),
  rowOfValues({ pieces: computed('bigint', sql`-m.pieces`) }),
)
export type UsedPart = RowOf<typeof usedPartRow>

/** The task was looked up within the scope; parts belong to companies and not to areas. */
export function selectUsedParts(scope: Scope, taskId: number) {
  return usedPartRow.select`
    from repair_part_movement m join repair_part r on r.id = m.part_id
    where m.task_id = ${taskId} and m.agent_id = any (${scope.agentIds}::bigint[]) order by m.id`
}

const lockedTaskRow = rowsOf(
  rowOf('task', 't', [
    'id',
    'agent_id',
    'area_id',
    'vehicle_id',
    'kind',
    'state',
    'trigger',
    'trigger_detail',
    'assignee_id',
    'person_name',
    'claimed_at',
    'done_at',
  ]),
  rowOf('vehicle', 'v', ['number']),
  rowOf('vehicle_status', 's', ['battery_percent as battery']),
)
export type LockedTask = RowOf<typeof lockedTaskRow>

/** The tasks of the scope with these ids, held until the commit, in the order of their ids. */
export async function lockTasks(tx: Tx, options: { ids: readonly number[]; scope: Scope }): Promise<LockedTask[]> {
  const { ids, scope } = options
  const { rows } = await lockedTaskRow.select`
    from task t join vehicle v on v.id = t.vehicle_id join vehicle_status s on s.vehicle_id = t.vehicle_id
    where t.id = any (${ids}::bigint[]) and ${tenantFilter('t', scope)}
    order by t.id for no key update of t`.execute(tx)
  return rows
}

const reviewRow = rowOf('task_review', ['task_id', 'state'])

/** The reviews of tasks that this transaction holds: whoever else decides on them waits for the tasks. */
export async function readReviews(tx: Tx, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await reviewRow.select`from task_review where task_id = any (${ids}::bigint[])`.execute(tx)
  return new Map(rows.map((row) => [row.task_id, row.state]))
}

export type NewStep = {
  readonly task: { readonly id: number; readonly agent_id: number; readonly area_id: number }
  readonly step: TaskStep
  readonly at: number
  /** Null: the platform itself. */
  readonly by: { readonly operatorId: number; readonly name: string } | null
  readonly place?: LatLng | undefined
  readonly note?: string
  readonly photoIds?: readonly string[]
}

export async function insertSteps(tx: Tx, steps: readonly NewStep[]): Promise<void> {
  const rows = unnest<NewStep>({
    rows: steps,
    alias: 'n',
    columns: {
      task_id: ['bigint', ({ task }) => task.id],
      agent_id: ['bigint', ({ task }) => task.agent_id],
      area_id: ['bigint', ({ task }) => task.area_id],
      step: ['text', ({ step }) => step],
      at: ['timestamptz', ({ at }) => at],
      operator_id: ['bigint', ({ by }) => by?.operatorId ?? null],
      operator_name: ['text', ({ by }) => by?.name ?? null],
      lat: ['double precision', ({ place }) => place?.lat ?? null],
      lng: ['double precision', ({ place }) => place?.lng ?? null],
      note: ['text', ({ note }) => note ?? ''],
      photo_ids: ['text', ({ photoIds }) => `{${(photoIds ?? []).join()}}`],
    },
  })
  await sql`
    insert into task_step (task_id, agent_id, area_id, step, at, operator_id, operator_name, lat, lng, note, photo_ids)
    select n.task_id, n.agent_id, n.area_id, n.step, n.at, n.operator_id, n.operator_name, n.lat, n.lng, n.note,
      n.photo_ids::text[]
    from ${rows}`.execute(tx)
}
