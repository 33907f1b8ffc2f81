import { sql } from 'kysely'
import type { AdoptedPlan } from '@saddle/contract/operations/rebalancing.ts'
import { hourMs } from '@saddle/contract/time.ts'
import type { Scope } from '#kit/db/scope.ts'
import { within } from '#kit/db/within.ts'
import { csvLine, businessTime } from '#kit/csv.ts'

export type PlanRow = {
  id: number
  area_id: number
  area_name: string
  made_at: Date
  author_name: string
  hours: number
  minutes: number
  distance_m: number
  expected_gain: number
  planned: number
  done: number
  cancelled: number
  open: number
  last_done_at: Date | null
  carried_rides: number
  left_vehicles: number
  left_rides: number
}

export type PlansAsked = {
  readonly areaId?: number | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly cursor?: number | undefined
  readonly limit: number
}

/** Plans of the scope with what became of their vehicles: rides within the plan's hours, from when each was free to ride. */
export function selectPlans(scope: Scope, { areaId, from, to, cursor, limit }: PlansAsked) {
  const wanted = [
    within('p', scope),
    ...(areaId === undefined ? [] : [sql<boolean>`p.area_id = ${areaId}`]),
    ...(from === undefined ? [] : [sql<boolean>`p.made_at >= ${new Date(from)}`]),
    ...(to === undefined ? [] : [sql<boolean>`p.made_at < ${new Date(to)}`]),
    ...(cursor === undefined ? [] : [sql<boolean>`p.id < ${cursor}`]),
  ]
  return sql<PlanRow>`
    select p.id, p.area_id, a.name as area_name, p.made_at, p.author_name, p.hours, p.minutes, p.distance_m,
      p.expected_gain, f.*
    from (
      select * from rebalance_plan p where ${sql.join(wanted, sql` and `)} order by p.id desc limit ${limit}
    ) p
    join service_area a on a.id = p.area_id
    cross join lateral (
      select
        count(v.task_id)::integer as planned,
        count(*) filter (where t.state = 'done')::integer as done,
        count(*) filter (where t.state = 'cancelled')::integer as cancelled,
        count(*) filter (where t.id is not null and t.done_at is null)::integer as open,
        max(t.done_at) filter (where t.state = 'done') as last_done_at,
        coalesce(sum(r.rides) filter (where t.state = 'done'), 0)::integer as carried_rides,
        count(*) filter (where v.task_id is null)::integer as left_vehicles,
        coalesce(sum(r.rides) filter (where v.task_id is null), 0)::integer as left_rides
      from rebalance_vehicle v
      left join task t on t.id = v.task_id and t.agent_id = v.agent_id and t.area_id = v.area_id
      cross join lateral (select case when v.task_id is null then p.made_at else t.done_at end as at) s
      cross join lateral (
        select count(*) as rides from trip
        where trip.vehicle_id = v.vehicle_id and trip.agent_id = v.agent_id and trip.started_at >= s.at
          and trip.started_at < s.at + p.hours * interval '1 hour'
      ) r
      where v.plan_id = p.id and ${within('v', scope)}
    ) f
    order by p.id desc`
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

const columns: readonly (readonly [title: string, value: (plan: AdoptedPlan) => string | number | null])[] = [
  ['方案编号', (plan) => plan.id],
  ['服务区', (plan) => plan.areaName],
  ['采用时间', (plan) => businessTime(plan.madeAt)],
  ['采用人', (plan) => plan.authorName],
  ['展望(小时)', (plan) => plan.hours],
  ['计划车辆', (plan) => plan.planned],
  ['已完成', (plan) => plan.done],
  ['已取消', (plan) => plan.cancelled],
  ['预计挽回(次)', (plan) => Math.round(plan.expectedGain * 10) / 10],
  ['调走车辆骑行(次)', (plan) => plan.carried.rides],
  ['对照车辆', (plan) => plan.left.vehicles],
  ['对照车辆骑行(次)', (plan) => plan.left.rides],
  ['实际多出(次)', (plan) => (plan.brought === null ? null : Math.round(plan.brought * 10) / 10)],
  ['是否已结束', (plan) => (plan.isOver ? '是' : '否')],
]
export const planCsvTitles = columns.map(([title]) => title)
export const planCsvRow = (plan: AdoptedPlan): string => csvLine(columns.map(([, value]) => value(plan)))
