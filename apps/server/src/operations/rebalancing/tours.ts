import { sql } from 'kysely'
import { z } from 'zod'
import { keptStopSchema, toursMax, type KeptStop, type Tour } from '@saddle/contract/operations/rebalancing.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { Kit } from '#kit/kit.ts'
import type { Choice } from './choose.ts'
import type { Route } from './route.ts'
import type { AreaTown } from './town.ts'

/** The van's stops with the vehicles of each: what is taken at one is left at a later one, in the order of the moves. */
export function stopsOf(options: {
  readonly area: Pick<AreaTown, 'places'>
  readonly chosen: Pick<Choice, 'moves'>
  readonly route: Pick<Route, 'stops'>
  /** Vehicles that got a task; another one has work of the kind already. */
  readonly carried: ReadonlySet<number>
}): KeptStop[] {
  const { area, chosen, route, carried } = options
  const [taken, left] = [new Map<number, number[]>(), new Map<number, number[]>()]
  const add = (to: Map<number, number[]>, place: number, ids: readonly number[]): void => {
    to.set(place, [...(to.get(place) ?? []), ...ids])
  }
  for (const move of chosen.moves) {
    const ids = move.carried.filter((id) => carried.has(id))
    add(taken, move.from, ids)
    add(left, move.to, ids)
  }
  return route.stops.flatMap(({ place, load }) => {
    const found = area.places[place]
    const vehicleIds = (load > 0 ? taken : left).get(place)?.splice(0, Math.abs(load)) ?? []
    if (found === undefined || vehicleIds.length === 0) return []
    const { id, name, lat, lng } = found
    return [{ fenceId: id, name, lat, lng, load: load > 0 ? vehicleIds.length : -vehicleIds.length, vehicleIds }]
  })
}

const tourRow = rowsOf(
  rowOf('rebalance_plan', 'p', ['id', 'made_at', 'minutes', 'distance_m', 'assignee_id', 'assignee_name']),
  rowOf('service_area', 'a', ['name as area_name']),
  rowOfValues({
    stops: computed('jsonb', sql`p.stops`),
    vehicles: computed('jsonb', sql`f.vehicles`),
    unfinished: computed('integer', sql`f.unfinished`),
  }),
)
const vehiclesSchema = z.array(
  z.object({ vehicleId: z.number(), taskId: z.number(), number: z.string(), state: z.string() }),
)

/** Tours of the scope, the newest first: of one person those that are not finished, otherwise whosever. */
export async function readTours(kit: Pick<Kit, 'db'>, scope: Scope, operatorId: number | null): Promise<Tour[]> {
  const own = operatorId === null ? sql`true` : sql`p.assignee_id = ${operatorId} and f.unfinished > 0`
  const query = tourRow.select`
    from rebalance_plan p join service_area a on a.id = p.area_id
    cross join lateral (
      select count(*) filter (where t.done_at is null) as unfinished,
        coalesce(jsonb_agg(jsonb_build_object(
          'vehicleId', v.vehicle_id, 'taskId', t.id, 'number', n.number, 'state', t.state)), '[]'::jsonb) as vehicles
      from rebalance_vehicle v join task t on t.id = v.task_id and t.agent_id = v.agent_id
      join vehicle n on n.id = v.vehicle_id
      where v.plan_id = p.id and ${tenantFilter('v', scope)}
    ) f
    where p.assignee_id is not null and ${tenantFilter('p', scope)} and ${own}
    order by p.id desc limit ${toursMax}`
  const rows = await kit.db.read(scope, (k) => query.compile(k))
  return rows.map((row) => {
    const vehicles = new Map(vehiclesSchema.parse(row.vehicles).map((one) => [one.vehicleId, one]))
    return {
      id: row.id,
      areaName: row.area_name,
      madeAt: row.made_at.getTime(),
      assigneeId: row.assignee_id ?? 0,
      assigneeName: row.assignee_name ?? '',
      distanceM: row.distance_m,
      minutes: row.minutes,
      unfinished: row.unfinished,
      stops: z
        .array(keptStopSchema)
        .parse(row.stops)
        .map((stop) => shownStop(stop, vehicles)),
    }
  })
}

type Carried = z.output<typeof vehiclesSchema>[number]

function shownStop(
  { fenceId, name, lat, lng, load, vehicleIds }: KeptStop,
  known: ReadonlyMap<number, Carried>,
): Tour['stops'][number] {
  const vehicles = vehicleIds.flatMap((id) => {
    const found = known.get(id)
    if (found === undefined) return []
    const { taskId, number, state } = found
    const isOver = state === 'done' || state === 'cancelled'
    return [{ taskId, number, isDone: isOver || (load > 0 && state === 'on_site') }]
  })
  return { fenceId, name, lat, lng, load, vehicles }
}
