import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import {
  planExportPartRows,
  type MovePlan,
  type planAskSchema,
  type rebalancingEndpoints,
} from '@saddle/contract/operations/rebalancing.ts'
import type { z } from 'zod'
import { businessOffsetMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import type { Geography } from '#geography/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { businessTime, csvPart } from '#kit/csv.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { unnest } from '#kit/db/unnest.ts'
import type { Kit } from '#kit/kit.ts'
import { randomUuid } from '#kit/random.ts'
import { demandOf } from '../demand/cells.ts'
import { hourOfWeek } from '../demand/forecast.ts'
import { createNearHandlers } from '../demand/near.ts'
import { createSeen } from '../demand/seen.ts'
import { openTasks } from '../tasks/open.ts'
import { byCaller } from '../tasks/parts.ts'
import { adoptedOf, planCsvRow, planCsvTitles, selectPlans, type PlansAsked } from './adopted.ts'
import { choose, type Choice } from './choose.ts'
import { makePlan, minutesOf } from './plan.ts'
import { planRoute, type Route } from './route.ts'
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

    adoptPlan: async ({ moves, ...ask }, call) => {
      const area = await readTown(town, call.scope, ask)
      const chosen = choose(area.places, moves)
      if (chosen.moves.length === 0) throw new AppError('rebalancing_outdated')
      const route = planRoute({
        places: area.places,
        moves: chosen.moves,
        van: { capacity: ask.capacity, depot: area.centre },
      })
      const adopted = await kit.db.withScope(call.scope, (tx) =>
        adopt({ parts, tx, call, area, hours: ask.hours, chosen, route }),
      )
      return { suc: true, data: adopted }
    },

    listPlans: async ({ pageSize, ...asked }, call) => {
      const { list, nextCursor } = await readPlans(kit, call, { ...asked, limit: pageSize })
      return { suc: true, data: { list, nextCursor } }
    },

    exportPlans: async ({ exportId: given, ...asked }, call) => {
      const exportId = given ?? randomUuid(kit.random)
      const { list, nextCursor } = await readPlans(kit, call, { ...asked, limit: planExportPartRows })
      const atMs = kit.clock.now()
      const isFirst = asked.cursor === undefined
      if (isFirst) await kit.db.withScope(ownScope(call), (tx) => noteExport(parts, tx, call, exportId))
      const origin = { exportId, operatorName: call.caller.name }
      const fileName = `rebalancing-${businessTime(atMs).slice(0, 10)}-${exportId.slice(0, 8)}.csv`
      const text = csvPart({ origin, titles: planCsvTitles, isFirst, lines: list.map(planCsvRow) })
      return { suc: true, data: { exportId, fileName, text, rows: list.length, nextCursor } }
    },
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

async function readPlans({ db, clock }: Pick<Kit, 'db' | 'clock'>, { scope }: SessionCall, asked: PlansAsked) {
  // One more than is shown: whether there is a next page.
  const rows = await db.read(scope, (k) => selectPlans(scope, { ...asked, limit: asked.limit + 1 }).compile(k))
  const list = rows.slice(0, asked.limit).map((row) => adoptedOf(row, clock.now()))
  return { list, nextCursor: rows.length > asked.limit ? String(list.at(-1)?.id ?? '') : null }
}

type Adoption = {
  readonly parts: Parts
  readonly tx: Tx
  readonly call: SessionCall
  readonly area: AreaTown
  readonly hours: number
  readonly chosen: Choice
  readonly route: Route
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
  const gain = chosen.moves.reduce((sum, move) => sum + move.gain, 0)
  const planned = chosen.moves.reduce((sum, move) => sum + move.carried.length, 0)
  const { rows } = await rebalancePlanRow.returning`
    insert into rebalance_plan (agent_id, area_id, made_at, hours, minutes, distance_m, expected_gain, author_id, author_name)
    values (${area.agentId}, ${area.id}, ${new Date(at)}, ${hours}, ${minutesOf(route)}, ${route.distanceM},
      ${(gain * opened.length) / planned}, ${call.caller.operatorId}, ${call.caller.name})
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
  await audit.write(tx, {
    agentId: area.agentId,
    areaId: area.id,
    operatorId: call.caller.operatorId,
    action: 'rebalancing.adopt',
    subjectKind: 'rebalance_plan',
    subjectId: String(plan.id),
    about: opened.flatMap((one) => [
      { kind: 'task', id: one.id },
      { kind: 'vehicle', id: one.vehicleId },
    ]),
    after: { horizonHours: hours, taskIds: opened.map(({ id }) => id) },
    address: call.address,
    requestId: call.requestId,
  })
  return { id: plan.id, taskIds: opened.map(({ id }) => id) }
}

const ownScope = ({ caller }: SessionCall) => ({
  agentIds: [caller.agentId],
  areaIds: [],
  operatorId: caller.operatorId,
})

const noteExport = ({ audit }: Pick<Parts, 'audit'>, tx: Tx, call: SessionCall, exportId: string): Promise<unknown> =>
  audit.write(tx, {
    agentId: call.caller.agentId,
    operatorId: call.caller.operatorId,
    action: 'rebalancing.export',
    subjectKind: 'export',
    subjectId: exportId,
    address: call.address,
    requestId: call.requestId,
  })
