import { sql } from 'kysely'
import type { AdoptedPlan, FiledPlan, planList } from '@saddle/contract/operations/rebalancing.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { computed, countRow, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { ListQuery, ListRows } from '#kit/list/serveList.ts'

const planColumns = rowsOf(
  rowOf('rebalance_plan', 'p', [
    'id',
    'area_id',
    'made_at',
    'author_name',
    'hours',
    'minutes',
    'distance_m',
    'expected_gain',
  ]),
  rowOf('service_area', 'a', ['name as area_name']),
  rowOfValues({
    planned: computed('integer', sql`f.planned`),
    done: computed('integer', sql`f.done`),
    cancelled: computed('integer', sql`f.cancelled`),
    open: computed('integer', sql`f.open`),
    last_done_at: computed('timestamptz?', sql`f.last_done_at`),
    carried_rides: computed('integer', sql`f.carried_rides`),
    left_vehicles: computed('integer', sql`f.left_vehicles`),
    left_rides: computed('integer', sql`f.left_rides`),
  }),
)
type PlanRow = RowOf<typeof planColumns>
type Query = ListQuery<typeof planList, unknown>

function whereOf({ scope, filter: { areaId, from, to }, after, direction }: Query) {
  const [id] = after ?? []
  return [
    tenantFilter('p', scope),
    ...(areaId === undefined ? [] : [sql<boolean>`p.area_id = ${areaId}`]),
    ...(from === undefined ? [] : [sql<boolean>`p.made_at >= ${new Date(from)}`]),
    ...(to === undefined ? [] : [sql<boolean>`p.made_at < ${new Date(to)}`]),
    ...(id === undefined ? [] : [sql<boolean>`p.id ${sql.raw(direction === 'asc' ? '>' : '<')} ${id}`]),
  ]
}

/**
 * Plans of the scope with what became of their vehicles: rides within the plan's hours, from when each was free to ride.
 * They are numbered in the order of their adoption.
 */
export const planRows: ListRows<typeof planList, unknown, PlanRow> = {
  keys: { made: ['id'] },
  cursorOf: ({ id }) => [id],
  count: (query) => countRow.select`
    from (select from rebalance_plan p where ${sql.join(whereOf(query), sql` and `)} limit ${query.limit}) c`,
  select: (query) => {
    const { scope, direction, limit } = query
    const order = sql.raw(`p.id ${direction}`)
    return planColumns.select`
    from (
      select * from rebalance_plan p where ${sql.join(whereOf(query), sql` and `)} order by ${order} limit ${limit}
    ) p
    join service_area a on a.id = p.area_id
    cross join lateral (
      select
        count(v.task_id) as planned,
        count(*) filter (where t.state = 'done') as done,
        count(*) filter (where t.state = 'cancelled') as cancelled,
        count(*) filter (where t.id is not null and t.done_at is null) as open,
        max(t.done_at) filter (where t.state = 'done') as last_done_at,
        coalesce(sum(r.rides) filter (where t.state = 'done'), 0) as carried_rides,
        count(*) filter (where v.task_id is null) as left_vehicles,
        coalesce(sum(r.rides) filter (where v.task_id is null), 0) as left_rides
      from rebalance_vehicle v
      left join task t on t.id = v.task_id and t.agent_id = v.agent_id and t.area_id = v.area_id
      cross join lateral (select case when v.task_id is null then p.made_at else t.done_at end as at) s
      cross join lateral (
        select count(*) as rides from trip
        where trip.vehicle_id = v.vehicle_id and trip.agent_id = v.agent_id and trip.started_at >= s.at
          and trip.started_at < s.at + p.hours * interval '1 hour'
      ) r
      where v.plan_id = p.id and ${tenantFilter('v', scope)}
    ) f
    order by ${order}`
  },
}

export function adoptedOf(row: PlanRow, nowMs: number): AdoptedPlan {
  const { done, carried_rides: rides, left_vehicles: leftVehicles, left_rides: leftRides } = row
  const endsAt = (row.last_done_at?.getTime() ?? row.made_at.getTime()) + row.hours * hourMs
  return {
    id: row.id,
    areaId: row.area_id,
    areaName: row.area_name,
    madeAt: row.made_at.getTime(),
    authorName: row.author_name,
    hours: row.hours,
    minutes: row.minutes,
    distanceM: row.distance_m,
    planned: row.planned,
    done,
    cancelled: row.cancelled,
    expectedGain: row.expected_gain,
    carried: { vehicles: done, rides },
    left: { vehicles: leftVehicles, rides: leftRides },
    brought: done === 0 || leftVehicles === 0 ? null : rides - (done * leftRides) / leftVehicles,
    isOver: row.open === 0 && endsAt <= nowMs,
  }
}

const tenth = (value: number): number => Math.round(value * 10) / 10

/** What a file tells of a plan. */
export const filedOf = (plan: AdoptedPlan): FiledPlan => ({
  ...plan,
  expectedGain: tenth(plan.expectedGain),
  brought: plan.brought === null ? null : tenth(plan.brought),
  carriedRides: plan.carried.rides,
  leftVehicles: plan.left.vehicles,
  leftRides: plan.left.rides,
})
