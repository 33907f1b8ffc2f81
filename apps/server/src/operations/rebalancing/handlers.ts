import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import {
  planFields,
  planList,
  type MovePlan,
  type planAskSchema,
  type rebalancingEndpoints,
} from '@saddle/contract/operations/rebalancing.ts'
import type { z } from 'zod'
import { businessOffsetMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import type { Geography } from '#geography/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { unnest } from '#kit/db/unnest.ts'
import type { Kit } from '#kit/kit.ts'
import { serveList } from '#kit/list/serveList.ts'
import { demandOf } from '../demand/cells.ts'
import { hourOfWeek } from '../demand/forecast.ts'
import { createNearHandlers } from '../demand/near.ts'
import { createSeen } from '../demand/seen.ts'
import { assignNew } from '../tasks/assign.ts'
import { openTasks, type Opened } from '../tasks/open.ts'
import { byCaller } from '../tasks/parts.ts'
import { adoptedOf, filedOf, planRows } from './adopted.ts'
import { choose, type Choice } from './choose.ts'
import { makePlan, minutesOf } from './plan.ts'
import { planRoute, type Route } from './route.ts'
import { readTours, stopsOf } from './tours.ts'
import { findArea, readTown, type AreaTown, type TownParts } from './town.ts'

type Parts = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>
  readonly audit: Audit
  readonly geography: Pick<Geography, 'current'>
}
type Ask = z.output<typeof planAskSchema>

/** Where vehicles will be wanted, what to carry there, and what that brought. */
export function createRebalancingHandlers(parts: Parts): Handlers<typeof rebalancingEndpoints> {
  const { kit } = parts
  const town: TownParts = { ...parts, seen: createSeen(kit) }
  const plans = serveList(parts, planList, {
    name: 'rebalancing',
    rows: planRows,
    present: (row) => adoptedOf(row, kit.clock.now()),
    file: {
      action: 'rebalancing.export',
      fields: planFields,
      present: (row) => filedOf(adoptedOf(row, kit.clock.now())),
    },
  })
  return {
    ...createNearHandlers(parts),

    demandCells: async ({ areaId, hour = hourOfWeek(kit.clock.now(), businessOffsetMs) }, { scope }) => {
      await findArea(kit, scope, areaId)
      const seen = await town.seen(scope, areaId)
      return { suc: true, data: { hour, weeks: seen.weeks, ...demandOf(seen, hour) } }
    },

    planMoves: async (ask, { scope }) => {
      const area = await readTown(town, scope, ask)
      return { suc: true, data: planOf(area, ask, kit.clock.now()) }
    },

    adoptPlan: async ({ moves, assigneeId, ...ask }, call) => {
      const area = await readTown(town, call.scope, ask)
      const chosen = choose(area.places, moves)
      if (chosen.moves.length === 0) throw new AppError('rebalancing_outdated')
      const route = planRoute({
        places: area.places,
        moves: chosen.moves,
        van: { capacity: ask.capacity, depot: area.centre },
      })
      const adopted = await kit.db.withScope(call.scope, (tx) =>
        adopt({ parts, tx, call, area, hours: ask.hours, chosen, route, assigneeId }),
      )
      return { suc: true, data: adopted }
    },

    listTours: async ({ mine }, { scope, caller }) => ({
      suc: true,
      data: { list: await readTours(kit, scope, mine ? caller.operatorId : null) },
    }),

    listPlans: plans.page,
    exportPlans: plans.file,
  }
}

function planOf(area: AreaTown, ask: Ask, at: number): MovePlan {
  const { places } = area
  const plan = makePlan({
    places,
    van: { capacity: ask.capacity, depot: area.centre },
    minutesMax: ask.minutesMax,
    limits: { vehiclesMax: ask.vehiclesMax },
  })
  const named = (index: number) => {
    const place = places[index]
    if (place === undefined) throw new RangeError(`no place ${index}`)
    return { fenceId: place.id, name: place.name, lat: place.lat, lng: place.lng }
  }
  const stockOf = (index: number): number => places[index]?.stock ?? 0
  return {
    areaId: area.id,
    areaName: area.name,
    at,
    hours: ask.hours,
    places: places.length,
    lostBefore: plan.lostBefore,
    lostAfter: plan.lostAfter,
    minutes: plan.minutes,
    distanceM: plan.route.distanceM,
    moves: plan.moves.map(({ from, to, vehicles, gain, distanceM }) => ({
      from: Object.assign(named(from), { stock: stockOf(from) }),
      to: Object.assign(named(to), { stock: stockOf(to) }),
      vehicles,
      gain,
      distanceM,
    })),
    stops: plan.route.stops.map(({ place, load }) => Object.assign(named(place), { load })),
  }
}

