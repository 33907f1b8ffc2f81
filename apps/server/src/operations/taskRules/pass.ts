import { sql } from 'kysely'
import {
  taskCancelledHours,
  taskRestHours,
  taskRulesSchema,
  type TaskRule,
} from '@saddle/contract/operations/taskRules.ts'
import { taskKinds, taskTriggers, type TaskKind } from '@saddle/contract/operations/taskWords.ts'
import { vehicleStates, type VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { AreaFences, Geography } from '#geography/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { codeOf } from '#kit/codes.ts'
import { readSettingEverywhere } from '#settings/public.ts'
import { openTasks, type NewTask } from '../tasks/open.ts'
import { insertSteps } from '../tasks/store.ts'
import {
  evaluateArea,
  taskKey,
  withoutAlarms,
  type HeldTask,
  type PlaceFacts,
  type VehicleFacts,
  type Wanted,
} from './evaluate.ts'

export type RuleParts = {
  readonly kit: Pick<Kit, 'db' | 'clock'>
  readonly geography: Pick<Geography, 'current'>
}

export type PassResult = { readonly vehicles: number; readonly opened: number; readonly cancelled: number }

// Any fixed number will do: it names our lock among the database's advisory locks.
const lockNumber = 7_233_381
const longestRestMs = 7 * dayMs

type OpenTask = HeldTask & {
  readonly id: number
  readonly agentId: number
  readonly areaId: number
  readonly isClaimed: boolean
  /** Whoever stands before it sees for themselves, and a vehicle on a van is not on the street. */
  readonly isOnSite: boolean
  readonly isGone: boolean
}

/**
 * Looks at every vehicle of the areas that have rules, opens the tasks that are missing and cancels those whose reason
 * has gone; somebody who is on the way is told and decides. As the system; one at a time, the others do nothing.
 */
export async function runTaskRules({ kit, geography }: RuleParts): Promise<PassResult> {
  return kit.db.system(async (tx) => {
    const nowMs = kit.clock.now()
    const { rows: locks } = await rowOfValues({
      isOurs: computed('boolean', sql`pg_try_advisory_xact_lock(${lockNumber})`),
    }).select``.execute(tx)
    if (locks[0]?.isOurs !== true) return { vehicles: 0, opened: 0, cancelled: 0 }
    const rules = await readRules(tx)
    const areaIds = [...rules.keys()]
    const fences = await geography.current.recent(areaIds, tx)
    const [vehicles, unfinished] = [
      await readVehicles(tx, areaIds, { fences, nowMs }),
      await readUnfinished(tx, areaIds),
    ]
    const rests = await readRests(tx, { areaIds, nowMs, rules })
    const missing: NewTask[] = []
    const kept = new Set<number>()
    let count = 0
    for (const [areaId, areaRules] of rules) {
      const own = vehicles.get(areaId) ?? []
      count += own.length
      const ruled = unfinished.ruled.get(areaId) ?? []
      const places = placesOf(fences.get(areaId))
      const wanted = evaluateArea(areaRules, { nowMs, vehicles: own, places, held: ruled })
      const byKey = new Map(ruled.map((task) => [taskKey(task.vehicleId, task.kind), task]))
      for (const one of wanted) {
        const key = taskKey(one.vehicleId, one.kind)
        const held = byKey.get(key)
        if (held?.trigger === one.trigger) kept.add(held.id)
        else if (!unfinished.keys.has(key) && nowMs >= (rests.get(key) ?? 0)) missing.push(newTask(one, nowMs))
      }
    }
    const opened = await openTasks(tx, { at: nowMs, source: 'rule', by: null, tasks: missing })
    const cancelled = await settle(tx, { tasks: [...unfinished.ruled.values()].flat(), kept, nowMs })
    return { vehicles: count, opened: opened.length, cancelled }
  })
}

const rulesRow = rowOf('task_rule_version', 'r', ['area_id', 'rules'])

/** The rules in force; areas whose newest version asks for nothing are there too, so that their tasks are settled. */
async function readRules(tx: Tx): Promise<Map<number, readonly TaskRule[]>> {
  const { rows } = await rulesRow
    .query(
      (list) => sql`
      select distinct on (r.area_id) ${list} from task_rule_version r
      join service_area a on a.id = r.area_id and a.state = 'enabled'
      order by r.area_id, r.version desc`,
    )
    .execute(tx)
  return new Map(rows.map((row) => [row.area_id, taskRulesSchema.parse(row.rules)]))
}

const vehicleRow = rowsOf(
  rowOf('vehicle', 'v', ['id', 'area_id', 'state']),
  rowOf('vehicle_status', 's', ['battery_percent as battery', 'lat', 'lng']),
  rowOfValues({
    idle_ms: computed('double precision', sql`extract(epoch from coalesce(v.last_ride_at, v.created_at)) * 1000`),
    has_spoken: computed('boolean', sql`s.facts_at is not null`),
  }),
)

const states = new Map<string, VehicleState>(vehicleStates.map((state) => [state, state]))

function stateOf(text: string): VehicleState {
  const state = states.get(text)
  if (state === undefined) throw new RangeError(`unknown state ${text}`)
  return state
}

async function readVehicles(
  tx: Tx,
  areaIds: readonly number[],
  { fences, nowMs }: { readonly fences: ReadonlyMap<number, AreaFences>; readonly nowMs: number },
): Promise<Map<number, VehicleFacts[]>> {
  const { rows } = await vehicleRow.select`
    from vehicle v join vehicle_status s on s.vehicle_id = v.id where v.area_id = any (${areaIds}::bigint[])`.execute(
    tx,
  )
  const alarms = await readAlarms(tx, areaIds)
  const faults = await readFaults(tx, areaIds)
  const found = new Map<number, VehicleFacts[]>(areaIds.map((areaId) => [areaId, []]))
  for (const row of rows) {
    const { lat, lng, has_spoken: hasSpoken } = row
    // Whose device has never said a word is not on the street yet: nobody misses a ride on it.
    const place =
      !hasSpoken || lat === null || lng === null
        ? undefined
        : fences
            .get(row.area_id)
            ?.at({ lat, lng })
            .fences.find(({ kind }) => kind === 'parking')
    found.get(row.area_id)?.push({
      vehicleId: row.id,
      state: stateOf(row.state),
      batteryPercent: row.battery,
      idleSince: hasSpoken ? row.idle_ms : nowMs,
      placeId: place?.id ?? null,
      alarms: alarms.get(row.id) ?? withoutAlarms,
      faults: faults.get(row.id) ?? 0,
    })
  }
  return found
}

const vehicleAlarmRow = rowOf('vehicle_alarm', ['vehicle_id', 'kind', 'opened_at'])

async function readAlarms(tx: Tx, areaIds: readonly number[]) {
  const { rows } = await vehicleAlarmRow.select`
    from vehicle_alarm
    where closed_at is null and area_id = any (${areaIds}::bigint[])`.execute(tx)
  const found = new Map<number, { kind: string; openedAt: number }[]>()
  for (const { vehicle_id: id, kind, opened_at: at } of rows) {
    const own = found.get(id)
    const alarm = { kind, openedAt: at.getTime() }
    if (own === undefined) found.set(id, [alarm])
    else own.push(alarm)
  }
  return found
}

const faultReportRow = rowsOf(
  rowOf('fault_report', ['vehicle_id']),
  rowOfValues({ count: computed('integer', sql`count(*)`) }),
)

async function readFaults(tx: Tx, areaIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await faultReportRow.select`
    from fault_report
    where settled_at is null and area_id = any (${areaIds}::bigint[]) group by vehicle_id`.execute(tx)
  return new Map(rows.map((row) => [row.vehicle_id, row.count]))
}

export function placesOf(area: AreaFences | undefined): PlaceFacts[] {
  return (area?.parking ?? []).map(({ id, name, capacity, centre }) => ({
    id,
    name,
    capacity,
    lat: centre.lat,
    lng: centre.lng,
  }))
}

type Unfinished = { readonly ruled: Map<number, OpenTask[]>; readonly keys: ReadonlySet<string> }

/** All unfinished work by vehicle and kind, and of it what rules have asked for. */
async function readUnfinished(tx: Tx, areaIds: readonly number[]): Promise<Unfinished> {
  type Row = {
    id: number
    agent_id: number
    area_id: number
    vehicle_id: number
    kind: string
    source: string
    state: string
    trigger: string | null
    trigger_detail: string
    to_fence_id: number | null
    cause_gone_at: Date | null
  }
  const { rows } = await sql<Row>`
    select id, agent_id, area_id, vehicle_id, kind, source, state, trigger, trigger_detail, to_fence_id, cause_gone_at
    from task where done_at is null and area_id = any (${areaIds}::bigint[])`.execute(tx)
  const ruled = new Map<number, OpenTask[]>()
  const keys = new Set<string>()
  for (const row of rows) {
    const kind = codeOf(taskKinds, row.kind)
    keys.add(taskKey(row.vehicle_id, kind))
    if (row.source !== 'rule' || row.trigger === null) continue
    const task: OpenTask = {
      id: row.id,
      agentId: row.agent_id,
      areaId: row.area_id,
      vehicleId: row.vehicle_id,
      kind,
      trigger: codeOf(taskTriggers, row.trigger),
      detail: row.trigger_detail,
      toFenceId: row.to_fence_id,
      isClaimed: row.state !== 'open',
      isOnSite: row.state === 'on_site',
      isGone: row.cause_gone_at !== null,
    }
    const own = ruled.get(row.area_id)
    if (own === undefined) ruled.set(row.area_id, [task])
    else own.push(task)
  }
  return { ruled, keys }
}

const taskRow = rowsOf(
  rowOf('task', ['vehicle_id', 'agent_id', 'area_id', 'kind', 'state']),
  rowOfValues({ done_at: computed('timestamptz', sql`max(done_at)`) }),
)

/** Until when the work of a kind on a vehicle is not asked for, because somebody has just done it or decided against it. */
async function readRests(
  tx: Tx,
  options: { areaIds: readonly number[]; nowMs: number; rules: ReadonlyMap<number, readonly TaskRule[]> },
): Promise<Map<string, number>> {
  const { areaIds, nowMs, rules } = options
  const idleHours = [...rules.values()].flat().map((rule) => (rule.trigger === 'idle' ? rule.hours : 0))
  const idleMs = Math.max(0, ...idleHours) * hourMs
  const done = await readSettingEverywhere(tx, 'task_rest_hours')
  const cancelled = await readSettingEverywhere(tx, 'task_cancelled_hours')
  const hours = [taskRestHours, taskCancelledHours, ...done.chosen, ...cancelled.chosen]
  const since = new Date(nowMs - Math.min(longestRestMs, Math.max(Math.max(...hours) * hourMs, idleMs)))
  const { rows } = await taskRow.select`
    from task
    where done_at >= ${since} and area_id = any (${areaIds}::bigint[]) and (state = 'done' or cause_gone_at is null)
    group by vehicle_id, agent_id, area_id, kind, state`.execute(tx)
  const found = new Map<string, number>()
  const moved: ReadonlySet<TaskKind> = new Set(['move', 'relocate', 'retrieve'])
  for (const row of rows) {
    const kind = codeOf(taskKinds, row.kind)
    // Who was moved because nobody rode it has to stand idle as long again.
    const place = { agentId: row.agent_id, areaId: row.area_id }
    const restAfterDoneMs = done.of(place) * hourMs
    const afterDone = moved.has(kind) ? Math.max(restAfterDoneMs, idleMs) : restAfterDoneMs
    const until = row.done_at.getTime() + (row.state === 'done' ? afterDone : cancelled.of(place) * hourMs)
    const key = taskKey(row.vehicle_id, kind)
    found.set(key, Math.max(found.get(key) ?? 0, until))
  }
  return found
}

function newTask(wanted: Wanted, nowMs: number): NewTask {
  const { vehicleId, kind, priority, dueMinutes, trigger, detail, value, to } = wanted
  return {
    vehicleId,
    kind,
    priority,
    dueAt: dueMinutes === null ? undefined : nowMs + dueMinutes * minuteMs,
    trigger,
    triggerDetail: detail.slice(0, 80),
    triggerValue: value,
    ...(to === null ? {} : { to: { lat: to.lat, lng: to.lng, fenceId: to.id, name: to.name } }),
  }
}

const taskRow2 = rowOf('task', ['id', 'agent_id', 'area_id'])

/** Cancels what nobody has taken and whose reason has gone; what somebody has is marked, and unmarked when it is back. */
async function settle(
  tx: Tx,
  options: { tasks: readonly OpenTask[]; kept: ReadonlySet<number>; nowMs: number },
): Promise<number> {
  const { tasks, kept, nowMs } = options
  const at = new Date(nowMs)
  const idsOf = (some: readonly OpenTask[]): number[] => some.map(({ id }) => id)
  const gone = tasks.filter(({ id, isClaimed }) => !kept.has(id) && !isClaimed)
  const { rows } =
    gone.length === 0
      ? { rows: [] }
      : await taskRow2.returning`
    update task set state = 'cancelled', done_at = greatest(${at}, opened_at), cause_gone_at = ${at}
    where id = any (${idsOf(gone)}::bigint[]) and state = 'open' `.execute(tx)
  await insertSteps(
    tx,
    rows.map((task) => ({ task, step: 'cancelled', at: nowMs, by: null })),
  )
  const marked = tasks.filter(
    ({ id, isClaimed, isOnSite, isGone }) => isClaimed && !isOnSite && isGone === kept.has(id),
  )
  if (marked.length > 0) {
    const back = marked.filter(({ id }) => kept.has(id))
    await sql`
      update task set cause_gone_at = case when id = any (${idsOf(back)}::bigint[]) then null else ${at}::timestamptz end
      where id = any (${idsOf(marked)}::bigint[]) and done_at is null`.execute(tx)
  }
  return rows.length
}