type Adoption = {
  readonly parts: Parts
  readonly tx: Tx
  readonly call: SessionCall
  readonly area: AreaTown
  readonly hours: number
  readonly chosen: Choice
  readonly route: Route
  readonly assigneeId: number | undefined
}

const rebalancePlanRow = rowOf('rebalance_plan', ['id'])

/** A task for each vehicle, and beside them as many that are left where they stand, to compare with. */
async function adopt({
  parts,
  tx,
  call,
  area,
  hours,
  chosen,
  route,
  assigneeId,
}: Adoption): Promise<{ id: number; taskIds: number[] }> {
  const { audit, kit } = parts
  const at = kit.clock.now()
  const opened = await openTasks(tx, {
    at,
    source: 'rebalancing',
    by: byCaller(call),
    tasks: chosen.moves.flatMap(({ goal, carried }) =>
      carried.map((vehicleId) => ({
        vehicleId,
        kind: 'relocate' as const,
        to: { lat: goal.lat, lng: goal.lng, fenceId: goal.id, name: goal.name },
      })),
    ),
  })
  if (opened.length === 0) throw new AppError('rebalancing_outdated')
  const worker =
    assigneeId === undefined ? null : await assignNew(tx, call, { rows: opened.map(rowOfOpened), assigneeId, at })
  const stops = stopsOf({ area, chosen, route, carried: new Set(opened.map(({ vehicleId }) => vehicleId)) })
  const gain = chosen.moves.reduce((sum, move) => sum + move.gain, 0)
  const planned = chosen.moves.reduce((sum, move) => sum + move.carried.length, 0)
  const { rows } = await rebalancePlanRow.returning`
    insert into rebalance_plan (agent_id, area_id, made_at, hours, minutes, distance_m, expected_gain, author_id, author_name,
      assignee_id, assignee_name, stops)
    values (${area.agentId}, ${area.id}, ${new Date(at)}, ${hours}, ${minutesOf(route)}, ${route.distanceM},
      ${(gain * opened.length) / planned}, ${call.caller.operatorId}, ${call.caller.name},
      ${worker?.operatorId ?? null}, ${worker?.name ?? null}, ${JSON.stringify(stops)}::jsonb)
    `.execute(tx)
  const [plan] = rows
  if (plan === undefined) throw new Error('the plan was not stored')
  const vehicles = [
    ...opened.map(({ vehicleId, id }) => ({ vehicleId, taskId: id })),
    ...chosen.left.map((vehicleId) => ({ vehicleId, taskId: null })),
  ]
  const list = unnest<(typeof vehicles)[number]>({
    rows: vehicles,
    alias: 'n',
    columns: { vehicle_id: ['bigint', (one) => one.vehicleId], task_id: ['bigint', (one) => one.taskId] },
  })
  await sql`
    insert into rebalance_vehicle (plan_id, agent_id, area_id, vehicle_id, task_id)
    select ${plan.id}::bigint, ${area.agentId}::bigint, ${area.id}::bigint, n.vehicle_id, n.task_id from ${list}`.execute(
    tx,
  )
  await audit.act(tx, call, {
    agentId: area.agentId,
    areaId: area.id,
    action: 'rebalancing.adopt',
    subjectKind: 'rebalance_plan',
    subjectId: String(plan.id),
    about: opened.flatMap((one) => [
      { kind: 'task', id: one.id },
      { kind: 'vehicle', id: one.vehicleId },
    ]),
    after: {
      horizonHours: hours,
      taskIds: opened.map(({ id }) => id),
      ...(worker !== null && { person: worker.name }),
    },
  })
  return { id: plan.id, taskIds: opened.map(({ id }) => id) }
}

const rowOfOpened = ({ id, agentId, areaId }: Opened) => ({ id, agent_id: agentId, area_id: areaId })
